/** Bounds of shrinking. */

/** Runs that it may make where nobody says otherwise. */
export const SHRINK_RUNS = 2_000;
/** Events of one run whose file names no bound: one that does not come to rest within them counts as one that never does. */
export const RUN_EVENTS = 200_000;
/** Messages of which it is tried whether the run passes when they come later, the latest ones first. */
export const MESSAGES_TRIED = 80;
/** How much later, in virtual milliseconds: more than the rounds of a small network take. */
export const LATE_MS = 1_000;
/** Moments of a run that are kept to compare it with another one. */
export const MOMENTS_KEPT = 20_000;
