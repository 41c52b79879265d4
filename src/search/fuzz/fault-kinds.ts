/** Which kinds of faults a drawn world has: by them a campaign tells where its marks come from. */
import type { Scenario } from "../../scenario/scenario.ts";

/** As steps of a file say them, and what clients, twins and closing epochs add. */
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

/** The kinds that a world has at least once, in the order of `FAULT_KINDS`. */
export function faultKindsIn(scenario: Scenario): readonly FaultKind[] {
  return FAULT_KINDS.filter((kind) => hasKind(scenario, kind));
}

function hasKind({ network = {}, clients = {}, genesis, steps = [] }: Scenario, kind: FaultKind): boolean {
  switch (kind) {
    case "twin":
      return (network.twins ?? []).length > 0;
    // A scripted client is one that signs two operations for one nonce.
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
