/** Moved amounts, in order, beside what explains them. */
import type { Address } from "../../core/base/ids.ts";
import type { Change } from "../observation.ts";
import { owedPart } from "../reference/state.ts";

/** Net change of one amount, and the change that receipts explain. */
export interface MovedAmount {
  readonly of: "balance" | "pool" | "burned";
  readonly token: Address;
  /** Of a balance. */
  readonly address: Address | undefined;
  is: bigint;
  /** Owed fees that the change of a balance pays, which are in no balance (protocol 4.4). */
  readonly paid: bigint;
  owed: bigint;
}

/** Returns what the change of a balance pays of the fees that it owed; below zero where it owes more than before. */
export function paidDebt(change: Change): bigint {
  return change.of === "balance" ? owedPart(change.before) - owedPart(change.after) : 0n;
}

/** One for each amount, in the order of the changes. An application moves few, so that a search is quicker than a key. */
export type Amounts = MovedAmount[];

/** Returns the net effect of changes on every amount. */
export function netAmounts(changes: readonly Change[]): Amounts {
  const amounts: Amounts = [];
  for (const change of changes) {
    if (change.of !== "balance" && change.of !== "pool" && change.of !== "burned") continue;
    const address = change.of === "balance" ? change.address : undefined;
    amounts.push({
      of: change.of,
      token: change.token,
      address,
      is: change.after - change.before,
      paid: paidDebt(change),
      owed: 0n,
    });
  }
  return amounts;
}

/** Adds to what explains an amount. */
export function explainAmount(
  amounts: Amounts,
  of: MovedAmount["of"],
  token: Address,
  address: Address | undefined,
  by: bigint,
): void {
  for (const amount of amounts) {
    if (amount.of !== of || amount.token !== token || amount.address !== address) continue;
    amount.owed += by;
    return;
  }
  amounts.push({ of, token, address, is: 0n, paid: 0n, owed: by });
}
