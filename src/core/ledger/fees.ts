/** Fixed fees in the token moved (specification 7; protocol 4.4). All amounts are in that token's smallest unit. */
import { AMOUNT_MAX, type Amount, ZERO } from "../base/amount.ts";
import { unreachable } from "../base/assert.ts";
import type { FeeEntry, FeeSchedule } from "../base/epoch.ts";
import type { Address } from "../base/ids.ts";
import type { SignedOperation, SpendingOperation } from "../base/operation.ts";
import type { SkipValue } from "../base/slot.ts";
import type { operationId } from "./identity.ts";
import { totalOf } from "./legs.ts";
import { tokenOfOperation } from "./operations/kinds.ts";
import { type LedgerState, tokenOf } from "./state.ts";

/** Kind of a skip. */
export type SkipKind = SkipValue["by"];

/** Returns the fee of a payment of `token`; a token without an entry uses the schedule's default one. */
export function paymentFee(fees: FeeSchedule, token: Address): Amount {
  return feeEntryOf(fees, token).payment;
}

/** Returns what an operation takes from its signer: payments their fee too, a burn to another chain its escrow fee. */
export function spentAmount(fees: FeeSchedule, operation: SpendingOperation, feeOf: typeof paymentFee): bigint {
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

/** Returns the fee of a skip in `feeToken`; 0 if no token is named. */
export function skipFee(fees: FeeSchedule, by: SkipKind, feeToken: Address | undefined): Amount {
  return feeToken === undefined ? ZERO : feeEntryOf(fees, feeToken)[by];
}

/**
 * Returns the token in which a skip pays, by this state: that of the displaced operation; of several, of the one with
 * the lowest id that has one. `undefined` if none names a token that exists here (protocol 4.4).
 */
export function skipFeeToken(
  state: LedgerState,
  displaced: readonly SignedOperation[],
  rules: { readonly operationId: typeof operationId },
): Address | undefined {
  const tokens = displaced.flatMap((signed) => {
    const token = tokenOfOperation(signed.operation);
    return token === undefined || tokenOf(state, token) === undefined ? [] : [{ signed, token }];
  });
  if (tokens.length < 2) return tokens[0]?.token;
  const candidates = tokens.map((token) => ({ ...token, id: rules.operationId(token.signed) }));
  return candidates.sort((a, b) => (a.id < b.id ? -1 : 1))[0]?.token;
}

/** Returns `undefined` if all amounts are in range, and cancellations and recoveries cost more than payments. */
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

function feeEntryOf(fees: FeeSchedule, token: Address): FeeEntry {
  return fees.tokens.get(token) ?? fees.default;
}
