/** Bounds of served networks and their recordings. */

/** Largest recording that is read, in bytes: a string of the engine holds no more. */
export const RECORDING_BYTES: number = 400 * 1_024 * 1_024;

/** Operations in the archive that were admitted, then refused undisclosed. */
export const REFUSED_KEPT = 10_000;
