/** Coverage of a run: its coverage points, alone and with each kind of fault in its scenario. */
import { COVERAGE_POINTS } from "../../core/validator/coverage-points.ts";
import type { AnyCoveragePoint } from "../../scenario/coverage-points.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { type FaultKind, faultKindsIn } from "../fuzz/fault-kinds.ts";

/** Kinds of faults in coverage items. */
const FAULTS = ["crash", "wipe", "partition", "loss", "order", "liar", "clock"] as const;

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
  byzantine: "liar",
  twin: "liar",
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
  if (scenario.steps?.some(({ disk }) => disk?.loses_last !== undefined) === true) found.add("liar");
  return FAULTS.filter((fault) => found.has(fault));
}
