import { describe } from "vitest";
import type { Address } from "../../src/core/base/ids.ts";
import type { SignedOperation } from "../../src/core/base/operation.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import type { DurableStatement } from "../../src/invariants/observation.ts";
import { validity } from "../../src/invariants/oracles/validity/validity.ts";
import { tokenAddress } from "../../src/invariants/reference/addresses.ts";
import { checkpoint, epochSlotOf, parametersOf } from "./closings.ts";
import { FIRST, handover, NEXT, SECOND } from "./runs.ts";
import { addChange, alterChange, alterReceipt, finder, Stream, testRuns } from "./support.ts";
import * as v from "./vocabulary.ts";

const { ALICE, BOB, CAROL, ISSUER, USD } = v;

const fresh = (options: v.SettingOptions = {}): Stream => new Stream(v.setting(options));
const find = finder(validity);

/** v1 votes for the decision. */
const votes = (decision: v.Decision, round = 0, stream = fresh()): Stream =>
  stream.content(v.hash("value"), decision).vote(["v1"], decision.slot, v.hash("value"), round);

const X = v.payment(ALICE, 0, BOB, 5);
const SLOT = v.accountSlot(ALICE, 0);
const CANCEL = v.signed("cancellation", ALICE, 0, {});
const OTHER = v.payment(ALICE, 0, CAROL, 9);
const EURO = tokenAddress(ISSUER, "EUR");
const voted = (operation: SignedOperation): Stream => votes(v.own("x", 0, operation));
const paused = (byzantine: readonly string[] = []): Stream => fresh({ token: { isPaused: true }, byzantine });

function skip(feeToken: Address | undefined, operations = [CANCEL, X]): v.Decision {
  const value = { type: "skip", by: "cancellation", id: v.hash("c"), displaced: [v.hash("x")], feeToken } as const;
  return { slot: SLOT, value, operations };
}

/** v1 votes for a payment after a restart, where its disk held a vote for the value of this name. */
function votesAfterCrash(durable: string): Stream {
  const place = { kind: "vote", epoch: 0, slot: slotKey(SLOT), round: 0 };
  const statement = { ...place, value: v.hash(durable) } as DurableStatement;
  return votes(v.own("x", 0, X), 0, paused().crash("v1").restart("v1", [statement]));
}

/** v1 votes for a recovery of two payments of these names, the second one in euros; it pays in dollars. */
function votesForRecovery(...names: readonly string[]): Stream {
  const base = v.setting();
  const tokens = [...base.genesis.tokens, v.usd({ token: EURO, symbol: "EUR" })];
  const stream = new Stream({ ...base, genesis: { ...base.genesis, tokens } });
  const operations = [X, v.payment(ALICE, 0, BOB, 5, EURO)];
  for (const [at, name] of names.entries()) stream.submit("c", name, operations[at] as SignedOperation);
  const displaced = [v.hash("one"), v.hash("two")];
  const value = { type: "skip", by: "recovery", id: v.hash("r"), displaced, feeToken: USD } as const;
  return votes({ slot: SLOT, value, operations }, 1, stream);
}

/** v1 votes in round 2 for a value that a lock may force. */
const votesForForced = (decision: v.Decision): Stream =>
  votes(decision, 2, fresh().change(["v2"], decision.slot, 2, { round: 1, value: v.hash("value") }));

const burn = (nonce: number, of = BOB) =>
  v.signed("burn", ISSUER, nonce, { token: USD, value: v.amount(40), recipient: of });
const burned = (outcome: "burned" | "failed", of = BOB): v.Decision => ({
  slot: v.accountSlot(of, 0),
  value: { type: "burn", id: v.hash("b"), outcome },
  operations: [burn(0, of)],
});
const due = (of = BOB): Stream => fresh().settleOwn("b", burn(0, of));

describe("an honest vote is found", () =>
  testRuns(find, [
    ["without funds for the fee", () => voted(v.payment(ALICE, 0, BOB, 1000)), "business_insufficient_funds"],
    ["with a nonce ahead", () => voted(v.payment(ALICE, 1, BOB, 5)), "business_nonce_gap"],
    ["for a payment of nothing", () => voted(v.payment(ALICE, 0, BOB, 0)), "validation_amount"],
    ["for another chain", () => voted({ ...X, operation: { ...X.operation, chainId: 1 } }), "validation_chain_id"],
    ["where its predecessor is not applied", () => votes(v.own("x", 1, X)), "slot 0 is next, not 1"],
    ["in a paused token", () => votes(v.own("x", 0, X), 0, paused()), "business_token_paused"],
    ["unless a Byzantine validator gives it", () => votes(v.own("x", 0, X), 0, paused(["v1"]))],
    ["unless the disk held it before a crash", () => votesAfterCrash("value")],
    ["after a crash before which the disk held none", () => votesAfterCrash("y"), "business_token_paused"],
    ["for a skip that pays in no token", () => votes(skip(undefined), 1), "it pays in no token"],
    ["unless a skip is right", () => votes(skip(USD), 1)],
    [
      "for a skip of another operation than is named",
      () => votes(skip(USD, [CANCEL, OTHER]), 1, fresh().submit("c", "y", OTHER)),
      "which its value does not name",
    ],
    ["unless a recovery pays in the token of the lower id", () => votesForRecovery("one", "two")],
    [
      "for a recovery in the token of the higher id",
      () => votesForRecovery("two", "one"),
      "it pays in the token of the operation with the higher id",
    ],
    ["unless a recovery's operations are unknown", () => votesForRecovery()],
    ["unless a lock may have forced a skip", () => votesForForced(skip(undefined))],
    ["unless a lock may have forced an operation", () => votesForForced(v.own("x", 0, X))],
    ["for a forced value without its predecessor", () => votesForForced(v.own("x", 1, X)), "slot 0 is next, not 1"],
    ["for a skip without a warrant", () => votes(skip(USD, [X]), 1), "its warrant has no cancellation"],
    ["for a skip in round 0", () => votes(skip(USD), 0), "not allowed in round 0"],
    ["unless an owner's operation is of round 0", () => votes(v.own("x", 0, X))],
    ["for it in round 1", () => votes(v.own("x", 0, X), 1), "an owner's operation is not a free choice in round 1"],
    [
      "for a checkpoint in an account's slot",
      () =>
        fresh()
          .content(v.hash("c"), { value: checkpoint(1, []), operations: [] })
          .vote(["v1"], SLOT, v.hash("c")),
      "an account's or a token's slot decides no checkpoint",
    ],
    ["for a burn without authorisation", () => votes(burned("burned")), "no such burn is due"],
    ["for a burn with the wrong outcome", () => votes(burned("failed"), 0, due()), "makes the outcome burned"],
    ["unless a burn is due", () => votes(burned("burned"), 0, due())],
    ["for the owner before a burn", () => votes(v.own("x", 0, X), 0, due(ALICE)), "a forced burn is due first"],
    [
      "unless it is the owner's turn",
      () => votes(v.own("x", 1, X), 0, due(ALICE).settleOwn("c", burn(1, ALICE)).settle("d", burned("burned", ALICE))),
    ],
  ]));

type Entries = Parameters<typeof v.list>[1];
const A: Entries[0] = ["a", v.grant(ISSUER, 0, "Pause", CAROL, 0)];
const B: Entries[0] = ["b", v.grant(ISSUER, 1, "Pause", BOB, 0)];
const granted = (options: v.SettingOptions = {}): Stream =>
  fresh(options)
    .settleOwn(...A)
    .settleOwn(...B);
const listed = (...entries: Entries): Stream => votes(v.list(0, entries), 3, granted());
const LONG = "the list has 2 operations, at most 1 are allowed";

/** v1 votes for a list of two, or proposes it. */
function long(listLimit: number, did: "vote" | "propose"): Stream {
  const stream = granted({ genesis: { listLimit } }).content(v.hash("value"), v.list(0, [A, B]));
  const { slot } = v.list(0, []);
  return did === "propose"
    ? stream.propose("v1", slot, v.hash("value"), 0)
    : stream.vote(["v1"], slot, v.hash("value"));
}

const empty = (byzantine: readonly string[]): Stream =>
  fresh({ byzantine })
    .settleOwn(...A)
    .apply("v1", v.list(0, []));

describe("a list is found", () =>
  testRuns(find, [
    ["that is empty", () => listed(), "the list is empty"],
    ["with an operation twice", () => listed(A, A), "is repeated"],
    ["out of its signer's order", () => listed(B, A), "precedes an earlier operation of its signer"],
    ["without what precedes", () => listed(B), "precedes an earlier operation of its signer"],
    ["of what nobody authorised", () => listed(A, ["z", v.pause(ISSUER, 2)]), "is not authorised"],
    ["unless it is whole and in order", () => listed(A, B)],
    ["unless as long as is allowed, in a vote", () => long(2, "vote")],
    ["unless as long as is allowed, in a proposal", () => long(2, "propose")],
    ["longer than is allowed, in a vote", () => long(1, "vote"), new RegExp(`voted for the list.*${LONG}`)],
    ["longer than is allowed, in a proposal", () => long(1, "propose"), new RegExp(`proposed the list.*${LONG}`)],
    [
      "longer than is allowed, applied",
      () => granted({ genesis: { listLimit: 1 } }).apply("v1", v.list(0, [A, B])),
      LONG,
    ],
    ["that is empty, applied up to f", () => empty(["v4"]), "the list is empty"],
    ["unless applied beyond f", () => empty(["v2", "v3", "v4"])],
  ]));

const STOP: Entries[0] = ["p", v.pause(ISSUER, 0)];
const GO: Entries[0] = ["u", v.pause(ISSUER, 0, "Unpause")];
const BALANCE = alterChange("balance", ({ after }) => ({ after: v.amount(after + 1n) }));
const NONCE = alterChange("account", () => ({ nonce: 7 as never }));
const OPEN = alterChange("token", ({ after }) => ({ after: { ...after, isPaused: false } }));
const STRAY = addChange({ of: "balance", address: CAROL, token: USD, before: v.amount(0), after: v.amount(1) });
const SUCCESS = alterReceipt({ success: true, error: undefined });
const applied = (alter: typeof STRAY): Stream => fresh().applyOwn("v1", "x", X, alter);

describe("a node is found that shows", () =>
  testRuns(find, [
    ["another balance", () => applied(BALANCE).applyOwn("v1", "y", v.payment(ALICE, 1, BOB, 5)), "expected"],
    ["another nonce", () => applied(NONCE).applyOwn("v1", "y", v.payment(ALICE, 1, BOB, 5)), "is at nonce 7"],
    [
      "another policy",
      () =>
        fresh()
          .settleOwn(...STOP)
          .apply("v1", v.list(0, [STOP]), OPEN),
      "USD is not paused",
    ],
    [
      "another receipt",
      () =>
        fresh()
          .settleOwn(...GO)
          .apply("v1", v.list(0, [GO]), SUCCESS),
      "shows success, expected business_pause_state",
    ],
    ["a change that no rule explains", () => applied(STRAY), "changed without cause"],
  ]));

const PAID = v.own("x", 0, X);
const TIGHT = v.own("x", 0, v.payment(ALICE, 0, BOB, 990));
const higher = { ...parametersOf(v.setting()), fees: { default: v.HIGHER_FEES, tokens: new Map() } };
const by = (node: string, stream: Stream, decision = PAID): Stream =>
  stream.content(v.hash("value"), decision).vote([node], decision.slot, v.hash("value"));

/** v1 applies the closing of epoch 0 once more. */
function closedTwice(): Stream {
  const stream = fresh().turn();
  const again = stream.records.find((record) => record.type === "closed");
  return again?.type === "closed" ? stream.closed("v1", again.hash, again.value) : stream;
}

const second = (): Stream => handover().turn([], { next: NEXT, nodes: FIRST, appliers: handover().names() });

describe("across epochs a vote is found", () =>
  testRuns(find, [
    ["unless it fits the fees", () => by("v1", fresh(), TIGHT)],
    [
      "that does not fit the next fees",
      () => by("v1", fresh().turn([], { next: higher }), TIGHT),
      "insufficient_funds",
    ],
    [
      "in an epoch before the closing is applied",
      () => by("v4", fresh().turn([], { appliers: ["v1", "v2", "v3"] })),
      /^v4 signed a vote in slot 0 of account .* of epoch 1, though it has applied the genesis only$/,
    ],
    ["unless the closing is applied", () => by("v1", fresh().turn())],
    [
      "for what is not next after the closing",
      () => by("v1", fresh().turn([], { brings: [PAID], listing: [[PAID, "x"]] })),
      "slot 1 is next, not 0",
    ],
    [
      "in an epoch that is over",
      () => by("v1", fresh().turn().inEpoch(0)),
      /^v1 signed a vote .* of epoch 0, though it had applied the closing of that epoch$/,
    ],
    [
      "unless about the end of that epoch",
      () => fresh().turn().inEpoch(0).commit(["v1"], epochSlotOf(0), v.hash("checkpoint 1"), 1),
    ],
    ["unless it was given before", () => by("v1", by("v1", fresh()).turn().inEpoch(0))],
    [
      "of no member",
      () => by("v5", handover()),
      /^v5 signed a vote in slot 0 .* of epoch 0, but is not in its committee$/,
    ],
    ["of no member any more", () => by("v1", second()), "of epoch 1, but is not in its committee"],
    ["unless of members", () => second().content(v.hash("value"), PAID).vote(SECOND, PAID.slot, v.hash("value"))],
    [
      "as a closing of another epoch than the node's",
      closedTwice,
      "v1 applied the closing of epoch 0 unlike the reference ledger: epoch 1 is open, not 0",
    ],
  ]));
