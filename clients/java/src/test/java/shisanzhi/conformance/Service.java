package shisanzhi.conformance;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import shisanzhi.Shisanzhi;
import shisanzhi.v1.GameLogicServiceGrpc;
import shisanzhi.v1.GameLogicServiceGrpc.GameLogicServiceBlockingStub;

/** A connection that can also call a method by its name. */
final class Service implements AutoCloseable {
  private final ManagedChannel connection;
  private final Channel channel;
  final GameLogicServiceBlockingStub stub;

  Service(String target) {
    connection = Shisanzhi.connect(target, InsecureChannelCredentials.create());
    channel = ClientInterceptors.intercept(connection, new Naming());
    stub = GameLogicServiceGrpc.newBlockingStub(channel);
  }

  /** Sends a serialised request to the method of that name. */
  void call(String method, byte[] request) {
    MethodDescriptor<?, ?> named =
        GameLogicServiceGrpc.getServiceDescriptor().getMethods().stream()
            .filter(each -> each.getBareMethodName().equals(method))
            .findFirst()
            .orElseThrow(() -> new AssertionError("expected a method of the contract, got " + method));
    call(named, request);
  }

  private <Q, A> void call(MethodDescriptor<Q, A> method, byte[] request) {
    Q message = method.parseRequest(new ByteArrayInputStream(request));
    ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, message);
  }

  @Override
  public void close() {
    connection.shutdownNow();
  }

  /** Has an error say which method it comes from. */
  private static final class Naming implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<A> listener, Metadata headers) {
          super.start(
              new SimpleForwardingClientCallListener<>(listener) {
                @Override
                public void onClose(Status status, Metadata trailers) {
                  super.onClose(named(method, status), trailers);
                }
              },
              headers);
        }
      };
    }

    private static Status named(MethodDescriptor<?, ?> method, Status status) {
      return status.isOk()
          ? status
          : status.withDescription(
              method.getBareMethodName() + ": " + status.getCode() + " " + status.getDescription());
    }
  }
}
