/** Coverage of a run: its coverage points, alone and with each kind of fault in its scenario. */
import { MARKS } from "../../core/validator/marks.ts";
import type { AnyMark } from "../../scenario/coverage-points.ts";
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
export type Reached = string;

/** Returns the coverage items of validators in a run of the scenario. */
export function reachedBy(scenario: Scenario, marks: ReadonlyMap<AnyMark, number>): ReadonlySet<Reached> {
  const faults = faultsIn(scenario);
  const inValidators = [...marks.keys()].filter((mark) => Object.hasOwn(MARKS, mark));
  return new Set(inValidators.flatMap((mark) => [mark, ...faults.map((fault) => `${mark} beside ${fault}`)]));
}

function faultsIn(scenario: Scenario): readonly Fault[] {
  const found = new Set(faultKindsIn(scenario).map((kind) => FAULT_OF[kind]));
  // A disk that loses acknowledged writes makes its validator Byzantine.
  if (scenario.steps?.some(({ disk }) => disk?.loses_last !== undefined) === true) found.add("liar");
  return FAULTS.filter((fault) => found.has(fault));
}
