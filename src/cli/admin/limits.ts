/** Bounds of `quorumlab admin`. */

/** Time limit of one call (real milliseconds): an advance happens within it. */
export const ADMIN_REQUEST_MS = 120_000;
