/** Calls every few milliseconds while the server restarts; clients/README.md says what is told and printed. */

import { setTimeout as pause } from "node:timers/promises";
import { parseCards, Ruleset } from "shisanzhi";
import { connect } from "shisanzhi/node";

const EVERY_MS = 5;
const client = connect(process.env["SHISANZHI_TARGET"] ?? "");
const seconds = Number(process.env["SHISANZHI_SECONDS"]);
const request = { ruleset: Ruleset.CLASSIC, rows: [{ cards: parseCards("As Kd 9c") }] };

function say(...words: (string | number)[]): void {
  console.log("restarts: typescript", ...words);
}

let lost = 0;
const calls: Promise<void>[] = [];
const call = () =>
  client.evaluate(request).then(
    () => {},
    (error: unknown) => {
      lost += 1;
      console.error(String(error));
    },
  );

await client.evaluate(request);
say("started");
const start = performance.now();
while (performance.now() - start < seconds * 1000) {
  calls.push(call());
  await pause(Math.max(0, start + calls.length * EVERY_MS - performance.now()));
}
await Promise.all(calls);
client.close();
say("calls", calls.length, "lost", lost);
process.exitCode = lost === 0 ? 0 : 1;
