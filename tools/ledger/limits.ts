/** Bounds of the ledger's renewal. */

/** Commits before the file's own that are asked in turn whether the bug shows there; each costs a build. */
export const ANCESTORS = 6;
/** Longest time that one program may take, in ms: a build takes half a minute, on a busy machine several. */
export const PROGRAM_MS = 600_000;
/** Most that a program may print, in bytes: a run prints two lines. */
export const OUTPUT_BYTES = 16_777_216;
/** Characters of a violation's detail in a row. */
export const DETAIL_LENGTH = 160;
/** Digits of a commit's hash in a row. */
export const HASH_DIGITS = 7;
