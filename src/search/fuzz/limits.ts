/** Limits of a campaign. */

/** Runs between two updates of the guidance. */
export const GENERATION = 48;
/** Runs that a generation mutates, and mutations of each: half of the generation. */
export const PARENTS = 8;
export const MUTATIONS = 3;
