/** Registry of Byzantine strategies, read from their themes, and a strategy from its plan. */
import type { Party, Ratio } from "../settings.ts";
import * as equivocation from "./strategies/equivocation.ts";
import * as falseCheckpoint from "./strategies/false-checkpoint.ts";
import * as falseProposals from "./strategies/false-proposals.ts";
import * as falseReasons from "./strategies/false-reasons.ts";
import * as falseSigners from "./strategies/false-signers.ts";
import * as falseStatements from "./strategies/false-statements.ts";
import * as locks from "./strategies/locks.ts";
import * as mutate from "./strategies/mutate.ts";
import * as relays from "./strategies/relays.ts";
import * as silence from "./strategies/silence.ts";
import * as states from "./strategies/states.ts";
import { EVERY_VALIDATOR, type Strategy, type StrategyOptions, type StrategyRecord } from "./strategy.ts";

/** Exports of the themes: `doubleVote` is the strategy `double-vote`. */
const THEMES = [
  equivocation,
  falseCheckpoint,
  falseProposals,
  falseReasons,
  falseSigners,
  falseStatements,
  locks,
  mutate,
  relays,
  silence,
  states,
] as const satisfies readonly Readonly<Record<string, StrategyRecord>>[];

export type StrategyName = KebabCase<KeyIn<(typeof THEMES)[number]>>;

type KeyIn<Theme> = Theme extends unknown ? keyof Theme & string : never;

/** `doubleVote` as `double-vote`. */
type KebabCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${KebabCase<Rest>}`
  : Name;

/** Strategies in the order of their names, in which the fuzzer draws them. */
export const STRATEGIES: Readonly<Record<StrategyName, StrategyRecord>> = strategiesByName();

export const STRATEGY_NAMES: readonly StrategyName[] = Object.keys(STRATEGIES) as StrategyName[];

function strategiesByName(): Readonly<Record<StrategyName, StrategyRecord>> {
  const named = THEMES.flatMap((theme) => Object.entries(theme)).map(
    ([name, record]) => [name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`), record] as const,
  );
  return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1))) as Record<StrategyName, StrategyRecord>;
}

/** Strategy of a Byzantine validator with its parameters; the record says which of them it reads. */
export interface StrategyPlan extends StrategyOptions {
  readonly name: StrategyName;
  readonly towards?: readonly Party[];
  /** Default: 1/2. */
  readonly chance?: Ratio;
}

/** Returns the modes of a strategy, the default first; empty for most. */
export function modesOf(name: StrategyName): readonly string[] {
  return Object.keys(STRATEGIES[name].modes ?? {});
}

/**
 * Returns the strategy of a plan. `addressesOf`: keys behind a node's name; a client's name is its address.
 */
export function strategyOf(plan: StrategyPlan, addressesOf: (party: Party) => readonly string[]): Strategy {
  const { name, towards, chance = { of: 1, in: 2 }, ...options } = plan;
  const { create, towards: byDefault } = STRATEGIES[name];
  const names = towards ?? (byDefault === "none" ? [] : undefined);
  const targets = names === undefined ? EVERY_VALIDATOR : new Set(names.flatMap(addressesOf));
  return create({ ...options, towards: targets, chance });
}
