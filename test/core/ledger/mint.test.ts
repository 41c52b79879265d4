import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
import { balanceOf, supplyOf, tokenOf } from "../../../src/core/ledger/state.ts";
import {
  ALICE,
  act,
  BOB,
  burn,
  CAROL,
  CLUB,
  COIN,
  GRANTER,
  genesisToken,
  grant,
  isConserved,
  list,
  MASTER,
  MINTER,
  mint,
  OPERATOR,
  play,
  start,
  verdict,
} from "./support/world.ts";

const allowance = (state: ReturnType<typeof start>) => tokenOf(state, COIN)?.roles.MintBurnTokens.get(MINTER);

describe("minting", () => {
  test("credits the recipient, raises the supply and uses up the allowance", () => {
    const { state, receipts } = act(start(), MINTER, mint(CAROL, 400));
    expect([balanceOf(state, CAROL, COIN), supplyOf(state, COIN), allowance(state)]).toEqual([400n, 2_400n, 600n]);
    expect(receipts).toMatchObject([{ success: true, fee: 0n, error: undefined }]);
    expect(isConserved(state, COIN)).toBe(true);
  });

  // holds: 56
  test("stops exactly at the allowance", () => {
    expect(verdict(start(), MINTER, mint(CAROL, 1_000))).toBe("accept");
    expect(verdict(start(), MINTER, mint(CAROL, 1_001))).toBe("business_allowance_exceeded");
    const used = play(start(), [MINTER, mint(CAROL, 1_000)]);
    expect(verdict(used, MINTER, mint(CAROL, 1))).toBe("business_allowance_exceeded");
  });

  test("a grant sets what may still be minted, and adds nothing to it", () => {
    const state = play(start(), [MINTER, mint(CAROL, 400)], [GRANTER, grant("MintTokens", MINTER, 500)]);
    expect(allowance(state)).toBe(500n);
    expect(allowance(play(state, [GRANTER, grant("MintBurnTokens", MINTER, 0)]))).toBe(0n);
  });

  test("a grant without a value sets the allowance to 0", () => {
    const { value: _, ...bare } = grant("MintTokens", MINTER) as Extract<
      ReturnType<typeof grant>,
      { kind: "authority" }
    >;
    expect(allowance(act(start(), MASTER, bare).state)).toBe(0n);
  });

  test("burning gives no allowance back", () => {
    const state = play(start(), [MINTER, mint(CAROL, 400)], [MINTER, burn(400, CAROL)]);
    expect(allowance(state)).toBe(600n);
  });

  // holds: 63
  test("the master mints without limit, and its own allowance stays", () => {
    const state = play(start(), [MASTER, grant("MintTokens", MASTER, 5)], [MASTER, mint(CAROL, 10n ** 30n)]);
    expect(balanceOf(state, CAROL, COIN)).toBe(10n ** 30n);
    expect(tokenOf(state, COIN)?.roles.MintBurnTokens.get(MASTER)).toBe(5n);
  });

  test("to an excluded address is refused", () => {
    const state = play(start(), [MASTER, list("blacklist", "Add", ALICE)]);
    expect(verdict(state, MINTER, mint(ALICE, 1))).toBe("business_blacklisted");
    expect(verdict(state, MINTER, mint(CAROL, 1, CLUB))).toBe("business_not_whitelisted");
    expect(verdict(state, MINTER, mint(BOB, 1, CLUB))).toBe("accept");
  });

  test("the minted total stays within 2^256 - 1, for any burns since", () => {
    const rest = AMOUNT_MAX - 2_000n;
    expect(verdict(start(), MASTER, mint(CAROL, rest + 1n))).toBe("business_amount_overflow");
    const full = play(start(), [MASTER, mint(CAROL, rest)]);
    expect(supplyOf(full, COIN)).toBe(AMOUNT_MAX);
    const burned = play(full, [MASTER, burn(rest, CAROL)]);
    expect(supplyOf(burned, COIN)).toBe(2_000n);
    expect(verdict(burned, MASTER, mint(CAROL, 1))).toBe("business_amount_overflow");
  });

  test("the operator mints nothing, and a token that is not there is not found", () => {
    const state = start({ tokens: [genesisToken(COIN)], balances: [] });
    expect(verdict(state, OPERATOR, mint(CAROL, 1))).toBe("business_missing_role");
    expect(verdict(state, MASTER, mint(CAROL, 1, CLUB))).toBe("resource_token_not_found");
  });
});
