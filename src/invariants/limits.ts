/** Bounds of this layer. Times are in virtual milliseconds. */
import type { Millis } from "../core/base/ids.ts";

/**
 * Violations of one invariant that a judge keeps; further ones are counted only, so that none displaces another
 * invariant's.
 */
export const VIOLATIONS_KEPT = 20;

/** Names that a sentence lists before `n more`. */
export const NAMES_SHOWN = 8;

/** Age of a closing up to which a node may lack it at the end of a run: nodes ask once a second. */
export const CATCH_UP_MS = 5_000 as Millis;
