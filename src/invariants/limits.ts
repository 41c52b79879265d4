/** Every bound of this layer. Times are in virtual milliseconds. */
import type { Millis } from "../core/base/ids.ts";

/** Violations of one invariant that a judge keeps in full. Further ones are only counted: none hides another. */
export const VIOLATIONS_KEPT = 20;

/** Names that one sentence lists before it says how many more there are. */
export const NAMES_LISTED = 8;

/** Age up to which a closing may exist that a node at the end of a run still lacks: it asks once a second. */
export const CATCH_UP_MS = 5_000 as Millis;
