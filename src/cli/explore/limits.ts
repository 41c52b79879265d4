/** Bounds of `explore`. */

/** The largest file that is read as a saved path. */
export const PATH_BYTES = 4_194_304;
/** Milliseconds between two lines of progress. */
export const PROGRESS_MS = 1_000;
