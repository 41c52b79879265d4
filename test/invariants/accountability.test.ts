import fc from "fast-check";
import { expect, test } from "vitest";
import type { Epoch, Round } from "../../src/core/base/ids.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import { accountability } from "../../src/invariants/oracles/accountability.ts";
import { agreement } from "../../src/invariants/oracles/agreement.ts";
import { details, judged, Stream } from "./support.ts";
import { ALICE, accountSlot, address, hash, setting } from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const [X, Y] = [hash("x"), hash("y")];

function fresh(byzantine: readonly string[] = []): Stream {
  return new Stream(setting({ byzantine }));
}

test.each([
  ["a double vote", (s: Stream) => s.vote(["v1"], SLOT, X).vote(["v1"], SLOT, Y), "voted twice"],
  [
    "a hidden lock, even signed in the other order",
    (s: Stream) => s.vote(["v2", "v3", "v4"], SLOT, X).change(["v1"], SLOT, 1).commit(["v1"], SLOT, X),
    "omitted that lock",
  ],
  [
    "a commit without a lock",
    (s: Stream) => s.vote(["v2", "v3"], SLOT, X).commit(["v1"], SLOT, X),
    "with 2 of 3 votes",
  ],
  ["a lock that never was", (s: Stream) => s.change(["v1"], SLOT, 1, { round: 0, value: X }), "named a lock"],
  [
    "a vote that no round changes justify",
    (s: Stream) => s.change(["v1", "v2"], SLOT, 1).vote(["v1"], SLOT, X, 1),
    "justify",
  ],
])("%s names its key, which is a violation where the key is honest", (_what, build, words) => {
  const found = judged(accountability(), build(fresh()));
  expect(found).toEqual([expect.objectContaining({ detail: expect.stringContaining(words), faulty: [address("v1")] })]);
  expect(details(accountability(), build(fresh(["v1"])))).toEqual([]);
});

test("a round change with a lock that never was, or of its own round, justifies no vote", () => {
  const voted = (voters: readonly string[], round: number): readonly string[] => {
    const stream = fresh(["v4"]).vote(voters, SLOT, X).change(["v1", "v2"], SLOT, 1);
    if (round > 0) stream.vote(["v2", "v3", "v4"], SLOT, X, 1);
    stream.change(["v4"], SLOT, 1, { round, value: X }).vote(["v1"], SLOT, X, 1);
    return details(accountability(), stream).filter((detail) => detail.startsWith("honest v1"));
  };
  expect(voted(["v2", "v3", "v4"], 0)).toEqual([]);
  expect(voted(["v2", "v4"], 0)).toEqual([expect.stringContaining("which no 3 round changes justify")]);
  expect(voted(["v2", "v4"], 1)).toEqual([expect.stringContaining("which no 3 round changes justify")]);
});

test("leaving one's own lock for a justified value is honest: no key is faulty", () => {
  const stream = fresh().vote(["v1", "v2", "v3"], SLOT, X).vote(["v4"], SLOT, Y).commit(["v1"], SLOT, X);
  stream.change(["v2", "v3", "v4"], SLOT, 1).change(["v1"], SLOT, 1, { round: 0, value: X });
  stream.vote(["v1", "v2", "v3", "v4"], SLOT, Y, 1).commit(["v2"], SLOT, Y, 1);
  // All round changes to round 2 now carry a lock, and the highest one forces y upon v1.
  stream.change(["v1", "v3"], SLOT, 2, { round: 0, value: X }).change(["v2"], SLOT, 2, { round: 1, value: Y });
  stream.vote(["v1"], SLOT, Y, 2);
  expect(details(accountability(), stream)).toEqual([]);
});

test("either of two locks of one round may be voted for: only double voters are provably faulty", () => {
  const stream = fresh(["v3", "v4"]).vote(["v1", "v3", "v4"], SLOT, X).vote(["v2", "v3", "v4"], SLOT, Y);
  stream.change(["v1", "v3"], SLOT, 1, { round: 0, value: X }).change(["v2"], SLOT, 1, { round: 0, value: Y });
  stream.vote(["v1", "v3", "v4"], SLOT, X, 1).vote(["v2"], SLOT, Y, 1);
  expect(details(accountability(), stream)).toEqual([]);
  stream.vote(["v2"], SLOT, hash("z"), 1);
  expect(details(accountability(), stream)).toEqual([expect.stringContaining("voted twice")]);
  const broken = fresh(["v3", "v4"]).vote(["v1", "v3", "v4"], SLOT, X).vote(["v2", "v3", "v4"], SLOT, Y);
  broken.commit(["v1", "v3", "v4"], SLOT, X).change(["v2", "v3", "v4"], SLOT, 1, { round: 0, value: Y });
  broken.vote(["v2", "v3", "v4"], SLOT, Y, 1).commit(["v2", "v3", "v4"], SLOT, Y, 1);
  expect(details(accountability(), broken)).toEqual([]);
});

test("an honest validator reported by an honest one is a violation, a Byzantine validator's report is not", () => {
  const accuse = (node: string, signer: string): Stream => {
    const stream = fresh(["v4"]);
    return stream.push({
      type: "reported",
      node,
      honest: node !== "v4",
      signer: address(signer),
      misbehaviour: "double vote",
      slot: slotKey(SLOT),
    });
  };
  expect(details(accountability(), accuse("v1", "v2"))).toEqual([expect.stringContaining("v1 reports honest v2")]);
  expect(details(accountability(), accuse("v1", "v4"))).toEqual([]);
  expect(details(accountability(), accuse("v4", "v1"))).toEqual([]);
  expect(details(accountability(), accuse("v1", "alice"))).toEqual([
    expect.stringContaining("the correct client's account"),
  ]);
});

test("for any Byzantine signatures, two final values prove f + 1 keys faulty", () => {
  const everyone = ["v1", "v2", "v3", "v4"];
  const round = fc.integer({ min: 0, max: 2 });
  const lock = fc.option(fc.record({ round, value: fc.constantFrom(X, Y) }), { nil: undefined });
  const statement = fc.record({
    node: fc.constantFrom(...everyone),
    kind: fc.constantFrom("vote" as const, "commit" as const, "roundChange" as const),
    round,
    value: fc.constantFrom(X, Y),
    lock,
  });
  let broken = 0;
  fc.assert(
    fc.property(fc.array(statement, { minLength: 20, maxLength: 80 }), (statements) => {
      const stream = fresh(everyone);
      for (const { node, kind, round, value, lock } of statements) {
        const common = { epoch: 0 as Epoch, slot: slotKey(SLOT), round: round as Round };
        if (kind === "roundChange")
          stream.sign(node, { kind, ...common, lock: lock && { round: lock.round as Round, value: lock.value } });
        else stream.sign(node, { kind, ...common, value });
      }
      const breaks = judged(agreement(), stream).filter(({ detail }) => detail.includes("two values"));
      broken += breaks.length;
      for (const { faulty } of breaks) expect(faulty.length).toBeGreaterThanOrEqual(2);
      expect(details(accountability(), stream)).toEqual([]);
    }),
    { seed: 7, numRuns: 200 },
  );
  expect(broken).toBeGreaterThan(30);
});
