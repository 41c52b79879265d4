/** Modes of Byzantine strategies. */

/** Defect of a justification, or of the value proposed with it. */
export type JustificationMode =
  /** No round changes. */
  | "none"
  /** One fewer than a quorum. */
  | "too-few"
  /** A quorum by count, one member twice. */
  | "repeated"
  /** A quorum for another round than the proposal's. */
  | "other-round"
  /** A quorum for another slot's round. */
  | "other-slot"
  /** Its locks are removed, and a skip proposed. */
  | "no-lock"
  /** It is genuine, and a skip is proposed. */
  | "other-value"
  /** Genuine, from a validator that is not the round's proposer. */
  | "out-of-turn";

/** Defect of a free choice (protocol 3, table; 4.4). */
export type ChoiceMode =
  /** A skip at a lower fee step than the payer's balance covers. */
  | "cheap-skip"
  /** The owner's operation in a round >= 1. */
  | "operation"
  /** The skip offered in round 0, in place of the round change for it. */
  | "early-skip"
  /** Its own offers of burns with the other outcome. */
  | "other-outcome"
  /** Its own offers of burns with the authority's later one first. */
  | "later-burn"
  /** Every due burn of an account at once, with both outcomes. */
  | "hasty-burn"
  /** Its lists in reverse order. */
  | "reversed-list"
  /** Its lists with every other operation that waits for the token. */
  | "long-list"
  /** Its lists with operations that wait for another token. */
  | "other-token";

/** Defect of a proposed checkpoint (protocol 6.1). */
export type CheckpointMode =
  /** A slot in the middle of its sequence is omitted. */
  | "missing"
  /** A slot is listed twice. */
  | "repeated"
  /** A slot precedes the one that it follows. */
  | "reordered"
  /** A slot that its parent lists is listed again. */
  | "listed-before"
  /** More slots than the limit allows. */
  | "too-long"
  | "state-root"
  | "transactions-root"
  | "receipts-root"
  | "parent"
  | "number"
  | "size"
  /** One hour ahead of its own clock. */
  | "timestamp-late"
  /** The latest timestamp that fits. */
  | "timestamp-never"
  /** No later than its parent's. */
  | "timestamp-early"
  /** An empty list. */
  | "empty"
  /** An open slot without a decision. */
  | "undecided"
  /** Another value for a slot than the decided one. */
  | "other-value"
  /** Hashes of copies that it does not send. */
  | "copies"
  /** A closing with one validator fewer in the next committee than its cause names. */
  | "next-committee"
  /** Genuine, with its content sent to one half of the others only. */
  | "withheld";
