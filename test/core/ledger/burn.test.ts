import { describe, expect, test } from "vitest";
import type { AccountSlot, BurnValue } from "../../../src/core/base/slot.ts";
import { apply } from "../../../src/core/ledger/apply.ts";
import { dueOperations } from "../../../src/core/ledger/authorised.ts";
import { checkVote } from "../../../src/core/ledger/check.ts";
import { burnOutcome, checkBurn } from "../../../src/core/ledger/check-due.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { accountOf, balanceOf, type LedgerState, supplyOf } from "../../../src/core/ledger/state.ts";
import type { Restriction } from "../../../src/core/ledger/token.ts";
import { address } from "./support/operations.ts";
import {
  ALICE,
  act,
  authorise,
  BOB,
  burn,
  CLUB,
  COIN,
  decide,
  draft,
  grant,
  isConserved,
  list,
  MASTER,
  MINTER,
  mint,
  pause,
  pay,
  play,
  settle,
  start,
  verdict,
} from "./support/world.ts";

const slotOf = (state: LedgerState): AccountSlot => ({
  kind: "account",
  address: ALICE,
  sequence: accountOf(state, ALICE).sequence,
});

describe("a burn of one's own balance", () => {
  test("takes it at once, without a fee", () => {
    const state = play(start(), [MASTER, grant("Burn", ALICE)]);
    const { state: burned, receipts } = act(state, ALICE, burn(1_000));
    expect([balanceOf(burned, ALICE, COIN), supplyOf(burned, COIN)]).toEqual([0n, 1_000n]);
    expect(receipts).toMatchObject([{ success: true, fee: 0n }]);
    expect(isConserved(burned, COIN)).toBe(true);
    expect(verdict(state, ALICE, burn(1_001))).toBe("business_insufficient_funds");
  });

  test("may name its own account", () => {
    const state = play(start(), [MASTER, grant("Burn", ALICE)]);
    expect(act(state, ALICE, burn(10, ALICE)).receipts[0]?.slot).toBe(`account/${ALICE}/0000000000000000`);
  });
});

describe("a forced burn", () => {
  const forced = draft(start(), MINTER, burn(300, ALICE));
  const id = operationId(forced);
  const due = authorise(start(), forced).state;

  test("is due once its authority's slot is decided, and has no receipt before its effect", () => {
    expect(authorise(start(), forced).receipts).toEqual([]);
    expect(dueOperations(due, slotOf(due)).map((entry) => entry.id)).toEqual([id]);
    expect(dueOperations(due, { kind: "account", address: BOB, sequence: 0 as never })).toEqual([]);
    expect(accountOf(due, MINTER)).toEqual({ nonce: 1, sequence: 1 });
  });

  test("takes a slot of the debited account and no nonce, so the owner's signed payment stays valid", () => {
    const payment = draft(due, ALICE, pay(BOB, 100));
    const { state, receipts } = settle(due, forced);
    expect(accountOf(state, ALICE)).toEqual({ nonce: 0, sequence: 1 });
    expect(balanceOf(state, ALICE, COIN)).toBe(700n);
    expect(receipts).toEqual([
      { id, success: true, fee: 0n, feeToken: undefined, error: undefined, slot: `account/${ALICE}/0000000000000000` },
    ]);
    expect(dueOperations(state, slotOf(state))).toEqual([]);
    expect(balanceOf(authorise(state, payment).state, ALICE, COIN)).toBe(598n);
  });

  test("is decided independently of lists", () => {
    const later = play(due, [MASTER, list("blacklist", "Add", ALICE)]);
    expect(balanceOf(settle(later, forced).state, ALICE, COIN)).toBe(700n);
  });

  test("needs the amount in the debited account at submission", () => {
    expect(verdict(start(), MINTER, burn(1_000, ALICE))).toBe("accept");
    expect(verdict(start(), MINTER, burn(1_001, ALICE))).toBe("business_insufficient_funds");
  });

  test("gets votes for any balance of the debited account, unlike a burn of one's own balance", () => {
    const vote = (sender: typeof ALICE, fields: Parameters<typeof draft>[2]): string =>
      checkVote(start(), [], draft(start(), sender, fields)).answer;
    expect(vote(MINTER, burn(1_001, ALICE))).toBe("accept");
    expect(vote(BOB, burn(1, ALICE))).toBe("refuse");
    expect(vote(MASTER, burn(1_001))).toBe("wait");
    expect(vote(MASTER, burn(1, BOB, address(0xcf)))).toBe("refuse");
  });

  test("fails without the funds, with a receipt that holds no local balance", () => {
    const spent = play(due, [ALICE, pay(BOB, 900)]);
    expect(burnOutcome(spent, ALICE, id)).toBe("failed");
    const { state, receipts } = settle(spent, forced);
    expect(balanceOf(state, ALICE, COIN)).toBe(98n);
    const error = { code: "business_burn_unfunded", token: COIN, account: ALICE, value: 300n };
    expect(receipts).toMatchObject([{ success: false, fee: 0n, error }]);
    expect(accountOf(state, ALICE)).toEqual({ nonce: 1, sequence: 2 });
  });

  test("is accepted with the outcome that the balance shows, and waits with the other", () => {
    const value = (outcome: BurnValue["outcome"]): BurnValue => ({ type: "burn", id, outcome });
    expect(checkBurn(due, [], ALICE, value("burned"))).toEqual({ answer: "accept" });
    expect(checkBurn(due, [], ALICE, value("failed"))).toMatchObject({
      answer: "wait",
      missing: { code: "business_burn_outcome" },
    });
    expect(checkBurn(due, [], BOB, value("burned"))).toMatchObject({
      answer: "wait",
      missing: { code: "resource_authorisation_not_found" },
    });
    expect(checkBurn(start(), [], ALICE, value("burned")).answer).toBe("wait");
    expect(burnOutcome(start(), ALICE, id)).toBeUndefined();
  });

  test("ends without effect where its token is paused, and is not voted for as burned once a pause is committed to", () => {
    const value = (outcome: BurnValue["outcome"]): BurnValue => ({ type: "burn", id, outcome });
    const paused = play(due, [MASTER, pause("Pause")]);
    expect(burnOutcome(paused, ALICE, id)).toBe("paused");
    const answers = (state: LedgerState, barrier: readonly Restriction[]) =>
      (["burned", "failed", "paused"] as const).map(
        (outcome) => checkBurn(state, barrier, ALICE, value(outcome)).answer,
      );
    expect(answers(paused, [])).toEqual(["wait", "wait", "accept"]);
    expect(answers(due, [{ type: "pause", token: COIN }])).toEqual(["wait", "wait", "wait"]);
    expect(answers(due, [{ type: "pause", token: CLUB }])).toEqual(["accept", "wait", "wait"]);
    const { state, receipts } = settle(paused, forced);
    expect(receipts).toMatchObject([
      { success: false, fee: 0n, error: { code: "business_token_paused", token: COIN } },
    ]);
    expect([balanceOf(state, ALICE, COIN), state.authorised.size]).toEqual([balanceOf(due, ALICE, COIN), 0]);
  });

  test("follows the earlier burns of its authority on the account, but not another authority's", () => {
    const second = draft(due, MINTER, burn(1, ALICE));
    const both = authorise(due, second).state;
    const third = draft(both, MASTER, burn(2, ALICE));
    const all = authorise(both, third).state;
    const verdictOf = (operation: typeof forced) =>
      checkBurn(all, [], ALICE, { type: "burn", id: operationId(operation), outcome: "burned" }).answer;
    expect([forced, second, third].map(verdictOf)).toEqual(["accept", "refuse", "accept"]);
    expect(checkBurn(all, [], ALICE, { type: "burn", id: operationId(second), outcome: "burned" })).toMatchObject({
      refusal: { code: "validation_proposal" },
    });
  });

  test("is no other operation that names the account", () => {
    const minting = draft(start(), MINTER, mint(ALICE, 300));
    const state = authorise(start(), minting).state;
    expect(checkBurn(state, [], ALICE, { type: "burn", id: operationId(minting), outcome: "burned" })).toMatchObject({
      answer: "wait",
      missing: { code: "resource_authorisation_not_found" },
    });
  });

  test("takes the decided outcome as given: burned waits for funds, failed burns nothing", () => {
    const spent = play(due, [ALICE, pay(BOB, 900)]);
    const waiting = apply(spent, slotOf(spent), { type: "burn", id, outcome: "burned" }, undefined);
    expect(waiting).toMatchObject({ outcome: "waiting", missing: { code: "business_insufficient_funds", need: 300n } });
    const refilled = play(spent, [MASTER, mint(ALICE, 500)]);
    expect(
      balanceOf(decide(refilled, slotOf(refilled), { type: "burn", id, outcome: "burned" }).state, ALICE, COIN),
    ).toBe(298n);
    expect(balanceOf(decide(due, slotOf(due), { type: "burn", id, outcome: "failed" }).state, ALICE, COIN)).toBe(
      1_000n,
    );
  });

  test("waits for the slot that authorises it", () => {
    const early = apply(start(), slotOf(start()), { type: "burn", id, outcome: "burned" }, undefined);
    expect(early).toMatchObject({ outcome: "waiting", missing: { code: "resource_authorisation_not_found", id } });
  });
});
