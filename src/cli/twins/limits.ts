/** Limits of `twins`. */

/** Maximum of `--stop-after`. */
export const FAILURES_MAX = 999_999_999;
