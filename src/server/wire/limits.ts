/** Bounds of the wire layer. None of them is a rule of the ledger: those stand in core/ledger/limits.ts. */

/** How deep a JSON text may nest: no body of ours has more than four levels, and the parser recurses. */
export const JSON_DEPTH = 32;
/** Digits of one JSON number; 2^256 has 78. */
export const JSON_DIGITS = 100;
/** Characters of a received value that an error repeats. */
export const SHOWN = 80;
/** Characters of a received member's name that a path repeats. */
export const NAME_SHOWN = 40;
/** Members that no schema knows, as a reading names them at most. */
export const IGNORED_NAMED = 16;
