import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

const FIRST_MS = 50;
const LONGEST_MS = 500;
/** How a call ends that a stopping server cuts off, or that finds none. */
const AGAIN = new Set([Code.Unavailable, Code.Canceled]);

/**
 * Makes a call again that no server has answered, at growing intervals, until its deadline.
 *
 * It does what `waitForReady` and the retry policy of `service_config.json` do elsewhere, since Connect reads
 * no service config. Every call may be repeated: none changes anything.
 */
export const retry: Interceptor = (next) => async (request) => {
  for (let longest = FIRST_MS; ; longest = Math.min(longest * 2, LONGEST_MS)) {
    try {
      return await next(request);
    } catch (error) {
      const { code, cause } = ConnectError.from(error);
      const again = AGAIN.has(code) || isOfConnection(cause);
      if (request.stream || request.signal.aborted || !again) {
        throw error;
      }
    }
    // Anything up to the interval, so that the clients of a server do not all come back at once.
    await pause(Math.random() * longest, request.signal);
  }
};

/**
 * Whether a call failed below gRPC, so that no server has answered it.
 *
 * Connect calls that INTERNAL, ABORTED or UNKNOWN: a stream refused, a connection reset (Node's errors have a `code`),
 * a fetch that came to nothing (TypeError).
 */
function isOfConnection(cause: unknown): boolean {
  return cause instanceof Error && (cause instanceof TypeError || "code" in cause);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
