/** Every bound of the ready accounts. */

/** Accounts made from one mnemonic: each takes about a millisecond at the start. */
export const ACCOUNTS_MAX = 1_000;
/** Characters of a mnemonic: 24 words, and room for what is none. */
export const MNEMONIC_MAX = 512;
