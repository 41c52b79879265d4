/** Bounds and defaults of the schedules. Times are virtual milliseconds. */

/** Threads of one world: each has a priority, and each change point is drawn among all. */
export const THREADS_MAX = 65_536;
/** Largest depth of an order: further change points find almost nothing, and the guarantee becomes meaningless. */
export const DEPTH_MAX = 8;
export const DEPTH_DEFAULT = 3;
/** Departures from round robin. */
export const DEVIATIONS_MAX = 64;
export const DEVIATIONS_DEFAULT = 4;
/** Events of one thread among which a change point, or a departure, lies. */
export const STEPS_MAX = 100_000;
export const STEPS_DEFAULT = 20;
/**
 * Largest delay of an event against the order of time. Below the timeouts of clients and validators, so that these stay
 * meaningful.
 */
export const WINDOW_MAX_MS = 10_000;
export const WINDOW_DEFAULT_MS = 20;
