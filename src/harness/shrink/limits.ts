/** Bounds of shrinking. */

/** Runs that it may make where nobody says otherwise. */
export const SHRINK_RUNS = 2_000;
/** Events of one run: one that does not come to rest within them counts as one that never does. */
export const RUN_EVENTS = 200_000;
