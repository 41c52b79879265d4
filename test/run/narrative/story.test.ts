/**
 * Goal: a story says what happened, in order, up to the first breach, and telling it changes nothing. Method: properties
 * over drawn worlds, one story whole, and every verb that the scenarios of rules and attacks use.
 */
import { describe, expect, it } from "vitest";
import type { Millis } from "../../../src/core/base/ids.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { readRecording } from "../../../src/live/recording.ts";
import { storyOf, storyOfRecording } from "../../../src/report/story.ts";
import { runScenario } from "../../../src/run/run.ts";
import { findScenarios, readText } from "../../../src/scenario/files.ts";
import { drawScenario } from "../../../src/search/fuzz/draw.ts";
import { payment, recorded, textOf } from "../../live/support.ts";
import { parsed } from "../support.ts";

const SPLIT = `
name: split votes are freed by a cancellation
network: { validators: 4, delay_ms: 10 }
genesis:
  tokens: { USD: { decimals: 6, master: issuer } }
  balances: { alice: { USD: "100" } }
  fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" }
steps:
  - { at: 0,   submit: { id: x, payment: { from: alice, to: bob,   token: USD, value: "10" }, nonce: 0 }, only: [v1, v2] }
  - { at: 0,   submit: { id: y, payment: { from: alice, to: carol, token: USD, value: "10" }, nonce: 0 }, only: [v3, v4] }
  - { at: 400, submit: { id: c, cancellation: { from: alice }, nonce: 0 } }
expect:
  - { final: c, within_ms: 2000 }
`;

const BLIND = `
name: a commit without a quorum of votes
bug: quorum-off-by-one
network: { validators: 2, delay_ms: 10 }
genesis: { tokens: { USD: { decimals: 2, master: issuer } }, balances: { alice: { USD: "100" } } }
steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "1" }, nonce: 0 } }
expect:
  - { violation: agreement }
`;

const PROPERTIES = ["1", "2", "5", "8", "13"];

/** Files below a folder, every `step`-th of them. */
function some(folder: string, step: number): readonly (readonly [string, string])[] {
  return findScenarios([folder])
    .files.filter((_, at) => at % step === 0)
    .map(({ id, path }) => [id, path]);
}

describe("a story", () => {
  it("says who did what on what they heard, and what is said of several once", () => {
    const { cast, lines, after, end } = storyOf(parsed(SPLIT), "1");
    expect(cast).toBe("4 validators, a quorum is 3, at most 1 may lie; seed 1");
    expect([after, end.verdict]).toEqual([0, "pass"]);
    expect(lines.map(({ at, text }) => `${at} ${text}`)).toEqual([
      "0 alice hands x to v1 and v2",
      "0 v1 votes for x in slot 0 of alice; so does v2",
      "0 alice hands y to v3 and v4",
      "0 v3 votes for y in slot 0 of alice; so does v4",
      "400 alice hands c to v1",
      "400 v1 changes to round 1 of slot 0 of alice without a lock",
      "410 v2 changes to round 1 of slot 0 of alice without a lock (v1's change); so do v3 and v4",
      "420 v4 proposes the skip by c in slot 0 of alice, round 1 (v2's change to round 1)",
      "420 v4 votes for the skip by c in slot 0 of alice, round 1",
      "430 v1 votes for the skip by c in slot 0 of alice, round 1 (v4's proposal); so do v2 and v3",
      "440 v4 commits to the skip by c in slot 0 of alice, round 1 (v2's vote)",
      "450 v1 commits to the skip by c in slot 0 of alice, round 1 (v4's lock certificate); so do v2 and v3",
      "460 v4 takes the skip by c in slot 0 of alice, round 1 for final (commits of v1, v2 and v4)",
      "460 alice hears that y is superseded (from v4)",
      "470 v1 takes the skip by c in slot 0 of alice, round 1 for final (commits of v1, v2 and v4); so do v2 and v3",
      "470 alice hears that x is superseded (from v1)",
      "470 alice hears that c is final (from v1)",
      "2400 faults end for v1, v2, v3 and v4: from here on everything must go on there",
    ]);
  });

  it("ends where the first invariant breaks, and says what that demands", () => {
    const { cast, lines, after, demands } = storyOf(parsed(BLIND), "1");
    expect(cast).toBe(
      "2 validators, a quorum is 2, nobody may lie; under the known-bad variant quorum-off-by-one; seed 1",
    );
    expect(lines.map(({ text }) => text)).toEqual([
      "alice hands x to v1",
      "v1 votes for x in slot 0 of alice",
      "v1 commits to x in slot 0 of alice",
      expect.stringMatching(/^agreement breaks: v1 committed to operation x .* 1 of 2 votes exist \(v1\)$/),
      expect.stringMatching(/^accountability breaks: .*; to blame: v1$/),
    ]);
    expect(lines.map(({ isBreach }) => isBreach)).toEqual([false, false, false, true, true]);
    expect(after).toBeGreaterThan(0);
    expect(demands.map((one) => one.split(":")[0])).toEqual([
      "agreement (protocol 7.1)",
      "accountability (protocol 7.11)",
    ]);
  });

  it.each(PROPERTIES)("of drawn world %s changes nothing, and goes forward in time", (seed) => {
    const scenario = drawScenario(seed, "quick");
    const { lines, end } = storyOf(scenario, seed);
    const { hash, finals } = runScenario(scenario, { seed });
    expect(end.hash).toBe(hash);
    const times = lines.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const told = lines.map(({ text }) => text).join("\n");
    for (const { name } of finals) if (name !== undefined) expect(told).toContain(name);
  });

  it.each([...some("scenarios/rules", 9), ...some("scenarios/attacks", 9)])(
    "of %s has words for everything",
    (_, path) => {
      const text = readText(path);
      if (!text.ok) throw new Error(text.error.message);
      const { lines } = storyOf(parsed(text.value), "1");
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line.text).not.toMatch(/undefined|NaN|\[object|^ | {2}/);
    },
  );

  it("of a served network is told from its recording, and replays to the same hash", () => {
    const { network, entries } = recorded();
    network.submit("v1", payment("alice", 0));
    network.runTo(300 as Millis, 100_000);
    network.step({ crash: { node: "v2" } });
    network.step({ clock: { node: "v1", ahead_ms: 3000 } });
    network.mark();
    const read = readRecording(textOf(entries));
    if (!read.ok) throw new Error(read.error);
    const { cast, lines, end } = storyOfRecording(read.value, keyedHash);
    expect(cast).toBe("4 validators, a quorum is 3, at most 1 may lie; seed 1");
    expect(end).toMatchObject({ verdict: "pass", finals: 1, hash: network.hash });
    const told = lines.map(({ text }) => text);
    expect(told[0]).toMatch(/^the outside hands alice's payment 0 \(0x\w{8}…\) to v1$/);
    expect(told.slice(-2)).toEqual(["v2 crashes", "the clock of v1 is 3000 ms ahead from here on"]);
    expect(told.filter((text) => text.includes("clock"))).toHaveLength(1);
  });
});
