/** Corpus: a small set of scenarios that together reach the coverage of many. */

import { COVERAGE_POINTS } from "../../core/validator/coverage-points.ts";
import type { AnyCoveragePoint } from "../../scenario/coverage-points.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { type FaultKind, faultKindsIn } from "../fuzz/tally.ts";

/** Scenario of the corpus, which passes under the default seed. */
export interface CorpusScenario {
  /** File name without folder and suffix. */
  readonly name: string;
  readonly scenario: Scenario;
  readonly coverage: ReadonlySet<CoverageItem>;
  /** Events of its run. */
  readonly events: number;
}

/** Returns the coverage items of a run that the corpus lacks. */
export function newCoverage(
  reached: ReadonlySet<CoverageItem>,
  scenarios: readonly CorpusScenario[],
): readonly CoverageItem[] {
  return [...reached].filter((one) => !scenarios.some((scenario) => scenario.coverage.has(one)));
}

/**
 * Adds a scenario if it reaches new coverage or replaces larger ones, else returns the corpus unchanged. Then removes
 * scenarios without coverage of their own, the largest first.
 */
export function withScenario(
  scenarios: readonly CorpusScenario[],
  candidate: CorpusScenario,
): readonly CorpusScenario[] {
  if (newCoverage(candidate.coverage, scenarios).length > 0) return dropRedundant([...scenarios, candidate]);
  const larger = sortBySize(scenarios).find(
    (scenario) =>
      isLarger(scenario, candidate) &&
      newCoverage(scenario.coverage, [...scenarios.filter((other) => other !== scenario), candidate]).length === 0,
  );
  return larger === undefined
    ? scenarios
    : dropRedundant([...scenarios.filter((scenario) => scenario !== larger), candidate]);
}

/** Removes scenarios whose coverage the others have. */
function dropRedundant(scenarios: readonly CorpusScenario[]): readonly CorpusScenario[] {
  let kept = scenarios;
  for (const scenario of sortBySize(scenarios)) {
    const rest = kept.filter((other) => other !== scenario);
    if (newCoverage(scenario.coverage, rest).length === 0) kept = rest;
  }
  return kept;
}

/** Sorts by size, largest first, then by name. */
function sortBySize(scenarios: readonly CorpusScenario[]): readonly CorpusScenario[] {
  return [...scenarios].sort((a, b) => sizeOf(b) - sizeOf(a) || b.events - a.events || (a.name < b.name ? -1 : 1));
}

function isLarger(scenario: CorpusScenario, other: CorpusScenario): boolean {
  return sizeOf(scenario) > sizeOf(other) || (sizeOf(scenario) === sizeOf(other) && scenario.events > other.events);
}

function sizeOf({ scenario }: CorpusScenario): number {
  return scenario.steps?.length ?? 0;
}

/** Kinds of faults in coverage items. */
const FAULTS = ["crash", "wipe", "partition", "loss", "order", "byzantine", "clock"] as const;

type Fault = (typeof FAULTS)[number];

/** Maps the campaign's kinds of faults to these; `undefined` for what is no fault. */
const FAULT_OF: Readonly<Record<FaultKind, Fault | undefined>> = {
  crash: "crash",
  wipe: "wipe",
  partition: "partition",
  cut: "partition",
  loss: "loss",
  drop: "loss",
  hold: "order",
  delay: "order",
  reorder: "order",
  duplicate: "order",
  byzantine: "byzantine",
  twin: "byzantine",
  clock: "clock",
  disk: undefined,
  conflict: undefined,
  closing: undefined,
};

/** Coverage item: `lock carried`, or `lock carried beside crash`. */
export type CoverageItem = string;

/** Returns the coverage items of validators in a run of the scenario. */
export function coverageOf(
  scenario: Scenario,
  points: ReadonlyMap<AnyCoveragePoint, number>,
): ReadonlySet<CoverageItem> {
  const faults = faultsIn(scenario);
  const inValidators = [...points.keys()].filter((point) => Object.hasOwn(COVERAGE_POINTS, point));
  return new Set(inValidators.flatMap((point) => [point, ...faults.map((fault) => `${point} beside ${fault}`)]));
}

function faultsIn(scenario: Scenario): readonly Fault[] {
  const found = new Set(faultKindsIn(scenario).map((kind) => FAULT_OF[kind]));
  // A disk that loses acknowledged writes makes its validator Byzantine.
  if (scenario.steps?.some(({ disk }) => disk?.loses_last !== undefined) === true) found.add("byzantine");
  return FAULTS.filter((fault) => found.has(fault));
}
