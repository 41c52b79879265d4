import type { Address, Epoch, Hash, Millis, Round } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import type { Receipt, Refusal } from "../base/refusal.ts";
import { type LedgerSlot, type LedgerValue, paddedNumber, type Slot, type SlotKey } from "../base/slot.ts";
import type { Close, FinalityCertificate, LockCertificate, RoundChange, Seal } from "../consensus/message.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { Cause, ChainContent, CheckpointContent, ClosingContent, Content } from "./content.ts";
import type { CoveragePoint } from "./coverage-points.ts";
import type { ClientName, EpochLink, Peer, PeerMessage, SlotReason, UnsignedMessage } from "./message.ts";

/** Durable record of a validator; a later record of a key replaces the earlier one. */
export type DurableRecord = SlotRecord | Snapshot | FirstStartRecord | CloseRecord | EpochLinkRecord;

/** Durable part of a slot's state. */
export interface SlotRecord {
  readonly of: "slot";
  readonly epoch: Epoch;
  readonly slot: Slot;
  readonly round: Round;
  readonly votes: readonly { readonly round: Round; readonly value: Hash }[];
  readonly commits: readonly { readonly round: Round; readonly value: Hash }[];
  /** Its last proposal, so that a restarted proposer resends the same one. */
  readonly proposed:
    | { readonly round: Round; readonly value: Hash; readonly justification: readonly RoundChange[] }
    | undefined;
  readonly lock: LockCertificate | undefined;
  readonly carried: LockCertificate | undefined;
  readonly decided: FinalityCertificate | undefined;
  readonly contents: readonly Content[];
  /** Reasons for which it left round 0, so that a restarted validator can still disclose them. */
  readonly reasons: readonly SlotReason[];
}

/** Close of an epoch by this validator, and its cause: after a restart it sends the same close. */
export interface CloseRecord {
  readonly of: "closed";
  readonly close: Omit<Close, keyof Seal>;
  readonly cause: Cause;
}

/** Closing that is applied here. */
export interface EpochLinkRecord {
  readonly of: "link";
  readonly link: EpochLink;
}

/**
 * Last final checkpoint or closing: it replaces every slot that it and its ancestors list, whose records are erased.
 */
export interface Snapshot {
  readonly of: "snapshot";
  readonly certificate: FinalityCertificate;
  readonly content: Content;
  /** State after it. */
  readonly state: LedgerState;
}

/** Written before every other record: a validator that starts without it has lost its disk. */
export interface FirstStartRecord {
  readonly of: "birth";
  /** First epoch in which it may sign: 0, or `undefined` (unknown) after its disk was lost (protocol 11.3). */
  readonly signsFrom: Epoch | undefined;
}

/** Key of the single first-start record. */
export const FIRST_START_KEY = "birth";

/** Key of the single record of a closed epoch. */
export const CLOSE_RECORD_KEY = "closed";

/** Returns the key of an epoch link. */
export function epochLinkKey(epoch: Epoch): string {
  return `link/${paddedNumber(epoch)}`;
}

/** Key of the single snapshot. */
export const SNAPSHOT_KEY = "snapshot";

/** Reply to a client about an operation. */
export type Reply =
  /**
   * `barred`: the operation is disclosed, and this validator refuses it because a restriction came between two votes.
   * It may stay undecided until the restriction is lifted: a correct client cancels its nonce (protocol 4.2).
   */
  | { readonly status: "pending"; readonly barred?: Refusal }
  | {
      readonly status: "final";
      readonly receipt: Receipt;
      readonly certificate: FinalityCertificate;
      readonly content: Content;
    }
  /**
   * False if no other validator has seen the operation: the client may sign another one for its nonce (protocol 4.2).
   * Also true if a copy that others disclosed may have been evicted here, because disclosure is then unknown.
   */
  | { readonly status: "refused"; readonly refusal: Refusal; readonly disclosed: boolean }
  | { readonly status: "superseded"; readonly by: OperationId }
  /** Its nonce was used up before the oldest checkpoint kept here: only an archive knows the outcome. */
  | { readonly status: "settled" }
  /**
   * Its epoch closed without it: nothing of it is decided, and the same operation may be submitted again (protocol
   * 6.3).
   */
  | { readonly status: "void"; readonly epoch: Epoch };

/** Rules that a peer was seen to break. */
export type Misbehaviour =
  | "double vote"
  | "double commit"
  | "double round change"
  | "double proposal"
  | "hidden lock"
  | "invalid signature"
  | "invalid certificate"
  | "unjustified proposal"
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
export type Output =
  | { readonly type: "persist"; readonly key: string; readonly record: DurableRecord }
  /** Erases a record that a snapshot, durable by then, replaces. */
  | { readonly type: "erase"; readonly key: string }
  /** The shell signs the body with this validator's key and sends it; `to` may name the validator itself. */
  | { readonly type: "sign"; readonly to: readonly Peer[]; readonly message: UnsignedMessage }
  | { readonly type: "send"; readonly to: readonly Peer[]; readonly message: PeerMessage }
  /** Sets the timer of this name, replacing one that is set. `background` timers never keep a world awake. */
  | { readonly type: "setTimer"; readonly name: string; readonly at: Millis; readonly background: boolean }
  | { readonly type: "cancelTimer"; readonly name: string }
  | { readonly type: "reply"; readonly client: ClientName; readonly id: OperationId; readonly reply: Reply }
  | { readonly type: "event"; readonly event: ValidatorEvent }
  | {
      readonly type: "report";
      readonly peer: Address;
      readonly misbehaviour: Misbehaviour;
      readonly slot: SlotKey;
      readonly detail?: string;
    }
  /** Reached coverage point. */
  | { readonly type: "coverage"; readonly point: CoveragePoint };

/** Event for observers. */
export type ValidatorEvent =
  | { readonly type: "decided"; readonly certificate: FinalityCertificate; readonly content: Content | undefined }
  | {
      readonly type: "applied";
      readonly slot: LedgerSlot;
      readonly value: LedgerValue;
      readonly content: Content;
      readonly receipts: readonly Receipt[];
    }
  /**
   * A final checkpoint was applied: the slots that it lists took effect before, here or by `applied` events of this
   * step.
   */
  | {
      readonly type: "checkpointed";
      readonly certificate: FinalityCertificate;
      readonly content: CheckpointContent;
      /** State after it. */
      readonly state: LedgerState;
    }
  /** A closing was applied: the slots that it lists took effect before, here or by `applied` events of this step. */
  | {
      readonly type: "closed";
      readonly certificate: FinalityCertificate;
      readonly content: ClosingContent;
      /** State with which the next epoch begins: the fees are shared. */
      readonly state: LedgerState;
    }
  /** A decision of `slot` contradicts this validator's ledger: it ignores every input from here on. */
  | { readonly type: "halted"; readonly slot: Slot; readonly reason: string }
  /** The state of a checkpoint or closing was transferred and replaces the previous state. */
  | {
      readonly type: "joined";
      readonly certificate: FinalityCertificate;
      readonly content: ChainContent;
      readonly state: LedgerState;
    };
