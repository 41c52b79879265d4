/** Every bound of `quorumlab send`, in real milliseconds. */

/** How long one request may take: the handler limit of the network that clients know (wire 2.4). */
export const REQUEST_MS = 10_000;
/** How long the receipt is waited for where nobody says otherwise. */
export const WAIT_MS = 30_000;
/** A day. */
export const WAIT_MS_MAX = 86_400_000;
/** Between the first two looks for a decision; each later pause is half as long again. */
export const LOOK_FIRST_MS = 20;
/** The longest of these pauses. */
export const LOOK_LONGEST_MS = 500;
