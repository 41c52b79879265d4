/** Every bound of the network under the real clock. Times are real milliseconds unless they say otherwise. */

/** How long a client waits for the asked validator's first answer: the handlers of the real network end there too (wire 2.4). */
export const ANSWER_MS = 10_000;
/** Events of the world between two looks at sockets: some 15 ms of work, since a signature takes about one. */
export const SLICE_EVENTS = 40;
/** A world that lags so much behind the clock (virtual) gives up the difference: it is slower, and nothing is skipped. */
export const LAG_MS = 500;
/** The longest sleep: clocks of machines jump. */
export const SLEEP_MS = 1_000;
/** How far time may be advanced at once: a day (virtual). */
export const ADVANCE_MS = 86_400_000;
/** Events that one advance may take, so that a world that never rests still answers. */
export const ADVANCE_EVENTS = 5_000_000;
/** Requests that wait for a condition at the same time. */
export const WAITING_MAX = 10_000;
/** Snapshots of a network that can be returned to. */
export const SNAPSHOTS_MAX = 1_000;
/** Signatures that wait to be written beside a recording: those of some ten payments. */
export const SIGNATURES_BUFFERED = 100;
