/** Checkpoints (specification 10.1; wire 1.4, 4). */
import { optional, type Shape } from "../../../scenario/schema/shape.ts";
import type { SignatureFields } from "../signature.ts";
import { count, hash, object, withCode, words } from "./schema-types.ts";
import { type Transaction, transaction } from "./transactions.ts";

/** R6. */
export interface CheckpointNumberAnswer {
  readonly number: number;
}

/** R7 and R8. */
export interface Checkpoint {
  readonly hash: string;
  readonly parent_hash: string;
  readonly state_root: string;
  readonly transactions_root: string;
  readonly receipts_root: string;
  readonly number: number;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly extra_data: string;
  /** Bytes of the copies that it fixes. */
  readonly size?: number;
  /** All entries or all hashes: clients cannot read a mixture. */
  readonly transactions: readonly string[] | readonly Transaction[];
}

/** Entry of a full checkpoint in an event, where numbers are texts (wire 4). */
export interface EventTransaction
  extends Omit<Transaction, "chain_id" | "nonce" | "checkpoint_number" | "transaction_index" | "signature"> {
  readonly chain_id: string;
  readonly nonce: string;
  readonly checkpoint_number: string;
  readonly transaction_index: string;
  readonly fee: string;
  readonly signature: SignatureFields & { readonly y_parity: number };
}

/** Event of the stream `CHECKPOINTS`, with other names and types than the HTTP response (wire 4). */
export interface EventCheckpoint {
  /** Its hash. */
  readonly checkpoint: string;
  readonly number: string;
  readonly timestamp: string;
  readonly parent_hash: string;
  readonly state_root: string;
  readonly transactions_root: string;
  readonly receipts_root: string;
  readonly size: number;
  readonly transactions: readonly string[] | readonly EventTransaction[];
}

/** R17. */
export interface LatestEpochCheckpoint {
  readonly epoch: number;
  readonly checkpoint: number;
  readonly checkpoint_hash: string;
  readonly checkpoint_parent_hash: string;
}

export const checkpointNumber: Shape<CheckpointNumberAnswer> = object<CheckpointNumberAnswer>(
  "the number of the last checkpoint",
  { number: count("the number") },
);

export const checkpoint: Shape<Checkpoint> = object<Checkpoint>("a checkpoint", {
  hash: hash("the hash"),
  parent_hash: hash("the hash of the one before"),
  state_root: hash("the root of the state after it"),
  transactions_root: hash("the root of the ids of its operations"),
  receipts_root: hash("the root of their receipts"),
  number: count("the number; the genesis is 0"),
  timestamp: count("Unix seconds"),
  extra_data: words("extra data"),
  size: optional(count("bytes of the copies that it fixes")),
  transactions: withCode("all hashes, or with full=true all entries", {
    type: "array",
    items: { anyOf: [hash("a transaction's hash"), transaction] },
  }),
});

export const latestEpochCheckpoint: Shape<LatestEpochCheckpoint> = object<LatestEpochCheckpoint>(
  "the current epoch and the last checkpoint",
  {
    epoch: count("the epoch"),
    checkpoint: count("the number of the last checkpoint"),
    checkpoint_hash: hash("its hash"),
    checkpoint_parent_hash: hash("the hash of the one before"),
  },
);
