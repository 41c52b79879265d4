/**
 * Link of the chain of committees: each epoch's committee certifies the next one (protocol 6.4). Closing certificates
 * are never pruned.
 */
import type { Hash } from "../../base/ids.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import type { ClosingHead } from "../../ledger/checkpoint-item.ts";

/** Certified closing of an epoch and the head of the next: enough to verify signatures of that epoch. */
export interface EpochLink {
  readonly certificate: FinalityCertificate;
  readonly head: ClosingHead;
  /** Root over the slots that the closing lists. */
  readonly listedRoot: Hash;
}
