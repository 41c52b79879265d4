/** Liveness of served networks (protocol 13.4): what is reported while they run, and what is not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Amount } from "../../src/core/base/amount.ts";
import type { Millis } from "../../src/core/base/ids.ts";
import type { SignedOperation } from "../../src/core/base/operation.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { Finding } from "../../src/invariants/judge.ts";
import { ServedNetwork } from "../../src/live/network.ts";
import { type RecordingEntry, readRecording } from "../../src/live/recording.ts";
import { replayRecording } from "../../src/live/replay.ts";
import { addressOf, HEAD, payment, SETUP, signed, submit, textOf, USD } from "./support.ts";

const EVENTS = 10_000_000;

/** A network that may run a known-bad variant. */
function network(bug?: string) {
  const setup = bug === undefined ? SETUP : { ...SETUP, scenario: { ...SETUP.scenario, bug } };
  const entries: RecordingEntry[] = [];
  const reported: Finding[] = [];
  const served = new ServedNetwork(setup, keyedHash, {
    record: (entry) => void entries.push(entry),
    listeners: {
      notified: (notification) => void (notification.type === "violation" && reported.push(notification.finding)),
    },
  });
  const wait = (ms: number): void => void served.runTo((served.now + ms) as Millis, EVENTS);
  return { served, entries, reported, wait, head: { ...HEAD, setup } };
}

describe("a stall is a violation", () => {
  test("of a network in which one silent validator stops all others", () => {
    const { served, reported, wait } = network("waits-for-all");
    served.step({ byzantine: { node: "v4", strategy: "silence" } });
    wait(5_000);
    expect(submit(served, "v1", payment("alice", 0))).toBeUndefined();
    wait(29_000);
    served.judge();
    expect(reported).toEqual([]);
    wait(3_000);
    served.judge();
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject({ invariant: "liveness" });
    expect(reported[0]?.detail).toContain("nonce 0), submitted to v1, is undecided; the bound is 30000 ms after");
    expect(reported[0]?.detail).toContain("Needed to proceed:");
  });

  test("of an operation whose messages were lost before the healing, and of none before it", () => {
    const { served, reported, wait } = network("never-asks-again");
    served.step({ drop: { rule: "lost", kinds: ["vote"] } });
    submit(served, "v1", payment("alice", 0));
    wait(100_000);
    served.judge();
    expect(served.liveness).toMatchObject({
      ...{ owedFrom: undefined, inForce: ["rule lost drops messages"], excluded: [] },
    });
    expect(reported).toEqual([]);
    served.step({ undrop: "lost" });
    wait(29_000);
    served.judge();
    expect(reported).toEqual([]);
    wait(5_000);
    served.judge();
    expect(reported.map(({ invariant }) => invariant)).toEqual(["liveness"]);
  });

  test("which a replay finds at the same step, however often the network was looked at", () => {
    const { served, entries, reported, wait, head } = network("waits-for-all");
    served.step({ byzantine: { node: "v4", strategy: "silence" } });
    for (const from of ["alice", "bob"]) submit(served, "v2", payment(from, 0));
    for (let turn = 0; turn < 100; turn++) {
      wait(777);
      served.judge();
    }
    served.writeVerificationPoint();
    const read = readRecording(textOf(entries, head));
    if (!read.ok) throw new Error(read.error);
    const again = replayRecording(read.value, keyedHash);
    expect(again.differs).toBeUndefined();
    expect(reported).toHaveLength(1);
    expect(reported[0]?.detail).toContain("1 further operation");
    expect(again.run.findings).toEqual(reported);
  });
});

type Action =
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "submit"; readonly signed: SignedOperation; readonly node: string }
  | { readonly do: "step"; readonly step: object };

const NODES = ["v1", "v2", "v3", "v4"] as const;

/** Faults, and what ends each. */
const FAULTS: readonly (readonly [object, object])[] = [
  [{ crash: { node: "v2" } }, { restart: "v2" }],
  [{ crash: { node: "v1", restart_after_ms: 700 } }, { restart: "v1" }],
  [
    {
      partition: [
        ["v1", "v2"],
        ["v3", "v4"],
      ],
    },
    { heal: true },
  ],
  [{ cut: { from: ["v1"], to: ["v2", "v3"] } }, { heal: true }],
  [{ delay: { ms: "50..900" } }, { delay: { ms: "5..20" } }],
  [{ loss: { chance: "1/2" } }, { loss: { chance: "0/1" } }],
  [{ hold: { rule: "h", kinds: ["commit"] } }, { release: "h" }],
  [{ drop: { rule: "d", kinds: ["vote", "finality"] } }, { undrop: "d" }],
  [{ clock: { node: "v1", ahead_ms: 30_000 } }, { clock: { node: "v1", ahead_ms: 0 } }],
  [{ byzantine: { node: "v4", strategy: "silence" } }, { behave: { node: "v4" } }],
  [{ byzantine: { node: "v4", strategy: "double-vote" } }, { behave: { node: "v4" } }],
  [{ wipe: "v3" }, { restart: "v3" }],
  [{ govern: { to: [...NODES], epoch: 0, validators: ["v1", "v2", "v3", "v5"] } }, { heal: true }],
];

const payer = fc.constantFrom("alice", "bob");
const nonce = fc.integer({ min: 0, max: 3 });
/** Payments of what there is, all there is less the fee, and more. */
const amount = fc.constantFrom(5n, 99_990n, 100_000n).map((value) => {
  return { kind: "payment", token: USD, recipient: addressOf("bob"), value: value as Amount };
});
const pauses = fc.constantFrom("Pause", "Unpause").map((change) => ({ kind: "pause", token: USD, action: change }));

const submission: fc.Arbitrary<SignedOperation> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(payer, nonce, fc.constantFrom("carol", "dave")).map((args) => payment(...args)) },
  { weight: 2, arbitrary: fc.tuple(payer, nonce).map((args) => signed(...args, { kind: "cancellation" })) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("alice", "carol"), nonce, amount).map((args) => signed(...args)) },
  { weight: 2, arbitrary: fc.tuple(nonce, pauses).map((args) => signed("issuer", ...args)) },
);

const wait = (most: number) => fc.integer({ min: 0, max: most }).map((ms): Action => ({ do: "wait", ms }));
const step = (one: object): Action => ({ do: "step", step: one });
const fault = fc.constantFrom(...FAULTS);

const action: fc.Arbitrary<readonly Action[]> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.oneof(wait(400), wait(25_000))) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(submission, fc.constantFrom(...NODES))
      .map(([one, node]): readonly Action[] => [{ do: "submit", signed: one, node }]),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fault, wait(45_000), fc.boolean())
      .map(([[begin, end], between, ends]) => [step(begin), between, ...(ends ? [step(end)] : [])]),
  },
  { weight: 1, arbitrary: fault.map(([, end]) => [step(end)]) },
);

test("no network of the real program is reported, whatever its clients and its administrator do", () => {
  let judged = 0;
  const run = (actions: readonly (readonly Action[])[]): void => {
    const { served, reported, wait } = network();
    for (const one of actions.flat()) {
      if (one.do === "wait") wait(one.ms);
      else if (one.do === "submit") submit(served, one.node, one.signed);
      else served.step(one.step);
    }
    wait(100_000);
    served.judge();
    if (served.liveness.owedFrom !== undefined) judged += 1;
    expect(reported).toEqual([]);
  };
  fc.assert(fc.property(fc.array(action, { minLength: 1, maxLength: 12 }), run), { numRuns: 40 });
  // Otherwise the property would hold of an oracle that never judges.
  expect(judged).toBeGreaterThan(5);
});
