import { describe, expect, test } from "vitest";
import { checkVote } from "../../../src/core/ledger/check.ts";
import { supplyOf, tokenOf } from "../../../src/core/ledger/state.ts";
import { issuedTokenAddress } from "../../../src/core/ledger/token.ts";
import type { Draft } from "./support/operations.ts";
import {
  ALICE,
  act,
  BOB,
  CAROL,
  draft,
  edit,
  issue,
  MASTER,
  mint,
  OPERATOR,
  pause,
  play,
  start,
  verdict,
} from "./support/world.ts";

const EUR = issuedTokenAddress(MASTER, "EUR");

describe("an issue", () => {
  // holds: 64, 65
  test("makes a paused token with nothing minted, its master and form as signed", () => {
    const { state, receipts } = act(start(), OPERATOR, issue("EUR"));
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

  test("makes an open token if the genesis opens tokens", () => {
    const { state } = act(start({ openTokens: true }), OPERATOR, issue("EUR"));
    expect(tokenOf(state, EUR)?.isPaused).toBe(false);
  });

  test("makes a public token where its layout may leave that out", () => {
    const { isPrivate: _, ...bare } = issue("EUR") as Extract<Draft, { kind: "issue" }>;
    const { state } = act(start(), OPERATOR, { ...bare, layout: "spec" } as Draft);
    expect(tokenOf(state, EUR)?.isPrivate).toBe(false);
  });

  test("is the operator's alone", () => {
    expect(verdict(start(), MASTER, issue("EUR"))).toBe("business_missing_role");
    expect(verdict(start(), OPERATOR, issue("EUR"))).toBe("accept");
  });

  test("is refused for a symbol that its master has already, and not for another's", () => {
    const state = play(start(), [OPERATOR, issue("EUR")]);
    expect(verdict(state, OPERATOR, issue("EUR"))).toBe("business_token_exists");
    expect(verdict(state, OPERATOR, issue("EUR", BOB))).toBe("accept");
    expect(verdict(state, OPERATOR, issue("USD"))).toBe("accept");
  });

  test("is voted for where its token has come into being meanwhile, which the token's order decides", () => {
    const state = play(start(), [OPERATOR, issue("EUR")]);
    expect(checkVote(state, [], draft(state, OPERATOR, issue("EUR")))).toEqual({ answer: "accept" });
  });

  test("gives a token that works once its master unpauses it", () => {
    const issued = play(start(), [OPERATOR, issue("EUR")]);
    expect(verdict(issued, MASTER, mint(ALICE, 5, EUR))).toBe("business_token_paused");
    const state = play(
      issued,
      [MASTER, pause("Unpause", EUR)],
      [MASTER, mint(ALICE, 5, EUR)],
      [MASTER, edit("Euro", EUR)],
    );
    expect(supplyOf(state, EUR)).toBe(5n);
    expect(tokenOf(state, EUR)).toMatchObject({
      version: 4,
      name: "Euro",
      symbol: "EUR",
      additional: [["country", "AT"]],
    });
  });

  test("of a private token closes it to every address not whitelisted", () => {
    const state = play(start(), [OPERATOR, issue("EUR", MASTER, true)], [MASTER, pause("Unpause", EUR)]);
    expect(verdict(state, MASTER, mint(CAROL, 5, EUR))).toBe("business_not_whitelisted");
  });
});
