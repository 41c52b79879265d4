/** Checks of contents and of reasons against a validator's state (protocol 3, table; 3.2). */

import { describe, expect, it } from "vitest";
import type { Epoch, Hash, Millis, Nonce, Round, Version } from "../../../src/core/base/ids.ts";
import type { SignedOperation } from "../../../src/core/base/operation.ts";
import { type BurnValue, type SkipValue, type Slot, slotKey } from "../../../src/core/base/slot.ts";
import { Table } from "../../../src/core/base/table.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import type { StatementContent, Vote } from "../../../src/core/consensus/message.ts";
import { recoveryId } from "../../../src/core/ledger/identity.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import { checkContent } from "../../../src/core/validator/check-content.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import { FAILED_BURN_MS } from "../../../src/core/validator/limits.ts";
import { addPending } from "../../../src/core/validator/mempool/pending.ts";
import type { SlotReason } from "../../../src/core/validator/message.ts";
import { isReasonValid, mayLeave } from "../../../src/core/validator/slots/reason-check.ts";
import { deriveReasons, noteReason } from "../../../src/core/validator/slots/round-change-reasons.ts";
import type { ValidatorState } from "../../../src/core/validator/state.ts";
import { accountSlot, by, contentOf, decisionOf, EPOCH } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, burn, CHAIN, cancellation, idOf, issue, mint, pause, payment, USD } from "./support/operations.ts";
import { contextOf } from "./support/single.ts";

const FRESH = new Cluster(4).node(0);
const ALICE = accountSlot("alice");
const DOLLAR: Slot = { kind: "token", token: USD, version: 0 as Version };
const X = payment("alice", 0, "bob", 10n);
const Y = payment("alice", 0, "carol", 10n);
const BURNED = burn("burner", 0, "alice", 10n);

/** A validator at which the operation waits for its effect since `since`, and nothing else has happened. */
function waiting(operation: SignedOperation): { readonly state: ValidatorState; readonly since: number } {
  const cluster = new Cluster(4);
  cluster.submit(0, operation);
  while (cluster.node(1).ledger.authorised.size === 0 && cluster.step(1_000));
  return { state: cluster.node(1), since: cluster.now };
}

function answer(content: Content, round = 0, slot: Slot = ALICE, state: ValidatorState = FRESH, at = 0): string {
  return checkContent(state, at as Millis, slot, content, round as Round).answer;
}

function skip(by: SkipValue["by"], operations: readonly SignedOperation[], more: Partial<SkipValue> = {}): Content {
  const [first] = operations as [SignedOperation];
  const id = by === "recovery" ? recoveryId(CHAIN, first.sender, 0 as Nonce) : idOf(first);
  const displaced = (by === "recovery" ? operations : operations.slice(1)).map((one) => idOf(one));
  const value: SkipValue = { type: "skip", by, id, displaced, feeToken: USD, ...more };
  return { value, operations, certificates: [] };
}

const CANCELLED = skip("cancellation", [cancellation("alice", 0), X]);
const RECOVERED = skip("recovery", [X, Y]);

describe("an operation", () => {
  it("is a choice of round 0 of its signer's slot", () => {
    expect(answer(contentOf(X))).toBe("accept");
    expect(answer(contentOf(X), 1)).toBe("refuse");
    expect(answer(contentOf(X), 0, accountSlot("bob"))).toBe("refuse");
    expect(answer(contentOf(X), 0, DOLLAR)).toBe("refuse");
  });

  it("is no cancellation, which is decided as a skip", () => {
    expect(answer(contentOf(cancellation("alice", 0)))).toBe("refuse");
  });

  it("is checked against every restriction that this validator has committed to, of any token", () => {
    const pausing = (token: typeof USD) => {
      const key = slotKey({ kind: "token", token, version: 0 as Version });
      return [key, [{ type: "pause", token } as const]] as const;
    };
    const others = ["00", "ff"].map((digits) => pausing(`0x${digits.repeat(20)}` as typeof USD));
    for (const barred of [true, false]) {
      const barriers = new Table(barred ? [...others, pausing(USD)] : others);
      expect(answer(contentOf(X), 0, ALICE, { ...FRESH, slots: { ...FRESH.slots, barriers } })).toBe(
        barred ? "refuse" : "accept",
      );
    }
  });
});

describe("a skip", () => {
  it.each([
    ["by cancellation", CANCELLED],
    ["by recovery", RECOVERED],
  ])("%s is a choice of later rounds of its account's slot, in the token of what it displaces", (_by, content) => {
    expect([0, 1, 2].map((round) => answer(content, round))).toEqual(["refuse", "accept", "accept"]);
    expect(answer(content, 1, accountSlot("bob"))).toBe("refuse");
    const free = { ...content, value: { ...content.value, feeToken: undefined } as SkipValue };
    expect(answer(free, 1)).toBe("wait");
  });

  it("is none of a later nonce, though its fee is right", () => {
    const later = payment("alice", 1, "bob", 10n);
    for (const content of [
      skip("cancellation", [cancellation("alice", 1), later]),
      skip("recovery", [later, payment("alice", 1, "carol", 10n)]),
    ])
      expect(checkContent(FRESH, 0 as Millis, ALICE, content, 1 as Round)).toMatchObject({
        answer: "wait",
        missing: { code: "business_nonce_gap" },
      });
  });
});

describe("a skip that pays nothing", () => {
  const idle = [issue("alice", 0, "AAA"), issue("alice", 0, "BBB")] as const;
  const nothing = { feeToken: undefined } as const;
  const cancelling = (displaced: SignedOperation): SlotReason => ({
    kind: "cancellation",
    cancellation: cancellation("alice", 0),
    displaced,
  });
  const known = (...reasons: SlotReason[]): ValidatorState => ({
    ...FRESH,
    slots: { ...FRESH.slots, reasons: new Table([[slotKey(ALICE), reasons]]) },
  });

  it.each([
    ["cancellation", skip("cancellation", [cancellation("alice", 0), idle[0]], nothing)],
    ["recovery", skip("recovery", idle, nothing)],
  ] as const)("by %s waits while an operation of the nonce is known whose skip pays", (_by, free) => {
    const proof: SlotReason = { kind: "equivocation", proof: { first: X, second: idle[0] } };
    expect(answer(free, 1)).toBe("accept");
    expect([known(cancelling(X)), known(proof)].map((state) => answer(free, 1, ALICE, state))).toEqual([
      "wait",
      "wait",
    ]);
    expect(answer(free, 1, ALICE, known(cancelling(idle[0])))).toBe("accept");
    expect(answer(CANCELLED, 1, ALICE, known(cancelling(X)))).toBe("accept");
  });
});

describe("a due burn", () => {
  const outcome = (of: "burned" | "failed"): Content => ({
    ...contentOf(BURNED),
    value: { type: "burn", id: idOf(BURNED), outcome: of },
  });

  it("is a choice of every round, with the outcome that the balance shows", () => {
    const { state, since } = waiting(BURNED);
    for (const round of [0, 1]) {
      expect(answer(outcome("burned"), round, ALICE, state, since)).toBe("accept");
      expect(answer(outcome("failed"), round, ALICE, state, since + 9_000)).toBe("wait");
      expect(answer(outcome("burned"), round, accountSlot("bob"), state, since)).toBe("wait");
    }
    expect(answer(outcome("burned"), 0, ALICE, FRESH)).toBe("wait");
  });

  it("fails in round 0 only after a timeout, and in later rounds at once", () => {
    const { state, since } = waiting(BURNED);
    const { ledger } = state;
    const poor = { ...state, ledger: { ...ledger, balances: Trie.empty<never>() } };
    const times = [0, FAILED_BURN_MS - 1, FAILED_BURN_MS];
    expect(times.map((after) => answer(outcome("failed"), 0, ALICE, poor, since + after))).toEqual([
      "wait",
      "wait",
      "accept",
    ]);
    expect(answer(outcome("failed"), 1, ALICE, poor, since)).toBe("accept");
  });

  it("comes before the owner's operations, but in the owner's turn", () => {
    const { state, since } = waiting(BURNED);
    const turns = new Table([[addressOf("alice"), { until: (since + 500) as Millis, authority: addressOf("burner") }]]);
    expect(answer(contentOf(X), 0, ALICE, state, since)).toBe("wait");
    const turn = { ...state, slots: { ...state.slots, ownersTurns: turns } };
    for (const [after, ...answers] of [
      [499, "accept", "wait"],
      [500, "wait", "accept"],
    ] as const)
      expect(
        [contentOf(X), outcome("burned")].map((content) => answer(content, 0, ALICE, turn, since + after)),
      ).toEqual(answers);
  });
});

describe("a list", () => {
  it("is a choice of a token's slot, in any round", () => {
    const paused = pause("issuer", 0, "Pause");
    const list: Content = { ...contentOf(paused), value: { type: "list", ids: [idOf(paused)] } };
    const { state } = waiting(paused);
    for (const round of [0, 1]) {
      expect(answer(list, round, DOLLAR, state)).toBe("accept");
      expect(answer(list, round, accountSlot("issuer", 1), state)).toBe("refuse");
    }
  });
});

function vote(name: string, signed: SignedOperation, more: Partial<StatementContent> = {}): Vote {
  const slot = accountSlot("poor");
  const value = valueHash(contentOf(signed).value);
  return by(name, { type: "vote", epoch: EPOCH, slot, round: 0 as Round, value, ...more } as StatementContent) as Vote;
}

const cancels = (whose: SignedOperation, displaced: SignedOperation): SlotReason => ({
  kind: "cancellation",
  cancellation: whose,
  displaced,
});
const evidenceOf = (first: SignedOperation, second: SignedOperation): SlotReason => ({
  kind: "equivocation",
  proof: { first, second },
});
const LATER = payment("alice", 1, "carol", 10n);

describe("a reason to skip", () => {
  it.each([
    ["a cancellation with what it displaces", cancels(cancellation("alice", 0), X), true],
    ["two operations for one nonce", evidenceOf(X, Y), true],
    ["a cancellation of a used or later nonce", cancels(cancellation("alice", 1), LATER), false],
    ["a cancellation with an operation for another nonce", cancels(cancellation("alice", 0), LATER), false],
    [
      "a cancellation with somebody else's operation",
      cancels(cancellation("alice", 0), payment("bob", 0, "carol", 1n)),
      false,
    ],
    ["somebody else's cancellation", cancels(cancellation("bob", 0), X), false],
    ["a cancellation with itself", cancels(cancellation("alice", 0), cancellation("alice", 0)), false],
    ["an operation with another one as its cancellation", cancels(Y, X), false],
    ["operations for a later nonce", evidenceOf(LATER, payment("alice", 1, "bob", 1n)), false],
  ])("is judged: %s", (_what, reason, counts) => {
    expect(isReasonValid(FRESH, ALICE, reason)).toBe(counts);
    expect(isReasonValid(FRESH, accountSlot("alice", 1), reason)).toBe(false);
  });
});

describe("a reason of a burn", () => {
  const value: BurnValue = { type: "burn", id: idOf(BURNED), outcome: "burned" };
  const failed: BurnValue = { ...value, outcome: "failed" };
  const content = (of: Content["value"] = value): Content => ({
    value: of,
    operations: [BURNED],
    certificates: [decisionOf(BURNED, accountSlot("burner"))],
  });
  const against = (hash: Hash, more: Partial<StatementContent> = {}, of: Content["value"] = value): SlotReason => ({
    kind: "burn",
    content: content(of),
    vote: vote("v2", X, { slot: ALICE, value: hash, ...more }),
  });
  const other = valueHash(contentOf(X).value);

  it.each([
    ["a vote for an operation", against(other), true],
    ["a vote for its other outcome", against(valueHash(failed)), true],
    ["a vote for itself", against(valueHash(value)), false],
    ["a commit to something else", against(other, { type: "commit" }), false],
    ["a vote of another slot", against(other, { slot: accountSlot("alice", 1) }), false],
    ["a vote of another epoch", against(other, { epoch: 1 as Epoch }), false],
    ["a vote beside what is no burn", against(other, {}, contentOf(BURNED).value), false],
  ])("is judged: with %s", (_what, reason, counts) => {
    expect(isReasonValid(waiting(BURNED).state, ALICE, reason)).toBe(counts);
    expect(isReasonValid(FRESH, ALICE, reason)).toBe(false);
  });
});

describe("of the operations of a nonce a cancellation displaces", () => {
  const [free, paying] = [issue("alice", 0, "AAA"), mint("alice", 0, "bob", 1n)];
  it.each([
    ["the one whose skip pays, in whichever order they come", [free, paying], paying],
    ["the one whose skip pays, which came first", [paying, free], paying],
    ["the first, if no skip pays", [free, issue("alice", 0, "BBB")], free],
  ])("%s", (_, operations, displaced) => {
    const state = new Cluster(4).node(0);
    const context = contextOf(state);
    for (const operation of [...operations, cancellation("alice", 0)])
      addPending(context, operation, { disclosed: true, isEntry: false });
    deriveReasons(context, addressOf("alice"));
    expect(state.slots.reasons.get(slotKey(ALICE))).toMatchObject([{ kind: "cancellation", displaced }]);
  });
});

it("a reason whose skip pays follows from a kept one, whose operations have no room among the pending ones", () => {
  const [free, other] = [issue("alice", 0, "AAA"), issue("alice", 0, "BBB")];
  for (const [kept, derived] of [
    [cancels(cancellation("alice", 0), free), { kind: "cancellation", displaced: X }],
    [evidenceOf(free, other), { kind: "equivocation", proof: { first: X, second: free } }],
  ] as const) {
    const state = new Cluster(4).node(0);
    const context = contextOf(state);
    state.slots.reasons.set(slotKey(ALICE), [kept]);
    deriveReasons(context, addressOf("alice"));
    expect(state.slots.reasons.get(slotKey(ALICE))).toEqual([kept]);
    addPending(context, X, { disclosed: true, isEntry: false });
    deriveReasons(context, addressOf("alice"));
    expect(state.slots.reasons.get(slotKey(ALICE))).toMatchObject([derived]);
  }
});

describe("of two reasons of one kind a slot keeps", () => {
  const free = cancels(cancellation("alice", 0), issue("alice", 0, "AAA"));
  const paying = cancels(cancellation("alice", 0), X);
  it.each([
    ["the first", paying, cancels(cancellation("alice", 0), Y), 0],
    ["the first, also if none pays", free, cancels(cancellation("alice", 0), issue("alice", 0, "BBB")), 0],
    ["the second, if the first does not count", cancels(cancellation("alice", 0), LATER), free, 1],
    ["the second, if it alone pays", free, paying, 1],
  ])("%s", (_, first, second, kept) => {
    const state = new Cluster(4).node(0);
    const context = contextOf(state);
    for (const reason of [first, second]) noteReason(context, ALICE, reason);
    expect(state.slots.reasons.get(slotKey(ALICE))).toEqual([[first, second][kept]]);
  });
});

describe("a reason that counts and whose wait is over", () => {
  const at = 5_000 as Millis;

  it("does so after the owner's turn if it is a burn", () => {
    const cluster = new Cluster(4);
    const burned = burn("burner", 0, "alice", 1n);
    const content = { ...contentOf(burned), value: { type: "burn", id: idOf(burned), outcome: "burned" } } as Content;
    const reason: SlotReason = { kind: "burn", content, vote: vote("v1", X) };
    const turns = new Table([[ALICE.address, { until: 7_000 as Millis, authority: burned.sender }]]);
    const state = { ...cluster.node(0), slots: { ...cluster.node(0).slots, ownersTurns: turns } };
    expect(mayLeave(state, at, ALICE, reason)).toBe(false);
    expect(mayLeave(state, at, ALICE, cancels(cancellation("alice", 0), X))).toBe(true);
    expect(mayLeave(state, 7_000 as Millis, ALICE, reason)).toBe(true);
    expect(mayLeave(cluster.node(0), at, ALICE, reason)).toBe(true);
  });
});
