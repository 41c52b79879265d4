/** Limits of the enumeration of twins. Times are virtual milliseconds. */

/** Instances of one case, twins included: symmetry tables grow with their factorial. */
export const INSTANCES_MAX = 9;
/** Validators of one case that may have a twin. */
export const TWINS_MAX: number = Math.floor(INSTANCES_MAX / 2);
/** Rounds of one case. */
export const ROUNDS_MAX = 6;
/** Duration of a round's split: longer than a relay's interval of offers, so that offers reach the next split. */
export const ROUND_MS = 400;
/** Time of the round's submission, after the split. */
export const SUBMIT_MS = 1;
/** Downtime of a crashing proposer: it is back before the next round. */
export const DOWN_MS = 100;
/** Time of the owner's cancellation, after the last split has ended. */
export const TAIL_MS = 100;
