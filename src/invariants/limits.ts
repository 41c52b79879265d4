/** Every bound of this layer. */

/** Violations of one invariant that a judge keeps in full. Further ones are only counted: none hides another. */
export const VIOLATIONS_KEPT = 20;

/** Names that one sentence lists before it says how many more there are. */
export const NAMES_LISTED = 8;
