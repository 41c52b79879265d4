/** The chain of committees: who may close an epoch says who is next (protocol 6.4). Closing certificates are never pruned. */
import type { Hash } from "../../base/ids.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import type { ClosingHead } from "../../ledger/checkpoint-item.ts";

/** That an epoch was closed, and what the next one began with: enough to verify what is signed there. */
export interface EpochLink {
  readonly certificate: FinalityCertificate;
  readonly head: ClosingHead;
  /** Over what the closing lists. */
  readonly listedRoot: Hash;
}
