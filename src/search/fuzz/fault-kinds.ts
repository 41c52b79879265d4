/** Kinds of faults in a scenario, by which a campaign attributes coverage points. */
import type { Scenario } from "../../scenario/scenario.ts";

/** Step verbs, and the faults of clients, twins and closing epochs. */
export type FaultKind =
  | "loss"
  | "duplicate"
  | "reorder"
  | "delay"
  | "disk"
  | "partition"
  | "cut"
  | "hold"
  | "drop"
  | "crash"
  | "wipe"
  | "clock"
  | "byzantine"
  | "twin"
  | "conflict"
  | "closing";

export const FAULT_KINDS: readonly FaultKind[] = [
  "loss",
  "duplicate",
  "reorder",
  "delay",
  "disk",
  "partition",
  "cut",
  "hold",
  "drop",
  "crash",
  "wipe",
  "clock",
  "byzantine",
  "twin",
  "conflict",
  "closing",
];

/** Returns the kinds that a scenario has at least once, in the order of `FAULT_KINDS`. */
export function faultKindsIn(scenario: Scenario): readonly FaultKind[] {
  return FAULT_KINDS.filter((kind) => hasKind(scenario, kind));
}

function hasKind({ network = {}, clients = {}, genesis, steps = [] }: Scenario, kind: FaultKind): boolean {
  switch (kind) {
    case "twin":
      return (network.twins ?? []).length > 0;
    // A scripted client signs two operations for one nonce.
    case "conflict":
      return Object.values(clients).some(({ behaviour }) => behaviour === "scripted");
    case "closing":
      return genesis?.epochs !== undefined || steps.some(({ govern }) => govern !== undefined);
    case "loss":
    case "duplicate":
    case "reorder":
      return network[kind] !== undefined || steps.some((step) => step[kind] !== undefined);
    default:
      return steps.some((step) => step[kind] !== undefined);
  }
}
