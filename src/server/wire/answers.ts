/** Functions that make what clients are told, as one record: a test replaces one to plant a fault. */
import type { Hash } from "../../core/base/ids.ts";
import type { ArchivedSubmission } from "../../live/archive.ts";
import { checkpoint, checkpointReceipts, epoch, eventCheckpoint, latestEpochCheckpoint } from "./shapes/network.ts";
import { affectedParties, finalizedTransaction, receipt, transactionEvent } from "./shapes/receipt.ts";
import { mintInfo, tokenAccount } from "./shapes/token.ts";
import { transaction } from "./shapes/transaction.ts";

/** Answers of the HTTP interface, and frames of the websocket. */
export interface Answers {
  /** Hash by which a copy is shown (wire 3.3). */
  readonly hashOf: (copy: ArchivedSubmission) => Hash;
  readonly transaction: typeof transaction;
  readonly receipt: typeof receipt;
  readonly finalized: typeof finalizedTransaction;
  readonly checkpoint: typeof checkpoint;
  readonly checkpointReceipts: typeof checkpointReceipts;
  readonly latestEpochCheckpoint: typeof latestEpochCheckpoint;
  readonly epoch: typeof epoch;
  readonly mintInfo: typeof mintInfo;
  readonly tokenAccount: typeof tokenAccount;
  readonly eventCheckpoint: typeof eventCheckpoint;
  readonly transactionEvent: typeof transactionEvent;
  readonly affectedBy: typeof affectedParties;
}

export const ANSWERS: Answers = {
  hashOf: ({ hash }) => hash,
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
