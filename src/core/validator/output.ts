/** Outputs of a validator, and an interpreter with one hook for each kind. */
import type { Address, Epoch, Millis } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import type { Receipt, Refusal } from "../base/refusal.ts";
import { type LedgerSlot, type LedgerValue, paddedNumber, type Slot, type SlotKey } from "../base/slot.ts";
import type { Close, FinalityCertificate, Seal } from "../consensus/message.ts";
import type { SlotMisbehaviour, SlotState } from "../consensus/slot-state.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { Cause, ChainContent, CheckpointContent, ClosingContent, Content, Decision } from "./content.ts";
import type { CoveragePoint } from "./coverage-points.ts";
import type { ClientName, EpochLink, Peer, PeerMessage, SlotReason, UnsignedMessage } from "./message.ts";

/** Durable record of a validator; a later record of a key replaces the earlier one. */
export type DurableRecord = SlotRecord | Snapshot | CloseRecord | EpochLinkRecord | OpaqueRecord;

type DurableMember =
  | ("epoch" | "slot" | "round" | "votes" | "commits")
  /** `proposed`: a restarted proposer resends the same one. */
  | ("proposed" | "lock" | "carried" | "decided");

/** Durable part of a slot's state. */
export interface SlotRecord extends Pick<SlotState, DurableMember> {
  readonly of: "slot";
  readonly contents: readonly Content[];
  /** Reasons for which it left round 0, so that a restarted validator can still disclose them. */
  readonly reasons: readonly SlotReason[];
}

/** Close of an epoch by this validator, and its cause: after a restart it sends the same close. */
export type CloseRecord = Readonly<{ of: "closed"; close: Omit<Close, keyof Seal>; cause: Cause }>;

/** Closing that is applied here. */
export type EpochLinkRecord = Readonly<{ of: "link"; link: EpochLink }>;

/** Last final checkpoint or closing: replaces the erased records of all slots that it and its ancestors list. */
export interface Snapshot extends Decision {
  readonly of: "snapshot";
  /** State after it. */
  readonly state: LedgerState;
}

/** Record of a validator program with records of its own, in hex digits. */
export type OpaqueRecord = Readonly<{ of: "opaque"; bytes: string }>;

/** Key of the single record of a closed epoch. */
export const CLOSE_RECORD_KEY = "closed";

/** Returns the key of an epoch link. */
export function epochLinkKey(epoch: Epoch): string {
  return `link/${paddedNumber(epoch)}`;
}

/** Key of the single snapshot. */
export const SNAPSHOT_KEY = "snapshot";

/** Reply to a client about an operation. */
export type Reply = Readonly<
  /**
   * `barred`: the operation is disclosed, and this validator refuses it because a restriction came between two votes.
   * It may stay undecided until the restriction is lifted: a correct client cancels its nonce (protocol 4.2).
   */
  | { status: "pending"; barred?: Refusal }
  | ({ status: "final"; receipt: Receipt } & Decision)
  /**
   * False if this validator has disclosed the operation to no other: a client to which all validators that it asked say
   * so may sign another one for its nonce (protocol 4.2).
   */
  | { status: "refused"; refusal: Refusal; disclosed: boolean }
  | { status: "superseded"; by: OperationId }
  /** Its nonce was used up before the oldest checkpoint kept here: only an archive knows the outcome. */
  | { status: "settled" }
  /** Its epoch closed without it, undecided: the same operation may be submitted again (protocol 6.3). */
  | { status: "void"; epoch: Epoch }
>;

/** Rules that a peer was seen to break. */
export type Misbehaviour =
  | SlotMisbehaviour
  | "malformed content"
  | "false checkpoint"
  | "false closing"
  | "double close"
  | "wrong epoch"
  | "false state";

/**
 * Effect of a step, in order. `persist` precedes the `sign` or `send` that it covers, and the world may crash the node
 * between any two.
 */
export type Output = Readonly<
  | { type: "persist"; key: string; record: DurableRecord }
  /** Erases a record that a snapshot, durable by then, replaces. */
  | { type: "erase"; key: string }
  /** The shell signs the body with this validator's key and sends it; `to` may name the validator itself. */
  | { type: "sign"; to: readonly Peer[]; message: UnsignedMessage }
  | { type: "send"; to: readonly Peer[]; message: PeerMessage }
  /** Sets the timer of this name, replacing one that is set. `background` timers never keep a world awake. */
  | { type: "setTimer"; name: string; at: Millis; background: boolean }
  | { type: "cancelTimer"; name: string }
  | { type: "reply"; client: ClientName; id: OperationId; reply: Reply }
  | { type: "event"; event: ValidatorEvent }
  | { type: "report"; peer: Address; misbehaviour: Misbehaviour; slot: SlotKey; detail?: string }
  /** Reached coverage point. */
  | { type: "coverage"; point: CoveragePoint }
>;

/** Event for observers. */
export type ValidatorEvent = Readonly<
  | { type: "decided"; certificate: FinalityCertificate; content: Content | undefined }
  | { type: "applied"; slot: LedgerSlot; value: LedgerValue; content: Content; receipts: readonly Receipt[] }
  /**
   * A final checkpoint was applied, which leads to this state: the slots that it lists took effect before, here or by
   * `applied` events of this step.
   */
  | ({ type: "checkpointed"; state: LedgerState } & Decision<CheckpointContent>)
  /** A closing was applied, likewise. With this state, in which the fees are shared, the next epoch begins. */
  | ({ type: "closed"; state: LedgerState } & Decision<ClosingContent>)
  /** A decision of `slot` contradicts this validator's ledger: it ignores every input from here on. */
  | { type: "halted"; slot: Slot; reason: string }
  /** The state of a checkpoint or closing was transferred and replaces the previous state. */
  | ({ type: "joined"; state: LedgerState } & Decision<ChainContent>)
>;

/** Output of one kind. */
export type OutputOf<Kind extends Output["type"]> = Extract<Output, { readonly type: Kind }>;

/** Hooks for all kinds of outputs; `node` is the caller's own record of the validator that made the output. */
export type OutputHandler<Node> = {
  [Kind in Output["type"]]: (node: Node, output: OutputOf<Kind>) => void;
};

/** Carries out one output: calls the hook of its kind, if the handler has one. */
export function carryOut<Node>(handler: Partial<OutputHandler<Node>>, node: Node, output: Output): void {
  (handler[output.type] as ((node: Node, output: Output) => void) | undefined)?.(node, output);
}
