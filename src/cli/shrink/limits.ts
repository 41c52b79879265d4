/** Limits of `shrink`. */

/** Maximum digits of `--runs`. */
export const RUNS_DIGITS = 7;
