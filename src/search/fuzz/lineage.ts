/**
 * Mutated worlds. The seed `736~2` names the second mutation of the world of seed 736: one part of it is drawn anew, from
 * the longer seed, and all others are as they were, since each part is drawn by labels of its own. `736~2~5` mutates that.
 */
import { Dice } from "./dice.ts";

/** What a mutation may draw anew. The cast and the swarm stay: all other parts speak of them. */
const PARTS = ["liars", "traffic", "govern", "faults", "network", "schedule", "genesis", "clients", "end"] as const;

/** The parts of a world. */
export type Part = (typeof PARTS)[number] | "swarm" | "cast";

const MARK = "~";

/** The seed of the `number`-th mutation of a world, from 1 on. */
export function mutationOf(seed: string, number: number): string {
  return `${seed}${MARK}${number}`;
}

/** The dice for a part of the world of a seed. `label` starts all labels. */
export function diceFor(seed: string, label: string, part: Part): Dice {
  const end = seed.lastIndexOf(MARK);
  if (end < 0) return new Dice(seed, label).part(part);
  const mutated = new Dice(seed, label).part("mutation").pick(PARTS);
  return mutated === part ? new Dice(seed, label).part(part) : diceFor(seed.slice(0, end), label, part);
}
