/** Work that a turn has still to do. Modules put it here instead of calling each other in circles; `step` does it. */
import type { Address, Epoch, Hash, Millis, Round } from "../base/ids.ts";
import type { Slot } from "../base/slot.ts";
import type { RoundChange } from "../consensus/message.ts";
import type { Output } from "./output.ts";
import type { Cause } from "./slots/content.ts";
import type { ValidatorState } from "./state.ts";

export type Task =
  /** A slot was decided, or what it waited for arrived: apply it if it is next. */
  | { readonly do: "apply"; readonly slot: Slot }
  /** An account's next slot is open: relay what is pending for it. */
  | { readonly do: "advance"; readonly address: Address }
  /** A token has due operations or a new version. */
  | { readonly do: "token"; readonly token: Address }
  /** This validator is the proposer of a round and holds its justification. */
  | {
      readonly do: "propose";
      readonly slot: Slot;
      readonly round: Round;
      readonly forced: Hash | undefined;
      readonly justification: readonly RoundChange[];
    }
  /** A proposer sends its proposal again, or may by now be able to propose. */
  | { readonly do: "proposeAgain"; readonly slot: Slot }
  /** Something changed for the slots whose keys start so: judge again what waits there. */
  | { readonly do: "judgeAgain"; readonly prefix: string }
  /** Something was applied, or a checkpoint was: the next one may be due. */
  | { readonly do: "checkpoint" }
  /** A cause to close the epoch was seen. */
  | { readonly do: "close"; readonly cause: Cause }
  /** Closes have arrived, or what a closing needs: its proposer may be able to propose. */
  | { readonly do: "closing" }
  /**
   * A peer in this epoch asked for what is gone: `whole` where it is a link of the chain, so that nothing but a state
   * helps.
   */
  | { readonly do: "gone"; readonly to: Address; readonly epoch: Epoch; readonly whole: boolean }
  /** A content arrived: commit on its lock, propose it, apply its decision. */
  | { readonly do: "content"; readonly value: Hash };

/** One input on its way through a validator: the state, the outputs so far, the work still to do. */
export interface Turn {
  readonly state: ValidatorState;
  readonly at: Millis;
  /** What this validator's clock shows. */
  readonly clock: Millis;
  /** Whose message this is; this validator itself for every other input. */
  readonly from: Address;
  readonly outputs: Output[];
  readonly agenda: Task[];
}
