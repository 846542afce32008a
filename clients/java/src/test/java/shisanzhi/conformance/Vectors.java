package shisanzhi.conformance;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The golden files. */
final class Vectors {
  private Vectors() {}

  /**
   * Reads every golden file. One too many, too few or empty is an error, and so is a field that no
   * kind knows.
   */
  static Map<String, List<JsonObject>> read(Path folder, List<Kind> kinds) throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jsonl")) {
      for (Path path : found) {
        String name = path.getFileName().toString().replace(".jsonl", "");
        if (kinds.stream().noneMatch(kind -> kind.name().equals(name))) {
          throw new AssertionError("expected golden cases of a known kind, got " + path.getFileName());
        }
      }
    }
    Map<String, List<JsonObject>> cases = new HashMap<>();
    for (Kind kind : kinds) {
      cases.put(kind.name(), read(folder.resolve(kind.name() + ".jsonl"), kind));
    }
    return cases;
  }

  private static List<JsonObject> read(Path path, Kind kind) throws IOException {
    List<JsonObject> cases =
        Files.readAllLines(path).stream()
            .map(line -> JsonParser.parseString(line).getAsJsonObject())
            .toList();
    if (cases.isEmpty()) {
      throw new AssertionError("expected golden cases in " + path + ", got none");
    }
    for (JsonObject golden : cases) {
      for (String field : golden.keySet()) {
        if (!field.equals("note") && !kind.asks().contains(field) && !kind.answers().contains(field)) {
          throw new AssertionError("expected fields that " + kind.name() + " has, got " + field);
        }
      }
    }
    return cases;
  }
}
