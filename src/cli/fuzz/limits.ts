/** Bounds of `fuzz`. */

/** Seeds of one call. */
export const SEEDS_MAX = 100_000_000;
/** Seconds after which a campaign ends, at most: eleven days. */
export const SECONDS_MAX = 1_000_000;
/** Threads that one call may start, and that it starts where nobody says how many. */
export const THREADS_MAX = 256;
export const THREADS_DEFAULT = 8;
/** Milliseconds between two questions whether threads shall stop. */
export const WATCH_MS = 100;
/** What one shard may have printed: 256 MiB. */
export const SHARD_BYTES = 268_435_456;
