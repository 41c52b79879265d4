import { expect, test } from "vitest";
import type { Address } from "../../src/core/base/ids.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import { tokenAddress } from "../../src/invariants/constants.ts";
import type { Change, DurableStatement, RunSetting } from "../../src/invariants/observation.ts";
import { validity } from "../../src/invariants/oracles/validity/validity.ts";
import { checkpoint } from "./closings.ts";
import { details, Stream } from "./support.ts";
import {
  ALICE,
  accountSlot,
  amount,
  BOB,
  CAROL,
  type Decision,
  grant,
  hash,
  ISSUER,
  list,
  own,
  pause,
  payment,
  type SettingOptions,
  setting,
  signed,
  USD,
  usd,
} from "./vocabulary.ts";

function fresh(options: SettingOptions = {}): Stream {
  return new Stream(setting(options));
}

function found(stream: Stream): readonly string[] {
  return details(validity(stream.setting), stream.end());
}

/** v1 votes for the decision. */
function votes(stream: Stream, decision: Decision, round = 0): readonly string[] {
  return found(stream.content(hash("value"), decision).vote(["v1"], decision.slot, hash("value"), round));
}

const RICH = payment(ALICE, 0, BOB, 1000);
const X = payment(ALICE, 0, BOB, 5);

test.each([
  ["without funds for the fee", RICH, "business_insufficient_funds"],
  ["with a nonce ahead", payment(ALICE, 1, BOB, 5), "business_nonce_gap"],
  ["of nothing", payment(ALICE, 0, BOB, 0), "validation_amount"],
  ["signed for another chain", { ...X, operation: { ...X.operation, chainId: 1 } }, "validation_chain_id"],
])("an honest vote for a payment %s is found", (_what, operation, reason) => {
  expect(votes(fresh(), own("x", 0, operation))).toEqual([expect.stringContaining(reason)]);
});

test("an honest vote in a slot whose predecessor is not applied is found", () => {
  expect(votes(fresh(), own("x", 1, X))).toEqual([expect.stringContaining("slot 0 is next, not 1")]);
});

test("an honest vote for a payment in a paused token is found, a Byzantine validator's is not", () => {
  expect(votes(fresh({ token: { isPaused: true } }), own("x", 0, X))).toHaveLength(1);
  expect(votes(fresh({ token: { isPaused: true }, byzantine: ["v1"] }), own("x", 0, X))).toEqual([]);
});

test.each([
  ["which the disk held before a crash is not judged by the ledger of the next life", "x", 0],
  ["of which the disk held nothing is judged after a restart too", "y", 1],
])("an honest vote %s", (_what, durable, count) => {
  const decision = own("x", 0, X);
  const statement = {
    kind: "vote",
    epoch: 0,
    slot: slotKey(decision.slot),
    round: 0,
    value: hash(durable),
  } as DurableStatement;
  const stream = fresh({ token: { isPaused: true } })
    .crash("v1")
    .restart("v1", [statement]);
  expect(found(stream.content(hash("x"), decision).vote(["v1"], decision.slot, hash("x")))).toHaveLength(count);
});

function skip(feeToken: Address | undefined, operations = [signed("cancellation", ALICE, 0, {}), X]): Decision {
  const by = { type: "skip", by: "cancellation" } as const;
  const value = { ...by, id: hash("c"), displaced: [hash("x")], feeToken };
  return { slot: accountSlot(ALICE, 0), value, operations };
}

test("an honest vote for a skip that pays in no token, though what it displaces has one, is found", () => {
  expect(votes(fresh(), skip(undefined), 1)).toEqual([expect.stringContaining("it pays in no token")]);
  expect(votes(fresh(), skip(USD), 1)).toEqual([]);
});

test("an honest vote for a skip that shows another operation than its value names is found", () => {
  const other = payment(ALICE, 0, CAROL, 9);
  const asked = (): Stream => fresh().submit("c", "y", other);
  const shown = [signed("cancellation", ALICE, 0, {}), other];
  expect(votes(asked(), skip(USD, shown), 1)).toEqual([expect.stringContaining("which its value does not name")]);
});

test("an honest vote for a skip of two payments in the token of the one with the higher id is found", () => {
  const euro = tokenAddress(ISSUER, "EUR");
  const other = payment(ALICE, 0, BOB, 5, euro);
  const paid = (first: string, second: string): Stream =>
    new Stream(twoTokens(euro)).submit("c", first, X).submit("c", second, other);
  const by = { type: "skip", by: "recovery" } as const;
  const value = {
    ...by,
    id: hash("r"),
    displaced: [hash("one"), hash("two")],
    feeToken: USD,
  } as const;
  const decision: Decision = { slot: accountSlot(ALICE, 0), value, operations: [X, other] };
  const words = "it pays in the token of the operation with the higher id";
  expect(votes(paid("one", "two"), decision, 1)).toEqual([]);
  expect(votes(paid("two", "one"), decision, 1)).toEqual([expect.stringContaining(words)]);
  expect(votes(new Stream(twoTokens(euro)), decision, 1)).toEqual([]);
});

/** A setting with a second token, in which nobody holds units. */
function twoTokens(token: Address): RunSetting {
  const base = setting();
  const tokens = [...base.genesis.tokens, usd({ token, symbol: "EUR" })];
  return { ...base, genesis: { ...base.genesis, tokens } };
}

test("a skip that a lock may have forced needs no check", () => {
  const stream = fresh().change(["v2"], accountSlot(ALICE, 0), 2, { round: 1, value: hash("value") });
  expect(votes(stream, skip(undefined), 2)).toEqual([]);
});

test("an honest vote for a forced value is found all the same where its predecessor is not applied", () => {
  const at = (sequence: number): readonly string[] => {
    const slot = accountSlot(ALICE, sequence);
    const stream = fresh().change(["v2"], slot, 2, { round: 1, value: hash("value") });
    return found(stream.content(hash("value"), own("x", sequence, X)).vote(["v1"], slot, hash("value"), 2));
  };
  expect(at(0)).toEqual([]);
  expect(at(1)).toEqual([expect.stringContaining("slot 0 is next, not 1")]);
});

test("an honest vote for a skip without a warrant, or in round 0, is found", () => {
  expect(votes(fresh(), skip(USD, [X]), 1)[0]).toContain("its warrant has no cancellation");
  expect(votes(fresh(), skip(USD), 0)[0]).toContain("not allowed in round 0");
});

test("an honest vote for the owner's operation as a free choice of a later round is found", () => {
  const words = "an owner's operation is not a free choice in round 1";
  expect(votes(fresh(), own("x", 0, X), 0)).toEqual([]);
  expect(votes(fresh(), own("x", 0, X), 1)).toEqual([expect.stringContaining(words)]);
});

test("an honest vote for a checkpoint in an account's slot is found", () => {
  const stream = fresh().content(hash("value"), { value: checkpoint(1, []), operations: [] });
  expect(found(stream.vote(["v1"], accountSlot(ALICE, 0), hash("value")))).toEqual([
    expect.stringContaining("an account's or a token's slot decides no checkpoint"),
  ]);
});

test("an honest vote for a burn without authorisation, or with the wrong outcome, is found", () => {
  const burn = signed("burn", ISSUER, 0, { token: USD, value: amount(40), recipient: BOB });
  const effect = (outcome: "burned" | "failed"): Decision => ({
    slot: accountSlot(BOB, 0),
    value: { type: "burn", id: hash("b"), outcome },
    operations: [burn],
  });
  expect(votes(fresh(), effect("burned"))[0]).toContain("no such burn is due");
  expect(votes(fresh().settle("b", own("b", 0, burn)), effect("failed"))[0]).toContain("makes the outcome burned");
  expect(votes(fresh().settle("b", own("b", 0, burn)), effect("burned"))).toEqual([]);
});

test("an honest vote for the owner is found where a forced burn is due, but for the turn after another one", () => {
  const burn = (nonce: number) => signed("burn", ISSUER, nonce, { token: USD, value: amount(40), recipient: ALICE });
  const due = fresh().settle("b", own("b", 0, burn(0)));
  expect(votes(due, own("x", 0, X))).toEqual([expect.stringContaining("a forced burn is due first")]);
  const burned: Decision = {
    slot: accountSlot(ALICE, 0),
    value: { type: "burn", id: hash("b"), outcome: "burned" },
    operations: [burn(0)],
  };
  const turn = fresh()
    .settle("b", own("b", 0, burn(0)))
    .settle("c", own("c", 1, burn(1)))
    .settle("burned", burned);
  expect(votes(turn, own("x", 1, X))).toEqual([]);
});

const FIRST = grant(ISSUER, 0, "Pause", CAROL, 0);
const SECOND = grant(ISSUER, 1, "Pause", BOB, 0);

test.each([
  ["empty", [], "the list is empty"],
  [
    "with an operation twice",
    [
      ["a", FIRST],
      ["a", FIRST],
    ],
    "is repeated",
  ],
  [
    "out of its signer's order",
    [
      ["b", SECOND],
      ["a", FIRST],
    ],
    "precedes an earlier operation of its signer",
  ],
  ["without what precedes", [["b", SECOND]], "precedes an earlier operation of its signer"],
  [
    "with what nobody authorised",
    [
      ["a", FIRST],
      ["z", pause(ISSUER, 2)],
    ],
    "is not authorised",
  ],
] as const)("an honest vote for a list that is %s is found", (_what, entries, reason) => {
  const stream = fresh()
    .settle("a", own("a", 0, FIRST))
    .settle("b", own("b", 1, SECOND));
  expect(votes(stream, list(0, entries), 3)[0]).toContain(reason);
});

test.each(["voted for", "proposed"])(
  "a list longer than the genesis allows is found where an honest one %s it",
  (did) => {
    const entries = [
      ["a", FIRST],
      ["b", SECOND],
    ] as const;
    const judged = (listLimit: number): readonly string[] => {
      const decision = list(0, entries);
      const stream = fresh({ genesis: { listLimit } })
        .settle("a", own("a", 0, FIRST))
        .settle("b", own("b", 1, SECOND));
      stream.content(hash("value"), decision);
      if (did === "proposed") stream.propose("v1", decision.slot, hash("value"), 0);
      else stream.vote(["v1"], decision.slot, hash("value"));
      return found(stream);
    };
    expect(judged(2)).toEqual([]);
    expect(judged(1)).toEqual([expect.stringContaining(`${did} the list`)]);
    expect(judged(1)).toEqual([expect.stringContaining("the list has 2 operations, at most 1 are allowed")]);
  },
);

test("a list longer than the genesis allows is found where it took effect", () => {
  const stream = fresh({ genesis: { listLimit: 1 } })
    .settle("a", own("a", 0, FIRST))
    .settle("b", own("b", 1, SECOND));
  stream.apply(
    "v1",
    list(0, [
      ["a", FIRST],
      ["b", SECOND],
    ]),
  );
  expect(found(stream)).toEqual([expect.stringContaining("the list has 2 operations, at most 1 are allowed")]);
});

test("an honest vote for a whole list in order is right", () => {
  const stream = fresh()
    .settle("a", own("a", 0, FIRST))
    .settle("b", own("b", 1, SECOND));
  expect(
    votes(
      stream,
      list(0, [
        ["a", FIRST],
        ["b", SECOND],
      ]),
    ),
  ).toEqual([]);
});

test.each([
  [
    "a balance",
    (change: Change): Change => (change.of === "balance" ? { ...change, after: amount(change.after + 1n) } : change),
    "expected",
  ],
  [
    "a nonce",
    (change: Change): Change => (change.of === "account" ? { ...change, nonce: 7 as never } : change),
    "is at nonce 7",
  ],
])("a node that shows %s unlike the reference is found once", (_what, alter, words) => {
  const stream = fresh().apply("v1", own("x", 0, X), (effects) => ({
    ...effects,
    changes: effects.changes.map(alter),
  }));
  stream.apply("v1", own("y", 1, payment(ALICE, 1, BOB, 5)));
  expect(found(stream)).toEqual([expect.stringContaining(words)]);
});

test("a node whose policy or receipt differs from the reference is found", () => {
  const stop = pause(ISSUER, 0);
  const open = (change: Change): Change =>
    change.of === "token" ? { ...change, after: { ...change.after, isPaused: false } } : change;
  const policy = fresh()
    .settle("p", own("p", 0, stop))
    .apply("v1", list(0, [["p", stop]]), (effects) => ({ ...effects, changes: effects.changes.map(open) }));
  expect(found(policy)).toEqual([expect.stringContaining("token USD is not paused")]);
  const go = pause(ISSUER, 0, "Unpause");
  const receipt = fresh()
    .settle("u", own("u", 0, go))
    .apply("v1", list(0, [["u", go]]), (effects) => ({
      ...effects,
      receipts: effects.receipts.map((one) => ({ ...one, success: true, error: undefined })),
    }));
  expect(found(receipt).at(-1)).toContain("shows success, expected business_pause_state");
});

test("a change that no rule explains is found", () => {
  const stray: Change = { of: "balance", address: CAROL, token: USD, before: amount(0), after: amount(1) };
  const stream = fresh().apply("v1", own("x", 0, X), (effects) => ({
    ...effects,
    changes: [...effects.changes, stray],
  }));
  expect(found(stream)).toEqual([expect.stringContaining("changed without cause")]);
});

test("an empty list that is applied is found up to f, and no honest node is faulty beyond", () => {
  const judged = (byzantine: readonly string[]): readonly string[] =>
    found(
      fresh({ byzantine })
        .settle("a", own("a", 0, FIRST))
        .apply("v1", list(0, [])),
    );
  expect(judged(["v4"])[0]).toContain("the list is empty");
  expect(judged(["v2", "v3", "v4"])).toEqual([]);
});
