/** Bounds of served networks and their recordings. */

/** The largest recording that is read: a text of the engine holds no more. */
export const RECORDING_BYTES: number = 400 * 1_024 * 1_024;

/** Operations that were admitted, refused in the end and shown to nobody, of which the archive still knows. */
export const REFUSED_KEPT = 10_000;
