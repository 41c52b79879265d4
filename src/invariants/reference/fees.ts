/** Fees of protocol 4.4. */
import { unreachable } from "../../core/base/assert.ts";
import type { FeeEntry, FeeSchedule } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import type { FeeStep, SkipValue } from "../../core/base/slot.ts";

/** Returns a token's own entry, else the default one. */
export function feeEntry(schedule: FeeSchedule, token: Address): FeeEntry {
  return schedule.tokens.get(token) ?? schedule.default;
}

/** Returns the fee of a skip at a step; 0 if it pays in no token. */
export function skipFee(schedule: FeeSchedule, skip: Pick<SkipValue, "by" | "feeToken">, step: FeeStep): bigint {
  if (skip.feeToken === undefined) return 0n;
  const entry = feeEntry(schedule, skip.feeToken);
  switch (step) {
    case "full":
      return entry[skip.by];
    case "payment":
      return entry.payment;
    case "zero":
      return 0n;
    default:
      return unreachable(step);
  }
}

/** Returns the highest step that a balance covers. */
export function coveredStep(schedule: FeeSchedule, skip: Pick<SkipValue, "by" | "feeToken">, balance: bigint): FeeStep {
  if (balance >= skipFee(schedule, skip, "full")) return "full";
  return balance >= skipFee(schedule, skip, "payment") ? "payment" : "zero";
}
