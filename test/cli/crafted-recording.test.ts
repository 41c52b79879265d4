/** Goal: a recording with right checksums and any content is refused with its reason and exit code 2: no hang, no stack. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import { NO_SUM, recordLine } from "../../src/live/recording.ts";
import { HEAD, payment, recorded, SETUP, submit } from "../live/support.ts";
import { folder, refusalOf, runCommand } from "./support.ts";

/** A payment, and what was seen of it. */
const { network, entries } = recorded();
submit(network, "v1", payment("alice", 0));
network.runTo(300 as Millis, 1_000_000);
network.writeVerificationPoint();
const [paid, point] = entries;

function file(...lines: readonly unknown[]): string {
  let sum = NO_SUM;
  const text = lines.map((line) => {
    const next = recordLine(sum, line as never);
    sum = next.sum;
    return next.line;
  });
  const path = join(folder({}), "r.ndjson");
  writeFileSync(path, text.join(""));
  return path;
}

const step = (verb: unknown): object => ({ type: "input", at: 300, input: { type: "step", step: verb } });
const strange = { type: "input", at: 0, input: { type: "clocks", aheadMs: {} } };
const FAR = Number.MAX_SAFE_INTEGER;

test.each<readonly [string, readonly unknown[]]>([
  ["a head without a setup", [{ ...HEAD, setup: null }]],
  ["a scenario of another form", [{ ...HEAD, setup: { ...SETUP, scenario: { name: 5, network: [] } } }, paid, point]],
  ["no scenario", [{ ...HEAD, setup: {} }, paid, point]],
  ["keys that are none", [{ ...HEAD, setup: { ...SETUP, keys: 7, accounts: null } }, paid, point]],
  ["an unknown entry", [HEAD, paid, { type: "other", at: 1 }, point]],
  ["a time that is text", [HEAD, paid, { ...point, at: "300" }]],
  ["a far time", [HEAD, paid, { ...point, at: FAR }]],
  ["a snapshot at a far time", [HEAD, paid, point, { type: "snapshot", at: FAR }]],
  ["a return to nothing", [HEAD, paid, point, { type: "revert", inputs: -1, at: 0 }]],
  ["a step of no verb", [HEAD, paid, step({}), step({ what: { node: "v1" } }), { ...point, at: 301 }]],
  ["a step for a stranger", [HEAD, paid, step({ crash: { node: "v99" } }), point]],
  ["a step that is a list", [HEAD, paid, step({ govern: { validators: 5 } }), point]],
  ["an input of a stranger", [HEAD, { toJSON: () => strange }, point]],
])("%s", async (_name, lines) => {
  const path = file(...lines);
  for (const argv of [
    ["replay", path],
    ["serve", "--port", "0", "--state", path],
  ]) {
    const { code, err } = await runCommand(argv, { interrupted: async () => true });
    expect([argv[0], code, err]).toEqual([
      argv[0],
      expect.toSatisfy((is) => is === 2 || is === 1),
      expect.not.stringMatching(/internal error|^ +at /m),
    ]);
    if (argv[0] === "serve") expect([code, err]).toEqual([2, expect.stringContaining(path)]);
  }
});

test("a submission of another form is refused with its line", async () => {
  const entry = { ...paid, input: { type: "submit", node: "v1", submission: { operation: {} } } };
  const found = await runCommand(["replay", file(HEAD, { toJSON: () => entry })]);
  expect(found).toEqual(refusalOf("line 2: input.submission.operation.kind: "));
});

test("a far time after the last verification point does not make a replay run on", async () => {
  const path = file(HEAD, paid, point, { type: "input", at: FAR, input: { type: "clocks", aheadMs: 0 } });
  const words = /more than \d+ events follow its last verification point/;
  expect(await runCommand(["replay", path])).toEqual(refusalOf(words));
});

afterEach(() => {
  vi.useRealTimers();
});

test("a clock of another century is refused at the start", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2200, 0) });
  const found = await runCommand(["serve", "--port", "0", "--state", join(folder({}), "n.ndjson")]);
  expect(found).toEqual(refusalOf("the clock of this machine says 2200-01-01"));
});
