/** Sections of generated scenarios, each with random choices of its own, and the mutations of a seed, which draw one anew. */
import { Rng } from "../../scenario/rng.ts";

/** Sections that a mutation may redraw; all of them depend on the roles and the swarm, which stay. */
const SECTIONS = ["liars", "traffic", "govern", "faults", "network", "schedule", "genesis", "clients", "end"] as const;

/** Section of a generated scenario. */
export type Section = (typeof SECTIONS)[number] | "swarm" | "cast";

/** Stands between a seed and the number of its mutation. */
export const SEED_SEPARATOR = "~";

/**
 * Returns the seed of the `number`-th mutation, from 1 on. Seed `736~2` is the second mutation of seed 736: one section
 * is drawn anew from the longer seed, and all others stay. `736~2~5` mutates that.
 */
export function mutationOf(seed: string, number: number): string {
  return `${seed}${SEED_SEPARATOR}${number}`;
}

/** Returns the generator of a section of a seed. `label` prefixes all labels. */
export function rngFor(seed: string, label: string, part: Section): Rng {
  const end = seed.lastIndexOf(SEED_SEPARATOR);
  if (end < 0) return new Rng(seed, label).split(part);
  const mutated = new Rng(seed, label).split("mutation").pick(SECTIONS);
  return mutated === part ? new Rng(seed, label).split(part) : rngFor(seed.slice(0, end), label, part);
}
