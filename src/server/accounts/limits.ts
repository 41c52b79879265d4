/** Bounds of the ready accounts. */

/** Accounts derived from one mnemonic: each takes about a millisecond at the start. */
export const ACCOUNTS_MAX = 1_000;
/** Characters of a mnemonic: more than 24 words need. */
export const MNEMONIC_MAX = 512;
