/**
 * Bounds of an exploration: iterative deepening, from no rounds and crashes upwards, so that short counterexamples are
 * found early, and the report of bounds and model.
 */
import type { Scenario } from "../../scenario/scenario.ts";
import { demandsOf } from "../liveness/demands.ts";
import type { LivenessMode } from "../liveness/liveness.ts";
import { CHECKS } from "../model/checks.ts";
import { TRUE_GUARD } from "../model/guard.ts";
import type { SearchCoverage } from "../model/model.ts";
import { type ExplorationBounds, type System, type SystemOptions, systemOf } from "../model/system.ts";
import { accountValues, byzantineKinds } from "../model/values.ts";
import { type SearchOptions, type SearchProgress, type SearchResult, searchStates } from "./search.ts";

/** Result of one level. */
export interface Level extends SearchResult {
  readonly bounds: ExplorationBounds;
  /** Name of the Byzantine validator. */
  readonly byzantine: string;
}

interface DeepenOptions extends Omit<SearchOptions, "delays"> {
  /** Called with each finished level. */
  readonly onLevel?: (level: Level) => void;
}

/** Progress of an exploration. */
export interface DeepeningProgress extends SearchProgress, Pick<Level, "bounds" | "byzantine"> {}

/**
 * Returns all bounds up to these, fewest crashes first, then fewest rounds, each with every choice of the Byzantine
 * validator, or with the one that is named.
 */
function levelsUpTo(scenario: Scenario, options: SystemOptions): readonly Pick<Level, "bounds" | "byzantine">[] {
  const { rounds, crashes } = options.bounds;
  return Array.from({ length: (rounds + 1) * (crashes + 1) }, (_, level) => ({
    rounds: level % (rounds + 1),
    crashes: Math.floor(level / (rounds + 1)),
  })).flatMap((bounds) =>
    choicesOf(systemOf(scenario, { ...options, bounds }), options.byzantine).map((byzantine) => ({
      bounds,
      byzantine,
    })),
  );
}

/** Returns the Byzantine validators of the searches: the named one, or one of each kind. */
function choicesOf(system: System, name: string | undefined): readonly string[] {
  return name === undefined ? byzantineKinds(system).flatMap((kind) => kind.slice(-1)) : [name];
}

/** Explores level after level until a counterexample or a level that is not exhausted; `next(true)` stops it. */
export function* deepen(
  scenario: Scenario,
  options: DeepenOptions,
): Generator<DeepeningProgress, readonly Level[], boolean | undefined> {
  const levels: Level[] = [];
  const { onLevel, ...rest } = options;
  for (const step of levelsUpTo(scenario, options)) {
    const searching = searchStates(scenario, { ...rest, ...step });
    let slice = searching.next();
    while (slice.done !== true) slice = searching.next(yield { ...slice.value, ...step });
    const level = { ...slice.value, ...step };
    levels.push(level);
    onLevel?.(level);
    if (!level.exhausted) break;
  }
  return levels;
}

/** Returns true if these are all levels of the bounds, each exhausted without a counterexample. */
export function areAllExhausted(scenario: Scenario, options: SystemOptions, levels: readonly Level[]): boolean {
  const isComplete = levels.length >= levelsUpTo(scenario, options).length;
  return isComplete && levels.every(({ exhausted, counterexample }) => exhausted && counterexample === undefined);
}

/** Returns what any of these levels reached. */
export function coverageIn(levels: readonly Level[]): SearchCoverage {
  const all = levels.map(({ reached }) => reached);
  const union = <K extends "proposers" | "decided" | "coverage">(part: K): SearchCoverage[K] =>
    [...new Set(all.flatMap((reached) => reached[part] as readonly string[]))].sort() as unknown as SearchCoverage[K];
  return {
    round: Math.max(0, ...all.map(({ round }) => round)),
    proposers: union("proposers"),
    decided: union("decided"),
    coverage: union("coverage"),
  };
}

/** Returns sentences on what a search was meant to reach and did not, so that its result says less than its bounds. */
export function gapsIn({ rounds }: ExplorationBounds, { round, decided }: SearchCoverage): readonly string[] {
  return [
    ...(round < rounds
      ? [`no validator entered round ${round + 1}: the result says nothing about rounds beyond ${round}`]
      : []),
    ...(decided.length === 0 ? ["nothing was decided: the result says nothing about decisions"] : []),
  ];
}

/** Bounds in the JSON line; member names are part of the contract. */
export interface BoundsReport {
  readonly validators: number;
  /** Validators that are the Byzantine one, each in searches of its own. */
  readonly byzantine: readonly string[];
  /** Validators that are never the Byzantine one, and for which no other one stands. */
  readonly unchosen: readonly string[];
  /** Validators under symmetry reduction: states that differ only by a permutation of them count once. */
  readonly interchangeable: readonly string[];
  readonly rounds: number;
  readonly crashes: number;
  readonly operations: readonly string[];
  readonly values: readonly string[];
  readonly checks: readonly string[];
  /** States whose continuations are checked: `off` if there are no demands. */
  readonly liveness: LivenessMode;
  /** Decisions that every continuation has to make. */
  readonly owed: readonly string[];
  /** Sentences on what can happen, which states are equivalent and what is left out. */
  readonly model: readonly string[];
}

/** Returns the bounds of an exploration of this scenario. @throws NotExplorable if it cannot be explored. */
export function boundsReport(scenario: Scenario, options: SystemOptions, liveness: LivenessMode): BoundsReport {
  const system = systemOf(scenario, options);
  const kinds = byzantineKinds(system);
  const byzantine = choicesOf(system, options.byzantine);
  const owed = liveness === "off" ? [] : demandsOf(system).all.map(({ name }) => name);
  const { rounds, crashes } = system.bounds;
  const operations = [...system.operations, ...system.recoveries].map(({ name }) => name);
  const names = accountValues(system, () => TRUE_GUARD).map(({ name }) => name);
  return {
    validators: system.honest.length + 1,
    byzantine,
    unchosen: kinds.filter((kind) => !kind.some((name) => byzantine.includes(name))).flat(),
    interchangeable: kinds.find((kind) => kind.length > 1) ?? [],
    rounds,
    crashes,
    operations,
    values: [...new Set(names)],
    checks: Object.entries(CHECKS)
      .filter(([name]) => name !== "liveness" || owed.length > 0)
      .map(([name, section]) => `${name} (protocol ${section})`),
    liveness: owed.length > 0 ? liveness : "off",
    owed,
    model: liveness === "off" || owed.length === 0 ? MODEL : [...MODEL, CONTINUED[liveness]],
  };
}

/** Descriptions of the continuations for each liveness mode. */
const CONTINUED: Readonly<Record<Exclude<LivenessMode, "off">, string>> = {
  resting:
    "liveness: each resting state, and each in which all have decided but one, is continued without further faults until all demands are met, with each f honest validators as contacts of the clients, and with the Byzantine validator silent, silent after every vote and commit within the bounds, and correct",
  every:
    "liveness: each state is continued without further faults and earlier messages until all demands are met, with each f honest validators as contacts of the clients, and with the Byzantine validator silent, silent after every vote and commit within the bounds, and correct",
};

const MODEL: readonly string[] = [
  "the network keeps everything that was ever signed and delivers it to any validator, at any time, in any order, any number of times, or never",
  "the Byzantine validator signs every vote and commit, round changes and closes with every existing certificate or none, and proposals of the scenario's values in its turn and out of it, on every set of round changes or closes",
  "it shows certificates with a signature too few or one twice, and proposals on them, on too few round changes, on one twice, and on those to another round",
  "votes and commits reach a validator in groups of any values and rounds, up to a quorum, by different signers or two by the Byzantine one",
  "clients submit every operation to any validator at any time; timers fire at any time once they are set; a crash happens between any two outputs",
  "certificates are identified by slot, round and value, justifications by their locks, closings by the slots that they list, each independent of the signers",
  "normalization removes from memory whatever can be delivered again: incomplete groups, round changes, reasons, offers and pending operations; it assumes that the program needs none of them in a later step than the next one that signs",
  "the retry timer fires once or three times in a row; a timer of a round fires in that round only",
  "partial-order reduction: an invisible step is delayed until its validator next signs, so states are those after a signature, a crash, or a submission that a restriction may bar",
  "no validator leaves round 0 in an exploration of round 0 alone; two conflicting operations are a proof to leave it, submitted as a recovery or not",
  "left out: synchronisation and state transfer, checkpoints except closings, burns from other accounts, queue limits, malformed messages",
];
