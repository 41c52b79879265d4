/**
 * Goal: a narrative lists the events of a run in order up to the first violation, and does not change the run. Method:
 * properties over generated scenarios, one narrative in full, and every verb in the scenarios of rules and attacks.
 */
import { describe, expect, it } from "vitest";
import type { Millis } from "../../../src/core/base/ids.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { readRecording } from "../../../src/live/recording.ts";
import { narrativeOf, narrativeOfRecording } from "../../../src/report/narrative.ts";
import { runScenario } from "../../../src/run/run.ts";
import { findScenarios } from "../../../src/scenario/files.ts";
import { drawWorld } from "../../../src/search/fuzz/draw.ts";
import { payment, recorded, submit, textOf } from "../../live/support.ts";
import { GENESIS, parsed, scenarioIn } from "../support.ts";

const SPLIT = `
name: split votes are freed by a cancellation
network: { validators: 4, delay_ms: 10 }
${GENESIS}steps:
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

/** Every `step`-th file below a folder. */
function some(folder: string, step: number): readonly (readonly [string, string])[] {
  return findScenarios([folder])
    .files.filter((_, at) => at % step === 0)
    .map(({ id, path }) => [id, path]);
}

/** `early` holds one message until it is released, `late` none. */
const RELEASES = `
name: two rules
network: { validators: 4, delay_ms: 10 }
genesis: { tokens: { USD: { decimals: 2, master: issuer } }, balances: { alice: { USD: "100" } }, checkpoints: none }
allow_idle: true
steps:
  - { at: 0, hold: { rule: early, kinds: [vote], from: [v2], to: [v1] } }
  - { at: 0, hold: { rule: late, kinds: [proposal] } }
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "1" }, nonce: 0 }, only: [v1] }
  - { at: 100, release: late }
  - { at: 110, release: early }
  - { at: 200, release: early }
expect: [{ final: x }]
`;

describe("a narrative", () => {
  it("counts what a rule releases, and says where it held nothing", () => {
    const texts = narrativeOf(parsed(RELEASES), "1").lines.map(({ text }) => text);
    expect(texts.filter((text) => /hold.* message|held/.test(text)).slice(2)).toEqual([
      "rule late holds no message to deliver",
      "1 message held by rule early is delivered",
      "rule early holds no message to deliver",
    ]);
  });

  it("names actors and causes, and groups equal entries of several parties", () => {
    const { parties: cast, lines, after, end } = narrativeOf(parsed(SPLIT), "1");
    expect(cast).toBe("4 validators, a quorum is 3, tolerates f = 1 Byzantine; seed 1");
    expect([after, end.verdict]).toEqual([0, "pass"]);
    expect(lines.map(({ at, text }) => `${at} ${text}`)).toEqual([
      "0 alice submits x to v1 and v2",
      "0 v1 votes for x in slot 0 of alice; so does v2",
      "0 alice submits y to v3 and v4",
      "0 v3 votes for y in slot 0 of alice; so does v4",
      "400 alice submits c to v1",
      "400 v1 changes to round 1 of slot 0 of alice without a lock",
      "410 v2 changes to round 1 of slot 0 of alice without a lock (v1's change); so do v3 and v4",
      "420 v4 proposes the skip by c in slot 0 of alice, round 1 (v2's change to round 1)",
      "420 v4 votes for the skip by c in slot 0 of alice, round 1",
      "430 v1 votes for the skip by c in slot 0 of alice, round 1 (v4's proposal); so do v2 and v3",
      "440 v4 commits to the skip by c in slot 0 of alice, round 1 (v2's vote)",
      "450 v1 commits to the skip by c in slot 0 of alice, round 1 (v4's lock certificate); so do v2 and v3",
      "460 v4 decides the skip by c in slot 0 of alice, round 1 (commits of v1, v2 and v4)",
      "460 alice receives response: y superseded (from v4)",
      "470 v1 decides the skip by c in slot 0 of alice, round 1 (commits of v1, v2 and v4); so do v2 and v3",
      "470 alice receives response: x superseded (from v1)",
      "470 alice receives response: c final (from v1)",
      "2400 healing (GST): v1, v2, v3 and v4; liveness is demanded",
    ]);
  });

  it("ends at the first violation, and states the violated invariants", () => {
    const { parties: cast, lines, after, demands } = narrativeOf(parsed(BLIND), "1");
    expect(cast).toBe(
      "2 validators, a quorum is 2, tolerates f = 0 Byzantine; under the known-bad variant quorum-off-by-one; seed 1",
    );
    expect(lines.map(({ text }) => text)).toEqual([
      "alice submits x to v1",
      "v1 votes for x in slot 0 of alice",
      "v1 commits to x in slot 0 of alice",
      expect.stringMatching(/^violates agreement: v1 committed to operation x .* 1 of 2 votes exist \(v1\)$/),
      expect.stringMatching(/^violates accountability: .*; faulty: v1$/),
    ]);
    expect(lines.map(({ isBreach }) => isBreach)).toEqual([false, false, false, true, true]);
    expect(after).toBeGreaterThan(0);
    expect(demands.map((one) => one.split(":")[0])).toEqual([
      "agreement (protocol 7.1)",
      "accountability (protocol 7.11)",
    ]);
  });

  it.each(PROPERTIES)("of generated scenario %s does not change the run and is sorted by time", (seed) => {
    const scenario = drawWorld(seed, "quick").scenario;
    const { lines, end } = narrativeOf(scenario, seed);
    const { hash, finals } = runScenario(scenario, { seed });
    expect(end.hash).toBe(hash);
    const times = lines.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const texts = lines.map(({ text }) => text).join("\n");
    for (const { name } of finals) if (name !== undefined) expect(texts).toContain(name);
  });

  it.each([...some("scenarios/rules", 9), ...some("scenarios/attacks", 9)])(
    "of %s has a text for every event",
    (_, path) => {
      const { lines } = narrativeOf(scenarioIn(path), "1");
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line.text).not.toMatch(/undefined|NaN|\[object|^ | {2}/);
    },
  );

  it("of a served network follows its recording, and replays to the same hash", () => {
    const { network, entries } = recorded();
    submit(network, "v1", payment("alice", 0));
    network.runTo(300 as Millis, 100_000);
    network.step({ crash: { node: "v2" } });
    network.step({ clock: { node: "v1", ahead_ms: 3000 } });
    network.writeVerificationPoint();
    const read = readRecording(textOf(entries));
    if (!read.ok) throw new Error(read.error);
    const { parties: cast, lines, end } = narrativeOfRecording(read.value, keyedHash);
    expect(cast).toBe("4 validators, a quorum is 3, tolerates f = 1 Byzantine; seed 1");
    expect(end).toMatchObject({ verdict: "pass", finals: 1, hash: network.hash });
    const texts = lines.map(({ text }) => text);
    expect(texts[0]).toMatch(
      /^the outside submits alice's payment 0 \(0x\w{8}…: to \w+…?, token \w+, value [\d.]+\) to v1$/,
    );
    expect(texts.slice(-2)).toEqual(["v2 crashes", "the clock of v1 is set 3000 ms ahead"]);
    expect(texts.filter((text) => text.includes("clock"))).toHaveLength(1);
  });
});
