package shisanzhi;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Connects to the service with the retries that it counts on. */
public final class Shisanzhi {
  private static final Map<String, ?> SERVICE_CONFIG = serviceConfig();

  private Shisanzhi() {}

  /**
   * Gives a channel to a target such as {@code 127.0.0.1:50051} or {@code dns:///shisanzhi:50051}.
   *
   * <p>Every call waits for a server, is made again where a server goes away under it, and has ten
   * seconds unless its stub says less.
   */
  public static ManagedChannel connect(String target, ChannelCredentials credentials) {
    return configured(Grpc.newChannelBuilder(target, credentials)).build();
  }

  /** Gives the retries and deadlines to a channel that is built by other means. */
  public static <T extends ManagedChannelBuilder<T>> T configured(ManagedChannelBuilder<T> builder) {
    return builder.defaultServiceConfig(SERVICE_CONFIG);
  }

  private static Map<String, ?> serviceConfig() {
    try (Reader json =
        new InputStreamReader(
            Shisanzhi.class.getResourceAsStream("service_config.json"), StandardCharsets.UTF_8)) {
      return new Gson().fromJson(json, new TypeToken<Map<String, Object>>() {}.getType());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
