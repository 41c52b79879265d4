/** Bounds of the options of a served network. */

/** Validators of one served network: each is simulated and observed by the oracles. */
export const SERVED_VALIDATORS_MAX = 128;
/** Ready tokens. */
export const READY_TOKENS_MAX = 100;
/** Digits of an amount before its point; with 18 after it, more than 2^256 - 1 of the smallest unit. */
export const AMOUNT_DIGITS = 78;
/** Characters of an option's text that a message quotes. */
export const QUOTED_MAX = 80;
/** Validators named in the startup text. */
export const VALIDATORS_PRINTED = 16;
/** Characters of a seed. */
export const SEED_MAX = 128;
