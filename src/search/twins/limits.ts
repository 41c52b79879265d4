/** Every bound of the enumeration of twins. Times are virtual milliseconds. */

/** Running programs of one case, twins counted: tables of symmetries grow with their factorial. */
export const INSTANCES_MAX = 9;
/** Validators of one case that run twice, where as few as possible run once. */
export const TWINS_MAX: number = Math.floor(INSTANCES_MAX / 2);
/** Rounds of one case. */
export const ROUNDS_MAX = 6;
/** How long a round's split lasts: longer than a relay waits until it offers again, so that offers meet the next split. */
export const ROUND_MS = 400;
/** When the round's operation is handed in, after the split. */
export const HAND_IN_MS = 1;
/** How long a proposer is down that crashes in its round: it is up again before the next one. */
export const DOWN_MS = 100;
/** When the owner cancels, after the last split has ended. */
export const TAIL_MS = 100;
