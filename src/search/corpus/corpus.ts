/** A small set of runs that together reach what many runs reached. */
import type { Scenario } from "../../scenario/scenario.ts";
import type { Reached } from "./coverage.ts";

/** One run of the corpus: a scenario that passes under the default seed. */
export interface Member {
  /** Its file without folder and suffix. */
  readonly name: string;
  readonly scenario: Scenario;
  readonly reached: ReadonlySet<Reached>;
  /** Events of its run. */
  readonly events: number;
}

/** What is reached by a run and by none of these. */
export function newIn(reached: ReadonlySet<Reached>, members: readonly Member[]): readonly Reached[] {
  return [...reached].filter((one) => !members.some((member) => member.reached.has(one)));
}

/**
 * The corpus with one more run, where it reaches something new or does what a larger one does; otherwise the same. Then
 * whoever reaches nothing of its own goes, the largest first.
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

/** Without those all of whose marks others reach. */
function withoutIdle(members: readonly Member[]): readonly Member[] {
  let kept = members;
  for (const one of bySize(members)) {
    const others = kept.filter((other) => other !== one);
    if (newIn(one.reached, others).length === 0) kept = others;
  }
  return kept;
}

/** The largest first; of equal ones the name decides. */
function bySize(members: readonly Member[]): readonly Member[] {
  return [...members].sort((a, b) => sizeOf(b) - sizeOf(a) || b.events - a.events || (a.name < b.name ? -1 : 1));
}

function isLarger(one: Member, other: Member): boolean {
  return sizeOf(one) > sizeOf(other) || (sizeOf(one) === sizeOf(other) && one.events > other.events);
}

function sizeOf({ scenario }: Member): number {
  return scenario.steps?.length ?? 0;
}
