/** Exhaustive exploration of a small scenario in this process, with the real program or a custom one. */
import { findBug } from "../bugs/catalogue.ts";
import { variantOf } from "../bugs/known-bad-variant.ts";
import { STATES_MAX } from "../explore/limits.ts";
import { LIVENESS_DEFAULT, type LivenessMode } from "../explore/liveness/liveness.ts";
import type { SearchCoverage } from "../explore/model/model.ts";
import { areAllExhausted, type BoundsReport, boundsReport, coverageIn, deepen } from "../explore/search/deepen.ts";
import { runToEnd } from "../run/interruptible.ts";
import type { NamedViolation } from "../run/verdict.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { scenario as checked } from "./scenario.ts";
import { type CustomProgram, variantIn } from "./simulate.ts";

/** Bounds and checks of an exploration; all optional. */
export interface ExploreOptions extends CustomProgram {
  /** The highest round of any slot; default 1. */
  readonly rounds?: number;
  /** Total crashes of honest validators; default 0. */
  readonly crashes?: number;
  /** The Byzantine validator; default: each in turn, interchangeable ones once. */
  readonly byzantine?: string;
  /** Most states of one level. */
  readonly states?: number;
  /** States whose fair continuations are checked for liveness; default "resting". */
  readonly liveness?: LivenessMode;
}

/** Result of an exploration. */
export interface Exploration {
  /** Total over all levels of iterative deepening. */
  readonly states: number;
  readonly transitions: number;
  /** True if all states within the bounds are visited without a violation. */
  readonly exhausted: boolean;
  /** Rounds, proposers, decisions and coverage points that the searches reached. */
  readonly reached: SearchCoverage;
  /** The bounds, and as sentences what they exclude. */
  readonly bounds: BoundsReport;
  /** The shortest counterexample; `undefined` without a violation. */
  readonly counterexample: ExploredCounterexample | undefined;
}

export interface ExploredCounterexample {
  /** Name of the violated check; `detail`: the violation in a sentence. */
  readonly check: string;
  readonly detail: string;
  /** One line per step. */
  readonly path: readonly string[];
  /** Violations that the oracles of runs find on the same path; may be empty. */
  readonly violations: readonly NamedViolation[];
  /** Of a liveness violation: the stall of the path without normalization; `undefined` if it decides there. */
  readonly stall: string | undefined;
}

/**
 * Explores a scenario, given as the text of a file or as plain data, under its known-bad variant if it names one.
 * @throws ScenarioError for an invalid scenario, NotExplorable for one that the explorer does not support
 */
export function explore(input: string | Scenario, options: ExploreOptions = {}): Exploration {
  const scenario = checked(input);
  const { rounds = 1, crashes = 0, byzantine, states = STATES_MAX, liveness = LIVENESS_DEFAULT } = options;
  const bounds = { rounds, crashes };
  const variant = variantIn(options) ?? variantOf(findBug(scenario.bug ?? ""));
  const systemOptions = { bounds, byzantine, variant };
  const levels = runToEnd(deepen(scenario, { ...systemOptions, states, liveness }));
  const last = levels.at(-1);
  const breach = last?.counterexample;
  return {
    states: levels.reduce((sum, level) => sum + level.states, 0),
    transitions: levels.reduce((sum, level) => sum + level.transitions, 0),
    exhausted: areAllExhausted(scenario, systemOptions, levels),
    reached: coverageIn(levels),
    bounds: boundsReport(scenario, systemOptions, liveness),
    counterexample: breach && {
      check: breach.check,
      detail: breach.text,
      path: breach.path.map(({ who, what }) => `${who}: ${what}`),
      violations: breach.validated.violations,
      stall: breach.validated.stall,
    },
  };
}
