/** What travels between validators. */

import type { Address, Hash } from "../base/ids.ts";
import type { EquivocationProof, Recovery, SignedOperation } from "../base/operation.ts";
import type { Slot } from "../base/slot.ts";
import type { ConsensusMessage, FinalityCertificate, Unsigned, Vote } from "../consensus/message.ts";
import type { Content } from "./content.ts";

/** Why an account or token slot leaves round 0, in a form that anybody can check (design 3.2, a to c). */
export type Reason =
  | {
      readonly kind: "cancellation";
      readonly cancellation: SignedOperation;
      readonly displaced: SignedOperation;
      readonly votes: readonly Vote[];
    }
  | { readonly kind: "equivocation"; readonly proof: EquivocationProof; readonly votes: readonly Vote[] }
  | { readonly kind: "burn"; readonly content: Content; readonly vote: Vote }
  | { readonly kind: "due"; readonly content: Content };

/** A consensus message with what its receiver may lack: the values' contents, and a round change's reason. */
export interface Carried<Body = ConsensusMessage> {
  readonly type: "consensus";
  readonly body: Body;
  readonly contents: readonly Content[];
  readonly reason: Reason | undefined;
}

/** A relay brings a value to round 0 of an account slot and asks for votes (design 3.1). */
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
  readonly slots: readonly Slot[];
}

export type PeerMessage = Carried | Offer | Shown | Fetch | Decisions | Status | LogRequest | LogPage;

/** A message of which the shell still has to make the signature. */
export type UnsignedMessage = Carried<Unsigned>;

/** Names a client towards one validator, for its replies. */
export type ClientName = string;

/** A peer, by its key. */
export type Peer = Address;
