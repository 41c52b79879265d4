import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
import type { Genesis, GenesisToken } from "../../../src/core/base/epoch.ts";
import { FILLERS_MAX, fillerAddress } from "../../../src/core/base/fillers.ts";
import { LIST_LIMIT } from "../../../src/core/ledger/limits.ts";
import { stateRoot } from "../../../src/core/ledger/roots.ts";
import { accountOf, balanceOf, supplyOf, tokenOf } from "../../../src/core/ledger/state.ts";
import { address } from "./support/operations.ts";
import { ALICE, amount, BOB, CAROL, CLUB, COIN, genesisOf, genesisToken, isConserved, start } from "./support/world.ts";

const oneToken = (changes: Partial<GenesisToken>): Partial<Genesis> => ({
  tokens: [genesisToken(COIN, changes)],
  balances: [],
});
const holders = (role: "Pause" | "MasterMintBurn", count: number) =>
  Array.from({ length: count }, (_, at) => ({ role, address: address(at), allowance: amount(0) }));
const fee = (payment: number, cancellation: number, recovery: number) => ({
  payment: amount(payment),
  cancellation: amount(cancellation),
  recovery: amount(recovery),
});
const balance = (value: bigint, holder = ALICE, token = COIN) => ({ address: holder, token, amount: value as never });

const filled = (count: number, token = COIN, value = 1n) => ({ count, balances: [{ token, amount: amount(value) }] });
const twoOf = (token: typeof COIN) => [1, 2].map((value) => ({ token, amount: amount(value) }));

const IMPOSSIBLE: readonly (readonly [string, Partial<Genesis>])[] = [
  ["a chain id of 0", { chainId: 0 }],
  ["a validator twice", { validators: [1, 1].map((at) => ({ key: address(at), reward: address(2) })) }],
  ["a token twice", { tokens: [genesisToken(COIN), genesisToken(COIN)], balances: [] }],
  ["a balance twice", { balances: [balance(1n), balance(2n)] }],
  ["a balance of no token", { balances: [balance(1n, ALICE, address(0xcf))] }],
  ["a negative balance", { balances: [balance(-1n)] }],
  ["a balance past 2^256 - 1", { balances: [balance(AMOUNT_MAX + 1n)] }],
  ["a supply past 2^256 - 1", { balances: [balance(AMOUNT_MAX), balance(1n, BOB)] }],
  ["no filler accounts", { fillers: filled(0) }],
  ["half a filler account", { fillers: filled(1.5) }],
  ["too many filler accounts", { fillers: filled(FILLERS_MAX + 1) }],
  ["filler accounts with a balance of no token", { fillers: filled(1, address(0xcf)) }],
  ["filler accounts with two balances of a token", { fillers: { count: 1, balances: twoOf(COIN) } }],
  ["filler accounts with a supply past 2^256 - 1", { fillers: filled(2, COIN, AMOUNT_MAX / 2n + 1n) }],
  ["a balance of a filler account", { balances: [balance(1n, fillerAddress(2))], fillers: filled(2) }],
  ["19 decimals", oneToken({ decimals: 19 })],
  ["an empty symbol", oneToken({ symbol: "" })],
  ["a long name", oneToken({ name: "x".repeat(129) })],
  ["a whitelist of a public token", oneToken({ whitelist: [ALICE] })],
  ["a blacklist of a private token", oneToken({ isPrivate: true, blacklist: [ALICE] })],
  ["an address listed twice", oneToken({ blacklist: [ALICE, ALICE] })],
  ["a role held twice", oneToken({ roles: [...holders("Pause", 1), ...holders("Pause", 1)] })],
  ["six holders of a role of five", oneToken({ roles: holders("Pause", 6) })],
  ["two holders of a role of one", oneToken({ roles: holders("MasterMintBurn", 2) })],
  ["a negative allowance", oneToken({ roles: [{ role: "MintBurnTokens", address: ALICE, allowance: amount(-1) }] })],
  ["a cancellation no dearer than a payment", { fees: { default: fee(2, 2, 3), tokens: new Map() } }],
  ["a recovery no dearer than a payment", { fees: { default: fee(2, 3, 2), tokens: new Map() } }],
  [
    "one token's cancellation cheaper than its payment",
    { fees: { default: fee(1, 2, 2), tokens: new Map([[COIN, fee(9, 8, 10)]]) } },
  ],
  ["a list limit of 0", { listLimit: 0 }],
  ["a list limit past the largest", { listLimit: LIST_LIMIT + 1 }],
  ["a negative fee", { fees: { default: fee(-1, 2, 2), tokens: new Map() } }],
];

describe("a genesis", () => {
  test.each(IMPOSSIBLE)("with %s is impossible", (_, changes) => {
    expect(() => start(changes)).toThrow(RangeError);
  });

  test("may set the largest list limit, and a single operation", () => {
    expect([1, LIST_LIMIT].map((listLimit) => start({ listLimit }).listLimit)).toEqual([1, LIST_LIMIT]);
  });

  test("mints what its holders have", () => {
    const state = start();
    expect([balanceOf(state, ALICE, COIN), supplyOf(state, COIN)]).toEqual([1_000n, 2_000n]);
    expect([COIN, CLUB].every((token) => isConserved(state, token))).toBe(true);
    expect(tokenOf(state, COIN)).toMatchObject({ version: 0, minted: 2_000n, uri: "", additional: [] });
    expect(accountOf(state, CAROL)).toEqual({ nonce: 0, sequence: 0 });
    expect([balanceOf(state, CAROL, COIN), supplyOf(state, address(9))]).toEqual([0n, 0n]);
  });

  test("may hold a full supply, five holders of a role, and a balance of 0 that leaves no trace", () => {
    expect(supplyOf(start({ balances: [balance(AMOUNT_MAX)] }), COIN)).toBe(AMOUNT_MAX);
    expect(tokenOf(start(oneToken({ roles: holders("Pause", 5) })), COIN)?.roles.Pause.size).toBe(5);
    const { balances } = genesisOf();
    expect(stateRoot(start({ balances: [...balances, balance(0n, CAROL)] }))).toBe(stateRoot(start()));
  });

  test("has one root for any order of edits", () => {
    const { balances, tokens, fees } = genesisOf();
    const own = [
      [COIN, fee(1, 2, 3)],
      [CLUB, fee(4, 5, 6)],
    ] as const;
    const one = start({ fees: { default: fees.default, tokens: new Map(own) } });
    const turned = {
      balances: [...balances].reverse(),
      tokens: [...tokens].reverse(),
      fees: { default: fees.default, tokens: new Map([...own].reverse()) },
    };
    expect(stateRoot(start(turned))).toBe(stateRoot(one));
    expect(stateRoot(start())).not.toBe(stateRoot(one));
  });
});
