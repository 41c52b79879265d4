/** Limits of `fuzz`. */

/** Seeds of one call. */
export const SEEDS_MAX = 100_000_000;
/** Maximum of the time limit in seconds: eleven days. */
export const SECONDS_MAX = 1_000_000;
/** Maximum and default number of threads. */
export const THREADS_MAX = 256;
export const THREADS_DEFAULT = 8;
/** Milliseconds between two checks for a stop request. */
export const WATCH_MS = 100;
/** Maximum size of one shard's output: 256 MiB. */
export const SHARD_BYTES = 268_435_456;
