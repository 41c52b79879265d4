/** Bounds of `hunt`. */

/** Independent ranges of seeds for each variant. */
export const REPEATS_MAX = 1_000;
/** Runs that making one finding smaller may take. */
export const SHRINK_RUNS_MAX = 1_000_000;
