/** Corpus: a small set of scenarios that together reach the coverage of many. */
import type { Scenario } from "../../scenario/scenario.ts";
import type { Reached } from "./coverage.ts";

/** Scenario of the corpus, which passes under the default seed. */
export interface Member {
  /** File name without folder and suffix. */
  readonly name: string;
  readonly scenario: Scenario;
  readonly reached: ReadonlySet<Reached>;
  /** Events of its run. */
  readonly events: number;
}

/** Returns the coverage items of a run that the corpus lacks. */
export function newIn(reached: ReadonlySet<Reached>, members: readonly Member[]): readonly Reached[] {
  return [...reached].filter((one) => !members.some((member) => member.reached.has(one)));
}

/**
 * Adds a scenario if it reaches new coverage or replaces larger ones, else returns the corpus unchanged. Then removes
 * scenarios without coverage of their own, the largest first.
 */
export function withMember(members: readonly Member[], candidate: Member): readonly Member[] {
  if (newIn(candidate.reached, members).length > 0) return withoutIdle([...members, candidate]);
  const larger = bySize(members).find(
    (one) =>
      isLarger(one, candidate) &&
      newIn(one.reached, [...members.filter((other) => other !== one), candidate]).length === 0,
  );
  return larger === undefined ? members : withoutIdle([...members.filter((one) => one !== larger), candidate]);
}

/** Removes scenarios whose coverage the others have. */
function withoutIdle(members: readonly Member[]): readonly Member[] {
  let kept = members;
  for (const one of bySize(members)) {
    const others = kept.filter((other) => other !== one);
    if (newIn(one.reached, others).length === 0) kept = others;
  }
  return kept;
}

/** Sorts by size, largest first, then by name. */
function bySize(members: readonly Member[]): readonly Member[] {
  return [...members].sort((a, b) => sizeOf(b) - sizeOf(a) || b.events - a.events || (a.name < b.name ? -1 : 1));
}

function isLarger(one: Member, other: Member): boolean {
  return sizeOf(one) > sizeOf(other) || (sizeOf(one) === sizeOf(other) && one.events > other.events);
}

function sizeOf({ scenario }: Member): number {
  return scenario.steps?.length ?? 0;
}
