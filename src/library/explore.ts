/** Every schedule of a small scenario in this process, with the real program or with one that somebody has changed. */
import { findBug } from "../bugs/catalogue.ts";
import { variantOf } from "../bugs/variant.ts";
import type { ArenaOptions } from "../explore/arena.ts";
import { type ToldBounds, toldBounds } from "../explore/bounds-told.ts";
import { confirm } from "../explore/confirm.ts";
import { areAllExhausted, deepen } from "../explore/deepen.ts";
import { STATES_DEFAULT } from "../explore/limits.ts";
import { LIVENESS_DEFAULT, type LivenessMode } from "../explore/liveness.ts";
import type { Breach } from "../explore/walk.ts";
import { finished } from "../run/sliced.ts";
import type { NamedViolation } from "../run/verdict.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type Changes, variantIn } from "./changed.ts";
import { scenario as checked } from "./scenario.ts";

/** How far to explore. All of it may be left out. */
export interface ExploreOptions extends Changes {
  /** The highest round of any slot; default 1. */
  readonly rounds?: number;
  /** Crashes of honest validators, all together; default 0. */
  readonly crashes?: number;
  /** Who lies; default: the last validator. */
  readonly byzantine?: string;
  /** States of one level of bounds after which it gives up. */
  readonly states?: number;
  /** Which states are continued without further faults until everything owed is decided; default "resting". */
  readonly liveness?: LivenessMode;
}

/** What came of an exploration. */
export interface Exploration {
  /** Of all levels together: without rounds and crashes first, then with ever more of them. */
  readonly states: number;
  readonly transitions: number;
  /** Whether everything within the bounds was looked at, and nothing broke. */
  readonly exhausted: boolean;
  /** What was looked at, and in sentences what was left out. */
  readonly bounds: ToldBounds;
  /** The shortest way to what broke; `undefined` where nothing did. */
  readonly breach: ExploredBreach | undefined;
}

export interface ExploredBreach {
  /** The check that failed, and what it saw. */
  readonly check: string;
  readonly detail: string;
  /** Who was told what, a line a step. */
  readonly path: readonly string[];
  /** What the ordinary oracles found on the same way; empty where only the check sees it. */
  readonly violations: readonly NamedViolation[];
  /** For a breach of liveness: the stall of the same path by validators that forget nothing; `undefined` where they decide. */
  readonly stall: string | undefined;
}

/**
 * Explores a scenario within its bounds: the text of a file, or plain data; a known-bad variant that it names runs in it.
 * @throws ScenarioError for a scenario that makes no sense, NotExplorable for one that is too much for an exploration.
 */
export function explore(input: string | Scenario, options: ExploreOptions = {}): Exploration {
  const scenario = checked(input);
  const { rounds = 1, crashes = 0, byzantine, states = STATES_DEFAULT, liveness = LIVENESS_DEFAULT } = options;
  const bounds = { rounds, crashes };
  const variant = variantIn(options) ?? variantOf(findBug(scenario.bug ?? ""));
  const arena = { bounds, byzantine, variant };
  const levels = finished(deepen(scenario, { ...arena, states, liveness, done: [] }));
  const last = levels.at(-1);
  const breach = last?.breach;
  return {
    states: levels.reduce((sum, level) => sum + level.states, 0),
    transitions: levels.reduce((sum, level) => sum + level.transitions, 0),
    exhausted: areAllExhausted(bounds, levels),
    bounds: toldBounds(scenario, arena, liveness),
    breach:
      breach === undefined || last === undefined
        ? undefined
        : {
            check: breach.check,
            detail: breach.words,
            path: breach.path.map(({ who, what }) => `${who}: ${what}`),
            ...confirmed(scenario, { ...arena, bounds: last.bounds }, breach),
          },
  };
}

function confirmed(
  scenario: Scenario,
  options: ArenaOptions,
  { path, check }: Breach,
): Pick<ExploredBreach, "violations" | "stall"> {
  const { violations, stall } = confirm(scenario, options, path, check);
  return { violations, stall };
}
