/** Fixed fees in the token moved (specification 7; protocol 4.4). All amounts are in that token's smallest unit. */
import { AMOUNT_MAX, type Amount, ZERO } from "../base/amount.ts";
import { unreachable } from "../base/assert.ts";
import type { FeeEntry, FeeSchedule } from "../base/epoch.ts";
import type { Address } from "../base/ids.ts";
import { isSpending, type SignedOperation, type Spending } from "../base/operation.ts";
import type { FeeStep, SkipValue } from "../base/slot.ts";
import { operationId } from "./identity.ts";
import { totalOf } from "./legs.ts";
import { tokenOfOperation } from "./operations/kinds.ts";
import { balanceOf, type LedgerState, tokenOf } from "./state.ts";

/** Kind of a skip. */
export type SkipBy = SkipValue["by"];

/** Returns the fee of a payment of `token`; a token without an entry uses the schedule's default one. */
export function paymentFee(fees: FeeSchedule, token: Address): Amount {
  return entryOf(fees, token).payment;
}

/** Returns what an operation takes from its signer: payments their fee too, a burn to another chain its escrow fee. */
export function spentBy(fees: FeeSchedule, operation: Spending, feeOf = paymentFee): bigint {
  switch (operation.kind) {
    case "payment":
      return operation.value + feeOf(fees, operation.token);
    case "batch":
      return totalOf(operation.legs) + feeOf(fees, operation.token);
    case "bridgeBurn":
      return operation.value + operation.escrowFee;
    default:
      return unreachable(operation);
  }
}

/** Returns the amount that a skip pays in `feeToken` at this step; 0 if no token is named. */
export function skipFeeAmount(fees: FeeSchedule, by: SkipBy, feeToken: Address | undefined, feeStep: FeeStep): Amount {
  if (feeToken === undefined) return ZERO;
  const entry = entryOf(fees, feeToken);
  switch (feeStep) {
    case "full":
      return entry[by];
    case "payment":
      return entry.payment;
    case "zero":
      return ZERO;
    default:
      return unreachable(feeStep);
  }
}

/**
 * Returns the token and step in which a skip of one of `account`'s nonces pays, by this state. The token is the one
 * that the displaced operation moves (of several, the one with the lowest id that moves any), and none if it does not
 * exist here; the step is the highest that the balance covers (protocol 4.4).
 */
export function skipFee(
  state: LedgerState,
  account: Address,
  by: SkipBy,
  displaced: readonly SignedOperation[],
): { readonly feeToken: Address | undefined; readonly feeStep: FeeStep } {
  const feeToken = movedToken(state, displaced);
  if (feeToken === undefined) return { feeToken, feeStep: "zero" };
  const balance = balanceOf(state, account, feeToken);
  const covered = (["full", "payment"] as const).find(
    (step) => skipFeeAmount(state.parameters.fees, by, feeToken, step) <= balance,
  );
  return { feeToken, feeStep: covered ?? "zero" };
}

/**
 * Returns `undefined` if all amounts are in range, and a cancellation and a recovery are more expensive than a payment.
 */
export function feesFault(fees: FeeSchedule): string | undefined {
  for (const [name, entry] of [["default", fees.default] as const, ...fees.tokens]) {
    for (const amount of [entry.payment, entry.cancellation, entry.recovery]) {
      if (amount < 0n || amount > AMOUNT_MAX) return `fees: ${name}: expected 0 to 2^256 - 1, got ${amount}`;
    }
    if (entry.cancellation <= entry.payment || entry.recovery <= entry.payment) {
      return `fees: ${name}: cancellation and recovery must cost more than a payment, ${entry.payment}`;
    }
  }
  return undefined;
}

/** Only payments, batches and burns to another chain move a token; of several, that of the lowest id (protocol 4.4). */
function movedToken(state: LedgerState, displaced: readonly SignedOperation[]): Address | undefined {
  const payments = displaced.filter(({ operation }) => isSpending(operation));
  const [lowest] = payments.length > 1 ? byId(payments) : payments;
  const token = lowest && tokenOfOperation(lowest.operation);
  return token !== undefined && tokenOf(state, token) !== undefined ? token : undefined;
}

function byId(all: readonly SignedOperation[]): readonly SignedOperation[] {
  const known = all.map((signed) => ({ id: operationId(signed), signed }));
  return known.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ signed }) => signed);
}

function entryOf(fees: FeeSchedule, token: Address): FeeEntry {
  return fees.tokens.get(token) ?? fees.default;
}
