/** Bounds of the network under the real clock. Times are real milliseconds unless stated otherwise. */

/** Time limit of the entry validator's first response, as in the handlers of the real network (wire 2.4). */
export const ANSWER_MS = 10_000;
/** Events of the world between two turns of the event loop: some 15 ms of work, since a signature takes about 1 ms. */
export const SLICE_EVENTS = 40;
/** Lag behind the clock (virtual) above which the difference is given up: the world is slower, no event is skipped. */
export const LAG_MS = 500;
/** Longest sleep: clocks of machines jump. */
export const SLEEP_MS = 1_000;
/** Longest advance at once: a day (virtual). */
export const ADVANCE_MS = 86_400_000;
/** Events of one advance at most, so that a world without quiescence still responds. */
export const ADVANCE_EVENTS = 5_000_000;
/** Requests that wait for a condition at the same time. */
export const WAITING_MAX = 10_000;
/** Snapshots kept of a network. */
export const SNAPSHOTS_MAX = 1_000;
/** Signatures buffered before they are written beside a recording: those of about ten payments. */
export const SIGNATURES_BUFFERED = 100;
