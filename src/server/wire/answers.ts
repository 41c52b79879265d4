/** Functions that make answers, and the clients that some of them are changed for. */
import type { Hash } from "../../core/base/ids.ts";
import type { ArchivedSubmission } from "../../live/archive.ts";
import type { NonceAnswer } from "./schemas/tokens.ts";
import type { Transaction } from "./schemas/transactions.ts";
import { checkpoint, checkpointReceipts, epoch, eventCheckpoint, latestEpochCheckpoint } from "./shapes/network.ts";
import { affectedParties, finalizedTransaction, receipt, transactionEvent } from "./shapes/receipt.ts";
import { mintInfo, tokenAccount } from "./shapes/token.ts";
import { transaction } from "./shapes/transaction.ts";

const SHAPES = {
  transaction,
  receipt,
  finalized: finalizedTransaction,
  checkpoint,
  checkpointReceipts,
  latestEpochCheckpoint,
  epoch,
  mintInfo,
  tokenAccount,
  eventCheckpoint,
  transactionEvent,
  affectedBy: affectedParties,
};

/** Answers of the HTTP interface, and frames of the websocket. */
export interface Answers extends Readonly<typeof SHAPES> {
  /** The same with all members, where these leave some out. */
  readonly complete: Answers | undefined;
  /** Hash by which a copy is shown (wire 3.3). */
  readonly hashOf: (copy: ArchivedSubmission) => Hash;
  /** Adds the progress of an operation to its transaction. */
  readonly operation: (entry: Transaction, progress: object) => Transaction;
  readonly nonce: (nonce: number, pendingNonce: number) => NonceAnswer;
}

export const ANSWERS: Answers = {
  ...SHAPES,
  complete: undefined,
  hashOf: ({ hash }) => hash,
  operation: (entry, progress) => ({ ...entry, ...progress }),
  nonce: (nonce, pendingNonce) => ({ nonce, pending_nonce: pendingNonce }),
};

/**
 * Words of `--compat`. `rust-0.15`: unknown types as Raw. `go`: fees as numbers, for the Go client of 2025. Of published
 * answers all of them have the members that their client needs (`published-members.ts`).
 */
export const COMPAT_CLIENTS = ["ts-1.0", "ts-1.1", "rust-0.15", "go"] as const;

export type CompatClient = (typeof COMPAT_CLIENTS)[number];
