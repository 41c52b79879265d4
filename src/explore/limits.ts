/** Limits of an exploration. */

/** Words of 32 bits in a set of statements; they bound the number of different statements in one exploration. */
export const SET_WORDS = 16;
export const STATEMENTS_MAX: number = SET_WORDS * 32;
/** Validators of an explored network; global states are tuples of that many numbers. */
export const VALIDATORS_MAX = 7;
/** Highest round and number of crashes that an exploration accepts as bounds. */
export const ROUNDS_MAX = 4;
export const CRASHES_MAX = 3;
/** Virtual time of all steps, in milliseconds: late enough that every delay has passed. */
export const STEP_TIME_MS = 1_000_000;
/** Failed paths that validators without normalization may refute before a search gives up. */
export const REFUTED_MAX = 200;
/** States between two checks for a stop request. */
export const SLICE_STATES = 1_000;
/** Capacity of one exploration, the default limit: its states take some gigabytes. */
export const STATES_MAX = 10_000_000;
/** Message delay in a continuation, in virtual milliseconds. */
export const DELAY_MS = 10;
/** Interval at which clients resubmit in a continuation, in virtual milliseconds. */
export const RESUBMISSION_MS = 2_000;
/** Rounds that a continuation may go beyond the highest round of its first state. */
export const CONTINUATION_ROUNDS = 8;
/** Duration of a continuation in virtual milliseconds: enough for all of those rounds at their longest. */
export const CONTINUATION_MS = 120_000;
/** Cached tuples of memories that are live; evicted ones are continued again. */
export const CONTINUATIONS_MAX: number = 1 << 20;
/** Steps of validators in continuations that are cached. */
export const EXECUTIONS_MAX: number = 1 << 17;
