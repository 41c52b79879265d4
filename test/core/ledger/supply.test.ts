/** Issue, mint, burn, clawback and bridge: checks, effects and receipts (specification 5.1, 5.6, 5.7, 5.14, 5.16). */

import { describe, expect, test } from "vitest";
import type { AccountSlot, BurnValue } from "../../../src/core/base/slot.ts";
import { dueOperations } from "../../../src/core/ledger/authorised.ts";
import { burnOutcome } from "../../../src/core/ledger/check-due.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { accountOf, balanceOf, type LedgerState, tokenOf } from "../../../src/core/ledger/state.ts";
import { issuedTokenAddress, type Restriction } from "../../../src/core/ledger/token.ts";
import { address, type Draft, signed } from "./support/operations.ts";
import { apply, checkBurn, checkVote } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, CAROL, COIN, MASTER, MINTER, OPERATOR } = w;

const slotOf = (state: LedgerState): AccountSlot => w.accountSlot(state, ALICE);

describe("a forced burn", () => {
  const forced = w.draft(w.start(), MINTER, w.burn(300, ALICE));
  const id = operationId(forced);
  const due = w.authorise(w.start(), forced).state;

  test("is due once its authority's slot is decided, and has no receipt before its effect", () => {
    expect(w.authorise(w.start(), forced).receipts).toEqual([]);
    expect(dueOperations(due, slotOf(due)).map((entry) => entry.id)).toEqual([id]);
    expect(dueOperations(due, { kind: "account", address: BOB, sequence: 0 as never })).toEqual([]);
    expect(accountOf(due, MINTER)).toEqual({ nonce: 1, sequence: 1 });
  });

  test("takes a slot of the debited account and no nonce, so the owner's signed payment stays valid", () => {
    const payment = w.draft(due, ALICE, w.pay(BOB, 100));
    const { state, receipts } = w.settle(due, forced);
    expect(accountOf(state, ALICE)).toEqual({ nonce: 0, sequence: 1 });
    expect(balanceOf(state, ALICE, COIN)).toBe(700n);
    expect(receipts).toEqual([
      { id, success: true, fee: 0n, feeToken: undefined, error: undefined, slot: `account/${ALICE}/0000000000000000` },
    ]);
    expect(dueOperations(state, slotOf(state))).toEqual([]);
    expect(balanceOf(w.authorise(state, payment).state, ALICE, COIN)).toBe(598n);
  });

  test("gets votes for any balance of the debited account, unlike a burn of one's own balance", () => {
    const vote = (sender: typeof ALICE, fields: Parameters<typeof w.draft>[2]): string =>
      checkVote(w.start(), [], w.draft(w.start(), sender, fields)).answer;
    expect(vote(MINTER, w.burn(1_001, ALICE))).toBe("accept");
    expect(vote(BOB, w.burn(1, ALICE))).toBe("refuse");
    expect(vote(MASTER, w.burn(1_001))).toBe("wait");
    expect(vote(MASTER, w.burn(1, BOB, address(0xcf)))).toBe("refuse");
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
    expect(checkBurn(w.start(), [], ALICE, value("burned")).answer).toBe("wait");
    expect(burnOutcome(w.start(), ALICE, id)).toBeUndefined();
  });

  test("ends without effect where its token is paused, and is not voted for as burned once a pause is committed to", () => {
    const value = (outcome: BurnValue["outcome"]): BurnValue => ({ type: "burn", id, outcome });
    const paused = w.play(due, [MASTER, w.pause("Pause")]);
    expect(burnOutcome(paused, ALICE, id)).toBe("paused");
    const answers = (state: LedgerState, barrier: readonly Restriction[]) =>
      (["burned", "failed", "paused"] as const).map(
        (outcome) => checkBurn(state, barrier, ALICE, value(outcome)).answer,
      );
    expect(answers(paused, [])).toEqual(["wait", "wait", "accept"]);
    expect(answers(due, [{ type: "pause", token: COIN }])).toEqual(["wait", "wait", "wait"]);
    expect(answers(due, [{ type: "pause", token: w.CLUB }])).toEqual(["accept", "wait", "wait"]);
    const { state, receipts } = w.settle(paused, forced);
    expect(receipts).toMatchObject([
      { success: false, fee: 0n, error: { code: "business_token_paused", token: COIN } },
    ]);
    expect([balanceOf(state, ALICE, COIN), state.authorised.size]).toEqual([balanceOf(due, ALICE, COIN), 0]);
  });

  test("follows the earlier burns of its authority on the account, but not another authority's", () => {
    const second = w.draft(due, MINTER, w.burn(1, ALICE));
    const both = w.authorise(due, second).state;
    const third = w.draft(both, MASTER, w.burn(2, ALICE));
    const all = w.authorise(both, third).state;
    const verdictOf = (operation: typeof forced) =>
      checkBurn(all, [], ALICE, { type: "burn", id: operationId(operation), outcome: "burned" }).answer;
    expect([forced, second, third].map(verdictOf)).toEqual(["accept", "refuse", "accept"]);
    expect(checkBurn(all, [], ALICE, { type: "burn", id: operationId(second), outcome: "burned" })).toMatchObject({
      refusal: { code: "validation_proposal" },
    });
  });

  test("takes the decided outcome as given: burned waits for funds, failed burns nothing", () => {
    const spent = w.play(due, [ALICE, w.pay(BOB, 900)]);
    const waiting = apply(spent, slotOf(spent), { type: "burn", id, outcome: "burned" }, undefined);
    expect(waiting).toMatchObject({ outcome: "waiting", missing: { code: "business_insufficient_funds", need: 300n } });
    const refilled = w.play(spent, [MASTER, w.mint(ALICE, 500)]);
    expect(
      balanceOf(w.decide(refilled, slotOf(refilled), { type: "burn", id, outcome: "burned" }).state, ALICE, COIN),
    ).toBe(298n);
    expect(balanceOf(w.decide(due, slotOf(due), { type: "burn", id, outcome: "failed" }).state, ALICE, COIN)).toBe(
      1_000n,
    );
  });

  test("waits for the slot that authorises it", () => {
    const early = apply(w.start(), slotOf(w.start()), { type: "burn", id, outcome: "burned" }, undefined);
    expect(early).toMatchObject({ outcome: "waiting", missing: { code: "resource_authorisation_not_found", id } });
  });
});

const allowance = (state: ReturnType<typeof w.start>) => tokenOf(state, COIN)?.roles.MintBurnTokens.get(MINTER);

describe("minting", () => {
  test("a grant without a value sets the allowance to 0", () => {
    const { value: _, ...bare } = w.grant("MintTokens", MINTER) as Extract<
      ReturnType<typeof w.grant>,
      { kind: "authority" }
    >;
    expect(allowance(w.act(w.start(), MASTER, bare).state)).toBe(0n);
  });

  test("burning gives no allowance back", () => {
    const state = w.play(w.start(), [MINTER, w.mint(CAROL, 400)], [MINTER, w.burn(400, CAROL)]);
    expect(allowance(state)).toBe(600n);
  });
});

const EUR = issuedTokenAddress(MASTER, "EUR");

describe("an issue", () => {
  // holds: 64, 65
  test("makes a paused token with nothing minted, its master and form as signed", () => {
    const { state, receipts } = w.act(w.start(), OPERATOR, w.issue("EUR"));
    expect(tokenOf(state, EUR)).toMatchObject({
      version: 1,
      symbol: "EUR",
      name: "The EUR",
      uri: "",
      additional: [],
      decimals: 2,
      masterAuthority: MASTER,
      isPrivate: false,
      isPaused: true,
      minted: 0n,
    });
    expect(receipts).toMatchObject([{ success: true, slot: `token/${EUR}/0000000000000000` }]);
  });

  test("makes a public token where its layout may leave that out", () => {
    const { isPrivate: _, ...bare } = w.issue("EUR") as Extract<Draft, { kind: "issue" }>;
    const { state } = w.act(w.start(), OPERATOR, { ...bare, layout: "spec" } as Draft);
    expect(tokenOf(state, EUR)?.isPrivate).toBe(false);
  });

  test("is voted for where its token has come into being meanwhile, which the token's order decides", () => {
    const state = w.play(w.start(), [OPERATOR, w.issue("EUR")]);
    expect(checkVote(state, [], w.draft(state, OPERATOR, w.issue("EUR")))).toEqual({ answer: "accept" });
  });

  test("of a private token closes it to every address not whitelisted", () => {
    const state = w.play(w.start(), [OPERATOR, w.issue("EUR", MASTER, true)], [MASTER, w.pause("Unpause", EUR)]);
    expect(w.verdict(state, MASTER, w.mint(CAROL, 5, EUR))).toBe("business_not_whitelisted");
  });
});

describe("a burn and bridge", () => {
  test("counts the account's burns, which later operations keep", () => {
    const state = w.play(
      w.start(),
      [ALICE, w.bridgeBurn(ALICE, 20)],
      [ALICE, w.pay(BOB, 1)],
      [MINTER, w.burn(1, ALICE)],
    );
    expect(accountOf(state, ALICE)).toEqual({ nonce: 2, sequence: 3, bridgeNonce: 1 });
    const again = w.act(state, ALICE, w.bridgeBurn(ALICE, 20));
    expect(again.receipts).toMatchObject([{ bridgeNonce: 1 }]);
    expect(accountOf(again.state, ALICE).bridgeNonce).toBe(2);
  });

  test("waits at a voter for its funds", () => {
    expect(checkVote(w.start(), [], w.draft(w.start(), ALICE, w.bridgeBurn(ALICE, 999, 2))).answer).toBe("wait");
    expect(checkVote(w.start(), [], w.draft(w.start(), ALICE, w.bridgeBurn(ALICE, 999, 1))).answer).toBe("accept");
  });
});

const balancesIn = (state: LedgerState): readonly bigint[] =>
  [ALICE, BOB].map((address) => balanceOf(state, address, COIN));

describe("a clawback", () => {
  test("from its signer takes effect in the signer's own slot", () => {
    const state = w.play(w.start(), [MASTER, w.grant("Clawback", ALICE)]);
    const done = w.act(state, ALICE, w.clawback(ALICE, BOB, 300));
    expect([balancesIn(done.state), accountOf(done.state, ALICE)]).toEqual([[700n, 1_300n], { nonce: 1, sequence: 1 }]);
    expect(w.verdict(state, ALICE, w.clawback(ALICE, BOB, 1_001))).toBe("business_insufficient_funds");
  });

  test("is voted for without the funds of another account, and with those of its signer", () => {
    const state = w.play(w.start(), [MASTER, w.grant("Clawback", ALICE)]);
    const vote = (from: typeof ALICE): string =>
      checkVote(state, [], signed(ALICE, accountOf(state, ALICE).nonce, w.clawback(from, CAROL, 1_001))).answer;
    expect([vote(BOB), vote(ALICE)]).toEqual(["accept", "wait"]);
  });
});
