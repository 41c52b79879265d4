/** Every bound of `quorumlab admin`. */

/** How long one call may take (real milliseconds): time is advanced within it. */
export const ADMIN_REQUEST_MS = 120_000;
