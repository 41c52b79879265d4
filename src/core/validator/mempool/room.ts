/** Room in the queue of an entry validator. */
import { PENDING, PENDING_PER_ACCOUNT } from "../limits.ts";

/** Sizes of a validator's two queues: what clients submitted to it, and what others disclosed. */
export interface Queues {
  readonly asked: number;
  readonly seen: number;
  readonly askedOfAccount: number;
}

/**
 * Returns the bound that one more submission of an account would pass, or `undefined`. What others disclosed counts
 * against no bound here: one Byzantine relay discloses as much as it likes, signed with keys that cost nothing.
 */
export function fullQueue({ asked, askedOfAccount }: Queues): number | undefined {
  if (askedOfAccount >= PENDING_PER_ACCOUNT) return PENDING_PER_ACCOUNT;
  return asked >= PENDING ? PENDING : undefined;
}
