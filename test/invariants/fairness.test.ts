/** Protocol 7.16: lists by age, burns in turn, and a bound on each slot while no fault is active. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address, Millis } from "../../src/core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../src/core/base/operation.ts";
import { fairness } from "../../src/invariants/oracles/fairness/fairness.ts";
import { firstDisorder } from "../../src/invariants/oracles/fairness/service-order.ts";
import { boundOf } from "../../src/invariants/oracles/fairness/slot-progress.ts";
import { finder, Stream, testRuns } from "./support.ts";
import * as v from "./vocabulary.ts";

const { ALICE, BOB, CAROL, ISSUER, USD } = v;

const find = finder(fairness);
const begun = (options: v.SettingOptions = {}): Stream => new Stream(v.setting({ isFaultless: true, ...options }));

const mint = (from: Address, nonce = 0): SignedOperation =>
  v.signed("mint", from, nonce, { token: USD, recipient: BOB, value: v.amount(1) });
const burn = (from: Address, nonce: number): SignedOperation =>
  v.signed("burn", from, nonce, { token: USD, recipient: ALICE, value: v.amount(1) });
const burned = (name: string, sequence: number, operation: SignedOperation): v.Decision => ({
  slot: v.accountSlot(ALICE, sequence),
  value: { type: "burn", id: v.hash(name), outcome: "burned" },
  operations: [operation],
});

type Entries = readonly (readonly [string, SignedOperation])[];
const [M, N, P] = [["m", mint(ISSUER)] as const, ["n", mint(BOB)] as const, ["p", v.pause(CAROL, 0)] as const];

/** v1 proposes a list where these operations are due there, each a moment after the one before. */
function proposed(due: Entries, entries: Entries, late = 0, stream = begun()): Stream {
  for (const [name, operation] of due) stream.applyOwn("v1", name, operation);
  return stream
    .later(late)
    .content(v.hash("list"), v.list(0, entries))
    .propose("v1", v.tokenSlot(0), v.hash("list"), 0);
}
/** v1 proposes a list against age in round 2, where so many voted for it in round 1. */
const locked = (count: number): Stream => {
  const stream = begun()
    .applyOwn("v1", ...M)
    .applyOwn("v1", ...N)
    .content(v.hash("list"), v.list(0, [N, M]));
  stream.vote(["v2", "v3", "v4"].slice(0, count), v.tokenSlot(0), v.hash("list"), 1);
  return stream.propose("v1", v.tokenSlot(0), v.hash("list"), 2);
};
const UNFAIR = /^v1 proposes .* ahead of .* in version 0 of token 0x4df1cac2…, where that has been due for .* longer$/;
const SAID = {
  kind: "proposal",
  epoch: 0,
  slot: `token/${USD}/${"0".repeat(16)}`,
  round: 0,
  value: v.hash("list"),
} as never;
const again = (): Stream => begun().push({ type: "restarted", node: "v1", wiped: false, durableStatements: [SAID] });

describe("a list is unfair", () =>
  testRuns(find, [
    ["unless by age", () => proposed([M, N], [M, N])],
    ["against age", () => proposed([M, N], [N, M]), UNFAIR],
    ["without the oldest", () => proposed([M, N], [N]), UNFAIR],
    ["unless without the youngest", () => proposed([M, N], [M])],
    ["unless with a restriction first", () => proposed([M, P], [P, M])],
    ["with a restriction ahead of what has been due for 5 s", () => proposed([M, P], [P, M], 5_000), UNFAIR],
    ["unless with a restriction behind that", () => proposed([M, P], [M, P], 5_000)],
    ["with a younger mint ahead of a restriction", () => proposed([P, M], [M, P]), UNFAIR],
    ["unless a lock may force it on its proposer", () => locked(3)],
    ["where no lock may", () => locked(2), UNFAIR],
    [
      "unless a Byzantine validator proposes it",
      () => proposed([M, N], [N, M], 0, new Stream(v.setting({ byzantine: ["v1"] }))),
    ],
    ["unless a restarted validator says it again", () => proposed([M, N], [N, M], 0, again())],
    [
      "unless disks take time, which blurs the ages",
      () => proposed([M, N], [N, M], 0, new Stream({ ...v.setting(), slotMs: 100 as Millis })),
    ],
  ]));

const ALL = ["v1", "v2", "v3", "v4"];
/** Three burns of the issuer and one of carol, all due at the nodes in `knows`. */
function burning(knows: readonly string[], options: v.SettingOptions = {}): Stream {
  const stream = new Stream(v.setting(options));
  for (const node of stream.names())
    for (const index of [0, 1, 2]) stream.applyOwn(node, `b${index}`, burn(ISSUER, index));
  for (const node of knows) stream.applyOwn(node, "c", burn(CAROL, 0));
  return stream;
}
/** The next slots of alice, from this one on, serve these burns of the issuer. */
function serving(stream: Stream, first: number, ...indices: readonly number[]): Stream {
  for (const [at, index] of indices.entries()) stream.apply("v1", burned(`b${index}`, first + at, burn(ISSUER, index)));
  return stream;
}
const threeInARow = (stream: Stream): Stream => serving(stream, 0, 0, 1, 2);

/** The only validator decides burns of both, and decides them again after a restart. */
function twice(): Stream {
  const stream = new Stream(v.setting({ validators: 1 }));
  const decide = (): Stream => {
    stream.applyOwn("v1", "c", burn(CAROL, 0));
    for (const index of [0, 1]) stream.applyOwn("v1", `b${index}`, burn(ISSUER, index));
    return serving(stream.apply("v1", burned("c", 0, burn(CAROL, 0))), 1, 0, 1);
  };
  decide().push({ type: "crashed", node: "v1" });
  stream.push({ type: "restarted", node: "v1", wiped: false, durableStatements: [] });
  stream.applyOwn("v1", "d", burn(CAROL, 1));
  return decide();
}

describe("a burn is passed", () =>
  testRuns(find, [
    [
      "by a second one of another authority",
      () => threeInARow(burning(ALL)),
      /^slot 2 of account .* serves a second burn of authority/,
    ],
    ["rightly, where it is not due at a running validator", () => threeInARow(burning(["v1", "v2", "v3"]))],
    [
      "rightly, where it is served in between",
      () => serving(serving(burning(ALL), 0, 0).apply("v1", burned("c", 1, burn(CAROL, 0))), 2, 1, 2),
    ],
    ["rightly, where it waits beside a Byzantine validator", () => threeInARow(burning(ALL, { byzantine: ["v4"] }))],
    [
      "rightly, after a crash",
      () => serving(serving(burning(ALL), 0, 0, 1).push({ type: "crashed", node: "v4" }), 2, 2),
    ],
    ["rightly, by what a restarted validator applies again", twice],
  ]));

const X = v.payment(ALICE, 0, BOB, 5);
const asked = (stream = begun()): Stream => stream.submitPending("alice", "x", X);
const VX = v.hash("value x");
const SLOT = v.accountSlot(ALICE, 0);
/** Mints wait for their turns 4 s, 4 s and 2 s. */
const mints = (): Stream =>
  begun()
    .submitPending("issuer", "m", mint(ISSUER))
    .submitPending("issuer", "n", mint(ISSUER, 1))
    .later(4_000)
    .applyOwn("v1", "m", mint(ISSUER))
    .later(4_000)
    .applyOwn("v1", "n", mint(ISSUER, 1))
    .later(2_000);
/** A payment is submitted so long after a healing, and waits. */
const healed = (after: number, core = ALL): Stream =>
  asked(begun({ isFaultless: false }).push({ type: "healed", core }).later(after)).later(60_000);
/** So many burns precede a payment. */
function behindBurns(count: number, value: number): Stream {
  const stream = begun().submitPending("alice", "x", v.payment(ALICE, 0, BOB, value));
  for (let at = 0; at < count; at++) serving(stream.applyOwn("v1", `b${at}`, burn(ISSUER, at)), at, at);
  return stream;
}
const LONG = /decided nothing for/;
/** Two operations rival for a nonce while an earlier one waits for its list, which comes. */
function besideRivals(): Stream {
  const [m, n] = [mint(ISSUER), mint(ISSUER, 1)];
  const stream = begun().submitPending("issuer", "m", m).submitPending("issuer", "n", n);
  stream
    .submit("issuer", "rival", v.payment(ISSUER, 1, BOB, 5))
    .applyOwn("v1", "m", m)
    .applyOwn("v1", "n", n);
  return stream.apply(
    "v1",
    v.list(0, [
      ["m", m],
      ["n", n],
    ]),
  );
}
const unjudged = (title: string, run: () => Stream) => [`not if ${title}`, () => run().later(60_000)] as const;

describe("a wait is judged", () =>
  testRuns(find, [
    ["up to 5 s before its decision", () => asked().later(4_999).applyOwn("v1", "x", X)],
    ["up to 5 s without one", () => asked().later(4_999)],
    ["beyond 5 s before its decision", () => asked().later(5_009).applyOwn("v1", "x", X), LONG],
    ["beyond 5 s without one", () => asked().later(5_009), LONG],
    unjudged("a fault was in the plan", () => asked(begun({ isFaultless: false }))),
    unjudged("a fault began", () => asked().push({ type: "disturbed" })),
    unjudged("it was refused", () => asked().reply("v1", "x", { status: "void", epoch: 0 as never })),
    unjudged("nobody admitted it", () => begun().submit("alice", "x", X)),
    unjudged("an earlier nonce is missing", () => begun().submitPending("alice", "x", v.payment(ALICE, 1, BOB, 5))),
    unjudged("its owner cancels", () => asked().submit("alice", "c", v.signed("cancellation", ALICE, 0, {}))),
    unjudged("its owner signs a conflict", () => asked().submit("alice", "y", v.payment(ALICE, 0, CAROL, 5))),
    unjudged("validators close the epoch", () => asked().close(["v1"])),
    unjudged("its list came beside rivals for a later nonce", besideRivals),
    unjudged("a list may bar it", () => asked().apply("v1", v.list(0, [P]))),
    unjudged("two values have votes", () => asked().vote(["v1"], SLOT, VX).vote(["v2"], SLOT, v.hash("value y"))),
    [
      "from each decided slot anew, and by the slots of its effect",
      mints,
      /^token .* decided nothing for 6\d\d\d ms while due operation/,
    ],
    ["after a healing of all validators, past the bound of liveness", () => healed(5_000), LONG],
    ["not within that bound", () => healed(4_000)],
    ["not after a healing of some", () => healed(5_000, ["v1", "v2", "v3"])],
    ["not behind two burns", () => behindBurns(2, 5)],
    ["behind three burns", () => behindBurns(3, 5), /^3 forced burns of account .* at most 2 may precede it$/],
    ["not behind burns that leave no funds", () => behindBurns(3, 998)],
  ]));

const NOW = 10_000 as Millis;
const KINDS = [(one: Address) => mint(one), (one: Address) => v.pause(one, 0)] as const;
const someWaiting = fc
  .array(fc.record({ age: fc.integer({ min: 0, max: 9_000 }), kind: fc.nat({ max: 1 }) }), { maxLength: 12 })
  .map(
    (all) =>
      new Map(
        all.map(({ age, kind }, index): [OperationId, { signed: SignedOperation; since: Millis }] => [
          v.hash(`o${index}`),
          { signed: (KINDS[kind] ?? mint)(v.address(`s${index}`)), since: (NOW - age) as Millis },
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
        authorised: new Map(Array.from({ length: owned }, (__, nonce) => [nonce, v.hash(`x${nonce}`)])),
        due: new Set(Array.from({ length: waiting }, (__, place) => v.hash(`d${place}`))),
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
        v.hash(`o${index}`),
        { signed: (KINDS[kind] ?? mint)(v.address(`s${signer}`)), since: (NOW - age) as Millis },
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
