import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { type CallOptions, callOptions, type GameLogic, gameLogic } from "./client.js";

/** The server behind an address such as `https://cards.example`, by gRPC-Web: browsers speak no gRPC. */
export function connect(baseUrl: string, options: CallOptions = {}): GameLogic {
  return gameLogic(createGrpcWebTransport({ baseUrl, ...callOptions(options) }));
}
