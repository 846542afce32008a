package shisanzhi.conformance;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A kind of golden cases.
 *
 * @param name its file's
 * @param asks the fields of a case that make the request
 * @param answers the fields that are compared
 * @param ask what the service says to a case, by the names of its fields
 * @param askAll the same for all cases in one call; null where there is no such call
 */
record Kind(String name, List<String> asks, List<String> answers, Ask ask, AskAll askAll) {
  private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  interface Ask {
    Map<String, Object> ask(Service service, JsonObject golden);
  }

  interface AskAll {
    List<Map<String, Object>> ask(Service service, List<JsonObject> cases);
  }

  static Kind of(String name, String asks, String answers, Ask ask, AskAll askAll) {
    return new Kind(name, words(asks), words(answers), ask, askAll);
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" "));
  }

  /** Asks every case by itself, then all at once where that can be; says what is wrong with each. */
  List<Optional<String>> run(Service service, List<JsonObject> cases) {
    List<Optional<String>> outcomes = new ArrayList<>();
    for (JsonObject golden : cases) {
      outcomes.add(outcome(() -> compare(golden, ask.ask(service, golden))));
    }
    if (askAll == null) {
      return outcomes;
    }
    List<Map<String, Object>> together = new ArrayList<>();
    Optional<String> wrong =
        outcome(
            () -> {
              together.addAll(askAll.ask(service, cases));
              if (together.size() != cases.size()) {
                throw new AssertionError(
                    "expected " + cases.size() + " answers in one call, got " + together.size());
              }
            });
    for (int i = 0; i < cases.size(); i++) {
      JsonObject golden = cases.get(i);
      Map<String, Object> got = wrong.isPresent() ? null : together.get(i);
      Optional<String> alsoWrong = wrong.or(() -> outcome(() -> compare(golden, got)));
      outcomes.set(i, outcomes.get(i).or(() -> alsoWrong));
    }
    return outcomes;
  }

  /** Runs a check; says what is wrong. */
  static Optional<String> outcome(Runnable check) {
    try {
      check.run();
      return Optional.empty();
    } catch (StatusRuntimeException e) {
      return Optional.of(e.getStatus().getDescription());
    } catch (RuntimeException | AssertionError e) {
      return Optional.of(e.toString());
    }
  }

  private void compare(JsonObject golden, Map<String, Object> answer) {
    JsonObject said = GSON.toJsonTree(answer).getAsJsonObject();
    for (String field : answers) {
      JsonElement expected = golden.get(field);
      JsonElement got = said.get(field);
      boolean equal =
          field.equals("reasons") // a set
              ? new HashSet<>(expected.getAsJsonArray().asList())
                  .equals(new HashSet<>(got.getAsJsonArray().asList()))
              : got.equals(expected);
      if (!equal) {
        throw new AssertionError(
            "expected " + field + " " + GSON.toJson(expected) + ", got " + GSON.toJson(got));
      }
    }
  }
}
