/** Iterative deepening: first without rounds and crashes, then with ever more of them, so that what is wrong shows early. */
import type { Scenario } from "../scenario/scenario.ts";
import type { Bounds } from "./arena.ts";
import { type Kept, type Progressed, type Searched, type SearchOptions, search } from "./search.ts";

/** What came of one level. */
export interface Level extends Searched {
  readonly bounds: Bounds;
}

/** A level that was exhausted by an earlier call. */
export type DoneLevel = Bounds & Pick<Searched, "states" | "transitions">;

/** A level inside which an earlier call stopped. */
export interface KeptLevel {
  readonly bounds: Bounds;
  readonly kept: Kept;
}

export interface DeepenOptions extends Omit<SearchOptions, "forgets" | "delays" | "kept"> {
  /** Levels that are not explored again. */
  readonly done: readonly DoneLevel[];
  /** The level that goes on where it stopped. */
  readonly begun?: KeptLevel | undefined;
  /** Told of each level that ends. */
  readonly heard?: (level: Level) => void;
}

/** Where an exploration is. */
export interface Deepening extends Progressed {
  readonly bounds: Bounds;
}

/** All bounds up to these, the fewest crashes first, then the fewest rounds. */
export function levelsUpTo({ rounds, crashes }: Bounds): readonly Bounds[] {
  return Array.from({ length: (rounds + 1) * (crashes + 1) }, (_, level) => ({
    rounds: level % (rounds + 1),
    crashes: Math.floor(level / (rounds + 1)),
  }));
}

/** Whether two bounds are the same. */
export function areSame(one: Bounds, other: Bounds): boolean {
  return one.rounds === other.rounds && one.crashes === other.crashes;
}

/** Explores level after level, until something is broken or a level is not exhausted; whoever passes `true` stops it. */
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

/** Whether these levels are all up to the bounds, with those done before, and each was exhausted without a breach. */
export function areAllExhausted(bounds: Bounds, levels: readonly Level[], done: readonly DoneLevel[] = []): boolean {
  const isComplete = levels.length + done.length >= levelsUpTo(bounds).length;
  return isComplete && levels.every(({ exhausted, breach }) => exhausted && breach === undefined);
}
