/** What Byzantine strategies may be wrong about, one word a lie. */

/** What is wrong with a justification, or with the value that is proposed with it. */
export type JustificationLie =
  /** No round changes. */
  | "none"
  /** One fewer than a quorum. */
  | "too-few"
  /** A quorum by number, one of them twice. */
  | "repeated"
  /** A quorum for another round than the proposal's. */
  | "other-round"
  /** A quorum for another slot's round. */
  | "other-slot"
  /** The locks that they carry are struck out, and a skip proposed. */
  | "no-lock"
  /** They carry what they carry, and a skip is proposed. */
  | "other-value"
  /** As it should be, by a validator that is not the round's proposer. */
  | "out-of-turn";

/** What is wrong with a free choice (protocol 3, table; 4.4). */
export type ChoiceLie =
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
  /** Every due burn of an account at once, called burned and called failed. */
  | "hasty-burn"
  /** Its lists in the opposite order. */
  | "reversed-list"
  /** Its lists with everything else that waits for the token. */
  | "long-list"
  /** In its lists what waits for another token. */
  | "other-token";

/** What is wrong with a proposed checkpoint (protocol 6.1). */
export type CheckpointLie =
  /** A slot in the middle of its sequence is left out. */
  | "missing"
  /** A slot stands twice. */
  | "repeated"
  /** A slot stands before the one that it follows. */
  | "reordered"
  /** A slot that its parent lists stands in it once more. */
  | "listed-before"
  /** More slots than the limit allows. */
  | "too-long"
  | "state-root"
  | "transactions-root"
  | "receipts-root"
  | "parent"
  | "number"
  | "size"
  /** An hour ahead of its own clock. */
  | "timestamp-late"
  /** As late as a number can say. */
  | "timestamp-never"
  /** No later than its parent's. */
  | "timestamp-early"
  /** It lists nothing. */
  | "empty"
  /** A slot that was opened and not decided. */
  | "undecided"
  /** Another value for a slot than was decided. */
  | "other-value"
  /** Hashes of copies that it does not show. */
  | "copies"
  /** A closing with one validator fewer in the next committee than its cause names. */
  | "next-committee"
  /** As it should be, and its content is shown to one half of the others only. */
  | "withheld";
