/** Limits of `corpus`. */

/** Maximum digits of `--seeds`. */
export const SEED_DIGITS = 9;
