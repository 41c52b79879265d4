/** Limits of a hunt. */

/** Default seeds of one range: a variant that is not detected within them counts as missed. */
export const SEEDS_BUDGET = 400;
/** Default number of independent ranges for each variant. */
export const REPEATS = 5;
/** Default limit of runs to minimize one detection. */
export const SHRINK_BUDGET = 400;
