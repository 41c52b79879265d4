import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX, type Amount } from "../../../src/core/base/amount.ts";
import type { Address } from "../../../src/core/base/ids.ts";
import { ROLES } from "../../../src/core/base/operation.ts";
import type { Receipt } from "../../../src/core/base/refusal.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { ROLE_CAPS } from "../../../src/core/ledger/limits.ts";
import { accountOf, type LedgerState, poolOf, tokenOf } from "../../../src/core/ledger/state.ts";
import type { Draft } from "./support/operations.ts";
import { check, skipFeeToken } from "./support/real-rules.ts";
import * as world from "./support/world.ts";

const { ALICE, BOB, CAROL, CLUB, COIN, MASTER, MINTER } = world;
const anyAccount = fc.constantFrom(ALICE, BOB, CAROL, MASTER, MINTER);
const token = fc.constantFrom(COIN, CLUB);
const value = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 1n, max: 1_200n }) },
  fc.bigInt({ min: AMOUNT_MAX - 3_000n, max: AMOUNT_MAX }),
) as fc.Arbitrary<Amount>;

const anyDraft: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(anyAccount, value, token).map((args) => world.pay(...args)) },
  { weight: 2, arbitrary: fc.tuple(anyAccount, value, token).map((args) => world.mint(...args)) },
  { weight: 2, arbitrary: fc.tuple(value, anyAccount, token).map((args) => world.burn(...args)) },
  fc.tuple(value, token).map(([amount, coin]) => world.burn(amount, undefined, coin)),
  { weight: 2, arbitrary: fc.tuple(anyAccount, anyAccount, value, token).map((args) => world.clawback(...args)) },
  fc.tuple(anyAccount, value, fc.constantFrom("0x1", "0x2"), token).map((args) => world.bridgeMint(...args)),
  fc.tuple(anyAccount, value, fc.nat(9), token).map((args) => world.bridgeBurn(...args)),
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.array(fc.tuple(anyAccount, value), { minLength: 1, maxLength: 5 }), token)
      .map(([legs, coin]): Draft => ({ ...world.batch(...legs), token: coin }) as Draft),
  },
  fc.tuple(fc.constantFrom(...ROLES), anyAccount, value, token).map((args) => world.grant(...args)),
  fc.tuple(fc.constantFrom(...ROLES), anyAccount, token).map((args) => world.revoke(...args)),
  fc
    .tuple(fc.constantFrom("Pause" as const, "Unpause" as const, "Unpause" as const), token)
    .map((args) => world.pause(...args)),
  fc
    .tuple(fc.constantFrom("Add", "Remove"), anyAccount, token)
    .map(([action, address, coin]) => world.list(coin === COIN ? "blacklist" : "whitelist", action, address, coin)),
);
/** Operation that is executed, or skipped in favour of a cancellation. */
const turn = fc.record({ sender: anyAccount, fields: anyDraft, isSkipped: fc.boolean(), isDelayed: fc.boolean() });

interface Run {
  state: LedgerState;
  receipts: Receipt[];
  later: (() => void)[];
}

function playTurn(run: Run, sender: Address, fields: Draft, isSkipped: boolean, isDelayed: boolean): void {
  const operation = world.draft(run.state, sender, fields);
  if (check(run.state, [], operation).answer !== "accept") return;
  if (isSkipped) {
    const slot = { kind: "account", address: sender, sequence: accountOf(run.state, sender).sequence } as const;
    const done = world.decide(run.state, slot, {
      type: "skip",
      by: "cancellation",
      id: operationId(operation),
      displaced: [operationId(operation)],
      feeToken: skipFeeToken(run.state, [operation]),
    });
    run.state = done.state;
    run.receipts.push(...done.receipts);
    return;
  }
  const first = world.authorise(run.state, operation);
  run.state = first.state;
  run.receipts.push(...first.receipts);
  const finish = () => {
    const second = world.settle(run.state, operation);
    run.state = second.state;
    run.receipts.push(...second.receipts);
  };
  if (isDelayed) run.later.push(finish);
  else finish();
}

describe("over random sequences of operations", () => {
  test("balances and pool are exactly what was minted and not burned; caps, nonces and fees hold", () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 40 }), (turns) => {
        const run: Run = { state: world.start(), receipts: [], later: [] };
        for (const { sender, fields, isSkipped, isDelayed } of turns) {
          const before = accountOf(run.state, sender);
          playTurn(run, sender, fields, isSkipped, isDelayed);
          expect(accountOf(run.state, sender).nonce - before.nonce).toBeLessThanOrEqual(1);
          if (run.later.length > 2) run.later.shift()?.();
          for (const coin of [COIN, CLUB]) {
            expect(world.isConserved(run.state, coin)).toBe(true);
            const policy = tokenOf(run.state, coin);
            for (const role of ROLES) expect(policy?.roles[role].size ?? 0).toBeLessThanOrEqual(ROLE_CAPS[role]);
            const paid = run.receipts
              .filter((receipt) => receipt.feeToken === coin)
              .reduce((sum, { fee }) => sum + fee, 0n);
            const owed = run.state.balances
              .entries()
              .reduce((sum, [key, balance]) => (key.endsWith(coin) && balance < 0n ? sum - balance : sum), 0n);
            expect(poolOf(run.state, coin)).toBe(paid - owed);
          }
          for (const balance of run.state.balances.values()) expect(balance !== 0n && balance <= AMOUNT_MAX).toBe(true);
        }
        for (const finish of run.later) finish();
        expect([run.state.authorised.size, run.state.authorisedKeys.size]).toEqual([0, 0]);
        expect(new Set(run.receipts.map(({ id }) => id)).size).toBe(run.receipts.length);
      }),
      { numRuns: 150 },
    );
  });
});
