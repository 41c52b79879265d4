/** Messages between validators. */

import type { Address, CheckpointNumber, Epoch, Hash } from "../base/ids.ts";
import type { EquivocationProof, SignedOperation } from "../base/operation.ts";
import type { LedgerSlot, Slot } from "../base/slot.ts";
import type { ConsensusMessage, FinalityCertificate, StatementContent, Vote } from "../consensus/message.ts";
import type { Piece, PieceLocation } from "../ledger/pieces.ts";
import type { ClosingHead } from "../ledger/value.ts";
import type { Cause, Content, Decision } from "./content.ts";

/** Self-contained proof that an account slot may leave round 0 (protocol 3.2, a to c). */
export type SlotReason =
  | {
      readonly kind: "cancellation";
      readonly cancellation: SignedOperation;
      readonly displaced: SignedOperation;
    }
  | { readonly kind: "equivocation"; readonly proof: EquivocationProof }
  | { readonly kind: "burn"; readonly content: Content; readonly vote: Vote };

/** Reason of a slot, or the cause of a closing (protocol 6.3). */
export type Reason = SlotReason | { readonly kind: "closing"; readonly cause: Cause };

/** Consensus message with what its receiver may lack: the values' contents, and a round change's or close's reason. */
export interface ConsensusEnvelope<Body = ConsensusMessage> {
  readonly type: "consensus";
  readonly body: Body;
  readonly contents: readonly Content[];
  readonly reason: Reason | undefined;
}

/** Brings a value to round 0 of an account slot and requests votes (protocol 3.1). */
export type Offer = Readonly<{ type: "offer"; slot: Slot; content: Content }>;

/**
 * Discloses a reason, or the cause of a closing, without a statement: the proof of a client's recovery, or what a
 * validator knows that signs nothing in the epoch (protocol 3.2, 6.3).
 */
export type Disclosure = Readonly<{ type: "disclosure"; slot: Slot; reason: Reason }>;

/** Requests the decisions of slots, or the contents of values. */
export interface Fetch {
  readonly type: "fetch";
  /** Epoch of the requester: a state comes with the closings of this epoch and the later ones. */
  readonly epoch: Epoch;
  readonly slots: readonly Slot[];
  readonly values: readonly Hash[];
}

/** Decisions with their contents. */
export interface Decisions {
  readonly type: "decisions";
  readonly decided: readonly Decision[];
  readonly contents: readonly Content[];
}

/** Progress of this validator: peers request what they lack of it. */
export interface Status {
  readonly type: "status";
  readonly epoch: Epoch;
  /** Number of its last checkpoint. */
  readonly checkpoint: CheckpointNumber;
  /** Slots that it has applied and that no checkpoint lists, or the next part of them: at most `STATUS_SLOTS`. */
  readonly applied: readonly LedgerSlot[];
  readonly answer: boolean;
}

/** Offers the state of a final checkpoint in place of pruned records, or of pieces of a state that is not here. */
export interface SnapshotOffer extends Decision {
  readonly type: "snapshot";
  /** Number of the requested state that is not here; `undefined` in place of records. */
  readonly insteadOf: number | undefined;
  /** Closings that lead from the requester's epoch to that of the certificate, or to the epoch that it opens. */
  readonly links: readonly EpochLink[];
  /** Roots of the parts, which lead to the state root. */
  readonly parts: readonly Hash[];
}

/** Requests pieces of the state after a checkpoint. */
export interface StateRequest {
  readonly type: "stateRequest";
  readonly epoch: Epoch;
  readonly number: number;
  /** State root: beyond f two checkpoints may have one number, and an honest source may hold the other one. */
  readonly root: Hash;
  readonly places: readonly PieceLocation[];
}

export interface StatePieces {
  readonly type: "statePieces";
  readonly number: number;
  /** State root that was asked for. */
  readonly root: Hash;
  readonly pieces: readonly { readonly place: PieceLocation; readonly piece: Piece }[];
}

/** Bytes of a validator program with messages of its own, and their kind: the validators here understand none. */
export interface OpaqueMessage {
  readonly type: "opaque";
  readonly tag: string;
  /** In hex digits. */
  readonly bytes: string;
}

export type PeerMessage =
  | ConsensusEnvelope
  | Offer
  | Disclosure
  | Fetch
  | Decisions
  | Status
  | SnapshotOffer
  | StateRequest
  | StatePieces
  | OpaqueMessage;

/** Message that the shell still has to sign. */
export type UnsignedMessage = ConsensusEnvelope<StatementContent>;

/** Identifies a client at one validator, for its replies. */
export type ClientName = string;

/** Peer, by its key. */
export type Peer = Address;

/** Certified closing of an epoch and the head of the next: enough to verify signatures of that epoch. */
export interface EpochLink {
  readonly certificate: FinalityCertificate;
  readonly head: ClosingHead;
  /** Root over the slots that the closing lists. */
  readonly listedRoot: Hash;
}
