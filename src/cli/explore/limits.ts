/** Limits of `explore`. */

/** Maximum size of a saved path in bytes. */
export const PATH_BYTES = 4_194_304;
/** Milliseconds between two lines of progress. */
export const PROGRESS_MS = 1_000;
/** Maximum length of a saved search's header, which contains the whole scenario. */
export const HEADER_BYTES = 4_194_304;
/** Numbers in a compressed chunk of a saved search: 16 MB. */
export const PIECE_INTS: number = 1 << 22;
