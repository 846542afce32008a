import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf-8");

test("the README shows the example that conformance runs", () => {
  const [, shown] = /^```ts\n(.*?)^```$/msu.exec(read("README.md")) ?? [];
  assert.equal(shown, read("example/round.ts"));
});

test("the version is the service's", () => {
  const [, version] =
    /^__version__ = "(.*)"$/mu.exec(read("../../service/shisanzhi/__init__.py")) ?? [];
  assert.equal(JSON.parse(read("package.json")).version, version);
  assert.equal(JSON.parse(read("package-lock.json")).version, version);
});

test("every dependency is pinned exactly", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  for (const version of Object.values({ ...dependencies, ...devDependencies })) {
    assert.match(String(version), /^\d+\.\d+\.\d+$/u);
  }
});
