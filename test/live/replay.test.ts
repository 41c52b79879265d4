import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { submissionId } from "../../src/core/ledger/identity.ts";
import { readRecording } from "../../src/live/recording.ts";
import { effectiveOf, replayRecording } from "../../src/live/replay.ts";
import { type Action, action, carryOut, EVENTS } from "./sessions.ts";
import { payment, recorded, submit, textOf } from "./support.ts";

/** Refused whatever comes before: no account has this nonce. */
const far = payment("alice", 1_000);

/** The recording ends before a time that was undone. */
const UNDONE: readonly Action[] = [
  { do: "pay", from: "alice", nonce: 0, node: "v1" },
  { do: "snapshot" },
  { do: "wait", ms: 400 },
  { do: "verification" },
  { do: "revert" },
];

describe("a recording", () => {
  test("keeps nothing of what the entry validator refuses: a refusal is no event", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 12 }), fc.constantFrom("v1", "v2", "v3"), (actions, node) => {
        const { network, entries } = carryOut(actions);
        const seen = () => [entries.length, network.steps, network.hash, network.archive.progressOf(submissionId(far))];
        const before = seen();
        if (network.ledgerOf(node) !== undefined) expect(submit(network, node, far)?.code).toBe("business_nonce_gap");
        expect(seen()).toEqual(before);
      }),
      { numRuns: 30 },
    );
  });

  test("takes an admission only before the next event", () => {
    const { network } = recorded();
    network.runTo(10 as Millis, EVENTS);
    const admission = network.admissionOf("v1", payment("alice", 0));
    if (!admission.ok) throw new Error(admission.error.code);
    expect(submit(network, "v2", payment("bob", 0))).toBeUndefined();
    expect(() => network.submit(admission.value)).toThrow("between an admission and its input");
  });

  test("replays to the same hash, roots and certificates, whatever happened", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), (actions) => {
        const { network, entries } = carryOut(actions);
        const read = readRecording(textOf(entries));
        if (!read.ok) throw new Error(read.error);
        const again = replayRecording(read.value, keyedHash);
        expect(again.differs).toBeUndefined();
        expect(network.findings).toEqual([]);
        expect([again.run.world.hash, again.run.world.steps]).toEqual([network.hash, network.steps]);
        expect(replayRecording(read.value, keyedHash).certificates).toBe(again.certificates);
      }),
      { numRuns: 60, examples: [[UNDONE]] },
    );
  });

  test("goes on where it ended, as if nothing had been in between", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 12 }), fc.integer({ min: 0, max: 3_000 }), (actions, ms) => {
        const { network, entries } = carryOut(actions);
        // A killed process leaves inputs after its last verification point.
        const { network: later } = recorded({}, effectiveOf(entries.slice(0, -1)));
        const until = (network.now + ms) as Millis;
        for (const one of [network, later]) one.runTo(until, EVENTS);
        expect([later.hash, later.snapshots]).toEqual([network.hash, network.snapshots]);
      }),
      { numRuns: 30 },
    );
  });
});
