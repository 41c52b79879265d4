/**
 * Tasks that a step still has to do. Modules add tasks here instead of calling each other in cycles; `step` runs them.
 */
import type { Address, Epoch, Hash, Millis, Round } from "../base/ids.ts";
import type { Slot } from "../base/slot.ts";
import type { RoundChange } from "../consensus/message.ts";
import type { Output } from "./output.ts";
import type { Cause } from "./slots/content.ts";
import type { ValidatorState } from "./state.ts";

export type Task =
  /** A slot was decided, or its missing input arrived: apply it if it is the next slot. */
  | { readonly do: "apply"; readonly slot: Slot }
  /** An account's next slot is open: relay what is pending for it. */
  | { readonly do: "advance"; readonly address: Address }
  /** A token has due operations or a new version. */
  | { readonly do: "token"; readonly token: Address }
  /** This validator is the proposer of a round and has its justification. */
  | {
      readonly do: "propose";
      readonly slot: Slot;
      readonly round: Round;
      readonly forced: Hash | undefined;
      readonly justification: readonly RoundChange[];
    }
  /** Resend this validator's proposal, or retry a proposal that was impossible before. */
  | { readonly do: "proposeAgain"; readonly slot: Slot }
  /** Recheck the waiting values of the slots whose keys start with `prefix`. */
  | { readonly do: "judgeAgain"; readonly prefix: string }
  /** A slot or a checkpoint was applied: the next checkpoint may be due. */
  | { readonly do: "checkpoint" }
  /** Close the epoch for this cause. */
  | { readonly do: "close"; readonly cause: Cause }
  /** Closes or missing contents arrived: the proposer of the closing may be able to propose. */
  | { readonly do: "closing" }
  /**
   * Offer a peer of this epoch the state of a checkpoint, because the records that it requested are pruned. `whole`: it
   * requested a chain link, so only a state transfer helps.
   */
  | { readonly do: "gone"; readonly to: Address; readonly epoch: Epoch; readonly whole: boolean }
  /** A content arrived: commit on its lock, propose it, apply its decision. */
  | { readonly do: "content"; readonly value: Hash };

/** Context of one step: the state, the outputs so far, the remaining tasks. */
export interface StepContext {
  readonly state: ValidatorState;
  readonly at: Millis;
  /** Reading of this validator's clock. */
  readonly clock: Millis;
  /** Sender of the message; this validator itself for every other input. */
  readonly from: Address;
  readonly outputs: Output[];
  readonly agenda: Task[];
}
