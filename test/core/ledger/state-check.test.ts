/** Goal: a state that no decisions lead to is rejected before anything is applied to it. */
import { describe, expect, test } from "vitest";
import type { Address } from "../../../src/core/base/ids.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import { stateFault } from "../../../src/core/ledger/pieces.ts";
import { balanceKey, type LedgerState } from "../../../src/core/ledger/state.ts";
import type { Token } from "../../../src/core/ledger/token.ts";
import { signed } from "./support/operations.ts";
import { ALICE, amount, authorise, BOB, COIN, MINTER, mint, play, start } from "./support/world.ts";

const authorised = authorise(start(), signed(MINTER, 0, mint(BOB, 5))).state;
const [[place, entry]] = [...authorised.authorised.entries()] as [[string, never]];
const richer = (state: LedgerState, token: Address): LedgerState => ({
  ...state,
  balances: state.balances.set(balanceKey(ALICE, token), amount(1_001)),
});

const at = (account: { nonce: number; sequence: number }): LedgerState => ({
  ...start(),
  accounts: start().accounts.set(ALICE, account as never),
});
const minted = amount((1n << 256n) + 7n);
const overminted: LedgerState = {
  ...start(),
  tokens: start().tokens.set(COIN, { ...(start().tokens.get(COIN) as Token), minted }),
  balances: start().balances.set(balanceKey(ALICE, COIN), minted),
};

describe("a state", () => {
  test("is sound at its start, and after what was decided on it", () => {
    expect(stateFault(start())).toBeUndefined();
    expect(stateFault(authorised)).toBeUndefined();
    expect(stateFault(play(start(), [MINTER, mint(BOB, 5)]))).toBeUndefined();
  });

  test.each<readonly [string, LedgerState, string]>([
    ["more is held than was minted", richer(start(), COIN), "expected 2000"],
    ["more was burned than minted", { ...start(), burned: Trie.of([[COIN, amount(2_001)]]) }, "burned 2001"],
    ["a token that does not exist is held", richer(start(), BOB), "does not exist"],
    [
      "an authorised operation stands at another place",
      { ...authorised, authorised: Trie.of([[`${place}0`, entry]]) },
      "is authorised at",
    ],
    ["more was minted than an amount can be", overminted, "expected at most 2^256 - 1"],
    ["what is authorised has used no nonce", { ...authorised, accounts: Trie.empty() }, "is authorised at"],
    ["an account is at the end of its counters", at({ nonce: 0, sequence: Number.MAX_SAFE_INTEGER }), "sequence"],
    ["an account has used more nonces than slots", at({ nonce: 2, sequence: 1 }), "nonce 2"],
  ])("is not sound where %s", (_, state, words) => {
    expect(stateFault(state)).toContain(words);
  });
});
