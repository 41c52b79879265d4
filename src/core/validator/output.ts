import type { Address, Epoch, Hash, Millis, Round } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import type { Receipt } from "../base/receipt.ts";
import type { Refusal } from "../base/refusal.ts";
import { digits, type LedgerSlot, type LedgerValue, type Slot, type SlotKey } from "../base/slot.ts";
import type { Close, FinalityCertificate, LockCertificate, RoundChange, Seal } from "../consensus/message.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { EpochLink } from "./epochs/epoch-link.ts";
import type { Mark } from "./marks.ts";
import type { ClientName, Peer, PeerMessage, SlotReason, UnsignedMessage } from "./message.ts";
import type { Cause, ChainContent, CheckpointContent, ClosingContent, Content } from "./slots/content.ts";

/** What a validator must never forget; a later record of a key replaces the earlier one. */
export type DurableRecord = SlotRecord | Snapshot | Birth | Closed | Link;

/** All that a validator must never forget about one slot. */
export interface SlotRecord {
  readonly of: "slot";
  readonly epoch: Epoch;
  readonly slot: Slot;
  readonly round: Round;
  readonly votes: readonly { readonly round: Round; readonly value: Hash }[];
  readonly commits: readonly { readonly round: Round; readonly value: Hash }[];
  /** Its last proposal, so that a restarted proposer sends the same one again. */
  readonly proposed:
    | { readonly round: Round; readonly value: Hash; readonly justification: readonly RoundChange[] }
    | undefined;
  readonly lock: LockCertificate | undefined;
  readonly carried: LockCertificate | undefined;
  readonly decided: FinalityCertificate | undefined;
  readonly contents: readonly Content[];
  /** Why it left round 0, so that a restarted validator can still show it. */
  readonly reasons: readonly SlotReason[];
}

/** That this validator has closed an epoch: what it has said there, and will say again. */
export interface Closed {
  readonly of: "closed";
  readonly close: Omit<Close, keyof Seal>;
  readonly cause: Cause;
}

/** A closing that is applied here. */
export interface Link {
  readonly of: "link";
  readonly link: EpochLink;
}

/** The last final checkpoint or closing: it stands for every slot that it and its ancestors list, whose records are erased. */
export interface Snapshot {
  readonly of: "snapshot";
  readonly certificate: FinalityCertificate;
  readonly content: Content;
  /** The state after it. */
  readonly state: LedgerState;
}

/** Written before anything else: without it a validator that starts again knows that its disk was lost. */
export interface Birth {
  readonly of: "birth";
  /** The first epoch in which it may sign: 0, or unknown (`undefined`) after its disk was lost (protocol 11.3). */
  readonly signsFrom: Epoch | undefined;
}

/** The key of the one birth record. */
export const BIRTH_KEY = "birth";

/** The key of the one record of a closed epoch. */
export const CLOSED_KEY = "closed";

/** The key of a link. */
export function linkKey(epoch: Epoch): string {
  return `link/${digits(epoch)}`;
}

/** The key of the one snapshot. */
export const SNAPSHOT_KEY = "snapshot";

/** What a client is told about an operation. */
export type Reply =
  /**
   * `barred`: others have seen the operation, and this validator refuses it by now, for a restriction that came between two
   * votes. It may stay undecided until the restriction is lifted: a correct client cancels its nonce (protocol 4.2).
   */
  | { readonly status: "pending"; readonly barred?: Refusal }
  | {
      readonly status: "final";
      readonly receipt: Receipt;
      readonly certificate: FinalityCertificate;
      readonly content: Content;
    }
  /**
   * `shown` is false where no other validator has seen it: the client may sign something else for its nonce (protocol 4.2). It
   * is true, too, where a copy that others disclosed may have been evicted here: then nobody vouches for that.
   */
  | { readonly status: "refused"; readonly refusal: Refusal; readonly shown: boolean }
  | { readonly status: "superseded"; readonly by: OperationId }
  /** Its nonce was used up before the oldest checkpoint that is kept here: what became of it, an archive knows. */
  | { readonly status: "settled" }
  /** Its epoch closed without it: nothing of it is decided, and the same operation may be submitted again (protocol 6.3). */
  | { readonly status: "void"; readonly epoch: Epoch };

/** What peers can be seen to do wrong. */
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
 * What a validator wants done, in order. `persist` stands before the `sign` or `send` that it covers, and the world
 * may crash the node between any two.
 */
export type Output =
  | { readonly type: "persist"; readonly key: string; readonly record: DurableRecord }
  /** A record that a snapshot, durable by then, has made useless. */
  | { readonly type: "erase"; readonly key: string }
  /** The shell signs the body with this validator's key and sends it; `to` may name the validator itself. */
  | { readonly type: "sign"; readonly to: readonly Peer[]; readonly message: UnsignedMessage }
  | { readonly type: "send"; readonly to: readonly Peer[]; readonly message: PeerMessage }
  /** Sets the timer of this name, replacing one that is set. `background` timers never keep a world awake. */
  | { readonly type: "setTimer"; readonly name: string; readonly at: Millis; readonly background: boolean }
  | { readonly type: "cancelTimer"; readonly name: string }
  | { readonly type: "reply"; readonly client: ClientName; readonly id: OperationId; readonly reply: Reply }
  | { readonly type: "event"; readonly event: Event }
  | {
      readonly type: "report";
      readonly peer: Address;
      readonly misbehaviour: Misbehaviour;
      readonly slot: SlotKey;
      readonly detail?: string;
    }
  /** A place of the code that was reached: plain vocabulary for coverage (marks.ts). */
  | { readonly type: "mark"; readonly mark: Mark };

/** What observers learn. */
export type Event =
  | { readonly type: "decided"; readonly certificate: FinalityCertificate; readonly content: Content | undefined }
  | {
      readonly type: "applied";
      readonly slot: LedgerSlot;
      readonly value: LedgerValue;
      readonly content: Content;
      readonly receipts: readonly Receipt[];
    }
  /** A final checkpoint was applied: what it lists took effect before, here or by `applied` events of this step. */
  | {
      readonly type: "checkpointed";
      readonly certificate: FinalityCertificate;
      readonly content: CheckpointContent;
      /** The state after it. */
      readonly state: LedgerState;
    }
  /** A closing was applied: what it lists took effect before, here or by `applied` events of this step. */
  | {
      readonly type: "closed";
      readonly certificate: FinalityCertificate;
      readonly content: ClosingContent;
      /** With which the next epoch begins: the fees are shared. */
      readonly state: LedgerState;
    }
  /** A decision of `slot` contradicts this validator's ledger: it ignores every input from here on (halt.ts). */
  | { readonly type: "halted"; readonly slot: Slot; readonly reason: string }
  /** The state of a checkpoint or closing was taken over, in place of whatever state there was. */
  | {
      readonly type: "joined";
      readonly certificate: FinalityCertificate;
      readonly content: ChainContent;
      readonly state: LedgerState;
    };
