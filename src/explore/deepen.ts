/**
 * Iterative deepening of the bounds, from no rounds and crashes upwards, so that short counterexamples are found early.
 */
import type { Scenario } from "../scenario/scenario.ts";
import type { Bounds } from "./arena.ts";
import { type Kept, type Progressed, type Searched, type SearchOptions, search } from "./search.ts";

/** Result of one level. */
export interface Level extends Searched {
  readonly bounds: Bounds;
}

/** Level that an earlier call exhausted. */
export type DoneLevel = Bounds & Pick<Searched, "states" | "transitions">;

/** Level in which an earlier call stopped. */
export interface KeptLevel {
  readonly bounds: Bounds;
  readonly kept: Kept;
}

export interface DeepenOptions extends Omit<SearchOptions, "forgets" | "delays" | "kept"> {
  /** Levels that are skipped. */
  readonly done: readonly DoneLevel[];
  /** Level that is resumed. */
  readonly begun?: KeptLevel | undefined;
  /** Called with each finished level. */
  readonly heard?: (level: Level) => void;
}

/** Progress of an exploration. */
export interface Deepening extends Progressed {
  readonly bounds: Bounds;
}

/** Returns all bounds up to these, fewest crashes first, then fewest rounds. */
export function levelsUpTo({ rounds, crashes }: Bounds): readonly Bounds[] {
  return Array.from({ length: (rounds + 1) * (crashes + 1) }, (_, level) => ({
    rounds: level % (rounds + 1),
    crashes: Math.floor(level / (rounds + 1)),
  }));
}

/** Returns true if the bounds are equal. */
export function areSame(one: Bounds, other: Bounds): boolean {
  return one.rounds === other.rounds && one.crashes === other.crashes;
}

/** Explores level after level until a counterexample or a level that is not exhausted; `next(true)` stops it. */
export function* deepen(
  scenario: Scenario,
  options: DeepenOptions,
): Generator<Deepening, readonly Level[], boolean | undefined> {
  const levels: Level[] = [];
  const { begun, done, heard, ...rest } = options;
  for (const bounds of levelsUpTo(options.bounds)) {
    if (done.some((level) => areSame(level, bounds))) continue;
    const kept = begun !== undefined && areSame(begun.bounds, bounds) ? begun.kept : undefined;
    const searching = search(scenario, { ...rest, bounds, kept });
    let slice = searching.next();
    while (slice.done !== true) slice = searching.next(yield { ...slice.value, bounds });
    const level = { ...slice.value, bounds };
    levels.push(level);
    heard?.(level);
    if (!level.exhausted) break;
  }
  return levels;
}

/** Returns true if these and the done levels are all levels of the bounds, each exhausted without a counterexample. */
export function areAllExhausted(bounds: Bounds, levels: readonly Level[], done: readonly DoneLevel[] = []): boolean {
  const isComplete = levels.length + done.length >= levelsUpTo(bounds).length;
  return isComplete && levels.every(({ exhausted, breach }) => exhausted && breach === undefined);
}
