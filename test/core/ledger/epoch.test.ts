/** Change of epochs: fees, parameters, and their item (specification 7.4, 11.3). */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckpointPolicy, EpochParameters } from "../../../src/core/base/epoch.ts";
import type { Address, CheckpointNumber } from "../../../src/core/base/ids.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import {
  beginNextEpoch,
  isPastEpochEnd,
  lastCheckpointOf,
  parametersFault,
  shareFees,
} from "../../../src/core/ledger/epoch.ts";
import { EPOCH_CHECKPOINTS, VALIDATORS_MAX } from "../../../src/core/ledger/limits.ts";
import { balanceOf, type LedgerState, poolOf } from "../../../src/core/ledger/state.ts";
import { encodeParameters, proposalDigest } from "../../../src/core/ledger/value.ts";
import { address } from "./support/operations.ts";
import { ALICE, amount, CLUB, COIN, start } from "./support/world.ts";

const POLICY: CheckpointPolicy = { intervalMs: 1_000, slots: 5, limit: 5, periodSeconds: 1, empty: false };

function withPools(state: LedgerState, pools: readonly (readonly [Address, bigint])[], rewards: readonly Address[]) {
  const validators = rewards.map((reward, at) => ({ key: address(100 + at), reward }));
  const entries = pools.filter(([, pool]) => pool > 0n).map(([token, pool]) => [token, amount(pool)] as const);
  return { ...state, pools: Trie.of(entries), parameters: { ...state.parameters, validators } };
}

describe("fees are shared", () => {
  test("in equal parts, to the unit; what is left is less than one each, and stays", () => {
    const pool = fc.bigInt({ min: 0n, max: 2n ** 255n });
    const property = fc.property(fc.integer({ min: 1, max: 120 }), pool, pool, (n, coin, club) => {
      const rewards = Array.from({ length: n }, (_, at) => address(500 + at));
      const state = withPools(
        { ...start(), balances: Trie.empty() },
        [
          [COIN, coin],
          [CLUB, club],
        ],
        rewards,
      );
      const shared = shareFees(state);
      for (const [token, before] of [
        [COIN, coin],
        [CLUB, club],
      ] as const) {
        const paid = rewards.map((reward) => balanceOf(shared, reward, token));
        expect(new Set(paid)).toEqual(new Set([before / BigInt(n)]));
        expect(poolOf(shared, token)).toBe(before % BigInt(n));
      }
    });
    fc.assert(property);
  });

  test("to one account as often as it stands for a validator", () => {
    const state = withPools(start(), [[COIN, 11n]], [ALICE, ALICE, address(600)]);
    const before = balanceOf(state, ALICE, COIN);
    expect(balanceOf(shareFees(state), ALICE, COIN)).toBe(before + 6n);
  });

  test("leaves no entry where nothing is left, and touches nothing where nothing can be shared", () => {
    const exact = shareFees(withPools(start(), [[COIN, 8n]], [address(600), address(601)]));
    expect([...exact.pools.entries()]).toEqual([]);
    const little = withPools(start(), [[COIN, 1n]], [address(600), address(601)]);
    expect(shareFees(little)).toEqual(little);
  });
});

describe("the next epoch", () => {
  test("begins with its own parameters, after the checkpoint that closed the last one", () => {
    const next: EpochParameters = { ...start().parameters, checkpoints: POLICY, epochLength: 3 };
    const opened = beginNextEpoch(start(), next, 7 as CheckpointNumber);
    expect(opened).toMatchObject({ epoch: 1, opened: 7, parameters: next });
    expect(lastCheckpointOf(opened)).toBe(10);
    expect([isPastEpochEnd(opened, 10), isPastEpochEnd(opened, 11)]).toEqual([false, true]);
    expect(isPastEpochEnd(start(), 1_000)).toBe(false);
    expect(lastCheckpointOf(start())).toBeUndefined();
  });

  const fine: EpochParameters = { ...start().parameters, checkpoints: POLICY, epochLength: 1 };
  const many = Array.from({ length: VALIDATORS_MAX + 1 }, (_, at) => ({ key: address(at + 1), reward: ALICE }));
  test.each<[string, Partial<EpochParameters>]>([
    ["validators: expected 1 to 1000, got 0", { validators: [] }],
    ["validators: expected 1 to 1000, got 1001", { validators: many }],
    [
      "validators: one is listed twice",
      { validators: [1, 2, 1].map((at) => ({ key: address(at), reward: address(9) })) },
    ],
    [
      "cancellation and recovery must cost more",
      { fees: { default: { payment: amount(2), cancellation: amount(2), recovery: amount(3) }, tokens: new Map() } },
    ],
    ["checkpoints: slots: expected 1 to", { checkpoints: { ...POLICY, slots: 0 } }],
    ["epoch length: no checkpoints are formed", { checkpoints: undefined }],
    ["epoch length: expected 1 to 1000000 checkpoints, got 0", { epochLength: 0 }],
    ["epoch length: expected 1 to", { epochLength: 1.5 }],
    ["epoch length: expected 1 to", { epochLength: EPOCH_CHECKPOINTS + 1 }],
  ])("cannot have %s", (fault, parts) => {
    expect(parametersFault({ ...fine, ...parts })).toContain(fault);
  });

  test("can have these", () => {
    expect(parametersFault(fine)).toBeUndefined();
    expect(parametersFault({ ...fine, validators: many.slice(0, 1) })).toBeUndefined();
    expect(parametersFault({ ...fine, epochLength: EPOCH_CHECKPOINTS, validators: many.slice(1) })).toBeUndefined();
  });
});

test("what the operator signs names chain, epoch and every parameter, its fees in any order", () => {
  const next = start().parameters;
  const { fees, validators } = next;
  const one = { chainId: 1, epoch: 0 as never, next };
  const parts: readonly Partial<EpochParameters>[] = [
    { validators: validators.toReversed() },
    { validators: validators.map(({ key }) => ({ key, reward: ALICE })) },
    { checkpoints: POLICY },
    { checkpoints: POLICY, epochLength: 4 },
    ...(["intervalMs", "slots", "limit", "periodSeconds"] as const).map((member) => ({
      checkpoints: { ...POLICY, [member]: POLICY[member] + 1 },
    })),
    { checkpoints: { ...POLICY, empty: !POLICY.empty } },
    { fees: { ...fees, tokens: new Map([[COIN, fees.default]]) } },
    { fees: { ...fees, tokens: new Map([[COIN, { ...fees.default, payment: amount(99) }]]) } },
    ...(["payment", "cancellation", "recovery"] as const).map((kind) => ({
      fees: { ...fees, default: { ...fees.default, [kind]: amount(99) } },
    })),
  ];
  const others = parts.map((part) => ({ ...one, next: { ...next, ...part } }));
  const all = [one, { ...one, chainId: 2 }, { ...one, epoch: 1 as never }, ...others];
  expect(new Set(all.map(proposalDigest)).size).toBe(all.length);
  const entries = [[COIN, fees.default] as const, [CLUB, fees.default] as const];
  const [text, reversed] = [entries, entries.toReversed()].map((tokens) =>
    encodeParameters({ ...next, fees: { ...fees, tokens: new Map(tokens) } }),
  );
  expect(text).toBe(reversed);
});
