/** Every bound of an exploration. */

/** Words of 32 sayings each: how many different statements the honest validators of one exploration may sign. */
export const WORDS = 16;
export const SAYINGS_MAX: number = WORDS * 32;
/** Validators of an explored network: global states are tuples of as many numbers. */
export const VALIDATORS_MAX = 7;
/** The highest round, and the crashes, that an exploration may be asked for. */
export const ROUNDS_MAX = 4;
export const CRASHES_MAX = 3;
/** The virtual time at which everything happens: late enough for every wait to lie in the past. */
export const NOW_MS = 1_000_000;
/** States between two looks at whoever may want to stop. */
export const SLICE_STATES = 1_000;
/** States for which there is room whenever one is looked at: no state has as many that follow it. */
export const ROOM_STATES: number = 1 << 14;
/** States with which the set begins; it doubles. */
export const STATES_AT_FIRST: number = 1 << 16;
/** States that one exploration can hold: their numbers have 31 bits, and a table is at most half full. */
export const STATES_MAX: number = 1 << 28;
/** What is explored where nobody says how much. */
export const STATES_DEFAULT = 50_000_000;
/** Outlooks of one validator that are remembered at once: what is forgotten is worked out again. */
export const OUTLOOKS_MAX: number = 1 << 19;
/** Time that a message takes in a continuation, in virtual milliseconds. */
export const DELAY_MS = 10;
/** Interval at which clients hand in again in a continuation what is not decided, in virtual milliseconds. */
export const HANDED_IN_MS = 2_000;
/** Rounds that a continuation may go beyond the highest round of the state that it begins with. */
export const CONTINUED_ROUNDS = 8;
/** Time that a continuation lasts, in virtual milliseconds: long enough for all of those rounds at their longest. */
export const CONTINUED_MS = 120_000;
/** Tuples of memories that are remembered as live: what is forgotten is continued again. */
export const CONTINUED_MAX: number = 1 << 20;
