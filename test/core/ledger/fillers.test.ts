import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { Genesis } from "../../../src/core/base/epoch.ts";
import { FILLERS_MAX, fillerAddress, fillerAmount, openingSums } from "../../../src/core/base/fillers.ts";
import type { Address } from "../../../src/core/base/ids.ts";
import { genesisState, stateWithoutBalances } from "../../../src/core/ledger/genesis-state.ts";
import { stateRoot } from "../../../src/core/ledger/roots.ts";
import { balanceOf, supplyOf } from "../../../src/core/ledger/state.ts";
import { constantsOf } from "../../../src/invariants/constants.ts";
import { partsOf, stateRootOf } from "../../../src/invariants/oracles/checkpoints/chain-roots.ts";
import { genesisLedger, balanceOf as modelBalance } from "../../../src/invariants/reference/state.ts";
import { address } from "./support/operations.ts";
import { ALICE, amount, BOB, CLUB, COIN, genesisOf } from "./support/world.ts";

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
        const [state, constants] = [genesisState(genesis), constantsOf(genesis)];
        const model = genesisLedger(constants);
        expect(stateRootOf(partsOf(model), model, constants)).toBe(stateRoot(state));
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
