/** Bounds of `quorumlab send`, in real milliseconds. */

/** Time limit of one request: the handler limit of the real network (wire 2.4). */
export const REQUEST_MS = 10_000;
/** Default time limit for the receipt. */
export const WAIT_MS = 30_000;
/** A day. */
export const WAIT_MS_MAX = 86_400_000;
/** First pause between polls for a decision; each later one is 1.5 times as long. */
export const POLL_FIRST_MS = 20;
/** Longest pause between polls. */
export const POLL_LONGEST_MS = 500;
