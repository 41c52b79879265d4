/** A network that begins from a snapshot goes on as one that ran its whole recording again. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Millis } from "../../../src/core/base/ids.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { ServedNetwork } from "../../../src/live/network.ts";
import type { Notification } from "../../../src/live/notifications.ts";
import type { RecordingEntry, Setup } from "../../../src/live/recording.ts";
import { effectiveOf, entriesFrom } from "../../../src/live/replay.ts";
import { MemoryStore } from "../../../src/live/shelf.ts";
import { plainOf, stateOf } from "../plain.ts";
import { type Action, action, EVENTS, goOn } from "../sessions.ts";
import { payment, recorded, SETUP, submit } from "../support.ts";

/** Runs a session, and takes a snapshot of it in between. */
function snapshotWithin(
  before: (network: ServedNetwork) => void,
  after: (network: ServedNetwork) => void,
  setup: Setup = SETUP,
) {
  const old = new MemoryStore();
  const { network, entries } = recorded({ old }, undefined, setup);
  before(network);
  network.writeVerificationPoint();
  const { inputs, byzantine, snapshots, graph } = network.snapshot();
  const [bytes, known, { steps, now, lines }] = [Buffer.concat([...graph]), entries.slice(), network];
  after(network);
  network.writeVerificationPoint();
  const isSameLine = network.lines === lines;
  return { setup, old, network, entries, known, steps, at: now, inputs, byzantine, snapshots, bytes, isSameLine };
}

type Taken = ReturnType<typeof snapshotWithin>;

function startOf({ known, inputs, byzantine, snapshots, steps, bytes }: Taken) {
  const read = () => effectiveOf(known).inputs;
  return { graph: bytes, steps, earlier: { count: inputs, byzantine: new Set(byzantine), read }, snapshots };
}

/** A network that begins from the snapshot, and one that repeats everything. */
function restarted(taken: Taken) {
  const { setup, old, entries, known, inputs, at } = taken;
  const later = entriesFrom({ inputs, at }, entries.slice(known.length));
  if (later === undefined) return undefined;
  const start = startOf(taken);
  const counted: number[] = [];
  const fromSnapshot = observed((listeners, record) => {
    const watcher = () => ({ eventBegins: (step: number) => void counted.push(step) });
    return new ServedNetwork(setup, keyedHash, {
      record,
      listeners: { ...listeners, watcher, old },
      past: effectiveOf(later, start),
      start,
    });
  });
  const whole = observed((listeners, record) => {
    return new ServedNetwork(setup, keyedHash, { record, listeners, past: effectiveOf(entries) });
  });
  return { fromSnapshot, whole, carriedOut: counted.length };
}

type Make = (
  listeners: {
    readonly notified: (notification: Notification) => void;
    readonly replyReceived: (...args: unknown[]) => void;
  },
  record: (entry: RecordingEntry) => void,
) => ServedNetwork;

function observed(make: Make) {
  const seen: unknown[] = [];
  const listeners = {
    notified: (notification: Notification) => void seen.push(notification),
    replyReceived: (...args: unknown[]) => void seen.push(args),
  };
  return { network: make(listeners, (entry) => void seen.push(entry)), seen };
}

type Nonces = Record<"alice" | "bob", number>;

/** Submits a payment every 60 ms, and carries out the fault of its number. */
function paySteadily(network: ServedNetwork, next: Nonces, from: number, to: number): void {
  for (let number = from; number < to; number++) {
    const account = number % 2 === 0 ? "alice" : "bob";
    const refusal = submit(network, "v1", payment(account, next[account]));
    // The end of an epoch voids what it leaves open: its nonces are used again.
    next[account] = refusal?.code === "business_nonce_gap" ? Number(refusal.expected) : next[account] + 1;
    if (FAULTS[number] !== undefined) expect(network.step(FAULTS[number])).toMatchObject({ ok: true });
    // After a fault the slots that it left open are decided in later rounds.
    network.runTo((network.now + (number % 20 === 19 ? 15_000 : 60)) as Millis, EVENTS);
  }
}

const session = (maxLength: number): fc.Arbitrary<Action[]> => fc.array(action, { maxLength });

describe("a network that begins from a snapshot", () => {
  test("has the state of one that repeats its recording, and goes on as that one: answers, hashes, findings, recording", () => {
    fc.assert(
      fc.property(session(20), session(8), session(12), (before, after, next) => {
        const taken = snapshotWithin(
          (network) => goOn(network, before),
          (network) => goOn(network, after),
        );
        fc.pre(taken.isSameLine);
        const both = restarted(taken);
        if (both === undefined) throw new Error("expected entries after the snapshot");
        const { fromSnapshot, whole, carriedOut } = both;
        expect(carriedOut).toBe(taken.network.steps - taken.steps);
        expect(stateOf(fromSnapshot.network)).toEqual(stateOf(whole.network));
        for (const { network } of [fromSnapshot, whole]) {
          goOn(network, next);
          network.judge();
          network.writeVerificationPoint();
        }
        expect(plainOf(fromSnapshot.seen)).toEqual(plainOf(whole.seen));
        expect(stateOf(fromSnapshot.network)).toEqual(stateOf(whole.network));
        expect(fromSnapshot.network.findings).toEqual(whole.network.findings);
      }),
      { numRuns: 60 },
    );
  });

  test("finds at every later step what one that ran on finds, whatever rule its validators break", () => {
    const found = new Map<string, number>();
    fc.assert(
      fc.property(fc.constantFrom(...PLANTED), session(16), session(12), (bug, before, next) => {
        const setup = { ...SETUP, scenario: { ...SETUP.scenario, bug } };
        const taken = snapshotWithin(
          (network) => goOn(network, before),
          () => undefined,
          setup,
        );
        const { network, old } = taken;
        const start = startOf(taken);
        const past = { ...effectiveOf([], start), until: network.now };
        const { network: restored } = observed((listeners, record) => {
          return new ServedNetwork(setup, keyedHash, { record, listeners: { ...listeners, old }, past, start });
        });
        const known = network.findings.length;
        for (const one of [...next, { do: "wait", ms: 400 } as const]) {
          for (const side of [network, restored]) goOn(side, [one]);
          expect([restored.steps, restored.hash, restored.findings]).toEqual([
            network.steps,
            network.hash,
            network.findings,
          ]);
        }
        expect(stateOf(restored)).toEqual(stateOf(network));
        found.set(bug, (found.get(bug) ?? 0) + Math.max(0, network.findings.length - known));
      }),
      { numRuns: 120, examples: PLANTED.map((bug) => [bug, [], PAYMENTS]) },
    );
    for (const bug of PLANTED) expect([bug, found.get(bug)]).not.toEqual([bug, 0]);
  });

  test("does so after hundreds of payments, crashes, partitions and Byzantine validators", () => {
    const next: Nonces = { alice: 0, bob: 0 };
    const taken = snapshotWithin(
      (network) => paySteadily(network, next, 0, 220),
      (network) => paySteadily(network, next, 220, 250),
    );
    expect(taken.network.archive.finals).toBeGreaterThan(200);
    const both = restarted(taken);
    if (both === undefined) throw new Error("expected entries after the snapshot");
    const { fromSnapshot, whole } = both;
    for (const { network } of [fromSnapshot, whole]) {
      paySteadily(network, { ...next }, 250, 300);
      network.runTo((network.now + 5_000) as Millis, EVENTS);
      network.judge();
      network.writeVerificationPoint();
    }
    expect(whole.network.archive.finals).toBeGreaterThan(270);
    expect(plainOf(fromSnapshot.seen)).toEqual(plainOf(whole.seen));
    expect(stateOf(fromSnapshot.network)).toEqual(stateOf(whole.network));
  });

  test("reads the inputs before it when a validator becomes Byzantine, or a return goes beyond it", () => {
    const taken = snapshotWithin(
      (network) => {
        submit(network, "v1", payment("alice", 0));
        network.runTo(400 as Millis, EVENTS);
      },
      () => undefined,
    );
    for (const act of [
      (network: ServedNetwork) => network.step({ byzantine: { node: "v4", strategy: "double-vote" } }),
      (network: ServedNetwork) => network.revert({ inputs: 0, at: 10 as Millis }),
    ]) {
      const both = restarted(taken);
      if (both === undefined) throw new Error("expected entries after the snapshot");
      for (const { network } of [both.fromSnapshot, both.whole]) {
        act(network);
        submit(network, "v2", payment("bob", 0));
        network.runTo((network.now + 500) as Millis, EVENTS);
      }
      expect(stateOf(both.fromSnapshot.network)).toEqual(stateOf(both.whole.network));
    }
  });

  test("is not what undoes a part of it", () => {
    const { network, entries } = recorded();
    const point = network.takeSnapshot();
    submit(network, "v1", payment("alice", 0));
    network.runTo(300 as Millis, EVENTS);
    const at = { inputs: 1, at: network.now };
    network.revert(point);
    expect(entriesFrom(at, entries.slice(1))).toBeUndefined();
  });
});

/** Known-bad variants that a few payments of two accounts reveal. */
const PLANTED = [
  "commit-is-vote",
  "fee-not-told",
  "foreign-signer",
  "id-covers-signature",
  "lost-fee",
  "nonce-wraps",
  "quorum-off-by-one",
  "single-round-finality",
  "undisclosed-refusal",
];

const PAYMENTS: Action[] = Array.from({ length: 8 }, (_, index): Action[] => [
  { do: "pay", from: index % 2 === 0 ? "alice" : "bob", nonce: Math.floor(index / 2), node: "v1" },
  { do: "wait", ms: 350 },
]).flat();

const FAULTS: Readonly<Record<number, object>> = {
  20: { crash: { node: "v2", restart_after_ms: 300 } },
  40: { byzantine: { node: "v4", strategy: "double-vote" } },
  60: { delay: { ms: "20..90" } },
  80: {
    partition: [
      ["v1", "v2"],
      ["v3", "v4"],
    ],
  },
  84: { heal: true },
  120: { byzantine: { node: "v4", strategy: "replay-stale" } },
  140: { govern: { to: ["v1", "v2", "v3", "v4"], epoch: 0, validators: ["v1", "v2", "v3", "v5"] } },
  200: { crash: { node: "v3" } },
  210: { restart: "v3" },
  240: { behave: { node: "v4" } },
};
