import type { SecureClientSessionOptions } from "node:http2";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { type CallOptions, callOptions, type GameLogic, gameLogic } from "./client.js";

/** How to reach a server. */
export interface NodeOptions extends CallOptions {
  /** Speak TLS, with Node's own options: `ca`, `cert`, `key`, `servername`. `{}` trusts what Node trusts. */
  readonly tls?: SecureClientSessionOptions;
}

/** A connection to `host:port`, by gRPC. It is opened by the first call, and again when it is lost. */
export function connect(target: string, options: NodeOptions = {}): GameLogic & { close(): void } {
  const baseUrl = `${options.tls ? "https" : "http"}://${target}`;
  const sessionManager = new Http2SessionManager(baseUrl, undefined, options.tls);
  const transport = createGrpcTransport({ baseUrl, sessionManager, ...callOptions(options) });
  return Object.assign(gameLogic(transport), { close: () => sessionManager.abort() });
}
