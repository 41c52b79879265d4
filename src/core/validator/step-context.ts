/** Context of one step: the state, the outputs so far and the tasks that remain, with the functions that add outputs. */
import type { Address, Epoch, Hash, Millis, Round } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import { type Slot, type SlotKey, slotKey } from "../base/slot.ts";
import type { RoundChange, StatementContent } from "../consensus/message.ts";
import type { Cause, Content } from "./content.ts";
import type { CoveragePoint } from "./coverage-points.ts";
import type { Peer, PeerMessage, Reason } from "./message.ts";
import type { Misbehaviour, Output, Reply } from "./output.ts";
import type { ValidatorState } from "./state.ts";
import type { ChargedItem } from "./sub-states.ts";
import { type Timer, timerName } from "./timer.ts";

/** Task that a step still has to do. Modules add tasks instead of calling each other in cycles; `step` runs them. */
export type Task = Readonly<
  /** A slot was decided, or its missing input arrived: apply it if it is the next slot. */
  | { do: "apply"; slot: Slot }
  /** An account's next slot is open: relay what is pending for it. */
  | { do: "advance"; address: Address }
  /** A token has due operations or a new version. */
  | { do: "token"; token: Address }
  /** This validator is the proposer of a round and has its justification. */
  | { do: "propose"; slot: Slot; round: Round; forced: Hash | undefined; justification: readonly RoundChange[] }
  /** Resend this validator's proposal, or retry a proposal that was impossible before. */
  | { do: "proposeAgain"; slot: Slot }
  /** Recheck the waiting values of the slots whose keys start with `prefix`; only those that lack this slot, if any. */
  | { do: "judgeAgain"; prefix: string; lacking?: SlotKey }
  /** Drop what a peer has shown: its budget needs the room. */
  | { do: "drop"; peer: Peer; charged: ChargedItem }
  /** A slot or a checkpoint was applied: the next checkpoint may be due. */
  | { do: "checkpoint" }
  /** Close the epoch for this cause. */
  | { do: "close"; cause: Cause }
  /** Closes or missing contents arrived: the proposer of the closing may be able to propose. */
  | { do: "closing" }
  /**
   * Offer a peer of this epoch the state of a checkpoint, because the records that it requested are pruned. `whole`: it
   * requested a chain link, so only a state transfer helps.
   */
  | { do: "gone"; to: Address; epoch: Epoch; whole: boolean }
  /** A content arrived: commit on its lock, propose it, apply its decision. */
  | { do: "content"; value: Hash }
>;

/** Task to propose in a round. */
export type ProposeTask = Extract<Task, { do: "propose" }>;

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

/** Sends to these peers; does nothing for an empty list. */
export function send(context: StepContext, to: readonly Peer[], message: PeerMessage): void {
  if (to.length > 0) context.outputs.push({ type: "send", to, message });
}

/**
 * Has the shell sign a consensus message and send it; does nothing outside the committee, nor in a closed epoch except
 * about its closing, for any request: a durable statement may be unsigned, because a crash came between (protocol 1.4).
 */
export function sign(
  context: StepContext,
  to: readonly Peer[],
  body: StatementContent,
  contents: readonly Content[] = [],
  reason?: Reason,
): void {
  if (!context.state.environment.rules.validator.isOpen(context.state, body.slot)) return;
  if (isMember(context.state))
    context.outputs.push({ type: "sign", to, message: { type: "consensus", body, contents, reason } });
}

/** Returns true if its signatures count in this epoch. */
export function isMember({ environment: { committee, self } }: Pick<ValidatorState, "environment">): boolean {
  return committee.index.has(self);
}

export function coverage(context: StepContext, name: CoveragePoint): void {
  context.outputs.push({ type: "coverage", point: name });
}

export function report(
  context: StepContext,
  peer: Address,
  misbehaviour: Misbehaviour,
  slot: string,
  detail?: string,
): void {
  if (peer === context.state.environment.self) return;
  coverage(context, `reported: ${misbehaviour}`);
  context.outputs.push({ type: "report", peer, misbehaviour, slot, ...(detail === undefined ? {} : { detail }) });
}

/** Sets a timer `inMs` from now. */
export function setTimer(context: StepContext, timer: Timer, inMs: number, background = false): void {
  context.outputs.push({ type: "setTimer", name: timerName(timer), at: (context.at + inMs) as Millis, background });
}

/** Cancels a timer, set or not. */
export function cancelTimer({ outputs }: StepContext, timer: Timer): void {
  outputs.push({ type: "cancelTimer", name: timerName(timer) });
}

/** Replies to every client that is subscribed to an operation. */
export function replyTo(context: StepContext, id: OperationId, reply: Reply): void {
  for (const client of context.state.mempool.subscribers.get(id) ?? [])
    context.outputs.push({ type: "reply", client, id, reply });
}

/** Has what waits for an account checked again, and what is pending for it relayed. */
export function wake({ agenda }: StepContext, address: Address): void {
  agenda.push({ do: "judgeAgain", prefix: `account/${address}/` }, { do: "advance", address });
}

/** Returns the members of the committee, this validator included if it is one: its own message returns by loopback. */
export function allPeers(context: StepContext): readonly Peer[] {
  return context.state.environment.committee.members;
}

/**
 * Halts at a decision of `slot`; only the first call has an effect. A valid certificate that contradicts this
 * validator's own ledger proves that more than f members are Byzantine: neither side can be trusted. The validator
 * reports it once and ignores every further input. Its records stay, so after a restart it finds the same contradiction
 * and halts again.
 */
export function halt(context: StepContext, slot: Slot, reason: string): void {
  const { state } = context;
  if (state.halted !== undefined) return;
  state.halted = { slot: slotKey(slot), reason };
  coverage(context, "halted");
  context.outputs.push({ type: "event", event: { type: "halted", slot, reason } });
}
