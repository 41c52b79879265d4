/** Clawbacks: who may sign one, what it debits, and where (specification 5.14; protocol 5). */
import { describe, expect, test } from "vitest";
import { accountOf, balanceOf, type LedgerState } from "../../../src/core/ledger/state.ts";
import { signed } from "./support/operations.ts";
import { checkVote } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, CAROL, CLUB, COIN, LISTER, MASTER, MINTER, PAUSER, SEIZER } = w;

const balances = (state: LedgerState): readonly bigint[] =>
  [ALICE, BOB].map((address) => balanceOf(state, address, COIN));

describe("a clawback", () => {
  test("from its signer takes effect in the signer's own slot", () => {
    const state = w.play(w.start(), [MASTER, w.grant("Clawback", ALICE)]);
    const done = w.act(state, ALICE, w.clawback(ALICE, BOB, 300));
    expect([balances(done.state), accountOf(done.state, ALICE)]).toEqual([[700n, 1_300n], { nonce: 1, sequence: 1 }]);
    expect(w.verdict(state, ALICE, w.clawback(ALICE, BOB, 1_001))).toBe("business_insufficient_funds");
  });

  test.each([
    ["of nothing", () => w.verdict(w.start(), SEIZER, w.clawback(ALICE, BOB, 0)), "validation_amount"],
    ["without the role", () => w.verdict(w.start(), MINTER, w.clawback(ALICE, BOB, 1)), "business_missing_role"],
    ["of too much", () => w.verdict(w.start(), SEIZER, w.clawback(ALICE, BOB, 1_001)), "business_insufficient_funds"],
    [
      "of a paused token",
      () => w.verdict(w.play(w.start(), [PAUSER, w.pause("Pause")]), SEIZER, w.clawback(ALICE, BOB, 1)),
      "business_token_paused",
    ],
    [
      "to an account outside a private token",
      () => w.verdict(w.start(), SEIZER, w.clawback(ALICE, CAROL, 1, CLUB)),
      "business_not_whitelisted",
    ],
    [
      "to a blacklisted account",
      () => w.verdict(blacklisted(BOB), SEIZER, w.clawback(ALICE, BOB, 1)),
      "business_blacklisted",
    ],
    ["from a blacklisted account", () => w.verdict(blacklisted(ALICE), SEIZER, w.clawback(ALICE, BOB, 1)), "accept"],
    ["by the master", () => w.verdict(w.start(), MASTER, w.clawback(ALICE, BOB, 1)), "accept"],
  ])("%s is judged at admission", (_what, judge, code) => expect(judge()).toBe(code));

  test("is voted for without the funds of another account, and with those of its signer", () => {
    const state = w.play(w.start(), [MASTER, w.grant("Clawback", ALICE)]);
    const vote = (from: typeof ALICE): string =>
      checkVote(state, [], signed(ALICE, accountOf(state, ALICE).nonce, w.clawback(from, CAROL, 1_001))).answer;
    expect([vote(BOB), vote(ALICE)]).toEqual(["accept", "wait"]);
  });
});

function blacklisted(account: typeof ALICE): LedgerState {
  return w.play(w.start(), [LISTER, w.list("blacklist", "Add", account)]);
}
