/**
 * Iterative deepening of the bounds, from no rounds and crashes upwards, so that short counterexamples are found early.
 */
import type { Scenario } from "../scenario/scenario.ts";
import { type SavedSearch, type SearchOptions, type SearchProgress, type SearchResult, search } from "./search.ts";
import type { Bounds } from "./system.ts";

/** Result of one level. */
export interface Level extends SearchResult {
  readonly bounds: Bounds;
}

/** Level that an earlier call exhausted. */
export type DoneLevel = Bounds & Pick<SearchResult, "states" | "transitions">;

/** Level in which an earlier call stopped. */
export interface SavedLevel {
  readonly bounds: Bounds;
  readonly saved: SavedSearch;
}

export interface DeepenOptions extends Omit<SearchOptions, "forgets" | "delays" | "kept"> {
  /** Levels that are skipped. */
  readonly exhausted: readonly DoneLevel[];
  /** Level that is resumed. */
  readonly resumed?: SavedLevel | undefined;
  /** Called with each finished level. */
  readonly onLevel?: (level: Level) => void;
}

/** Progress of an exploration. */
export interface Deepening extends SearchProgress {
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
  const { resumed: begun, exhausted: done, onLevel: heard, ...rest } = options;
  for (const bounds of levelsUpTo(options.bounds)) {
    if (done.some((level) => areSame(level, bounds))) continue;
    const kept = begun !== undefined && areSame(begun.bounds, bounds) ? begun.saved : undefined;
    const searching = search(scenario, { ...rest, bounds, saved: kept });
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
  return isComplete && levels.every(({ exhausted, counterexample }) => exhausted && counterexample === undefined);
}
