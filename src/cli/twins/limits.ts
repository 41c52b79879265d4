/** Bounds of `twins`. */

/** Failing cases after which it may be asked to end. */
export const FAILURES_MAX = 999_999_999;
