/** The fees of protocol 4.4. */
import { unreachable } from "../../core/base/assert.ts";
import type { FeeEntry, FeeSchedule } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import type { FeeStep, SkipValue } from "../../core/base/slot.ts";

/** A token's own entry, else the default one. */
export function feeEntry(schedule: FeeSchedule, token: Address): FeeEntry {
  return schedule.tokens.get(token) ?? schedule.default;
}

/** What a skip costs at a step; nothing where it pays in no token. */
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

/** The highest step that a balance covers. */
export function coveredStep(schedule: FeeSchedule, skip: Pick<SkipValue, "by" | "feeToken">, balance: bigint): FeeStep {
  if (balance >= skipFee(schedule, skip, "full")) return "full";
  return balance >= skipFee(schedule, skip, "payment") ? "payment" : "zero";
}
