/** Bounds of `explore`. */

/** The largest file that is read as a saved path. */
export const PATH_BYTES = 4_194_304;
/** Milliseconds between two lines of progress. */
export const PROGRESS_MS = 1_000;
/** The longest first line of a kept search: it names the scenario, whole. */
export const HEADER_BYTES = 4_194_304;
/** Numbers that are compressed together in a kept search: 16 MB of them. */
export const PIECE_INTS: number = 1 << 22;
