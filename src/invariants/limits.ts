/** Bounds of this layer. Times are in virtual milliseconds. */
import type { Millis } from "../core/base/ids.ts";

/**
 * Violations of one invariant that a judge keeps; further ones are counted only, so that none displaces another
 * invariant's.
 */
export const VIOLATIONS_KEPT = 20;

/** Names that a sentence lists before `n more`. */
export const NAMES_SHOWN = 8;

/** Age of a closing below which a node may lack it at the end of a run: nodes ask their peers once a second. */
export const CATCH_UP_MS = 5_000 as Millis;

/** Operations whose outcome an oracle remembers; replies about older ones are not judged, so that memory is bounded. */
export const OUTCOMES_KEPT = 16_384;

/** Limits of open operations for each validator and for each account, and of clients that wait for one operation (protocol 9.2, 14). */
export const QUEUE_LIMITS: ReadonlySet<number> = new Set([16_384, 256, 64]);

/** Links of the chain that a validator keeps whole, with the outcomes of what they list (protocol 6.2). */
export const CHECKPOINTS_KEPT = 8;

/** Time after which a due operation precedes younger restrictions in a list (protocol 3). */
export const LIST_WAIT_MS = 5_000;

/** Time within which a slot with an admitted operation is decided while no fault is active (protocol 7.16). */
export const QUIET_SLOT_MS = 5_000 as Millis;

/** Length of an owner's turn, which may delay a due burn further (protocol 5). */
export const OWNERS_TURN_MS = 4_000;

/** Forced burns that may precede an operation of the account's owner: the one that displaces it, and one already proposed. */
export const BURNS_BEFORE_OWNER = 2;

/** Consecutive messages that decide a slot in round 0: the content, votes, the lock certificate, commits (protocol 13.3). */
export const SLOT_MESSAGES = 4;
