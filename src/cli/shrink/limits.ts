/** Bounds of `shrink`. */

/** Digits of the most runs that it may be asked to make. */
export const RUNS_DIGITS = 7;
