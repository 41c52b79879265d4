/** What a run reached: its marks, and its marks beside each kind of fault that its scenario has. */
import type { Mark } from "../../core/validator/marks.ts";
import type { Scenario, Step } from "../scenario.ts";

/** Kinds of faults, as far as marks are told apart by them. */
const FAULTS = ["crash", "wipe", "partition", "loss", "order", "liar", "clock"] as const;

type Fault = (typeof FAULTS)[number];

/** `lock carried`, or `lock carried beside crash`. */
export type Reached = string;

/** All that a run of the scenario with these marks reached. */
export function reachedBy(scenario: Scenario, marks: ReadonlyMap<Mark, number>): ReadonlySet<Reached> {
  const faults = faultsIn(scenario);
  return new Set([...marks.keys()].flatMap((mark) => [mark, ...faults.map((fault) => `${mark} beside ${fault}`)]));
}

function faultsIn({ network = {}, steps = [] }: Scenario): readonly Fault[] {
  const found = new Set<Fault>(steps.flatMap((step) => faultOf(step) ?? []));
  if (network.loss !== undefined) found.add("loss");
  if (network.reorder !== undefined || network.duplicate !== undefined) found.add("order");
  if (network.twins !== undefined) found.add("liar");
  return FAULTS.filter((fault) => found.has(fault));
}

function faultOf(step: Step): Fault | undefined {
  if (step.crash !== undefined) return "crash";
  if (step.wipe !== undefined) return "wipe";
  if (step.partition !== undefined || step.cut !== undefined) return "partition";
  if (step.loss !== undefined || step.drop !== undefined) return "loss";
  if (step.hold !== undefined || step.delay !== undefined) return "order";
  if (step.reorder !== undefined || step.duplicate !== undefined) return "order";
  if (step.byzantine !== undefined || step.disk?.loses_last !== undefined) return "liar";
  return step.clock === undefined ? undefined : "clock";
}
