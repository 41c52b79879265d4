/** Size profiles of generated scenarios. */

export const PROFILES = ["quick", "default", "deep"] as const;

export type ProfileName = (typeof PROFILES)[number];

/** Limits of a generated scenario. Times are virtual milliseconds. */
export interface Profile {
  /** Sizes of committees, drawn uniformly from this list. */
  readonly validators: readonly number[];
  /** Client and authority actions: minimum and maximum. */
  readonly acts: readonly [least: number, most: number];
  /** Maximum of orders of all workloads together. */
  readonly orders: number;
  /** Maximum of faults of each enabled kind. */
  readonly faults: number;
  /** Latest start of an action. */
  readonly span: number;
  /** Event limit after which a run counts as endless. */
  readonly events: number;
}

const SIZES: Readonly<Record<ProfileName, Profile>> = {
  quick: { validators: [4, 4, 4, 4, 1], acts: [1, 4], orders: 8, faults: 2, span: 1_500, events: 30_000 },
  default: {
    validators: [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 6, 6, 7, 7, 1, 3, 10],
    acts: [2, 9],
    orders: 20,
    faults: 3,
    span: 4_000,
    events: 50_000,
  },
  deep: {
    validators: [4, 4, 4, 4, 5, 6, 7, 7, 10, 13, 3, 2, 1],
    acts: [4, 30],
    orders: 120,
    faults: 6,
    span: 15_000,
    events: 600_000,
  },
};

/** Returns the limits of a profile. */
export function profileOf(name: ProfileName): Profile {
  return SIZES[name];
}
