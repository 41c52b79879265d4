/**
 * Size profiles and swarms of generated scenarios. Swarm testing (Groce et al.): scenarios that switch each kind of
 * fault and operation off half of the time reach more than those with everything at once, since one kind often masks
 * another.
 */
import type { Rng } from "../../scenario/rng.ts";

/** Intensity of a kind: none, some, or extreme. */
export type Intensity = 0 | 1 | 2;

/** For each kind the scenarios of 8 in which it is enabled, and those in which it is extreme. */
const KINDS = {
  // Network.
  loss: [1, 1],
  duplicate: [1, 1],
  reorder: [2, 1],
  slow: [2, 1],
  uneven: [1, 1],
  disks: [2, 1],
  partitions: [2, 1],
  cuts: [1, 1],
  holds: [3, 2],
  drops: [2, 1],
  // Validators.
  crashes: [2, 1],
  suspensions: [1, 1],
  wipes: [1, 0],
  absences: [1, 1],
  clocks: [1, 1],
  liars: [3, 1],
  // Clients.
  payments: [6, 1],
  credits: [1, 1],
  conflicts: [2, 1],
  cancellations: [3, 1],
  races: [3, 1],
  seconds: [1, 0],
  oddities: [2, 1],
  workload: [2, 0],
  // Authorities.
  supply: [2, 1],
  burns: [2, 2],
  bridges: [2, 1],
  restrictions: [2, 3],
  roles: [1, 1],
  metadata: [1, 1],
  issues: [1, 0],
  multisigs: [2, 1],
  // Parameters of an epoch.
  checkpoints: [3, 2],
  epochs: [2, 1],
  govern: [2, 1],
  fees: [2, 0],
  lists: [2, 0],
  // Several of these at one place.
  meetings: [2, 2],
  combinations: [2, 1],
  // Many operations of one account, in a network without faults; drawn apart, since such a scenario is a large one.
  crowds: [0, 0],
} as const;

export type SwarmKind = keyof typeof KINDS;

export type Swarm = Readonly<Record<SwarmKind, Intensity>>;

/**
 * Draws the intensity of all kinds; at least one kind of client operation is enabled. `kinds`: those that may be drawn at
 * all, without the scenarios of one kind only.
 */
export function drawSwarm(rng: Rng, kinds?: readonly SwarmKind[]): Swarm {
  const levels = Object.fromEntries(
    Object.entries(KINDS).map(([kind, [some, extreme]]) => [kind, intensityOf(rng.split(kind), some, extreme)]),
  ) as Record<SwarmKind, Intensity>;
  if (kinds !== undefined) return withTraffic(onlyKinds(levels, kinds));
  if (rng.split("crowd").chance(1, CROWDS_ONE_IN)) return withCrowd(levels, rng.split("crowd"));
  if (levels.meetings === 2) return withStage(levels, rng.split("stage").chance(1, 7));
  if (levels.combinations === 2) return withCombinations(levels);
  return levels.meetings > 0 ? withMeeting(levels, rng.split("bare").chance(1, 2)) : withTraffic(levels);
}

/** Returns the levels with payments where no usual kind of client operation is enabled. */
function withTraffic(levels: Swarm): Swarm {
  const acts = levels.payments + levels.conflicts + levels.supply + levels.restrictions + levels.workload;
  return acts > 0 ? levels : { ...levels, payments: 1 };
}

/** One of so many scenarios has a crowd. */
const CROWDS_ONE_IN = 32;

/** Returns the levels without faults, closings and conflicts, with few lists or long delays in some scenarios. */
function withCrowd(levels: Swarm, rng: Rng): Swarm {
  const quiet = onlyKinds(levels, ["supply", "metadata", "checkpoints", "fees"]);
  return { ...quiet, payments: 1, crowds: 1, lists: rng.chance(2, 3) ? 1 : 0, slow: rng.chance(1, 2) ? 1 : 0 };
}

/** Returns the levels of a network in which nothing takes place but one meeting, of correct validators in some. */
function withStage(levels: Swarm, isCorrect: boolean): Swarm {
  return { ...onlyKinds(levels, ["wipes", "checkpoints", "multisigs"]), meetings: 2, liars: isCorrect ? 0 : 1 };
}

/** Returns the levels of a network without faults in which operations of one combination after the other take place. */
function withCombinations(levels: Swarm): Swarm {
  return { ...onlyKinds(levels, ["checkpoints", "disks"]), combinations: 2 };
}

/** Returns the levels with all other kinds off. */
function onlyKinds(levels: Swarm, kept: readonly SwarmKind[]): Swarm {
  const names = Object.keys(levels) as SwarmKind[];
  return Object.fromEntries(names.map((name) => [name, kept.includes(name) ? levels[name] : 0])) as Swarm;
}

/** Faults that are off where a meeting is alone: what they do to it at random keeps it from taking place. */
const OTHER_FAULTS = [
  "loss",
  "reorder",
  "slow",
  "uneven",
  "partitions",
  "cuts",
  "holds",
  "drops",
  "crashes",
  "suspensions",
  "absences",
  "clocks",
] as const satisfies readonly SwarmKind[];

/** Returns the levels with a Byzantine validator, which most meetings need, and payments. */
function withMeeting(levels: Swarm, isAlone: boolean): Swarm {
  const off = isAlone ? Object.fromEntries(OTHER_FAULTS.map((kind) => [kind, 0])) : {};
  return {
    ...levels,
    ...off,
    liars: levels.liars === 0 ? 1 : levels.liars,
    payments: levels.payments === 0 ? 1 : levels.payments,
  };
}

function intensityOf(rng: Rng, some: number, extreme: number): Intensity {
  const drawn = rng.integer(0, 7);
  if (drawn < extreme) return 2;
  return drawn < extreme + some ? 1 : 0;
}

export const PROFILES = ["quick", "default", "deep"] as const;

export type ProfileName = (typeof PROFILES)[number];

/** Limits of a generated scenario. Times are virtual milliseconds. */
export interface Profile {
  /** Weights of the sizes of committees. A large one costs several small ones. */
  readonly validators: Readonly<Record<number, number>>;
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

export const LIMITS: Readonly<Record<ProfileName, Profile>> = {
  quick: { validators: { 1: 1, 4: 4 }, acts: [1, 4], orders: 8, faults: 2, span: 1_500, events: 30_000 },
  default: {
    validators: { 1: 2, 3: 2, 4: 24, 5: 2, 6: 4, 7: 4, 10: 1 },
    acts: [2, 9],
    orders: 20,
    faults: 3,
    span: 4_000,
    events: 100_000,
  },
  deep: {
    validators: { 1: 1, 2: 1, 3: 1, 4: 4, 5: 1, 6: 1, 7: 2, 10: 1, 13: 1 },
    acts: [4, 30],
    orders: 120,
    faults: 6,
    span: 15_000,
    events: 600_000,
  },
};
