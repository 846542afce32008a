import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

const FIRST_MS = 50;
const LONGEST_MS = 500;
/** What a server that stops leaves behind, or one that is not there yet. */
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
      const again = AGAIN.has(ConnectError.from(error).code) && !request.signal.aborted;
      if (request.stream || !again) {
        throw error;
      }
    }
    // Anything up to the interval, so that the clients of a server do not all come back at once.
    await pause(Math.random() * longest, request.signal);
  }
};

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
