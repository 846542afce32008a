package shisanzhi.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.protobuf.RuntimeVersion;
import io.grpc.internal.GrpcUtil;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Holds the client to the golden cases that every client answers to; ../README.md says how. */
class ConformanceIT {
  private boolean allPassed = true;

  @Test
  void everyGoldenCasePasses() throws Exception {
    String target = required("SHISANZHI_TARGET");
    Map<String, List<JsonObject>> cases =
        Vectors.read(Path.of(required("SHISANZHI_VECTORS")), Kinds.ALL);
    say("versions " + versions());
    try (Service service = new Service(target)) {
      for (Kind kind : Kinds.ALL) {
        report(kind.name(), kind.run(service, cases.get(kind.name())));
      }
    }
    report("verify", VerifyChecks.run(cases.get("deal")));
    report("example", List.of(ExampleCheck.run(target)));
    String newer = System.getenv("SHISANZHI_NEWER_TARGET");
    if (newer != null) {
      try (Service service = new Service(newer)) {
        report("newer", NewerChecks.run(service));
      }
    }
    assertTrue(allPassed, "a case failed");
  }

  /** Prints what came of a kind: for each case what is wrong, or empty where it passed. */
  private void report(String kind, List<Optional<String>> outcomes) {
    int passed = 0;
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i).isEmpty()) {
        passed++;
      } else {
        allPassed = false;
        say("failed " + kind + " " + (i + 1) + ": " + outcomes.get(i).get().replace("\n", " "));
      }
    }
    say(kind + " " + passed);
  }

  private static void say(String text) {
    System.out.println("conformance: java " + text);
  }

  private static String versions() {
    return "java %s, grpc %s, protobuf %d.%d.%d"
        .formatted(
            System.getProperty("java.version"),
            GrpcUtil.getGrpcBuildVersion().getImplementationVersion(),
            RuntimeVersion.OSS_MAJOR,
            RuntimeVersion.OSS_MINOR,
            RuntimeVersion.OSS_PATCH);
  }

  static String required(String variable) {
    String value = System.getenv(variable);
    if (value == null || value.isEmpty()) {
      throw new AssertionError("expected " + variable + " in the environment, got none");
    }
    return value;
  }
}
