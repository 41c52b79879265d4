/** Limits of shrinking. */

/** Default limit of runs. */
export const SHRINK_RUNS = 2_000;
/** Event limit of a run whose file has none; a run that exceeds it counts as endless. */
export const RUN_EVENTS = 200_000;
/** Messages that are delayed in search of a passing run, latest first. */
export const MESSAGES_TRIED = 80;
/** Added delay in virtual milliseconds: longer than the rounds of a small network. */
export const LATE_MS = 1_000;
/** Moments of a run that are kept for comparisons. */
export const PARTY_EVENTS_KEPT = 20_000;
