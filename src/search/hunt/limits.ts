/** Bounds of a hunt. */

/** Seeds in one range, where nobody says otherwise: a variant that is not found within them counts as missed. */
export const SEEDS_BUDGET = 400;
/** Independent ranges for each variant, where nobody says otherwise. */
export const REPEATS = 5;
/** Runs that making one finding smaller may take, where nobody says otherwise. */
export const SHRINK_BUDGET = 400;
