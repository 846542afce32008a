import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError, createRouterTransport, type Interceptor } from "@connectrpc/connect";
import { GameLogicError, GameLogicService, gameLogic, retry } from "shisanzhi";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "../gen/google/rpc/error_details_pb.js";

/** A client of a server that first fails in some ways, and a count of its calls. */
function failing(...failures: ConnectError[]) {
  const asked = { count: 0 };
  const counting: Interceptor = (next) => (request) => {
    asked.count += 1;
    return next(request);
  };
  const router = createRouterTransport(
    ({ rpc }) => {
      rpc(GameLogicService.method.listRulesets, () => {
        const failure = failures.shift();
        if (failure) {
          throw failure;
        }
        return {};
      });
    },
    { transport: { interceptors: [retry, counting] } },
  );
  return { client: gameLogic(router), asked };
}

const refused = new ConnectError("expected cards, got none", Code.InvalidArgument, undefined, [
  {
    desc: ErrorInfoSchema,
    value: { domain: "shisanzhi", reason: "ROW_SIZE", metadata: { faults_left_out: "2" } },
  },
  {
    desc: BadRequestSchema,
    value: {
      fieldViolations: [
        { field: "rows[0].cards", reason: "ROW_SIZE", description: "expected cards, got none" },
      ],
    },
  },
]);

test("a call that no server answers is made again", async () => {
  const { client, asked } = failing(
    new ConnectError("gone", Code.Unavailable),
    new ConnectError("cut off", Code.Canceled),
  );
  await client.listRulesets({});
  assert.equal(asked.count, 3);
});

test("a call that failed below gRPC is made again, whatever Connect calls it", async () => {
  const failures = [
    Object.assign(new Error("refused"), { code: "ERR_HTTP2_STREAM_ERROR" }),
    new TypeError("Failed to fetch"),
  ];
  const below = failures.map((cause) => {
    return new ConnectError(cause.message, Code.Internal, undefined, undefined, cause);
  });
  const router = createRouterTransport(
    ({ rpc }) => rpc(GameLogicService.method.listRulesets, () => ({})),
    {
      transport: {
        interceptors: [
          retry,
          (next) => (request) => {
            const failure = below.shift();
            return failure ? Promise.reject(failure) : next(request);
          },
        ],
      },
    },
  );
  await gameLogic(router).listRulesets({});
  assert.equal(below.length, 0);
});

test("an INTERNAL of the service is not asked for again", async () => {
  const { client, asked } = failing(new ConnectError("a fault", Code.Internal));
  await assert.rejects(client.listRulesets({}), { codeName: "INTERNAL" });
  assert.equal(asked.count, 1);
});

test("a call that was refused is not made again, and says why", async () => {
  const { client, asked } = failing(refused);
  await assert.rejects(client.listRulesets({}), (error) => {
    assert.ok(error instanceof GameLogicError);
    assert.deepEqual(
      [error.codeName, error.reason, error.faultsLeftOut],
      ["INVALID_ARGUMENT", "ROW_SIZE", 2],
    );
    assert.deepEqual(error.faults, [
      { path: "rows[0].cards", reason: "ROW_SIZE", description: "expected cards, got none" },
    ]);
    assert.deepEqual([error.retryAfterMs, error.requestId], [undefined, undefined]);
    return true;
  });
  assert.equal(asked.count, 1);
});

test("an overloaded server says how long to wait", async () => {
  const overloaded = new ConnectError("busy", Code.ResourceExhausted, undefined, [
    { desc: ErrorInfoSchema, value: { domain: "shisanzhi", reason: "OVERLOADED" } },
    { desc: RetryInfoSchema, value: { retryDelay: { seconds: 1n, nanos: 500_000_000 } } },
  ]);
  await assert.rejects(failing(overloaded).client.listRulesets({}), {
    reason: "OVERLOADED",
    retryAfterMs: 1500,
  });
});

test("a call that the client cancels is not made again", async () => {
  const gone = Array.from({ length: 100 }, () => new ConnectError("gone", Code.Unavailable));
  const { client, asked } = failing(...gone);
  const cancelled = AbortSignal.timeout(100);
  await assert.rejects(client.listRulesets({}, { signal: cancelled }), { name: "GameLogicError" });
  const { count } = asked;
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.equal(asked.count, count);
});

test("a call whose deadline passes says so, however often it was tried", async () => {
  const gone = Array.from({ length: 100 }, () => new ConnectError("gone", Code.Unavailable));
  await assert.rejects(failing(...gone).client.listRulesets({}, { timeoutMs: 200 }), {
    code: Code.DeadlineExceeded,
  });
});
