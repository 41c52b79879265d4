/** Validity of checkpoint policies. */

import type { CheckpointPolicy } from "../base/epoch.ts";
import { CHECKPOINT_INTERVAL_MS, CHECKPOINT_LIMIT } from "./limits.ts";

/** Returns `undefined` if every member of the policy is in range. */
export function policyFault({ intervalMs, slots, limit, periodSeconds }: CheckpointPolicy): string | undefined {
  return (
    outside("interval", intervalMs, 1, CHECKPOINT_INTERVAL_MS) ??
    outside("slots", slots, 1, CHECKPOINT_LIMIT) ??
    outside("limit", limit, 1, CHECKPOINT_LIMIT) ??
    outside("period", periodSeconds, 0, CHECKPOINT_INTERVAL_MS / 1_000)
  );
}

function outside(what: string, value: number, from: number, to: number): string | undefined {
  if (Number.isSafeInteger(value) && value >= from && value <= to) return undefined;
  return `checkpoints: ${what}: expected ${from} to ${to}, got ${value}`;
}
