/** Context in which steps, triggers and workloads are compiled. */
import type { SignedProposal } from "../../core/base/epoch.ts";
import type { Directory } from "../directory.ts";
import type { FaultContext } from "../faults/fault.ts";
import type { Scenario } from "../scenario.ts";

export interface CompileContext extends FaultContext {
  readonly scenario: Scenario;
  readonly directory: Directory;
  readonly chainId: number;
  /** Seed of the run, from which `chaos` draws. */
  readonly seed: string;
  /** The signed proposal of each `govern` step, by step index; `undefined` for other steps. */
  readonly proposals: readonly (SignedProposal | undefined)[];
}
