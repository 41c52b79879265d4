/**
 * Mutated scenarios. Seed `736~2` is the second mutation of seed 736: one section is drawn anew from the longer seed,
 * and all others stay, since each section is drawn under its own labels. `736~2~5` mutates that.
 */
import { Dice } from "./dice.ts";

/** Sections that a mutation may redraw; all of them depend on the roles and the swarm, which stay. */
const PARTS = ["liars", "traffic", "govern", "faults", "network", "schedule", "genesis", "clients", "end"] as const;

/** Section of a generated scenario. */
export type Part = (typeof PARTS)[number] | "swarm" | "cast";

const MARK = "~";

/** Returns the seed of the `number`-th mutation, from 1 on. */
export function mutationOf(seed: string, number: number): string {
  return `${seed}${MARK}${number}`;
}

/** Returns the generator of a section of a seed. `label` prefixes all labels. */
export function diceFor(seed: string, label: string, part: Part): Dice {
  const end = seed.lastIndexOf(MARK);
  if (end < 0) return new Dice(seed, label).part(part);
  const mutated = new Dice(seed, label).part("mutation").pick(PARTS);
  return mutated === part ? new Dice(seed, label).part(part) : diceFor(seed.slice(0, end), label, part);
}
