/** Limits of `hunt`. */

/** Independent ranges of seeds for each variant. */
export const REPEATS_MAX = 1_000;
/** Runs to minimize one detection. */
export const SHRINK_RUNS_MAX = 1_000_000;
