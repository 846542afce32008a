package shisanzhi.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import shisanzhi.Shisanzhi;
import shisanzhi.v1.EvaluateRequest;
import shisanzhi.v1.EvaluateResponse;
import shisanzhi.v1.GameLogicServiceGrpc;
import shisanzhi.v1.GameLogicServiceGrpc.GameLogicServiceStub;
import shisanzhi.v1.Ruleset;

/** Starts a call every 5 ms while somebody else restarts the only server. */
@EnabledIfEnvironmentVariable(named = "SHISANZHI_SECONDS", matches = ".+")
class RestartsIT implements StreamObserver<EvaluateResponse> {
  private static final Duration EVERY = Duration.ofMillis(5);

  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicInteger answered = new AtomicInteger();
  private final Phaser calling = new Phaser(1);

  @Test
  void noCallIsLost() {
    Duration time = Duration.parse("PT" + System.getenv("SHISANZHI_SECONDS") + "S");
    EvaluateRequest request =
        EvaluateRequest.newBuilder()
            .setRuleset(Ruleset.RULESET_CLASSIC)
            .addRows(Requests.cardList("As Ah Kd"))
            .build();
    ManagedChannel channel =
        Shisanzhi.connect(
            ConformanceIT.required("SHISANZHI_TARGET"), InsecureChannelCredentials.create());
    GameLogicServiceStub stub = GameLogicServiceGrpc.newStub(channel);
    long begin = System.nanoTime();
    long calls = time.dividedBy(EVERY);
    for (long call = 1; call <= calls; call++) {
      calling.register();
      stub.withDeadlineAfter(10, TimeUnit.SECONDS).evaluate(request, this);
      LockSupport.parkNanos(begin + call * EVERY.toNanos() - System.nanoTime());
    }
    calling.arriveAndAwaitAdvance();
    channel.shutdown();
    long lost = calls - answered.get();
    System.out.println("restarts: java calls " + calls + " lost " + lost);
    assertEquals(0, lost);
  }

  @Override
  public void onNext(EvaluateResponse response) {
    answered.incrementAndGet();
    if (!started.getAndSet(true)) {
      System.out.println("restarts: java started");
    }
  }

  @Override
  public void onError(Throwable lost) {
    System.out.println(lost);
    calling.arriveAndDeregister();
  }

  @Override
  public void onCompleted() {
    calling.arriveAndDeregister();
  }
}
