import { type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { GameLogicService } from "../gen/shisanzhi/v1/game_logic_service_pb.js";
import { withTypedErrors } from "./errors.js";
import { retry } from "./retry.js";

/** The service's methods; see `GameLogicService` for what each says. */
export type GameLogic = Client<typeof GameLogicService>;

/** How calls are made, wherever the client runs. */
export interface CallOptions {
  /** How long a call may take, with all that is tried again; 10 seconds by default. */
  readonly timeoutMs?: number;
  /** Run around each attempt of a call. */
  readonly interceptors?: readonly Interceptor[];
}

/** What the options mean to a transport of Connect. */
export function callOptions({ timeoutMs = 10_000, interceptors = [] }: CallOptions) {
  return { defaultTimeoutMs: timeoutMs, interceptors: [retry, ...interceptors] };
}

/** The service's methods over any transport, failing with GameLogicError. */
export function gameLogic(transport: Transport): GameLogic {
  return createClient(GameLogicService, withTypedErrors(transport));
}
