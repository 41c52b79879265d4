/** Bounds of this layer. Times are in virtual milliseconds. */
import type { Millis } from "../core/base/ids.ts";

/**
 * Violations of one invariant that a judge keeps; further ones are counted only, so that none displaces another
 * invariant's.
 */
export const VIOLATIONS_KEPT = 20;

/** Statements that one signature in a certificate may cover (protocol 3.5). */
export const BATCH_STATEMENTS = 1_024;

/** Names that a sentence lists before `n more`. */
export const NAMES_SHOWN = 8;

/** Age of a closing up to which a node may lack it at the end of a run: nodes ask once a second. */
export const CATCH_UP_MS = 5_000 as Millis;

/** Operations whose outcome an oracle remembers; replies about older ones are not judged, so that memory is bounded. */
export const OUTCOMES_KEPT = 16_384;

/** Links of the chain that a validator keeps whole, with the outcomes of what they list (protocol 6.2, 14). */
export const CHECKPOINTS_KEPT = 8;
