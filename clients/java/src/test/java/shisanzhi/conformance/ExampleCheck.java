package shisanzhi.conformance;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Optional;
import shisanzhi.example.FirstRound;
import shisanzhi.example.FirstRoundInKotlinKt;

/** Runs the programs that the README shows, the one in Java and the one in Kotlin. */
final class ExampleCheck {
  private static final String ROUND =
      """
      seat 0: -2
      seat 1: 0
      seat 2: 4
      seat 3: -2
      """;

  private ExampleCheck() {}

  static Optional<String> run(String target) {
    return Kind.outcome(
        () -> {
          prints(() -> FirstRound.main(new String[] {target}));
          prints(() -> FirstRoundInKotlinKt.main(target));
        });
  }

  private static void prints(Runnable example) {
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true));
    try {
      example.run();
    } finally {
      System.setOut(out);
    }
    if (!printed.toString().equals(ROUND)) {
      throw new AssertionError("expected " + ROUND + ", got " + printed);
    }
  }
}
