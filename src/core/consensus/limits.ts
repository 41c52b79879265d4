/** Bounds of the agreement. Times are in virtual milliseconds. */
import type { Millis, Round } from "../base/ids.ts";

/** Values and slots whose statements one world remembers with their signatures. */
export const KNOWN_SIGNATURES = 2_048;
/** Base of the lengths of rounds: each lasts half as long again as the one before, up to the cap (protocol 3.2). */
export const ROUND_MS = 400 as Millis;
export const ROUND_CAP_MS = 6_400 as Millis;
/** Rounds above its own of which a validator keeps all messages: the bound against Byzantine ones (protocol 3.2). */
export const ROUNDS_AHEAD = 8;
/** Different values of one signer for one (slot, round) that a collector keeps: the second one proves equivocation. */
export const VALUES_PER_SIGNER = 2;

/** Returns the length of a round, in integers only: ROUND_MS * 1.5^round, capped. */
export function roundLength(round: Round): Millis {
  let length: number = ROUND_MS;
  for (let i = 0; i < round && length < ROUND_CAP_MS; i++) length += length >> 1;
  return Math.min(length, ROUND_CAP_MS) as Millis;
}
