/** State of a genesis, and its numbered accounts. */

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { AMOUNT_MAX } from "../../../src/core/base/amount.ts";
import type { Genesis, GenesisToken } from "../../../src/core/base/epoch.ts";
import { FILLERS_MAX, fillerAddress, fillerAmount, openingSums } from "../../../src/core/base/fillers.ts";
import type { Address } from "../../../src/core/base/ids.ts";
import { genesisState, stateWithoutBalances } from "../../../src/core/ledger/genesis-state.ts";
import { LIST_LIMIT } from "../../../src/core/ledger/limits.ts";
import { stateRoot } from "../../../src/core/ledger/roots.ts";
import { accountOf, balanceOf, supplyOf, tokenOf } from "../../../src/core/ledger/state.ts";
import { partsOf, stateRootOf } from "../../../src/invariants/oracles/checkpoints/chain-roots.ts";
import { genesisLedger, balanceOf as modelBalance } from "../../../src/invariants/reference/state.ts";
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
  ["a cancellation no more expensive than a payment", { fees: { default: fee(2, 2, 3), tokens: new Map() } }],
  ["a recovery no more expensive than a payment", { fees: { default: fee(2, 3, 2), tokens: new Map() } }],
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
    const state = start({ fees: { default: fees.default, tokens: new Map(own) } });
    const turned = {
      balances: [...balances].reverse(),
      tokens: [...tokens].reverse(),
      fees: { default: fees.default, tokens: new Map([...own].reverse()) },
    };
    expect(stateRoot(start(turned))).toBe(stateRoot(state));
    expect(stateRoot(start())).not.toBe(stateRoot(state));
  });
});

const anyGenesis = fc
  .record({
    count: fc.integer({ min: 1, max: 90 }),
    coin: fc.nat(1_000),
    club: fc.option(fc.nat(1_000), { nil: undefined }),
    alice: fc.nat(50),
  })
  .map(({ count, coin, club, alice }): Genesis => {
    const balances = [
      { token: COIN, amount: amount(coin) },
      ...(club === undefined ? [] : [{ token: CLUB, amount: amount(club) }]),
    ];
    const listed = [{ address: ALICE, token: COIN, amount: amount(alice) }];
    return genesisOf({ balances: listed, fillers: { count, balances } });
  });

/** The same genesis with each account in its list. */
function listedByHand({ balances, fillers, ...rest }: Genesis): Genesis {
  const filled = Array.from({ length: fillers?.count ?? 0 }, (_, at) => fillerAddress(at + 1));
  const rows = filled.flatMap((one) => (fillers?.balances ?? []).map((row) => ({ ...row, address: one })));
  return { ...rest, balances: [...rows.reverse(), ...balances] };
}

describe("a genesis with filler accounts", () => {
  it("equals the one that lists the same accounts", () => {
    fc.assert(
      fc.property(anyGenesis, (genesis) => {
        const [filled, listed] = [genesisState(genesis), genesisState(listedByHand(genesis))];
        expect(stateRoot(filled)).toBe(stateRoot(listed));
        expect(filled.balances.entries()).toEqual(listed.balances.entries());
        expect(openingSums(genesis)).toEqual(openingSums(listedByHand(genesis)));
      }),
    );
  });

  it("has as many accounts as it says, each with what it says, and their sum as supply", () => {
    fc.assert(
      fc.property(anyGenesis, (genesis) => {
        const state = genesisState(genesis);
        const { count, balances } = genesis.fillers ?? { count: 0, balances: [] };
        const given = (token: Address): bigint => balances.find((one) => one.token === token)?.amount ?? 0n;
        const alice = genesis.balances[0]?.amount ?? 0n;
        const holders = (token: Address): number =>
          state.balances.entries().filter(([key]) => key.endsWith(token) && !key.startsWith(ALICE)).length;
        for (const token of [COIN, CLUB]) {
          expect(supplyOf(state, token)).toBe(given(token) * BigInt(count) + (token === COIN ? alice : 0n));
          expect(holders(token)).toBe(given(token) === 0n ? 0 : count);
          for (const number of [1, count]) expect(balanceOf(state, fillerAddress(number), token)).toBe(given(token));
          expect(balanceOf(state, fillerAddress(count + 1), token)).toBe(0n);
        }
      }),
    );
  });

  it("gives the reference ledger the same balances and the same root", () => {
    fc.assert(
      fc.property(anyGenesis, (genesis) => {
        const [state, model] = [genesisState(genesis), genesisLedger(genesis)];
        expect(stateRootOf(partsOf(model), model)).toBe(stateRoot(state));
        const { count = 0 } = genesis.fillers ?? {};
        const asked = [ALICE, BOB, ...[1, 2, count, count + 1].map(fillerAddress)];
        for (const one of asked)
          for (const token of [COIN, CLUB]) expect(modelBalance(model, token, one)).toBe(balanceOf(state, one, token));
      }),
    );
  });

  it("is checked without being filled", () => {
    const genesis = genesisOf({ fillers: { count: FILLERS_MAX, balances: [{ token: COIN, amount: amount(1) }] } });
    expect(stateWithoutBalances(genesis).balances.size).toBe(0);
    expect(openingSums(genesis).get(COIN)).toBeGreaterThanOrEqual(BigInt(FILLERS_MAX));
  });
});

describe("addresses of filler accounts", () => {
  const anyNumber = fc.integer({ min: 1, max: FILLERS_MAX });

  test("differ, and show their numbers", () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, (count, number) => {
        const fillers = { count, balances: [{ token: COIN, amount: amount(3) }] };
        expect(fillerAmount({ fillers }, COIN, fillerAddress(number))).toBe(number <= count ? 3n : 0n);
        expect(fillerAddress(count) === fillerAddress(number)).toBe(count === number);
      }),
    );
  });

  test("are written as the schema says", () => {
    expect([1, 18].map(fillerAddress)).toEqual([`0x10000000${"0".repeat(32)}`, `0x21000000${"0".repeat(32)}`]);
  });

  test("have nothing of other tokens, and others have nothing", () => {
    const fillers = { count: 5, balances: [{ token: COIN, amount: amount(3) }] };
    const asked = [`0x${"0".repeat(40)}`, `0x10000000${"0".repeat(31)}1`, address(1)] as Address[];
    expect(asked.map((one) => fillerAmount({ fillers }, COIN, one))).toEqual([0n, 0n, 0n]);
    expect(fillerAmount({ fillers }, CLUB, fillerAddress(1))).toBe(0n);
    expect(fillerAmount({}, COIN, fillerAddress(1))).toBe(0n);
  });
});
