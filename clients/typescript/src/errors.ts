import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "../gen/google/rpc/error_details_pb.js";

const DOMAIN = "shisanzhi";

/** One thing that is wrong with a request. */
export interface Fault {
  /** Where: `arrangements[2].middle[4]`, in the contract's own field names. */
  readonly path: string;
  /** The name of an ErrorReason; a newer server may know more of them. */
  readonly reason: string;
  /** The same for developers, in English: what was expected, then what was found. */
  readonly description: string;
}

/** A call that failed: why, and everything that was wrong with the request. */
export class GameLogicError extends Error {
  override readonly name = "GameLogicError";
  /** The method that was called: `DealRound`. */
  readonly method: string;
  /** The status code. */
  readonly code: Code;
  /** The name of an ErrorReason; empty where the call failed on its way. */
  readonly reason: string;
  /** Every fault of the request, in the order of the request. */
  readonly faults: readonly Fault[];
  /** How many more there were than fit into an answer. */
  readonly faultsLeftOut: number;
  /** How long to wait before trying again, where the service is overloaded. */
  readonly retryAfterMs: number | undefined;
  /** What finds the cause in the service's log, where the service is at fault. */
  readonly requestId: string | undefined;
  override readonly cause: ConnectError;

  constructor(method: string, error: ConnectError) {
    super(`${method}: ${error.message}`);
    const info = error.findDetails(ErrorInfoSchema).find((each) => each.domain === DOMAIN);
    const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
    this.cause = error;
    this.method = method;
    this.code = error.code;
    this.reason = info?.reason ?? "";
    this.faults = error
      .findDetails(BadRequestSchema)
      .flatMap((each) => each.fieldViolations)
      .map(({ field, reason, description }) => ({ path: field, reason, description }));
    this.faultsLeftOut = Number(info?.metadata["faults_left_out"] ?? 0);
    this.retryAfterMs = delay && Number(delay.seconds) * 1000 + delay.nanos / 1e6;
    this.requestId = error.findDetails(RequestInfoSchema)[0]?.requestId;
  }

  /** The status code by its name in gRPC: `INVALID_ARGUMENT`. */
  get codeName(): string {
    const name = Code[this.code] ?? `${this.code}`;
    return this.code === Code.Canceled
      ? "CANCELLED"
      : name.replace(/(?<=[a-z])(?=[A-Z])/gu, "_").toUpperCase();
  }
}

/** A transport whose calls fail with GameLogicError. */
export function withTypedErrors(transport: Transport): Transport {
  return {
    unary: async (...call) => {
      try {
        return await transport.unary(...call);
      } catch (error) {
        throw new GameLogicError(call[0].name, ConnectError.from(error));
      }
    },
    stream: (...call) => transport.stream(...call),
  };
}
