/** Bounds of the wire layer; those of the ledger are in core/ledger/limits.ts. */

/** Nesting depth of a JSON text: bodies have at most four levels, and the parser recurses. */
export const JSON_DEPTH = 32;
/** Digits of one JSON number; 2^256 has 78. */
export const JSON_DIGITS = 100;
/** Characters of a received value quoted in an error. */
export const VALUE_CHARACTERS = 80;
/** Characters of a received member's name quoted in a path. */
export const NAME_CHARACTERS = 40;
/** Unknown members listed for one body. */
export const IGNORED_LISTED = 16;
