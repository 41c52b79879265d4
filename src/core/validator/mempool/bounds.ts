/** Limits of an entry validator's queue. */
import { PENDING, PENDING_PER_ACCOUNT } from "../limits.ts";

/** Sizes of a validator's two queues: submissions of its clients, and disclosed ones. */
export type QueueSizes = Readonly<{ submitted: number; disclosed: number; submittedByAccount: number }>;

/**
 * Returns the bound that one more submission of an account would exceed, or `undefined`. Disclosed operations count
 * against no bound here: one Byzantine relay can disclose any number, signed with keys that cost nothing.
 */
export function exceededLimit({
  submitted: asked,
  submittedByAccount: askedOfAccount,
}: QueueSizes): number | undefined {
  if (askedOfAccount >= PENDING_PER_ACCOUNT) return PENDING_PER_ACCOUNT;
  return asked >= PENDING ? PENDING : undefined;
}
