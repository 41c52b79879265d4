/** What travels between validators. */

import type { Address, CheckpointNumber, Epoch, Hash } from "../base/ids.ts";
import type { EquivocationProof, Recovery, SignedOperation } from "../base/operation.ts";
import type { LedgerSlot, Slot } from "../base/slot.ts";
import type { ConsensusMessage, FinalityCertificate, Unsigned, Vote } from "../consensus/message.ts";
import type { Piece, Place } from "../ledger/pieces.ts";
import type { EpochLink } from "./epochs/epoch-link.ts";
import type { Cause, Content } from "./slots/content.ts";

/** Why an account or token slot leaves round 0, in a form that anybody can check (protocol 3.2, a to c). */
export type SlotReason =
  | {
      readonly kind: "cancellation";
      readonly cancellation: SignedOperation;
      readonly displaced: SignedOperation;
      readonly votes: readonly Vote[];
    }
  | { readonly kind: "equivocation"; readonly proof: EquivocationProof; readonly votes: readonly Vote[] }
  | { readonly kind: "burn"; readonly content: Content; readonly vote: Vote }
  | { readonly kind: "due"; readonly content: Content };

/** The same, or why an epoch closes (protocol 6.3). */
export type Reason = SlotReason | { readonly kind: "closing"; readonly cause: Cause };

/** A consensus message with what its receiver may lack: the values' contents, and a round change's or a close's reason. */
export interface Carried<Body = ConsensusMessage> {
  readonly type: "consensus";
  readonly body: Body;
  readonly contents: readonly Content[];
  readonly reason: Reason | undefined;
}

/** A relay brings a value to round 0 of an account slot and asks for votes (protocol 3.1). */
export interface Offer {
  readonly type: "offer";
  readonly slot: Slot;
  readonly content: Content;
}

/** A recovery, shown to all: its proof speaks for itself. */
export interface Shown {
  readonly type: "shown";
  readonly recovery: Recovery;
}

/** Asks for the decisions of slots, or for the content of values. */
export interface Fetch {
  readonly type: "fetch";
  /** The asker's: what closed it and those after it is told together with a state. */
  readonly epoch: Epoch;
  readonly slots: readonly Slot[];
  readonly values: readonly Hash[];
}

/** Decisions with their contents. */
export interface Decisions {
  readonly type: "decisions";
  readonly decided: readonly { readonly certificate: FinalityCertificate; readonly content: Content }[];
  readonly contents: readonly Content[];
}

/** How far this validator has applied: compared by `digest`, so that whoever lacks something asks for it. */
export interface Status {
  readonly type: "status";
  /** Distinguishes the application orders of one validator before and after a restart. */
  readonly incarnation: number;
  readonly epoch: Epoch;
  /** The number of its last checkpoint; `digest` is of what it has applied above. */
  readonly checkpoint: CheckpointNumber;
  readonly applied: number;
  readonly digest: number;
  readonly answer: boolean;
}

/** Asks for the slots that a validator applied, in its order of application, from `from` on. */
export interface LogRequest {
  readonly type: "logRequest";
  readonly incarnation: number;
  readonly from: number;
}

export interface LogPage {
  readonly type: "logPage";
  readonly incarnation: number;
  readonly from: number;
  /** Where the next page begins. */
  readonly next: number;
  readonly slots: readonly LedgerSlot[];
}

/** "What you ask for is gone here; this final checkpoint stands for it." `parts` lead to its state root. */
export interface SnapshotOffer {
  readonly type: "snapshot";
  /** The closings that lead from the asker's epoch to that of the certificate, or to that which it opens. */
  readonly links: readonly EpochLink[];
  readonly certificate: FinalityCertificate;
  readonly content: Content;
  readonly parts: readonly Hash[];
}

/** Asks for pieces of the state after a checkpoint. */
export interface StateRequest {
  readonly type: "stateRequest";
  readonly epoch: Epoch;
  readonly number: number;
  readonly places: readonly Place[];
}

export interface StatePieces {
  readonly type: "statePieces";
  readonly number: number;
  readonly pieces: readonly { readonly place: Place; readonly piece: Piece }[];
}

/** Why the epoch closes, shown by one that signs nothing in it: handed in at a validator that is in no committee. */
export interface ShownCause {
  readonly type: "cause";
  readonly cause: Cause;
}

/** Why a slot leaves round 0, shown by one that signs no round change in its epoch: it is in no committee, or abstains. */
export interface ShownReason {
  readonly type: "reason";
  readonly slot: Slot;
  readonly reason: SlotReason;
}

/** "I have lost my disk, and may have signed in your epoch: have you closed it?" (protocol 11.3) */
export interface EpochQuestion {
  readonly type: "epochQuestion";
  /** Of the asker: an answer to an earlier question says nothing. */
  readonly incarnation: number;
}

export interface EpochAnswer {
  readonly type: "epochAnswer";
  readonly incarnation: number;
  readonly epoch: Epoch;
  readonly isClosed: boolean;
}

export type PeerMessage =
  | Carried
  | Offer
  | Shown
  | Fetch
  | Decisions
  | Status
  | LogRequest
  | LogPage
  | SnapshotOffer
  | StateRequest
  | StatePieces
  | ShownCause
  | ShownReason
  | EpochQuestion
  | EpochAnswer;

/** A message of which the shell still has to make the signature. */
export type UnsignedMessage = Carried<Unsigned>;

/** Names a client towards one validator, for its replies. */
export type ClientName = string;

/** A peer, by its key. */
export type Peer = Address;
