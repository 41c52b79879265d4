/**
 * Mutated scenarios. Seed `736~2` is the second mutation of seed 736: one section is drawn anew from the longer seed,
 * and all others stay, since each section is drawn under its own labels. `736~2~5` mutates that.
 */
import { Rng } from "./rng.ts";

/** Sections that a mutation may redraw; all of them depend on the roles and the swarm, which stay. */
const SECTIONS = ["liars", "traffic", "govern", "faults", "network", "schedule", "genesis", "clients", "end"] as const;

/** Section of a generated scenario. */
export type Section = (typeof SECTIONS)[number] | "swarm" | "cast";

const SEED_SEPARATOR = "~";

/** Returns the seed of the `number`-th mutation, from 1 on. */
export function mutationOf(seed: string, number: number): string {
  return `${seed}${SEED_SEPARATOR}${number}`;
}

/** Returns the generator of a section of a seed. `label` prefixes all labels. */
export function rngFor(seed: string, label: string, part: Section): Rng {
  const end = seed.lastIndexOf(SEED_SEPARATOR);
  if (end < 0) return new Rng(seed, label).part(part);
  const mutated = new Rng(seed, label).part("mutation").pick(SECTIONS);
  return mutated === part ? new Rng(seed, label).part(part) : rngFor(seed.slice(0, end), label, part);
}
