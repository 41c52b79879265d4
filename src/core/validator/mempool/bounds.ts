/** Limits of an entry validator's queue. */
import { EPOCH_SLOTS, PENDING, PENDING_PER_ACCOUNT } from "../limits.ts";

/**
 * Sizes of a validator's two queues, submissions of its clients and disclosed ones, and the number of slots that only
 * the end of the epoch will list, since no checkpoint does.
 */
export type QueueSizes = Readonly<{
  submitted: number;
  disclosed: number;
  submittedByAccount: number;
  untilEpochEnd: number;
}>;

/**
 * Returns the bound that one more submission of an account would exceed, or `undefined`. Disclosed operations count
 * against no bound here: one Byzantine relay can disclose any number, signed with keys that cost nothing.
 */
export function exceededLimit({
  submitted: asked,
  submittedByAccount: askedOfAccount,
  untilEpochEnd,
}: QueueSizes): number | undefined {
  if (askedOfAccount >= PENDING_PER_ACCOUNT) return PENDING_PER_ACCOUNT;
  if (untilEpochEnd >= EPOCH_SLOTS) return EPOCH_SLOTS;
  return asked >= PENDING ? PENDING : undefined;
}
