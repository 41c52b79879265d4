/** Signed statements of validators about one slot (protocol 3.0). Values are hashes: this folder knows no money. */
import type { Address, Epoch, Hash, Round, Signature } from "../base/ids.ts";
import type { Slot } from "../base/slot.ts";

type SlotMembers = Readonly<{ epoch: Epoch; slot: Slot; round: Round }>;

type SignatureMembers = Readonly<{ signer: Address; signature: Signature }>;

/** Accepts a value in a round. At most one per (epoch, slot, round). */
export interface Vote extends SlotMembers, SignatureMembers {
  readonly type: "vote";
  readonly value: Hash;
}

/** States that its signer holds a lock certificate for this value in this round. */
export interface Commit extends SlotMembers, SignatureMembers {
  readonly type: "commit";
  readonly value: Hash;
}

/** One member's signature inside a certificate, which proves the statement by itself. */
export type Seal = Readonly<{ signer: Address; signature: Signature }>;

interface Certificate extends SlotMembers {
  readonly value: Hash;
  /** Sorted by signer, each once: one set of signatures has one form. */
  readonly seals: readonly Seal[];
}

/** q votes for one (slot, round, value) (protocol 3.1). */
export interface LockCertificate extends Certificate {
  readonly type: "lock";
}

/** q commits for one (slot, round, value): self-contained proof that the slot is decided (protocol 3.1). */
export interface FinalityCertificate extends Certificate {
  readonly type: "finality";
}

/**
 * States that its signer is in this round, neither votes nor commits below it, and holds this highest lock of a lower
 * round (protocol 3.2).
 */
export interface RoundChange extends SlotMembers, SignatureMembers {
  readonly type: "roundChange";
  readonly lock: LockCertificate | undefined;
}

/** Proposer's value for a round >= 1, or for round 0 of a token slot, with the round changes that justify it. */
export interface Proposal extends SlotMembers, SignatureMembers {
  readonly type: "proposal";
  readonly value: Hash;
  readonly justification: readonly RoundChange[];
}

/**
 * States that its signer votes and commits no more in this epoch except for its closing, and lists what it knows to be
 * decided or locked in it: a round change for all slots at once (protocol 6.3). `slot` is the epoch's, `round` is 0.
 */
export interface Close extends SlotMembers, SignatureMembers {
  readonly type: "close";
  /**
   * For its last final checkpoint in this epoch, if any, and each slot above that one: the finality certificate,
   * applied or not, else the highest lock. By slot key, each slot once.
   */
  readonly claims: readonly (LockCertificate | FinalityCertificate)[];
}

/** Message that carries a signature of its sender. */
export type SignedMessage = Vote | Commit | RoundChange | Proposal | Close;

type WithoutSignature<M> = M extends SignedMessage ? Omit<M, "signer" | "signature"> : never;
/** The same unsigned: the shell signs when it carries an output out, after what it covers is durable. */
export type StatementContent = WithoutSignature<SignedMessage>;

export type ConsensusMessage = SignedMessage | LockCertificate | FinalityCertificate;
