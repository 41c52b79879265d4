/** Bounds of `corpus`. */

/** Digits of how many seeds are looked at. */
export const SEED_DIGITS = 9;
