/** How large drawn worlds are. */

export const PROFILES = ["quick", "default", "deep"] as const;

export type ProfileName = (typeof PROFILES)[number];

/** Bounds of a drawn world. Times are virtual milliseconds. */
export interface Profile {
  /** Sizes of committees; each as likely as it stands here often. */
  readonly validators: readonly number[];
  /** Things that clients do: at least and at most. */
  readonly acts: readonly [least: number, most: number];
  /** Orders of all workloads together, at most. */
  readonly orders: number;
  /** Faults of each kind that is switched on, at most. */
  readonly faults: number;
  /** When the last thing begins, at most. */
  readonly span: number;
  /** Events after which a run is given up as one that never comes to rest. */
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

/** The bounds that a name stands for. */
export function profileOf(name: ProfileName): Profile {
  return SIZES[name];
}
