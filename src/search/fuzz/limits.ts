/** Bounds of a campaign. */

/** Worlds between two looks at what was reached. */
export const GENERATION = 48;
/** Runs of which a generation holds mutations, and how many of each: half of it together. */
export const PARENTS = 8;
export const MUTATIONS = 3;
