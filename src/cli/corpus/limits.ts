/** Bounds of `corpus`. */

/** Digits of the first seed, and of how many seeds are looked at. */
export const SEED_DIGITS = 9;
