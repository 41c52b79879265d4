/** Protocol 7.16: lists by age, burns in turn, and a bound on each slot while no fault is active. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Address, Millis } from "../../src/core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../src/core/base/operation.ts";
import { createJudge } from "../../src/invariants/judge.ts";
import { fairness } from "../../src/invariants/oracles/fairness/fairness.ts";
import { firstDisorder } from "../../src/invariants/oracles/fairness/service-order.ts";
import { boundOf } from "../../src/invariants/oracles/fairness/slot-progress.ts";
import { details, Stream } from "./support.ts";
import {
  ALICE,
  accountSlot,
  address,
  amount,
  BOB,
  CAROL,
  type Decision,
  hash,
  ISSUER,
  list,
  own,
  pause,
  payment,
  type SettingOptions,
  setting,
  signed,
  tokenSlot,
  USD,
} from "./vocabulary.ts";

function found(stream: Stream): readonly string[] {
  return details(fairness(stream.setting), stream.end());
}

function begun(options: SettingOptions = {}): Stream {
  return new Stream(setting({ isFaultless: true, ...options }));
}

const mint = (from: Address, nonce = 0): SignedOperation =>
  signed("mint", from, nonce, { token: USD, recipient: BOB, value: amount(1) });
const burn = (from: Address, nonce: number): SignedOperation =>
  signed("burn", from, nonce, { token: USD, recipient: ALICE, value: amount(1) });
const burned = (name: string, sequence: number, operation: SignedOperation): Decision => ({
  slot: accountSlot(ALICE, sequence),
  value: { type: "burn", id: hash(name), outcome: "burned" },
  operations: [operation],
});

/** Operations of several signers, each due at v1 a moment after the one before. */
function due(stream: Stream, ...names: readonly (readonly [string, SignedOperation])[]): Stream {
  for (const [name, operation] of names) stream.apply("v1", own(name, 0, operation));
  return stream;
}

const M = ["m", mint(ISSUER)] as const;
const N = ["n", mint(BOB)] as const;
const P = ["p", pause(CAROL, 0)] as const;

function proposed(stream: Stream, entries: readonly (readonly [string, SignedOperation])[], round = 0): Stream {
  return stream.content(hash("list"), list(0, entries)).propose("v1", tokenSlot(0), hash("list"), round);
}

test.each([
  ["by age", [M, N], [M, N], 0, false],
  ["against age", [M, N], [N, M], 0, true],
  ["without the oldest", [M, N], [N], 0, true],
  ["without the youngest", [M, N], [M], 0, false],
  ["with a restriction first", [M, P], [P, M], 0, false],
  ["with a restriction ahead of what has been due for 5 s", [M, P], [P, M], 5_000, true],
  ["with a restriction behind what has been due for 5 s", [M, P], [M, P], 5_000, false],
  ["with a younger mint ahead of a restriction", [P, M], [M, P], 0, true],
] as const)("a list %s", (_, waiting, entries, late, isUnfair) => {
  const stream = due(begun(), ...waiting);
  stream.at += late;
  const all = found(proposed(stream, entries));
  expect(all).toEqual(
    isUnfair
      ? [
          expect.stringMatching(
            /^v1 proposes .* ahead of .* in version 0 of token 0x4df1cac2…, where that has been due for .* longer$/,
          ),
        ]
      : [],
  );
});

test("a list that a lock may force on its proposer is not its choice", () => {
  const stream = due(begun(), M, N).content(hash("list"), list(0, [N, M]));
  const votes = (count: number): readonly string[] => {
    const nodes = ["v2", "v3", "v4"].slice(0, count);
    const one = due(begun(), M, N).content(hash("list"), list(0, [N, M]));
    return found(proposed(one.vote(nodes, tokenSlot(0), hash("list"), 1), [N, M], 2));
  };
  expect(found(proposed(stream, [N, M], 2))).toHaveLength(1);
  expect([votes(2), votes(3)].map(({ length }) => length)).toEqual([1, 0]);
});

test("what a Byzantine validator proposes, and what a restarted one says again, is not judged", () => {
  const isByzantine = new Stream(setting({ byzantine: ["v1"] }));
  expect(found(proposed(due(isByzantine, M, N), [N, M]))).toEqual([]);
  const { slot, value } = { slot: `token/${USD}/${"0".repeat(16)}`, value: hash("list") };
  const said = { kind: "proposal", epoch: 0, slot, round: 0, value } as never;
  const again = begun().push({ type: "restarted", node: "v1", wiped: false, durableStatements: [said] });
  expect(found(proposed(due(again, M, N), [N, M]))).toEqual([]);
});

test("disks that take time blur the ages", () => {
  const slow = new Stream({ ...setting(), slotMs: 100 as Millis });
  expect(found(proposed(due(slow, M, N), [N, M]))).toEqual([]);
});

/** Three burns of the issuer and one of carol, all due at the nodes in `knows`. */
function burning(knows: readonly string[], options: SettingOptions = {}): Stream {
  const stream = new Stream(setting(options));
  for (const node of stream.names())
    for (const index of [0, 1, 2]) stream.apply(node, own(`b${index}`, index, burn(ISSUER, index)));
  for (const node of knows) stream.apply(node, own("c", 0, burn(CAROL, 0)));
  return stream;
}

/** Slots 0, 1 and 2 of alice serve the issuer three times. */
function threeInARow(stream: Stream): Stream {
  for (const index of [0, 1, 2]) stream.apply("v1", burned(`b${index}`, index, burn(ISSUER, index)));
  return stream;
}

const ALL = ["v1", "v2", "v3", "v4"];

test("a second burn of one authority may not precede another one's that is due everywhere", () => {
  expect(found(threeInARow(burning(ALL)))).toEqual([
    expect.stringMatching(/^slot 2 of account .* serves a second burn of authority/),
  ]);
});

test.each([
  ["is not due at a running validator", burning(["v1", "v2", "v3"])],
  [
    "is served in between",
    burning(ALL)
      .apply("v1", burned("b0", 0, burn(ISSUER, 0)))
      .apply("v1", burned("c", 1, burn(CAROL, 0))),
  ],
  ["waits beside a Byzantine validator", burning(ALL, { byzantine: ["v4"] })],
])("no burn is passed that %s", (_, stream) => {
  const left = [0, 1, 2].slice(stream.records.length > 16 ? 1 : 0);
  for (const [place, index] of left.entries())
    stream.apply("v1", burned(`b${index}`, place + 3 - left.length, burn(ISSUER, index)));
  expect(found(stream)).toEqual([]);
});

test("a crash starts the turns anew", () => {
  const stream = burning(ALL)
    .apply("v1", burned("b0", 0, burn(ISSUER, 0)))
    .apply("v1", burned("b1", 1, burn(ISSUER, 1)));
  stream.push({ type: "crashed", node: "v4" });
  expect(found(stream.apply("v1", burned("b2", 2, burn(ISSUER, 2))))).toEqual([]);
});

test("what a restarted validator applies again is no turn", () => {
  const stream = new Stream(setting({ validators: 1 }));
  const decide = (): void => {
    stream.apply("v1", own("c", 0, burn(CAROL, 0)));
    for (const index of [0, 1]) stream.apply("v1", own(`b${index}`, index, burn(ISSUER, index)));
    stream.apply("v1", burned("c", 0, burn(CAROL, 0)));
    for (const index of [0, 1]) stream.apply("v1", burned(`b${index}`, index + 1, burn(ISSUER, index)));
  };
  decide();
  stream.push({ type: "crashed", node: "v1" });
  stream.push({ type: "restarted", node: "v1", wiped: false, durableStatements: [] });
  stream.apply("v1", own("d", 1, burn(CAROL, 1)));
  decide();
  expect(found(stream)).toEqual([]);
});

const X = payment(ALICE, 0, BOB, 5);

test.each([
  [5_000, 0],
  [5_010, 1],
])("an admitted payment that waits for %i ms", (ms, count) => {
  const late = begun().submitPending("alice", "x", X);
  late.at += ms - 1;
  const never = begun().submitPending("alice", "x", X);
  never.at += ms - 1;
  expect(found(late.apply("v1", own("x", 0, X)))).toHaveLength(count);
  expect(found(never)).toHaveLength(count);
});

test.each<readonly [string, Stream]>([
  ["a fault was in the plan", begun({ isFaultless: false }).submitPending("alice", "x", X)],
  ["a fault began", begun().submitPending("alice", "x", X).push({ type: "disturbed" })],
  [
    "it was refused",
    begun()
      .submitPending("alice", "x", X)
      .reply("v1", "x", { status: "void", epoch: 0 as never }),
  ],
  ["nobody admitted it", begun().submit("alice", "x", X)],
  ["an earlier nonce is missing", begun().submitPending("alice", "x", payment(ALICE, 1, BOB, 5))],
  [
    "its owner cancels",
    begun()
      .submitPending("alice", "x", X)
      .submit("alice", "c", signed("cancellation", ALICE, 0, {})),
  ],
  [
    "its owner signs a conflict",
    begun()
      .submitPending("alice", "x", X)
      .submit("alice", "y", payment(ALICE, 0, CAROL, 5)),
  ],
  ["validators close the epoch", begun().submitPending("alice", "x", X).close(["v1"])],
  [
    "a list may bar it",
    begun()
      .submitPending("alice", "x", X)
      .apply("v1", list(0, [P])),
  ],
  [
    "two values have votes",
    begun()
      .submitPending("alice", "x", X)
      .vote(["v1"], accountSlot(ALICE, 0), hash("value x"))
      .vote(["v2"], accountSlot(ALICE, 0), hash("value y")),
  ],
])("a wait is not judged if %s", (_, stream) => {
  stream.at += 60_000;
  expect(found(stream)).toEqual([]);
});

test("each decided slot starts the clock anew, and what is due waits for the slots of its effect", () => {
  const stream = begun().submitPending("issuer", "m", mint(ISSUER)).submitPending("issuer", "n", mint(ISSUER, 1));
  stream.at += 4_000;
  stream.apply("v1", own("m", 0, mint(ISSUER)));
  stream.at += 4_000;
  stream.apply("v1", own("n", 1, mint(ISSUER, 1)));
  stream.at += 2_000;
  expect(found(stream)).toEqual([
    expect.stringMatching(/^token .* decided nothing for 6\d\d\d ms while due operation/),
  ]);
});

test("after a healing of all validators what is submitted past the bound of liveness is judged", () => {
  const run = (later: number, core = ALL): number => {
    const stream = begun({ isFaultless: false }).push({ type: "healed", core });
    stream.at += later;
    stream.submitPending("alice", "x", X);
    stream.at += 60_000;
    return found(stream).length;
  };
  expect([run(5_000), run(4_000), run(5_000, ["v1", "v2", "v3"])]).toEqual([1, 0, 0]);
});

test("two burns may precede a payment that stays funded", () => {
  const run = (count: number, value: number): readonly string[] => {
    const x = payment(ALICE, 0, BOB, value);
    const stream = begun().submitPending("alice", "x", x);
    for (let index = 0; index < count; index++) {
      stream.apply("v1", own(`b${index}`, index, burn(ISSUER, index)));
      stream.apply("v1", burned(`b${index}`, index, burn(ISSUER, index)));
    }
    return found(stream);
  };
  expect(run(2, 5)).toEqual([]);
  expect(run(3, 5)).toEqual([expect.stringMatching(/^3 forced burns of account .* at most 2 may precede it$/)]);
  expect(run(3, 998)).toEqual([]);
});

test("a judge that is captured at any record and restored judges the rest as before", () => {
  const { records, setting: of } = threeInARow(burning(ALL));
  for (let cut = 0; cut < records.length; cut++) {
    const [first, again] = [createJudge(of, [fairness(of)]), createJudge(of, [fairness(of)])];
    for (const record of records.slice(0, cut)) first.observe(record);
    again.restore(first.capture());
    for (const one of [again, first]) {
      const later = records.slice(cut).flatMap((record) => one.observe(record));
      expect(later).toHaveLength(1);
    }
  }
});

const NOW = 10_000 as Millis;
const KINDS = [(one: Address) => mint(one), (one: Address) => pause(one, 0)] as const;
const someWaiting = fc
  .array(fc.record({ age: fc.integer({ min: 0, max: 9_000 }), kind: fc.nat({ max: 1 }) }), { maxLength: 12 })
  .map(
    (all) =>
      new Map(
        all.map(({ age, kind }, index): [OperationId, { signed: SignedOperation; since: Millis }] => [
          hash(`o${index}`),
          { signed: (KINDS[kind] ?? mint)(address(`s${index}`)), since: (NOW - age) as Millis },
        ]),
      ),
  );

function rankOf({ signed: { operation }, since }: { signed: SignedOperation; since: Millis }): number {
  if (NOW - since >= 5_000) return 1;
  return operation.kind === "pause" ? 2 : 3;
}

test("a list in the order of protocol 3 has no disorder, whatever its limit", () => {
  fc.assert(
    fc.property(someWaiting, fc.nat({ max: 12 }), (waiting, limit) => {
      const ranked = [...waiting].sort(([, a], [, b]) => rankOf(a) - rankOf(b) || a.since - b.since);
      expect(
        firstDisorder(
          waiting,
          ranked.slice(0, limit).map(([id]) => id),
          NOW,
          limit,
        ),
      ).toBeUndefined();
    }),
  );
});

test("a list has a disorder exactly if an older operation of no lower rank stands behind a younger one", () => {
  fc.assert(
    fc.property(someWaiting, fc.infiniteStream(fc.nat({ max: 99 })), fc.nat({ max: 12 }), (waiting, keys, limit) => {
      const shuffled = [...waiting]
        .map((entry) => ({ entry, key: keys.next().value ?? 0 }))
        .sort((a, b) => a.key - b.key);
      const ids = shuffled.slice(0, limit).map(({ entry: [id] }) => id);
      const places = new Map(ids.map((id, place) => [id, place]));
      const isBehind = (a: OperationId, b: OperationId): boolean => (places.get(a) ?? 99) > (places.get(b) ?? 99);
      const isUnfair = [...waiting].some(([x, older]) =>
        [...waiting].some(
          ([y, younger]) => isBehind(x, y) && older.since < younger.since && rankOf(older) <= rankOf(younger),
        ),
      );
      expect(firstDisorder(waiting, ids, NOW, limit) !== undefined).toBe(isUnfair);
    }),
  );
});

test("the bound of a slot grows by the longest turn exactly where owner and burn both wait", () => {
  fc.assert(
    fc.property(fc.nat({ max: 300 }), fc.nat({ max: 300 }), (owned, waiting) => {
      const clock = {
        authorised: new Map(Array.from({ length: owned }, (__, nonce) => [nonce, hash(`x${nonce}`)])),
        due: new Set(Array.from({ length: waiting }, (__, place) => hash(`d${place}`))),
      };
      expect(boundOf(clock)).toBe(owned > 0 && waiting > 0 ? 9_000 : 5_000);
    }),
  );
});

/** Operations of few signers, each signer's in the order of their ages. */
const ofFewSigners = fc
  .array(fc.record({ age: fc.integer({ min: 0, max: 6_000 }), kind: fc.nat({ max: 1 }), signer: fc.nat({ max: 2 }) }), {
    maxLength: 12,
  })
  .map((all) => {
    const oldestFirst = all.toSorted((a, b) => b.age - a.age);
    return new Map(
      oldestFirst.map(({ age, kind, signer }, index): [OperationId, { signed: SignedOperation; since: Millis }] => [
        hash(`o${index}`),
        { signed: (KINDS[kind] ?? mint)(address(`s${signer}`)), since: (NOW - age) as Millis },
      ]),
    );
  });

test("a list that puts the earlier operations of a signer before its restriction has no disorder, wherever it ends", () => {
  fc.assert(
    fc.property(ofFewSigners, fc.integer({ min: 1, max: 4 }), (waiting, limit) => {
      const ranked = [...waiting].sort(([, a], [, b]) => rankOf(a) - rankOf(b) || a.since - b.since);
      const chosen = new Set<OperationId>();
      for (const [id, { signed }] of ranked) {
        const own = [...waiting].filter(([, one]) => one.signed.sender === signed.sender).map(([other]) => other);
        for (const earlier of own.slice(0, own.indexOf(id) + 1)) if (chosen.size < limit) chosen.add(earlier);
      }
      expect(firstDisorder(waiting, [...chosen], NOW, limit)).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});
