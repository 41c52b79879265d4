/** Bounds of the corpus. */

/** Events of a member's run: one that takes more is too large to be replayed with every change. */
export const SCENARIO_EVENTS = 50_000;
