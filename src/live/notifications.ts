/** Notifications of a served network. */
import type { Epoch } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import type { Finding } from "../invariants/judge.ts";
import type { ChainLink } from "../run/checkpoint-chain.ts";
import type { NodeName } from "../simulator/settings.ts";
import type { ArchivedSubmission, FinalRecord } from "./archive.ts";

export type Notification =
  | { readonly type: "checkpoint"; readonly link: ChainLink }
  /** A validator has admitted the operation. */
  | { readonly type: "submitted"; readonly copy: ArchivedSubmission; readonly node: NodeName }
  /** Number of validators that have voted for the operation in its slot. */
  | {
      readonly type: "signed";
      readonly id: OperationId;
      readonly signers: number;
      readonly validators: number;
      readonly round: number;
    }
  /** The first validator has committed: it has seen a lock certificate. */
  | { readonly type: "locked"; readonly id: OperationId; readonly round: number }
  | { readonly type: "final"; readonly id: OperationId; readonly final: FinalRecord }
  | { readonly type: "superseded"; readonly id: OperationId; readonly by: OperationId }
  | { readonly type: "void"; readonly id: OperationId; readonly epoch: Epoch }
  | { readonly type: "refused"; readonly id: OperationId; readonly code: string }
  | { readonly type: "violation"; readonly finding: Finding };
