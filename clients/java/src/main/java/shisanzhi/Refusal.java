package shisanzhi;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RequestInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import shisanzhi.v1.ErrorReason;

/**
 * Why the service did not answer a call.
 *
 * @param code the status code
 * @param reason a stable name such as {@code CARD_REPEATED}: the one to branch on
 * @param message for developers; may change
 * @param faults everything that is wrong with the request
 * @param faultsLeftOut how many faults did not fit in
 * @param retryAfter how long to wait when overloaded, else zero
 * @param requestId finds an internal error in the service's log, else empty
 */
public record Refusal(
    Status.Code code,
    String reason,
    String message,
    List<Fault> faults,
    int faultsLeftOut,
    Duration retryAfter,
    String requestId) {

  /**
   * One thing that is wrong with a request.
   *
   * @param path into the request, by the contract's names: {@code arrangements[2].middle[4]}
   * @param reason a stable name
   * @param description for developers; may change
   */
  public record Fault(String path, String reason, String description) {}

  /**
   * Reads what a call threw. Empty where it does not come from the service itself: a server that is
   * gone, say, has a status code alone.
   */
  public static Optional<Refusal> of(Throwable thrown) {
    com.google.rpc.Status status = StatusProto.fromThrowable(thrown);
    if (status == null) {
      return Optional.empty();
    }
    ErrorInfo info = detail(status, ErrorInfo.getDefaultInstance());
    if (!info.getDomain().equals("shisanzhi")) {
      return Optional.empty();
    }
    BadRequest request = detail(status, BadRequest.getDefaultInstance());
    com.google.protobuf.Duration delay =
        detail(status, RetryInfo.getDefaultInstance()).getRetryDelay();
    return Optional.of(
        new Refusal(
            Status.fromCodeValue(status.getCode()).getCode(),
            info.getReason(),
            status.getMessage(),
            request.getFieldViolationsList().stream()
                .map(f -> new Fault(f.getField(), f.getReason(), f.getDescription()))
                .toList(),
            Integer.parseInt(info.getMetadataOrDefault("faults_left_out", "0")),
            Duration.ofSeconds(delay.getSeconds(), delay.getNanos()),
            detail(status, RequestInfo.getDefaultInstance()).getRequestId()));
  }

  /** Gives the value of a reason; unspecified where only a newer server knows it. */
  public static ErrorReason valueOf(String reason) {
    try {
      return ErrorReason.valueOf("ERROR_REASON_" + reason);
    } catch (IllegalArgumentException e) {
      return ErrorReason.ERROR_REASON_UNSPECIFIED;
    }
  }

  private static <T extends com.google.protobuf.Message> T detail(
      com.google.rpc.Status status, T otherwise) {
    for (Any each : status.getDetailsList()) {
      if (each.is(otherwise.getClass())) {
        try {
          @SuppressWarnings("unchecked")
          T found = (T) each.unpack(otherwise.getClass());
          return found;
        } catch (InvalidProtocolBufferException e) {
          return otherwise;
        }
      }
    }
    return otherwise;
  }
}
