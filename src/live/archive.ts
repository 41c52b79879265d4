/** Archive of a served network, outside all nodes: responses do not change when validators prune. */
import type { EpochParameters } from "../core/base/epoch.ts";
import type { Epoch, Hash, Millis } from "../core/base/ids.ts";
import type { OperationId, Submission } from "../core/base/operation.ts";
import type { Receipt, RefusalCode } from "../core/base/refusal.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { Content } from "../core/validator/content.ts";
import type { ChainLink } from "../run/checkpoint-chain.ts";
import type { NodeName } from "../simulator/settings.ts";

/** One copy of an operation as a client submitted it; a second signature of the same operation is a second copy. */
export interface ArchivedSubmission {
  readonly id: OperationId;
  /** Transaction hash: keccak of the signed list with v, r and s; of a recovery, its id (wire 3.3, 3.9). */
  readonly hash: Hash;
  readonly submission: Submission;
}

/** Decision of the slot in which an operation took effect, or of the skip that replaced it. */
export interface FinalRecord {
  readonly receipt: Receipt;
  /** Certificate of the receipt's slot, or of the checkpoint by which the first validator applied it. */
  readonly certificate: FinalityCertificate;
  readonly content: Content;
  readonly at: Millis;
}

/** Position at which a checkpoint lists the effect of an operation. */
export interface ChainPosition {
  readonly link: ChainLink;
  /** From 0, in the order of the checkpoint's receipts. */
  readonly index: number;
}

/** Status of an operation, independent of the entry validator. */
export type OperationStatus =
  | { readonly status: "pending" }
  | { readonly status: "final"; readonly final: FinalRecord; readonly place: ChainPosition | undefined }
  /** `by`: the operation that was decided for its nonce instead. */
  | { readonly status: "superseded"; readonly by: OperationId }
  /** Its epoch closed without it: it may be submitted again. */
  | { readonly status: "void"; readonly epoch: Epoch }
  /** Refused by this node after it was admitted, and disclosed to no other validator. */
  | { readonly status: "refused"; readonly code: RefusalCode; readonly node: NodeName };

/** One epoch: its parameters, and the closing that opened it; epoch 0 is the genesis's. */
export interface EpochRecord {
  readonly epoch: Epoch;
  readonly parameters: EpochParameters;
  readonly opening: FinalityCertificate | undefined;
}

export interface Archive {
  /**
   * Returns the operation by the hash of any copy, or by a recovery's id; `undefined` if no validator ever admitted it.
   * If one digest was signed for several kinds: the final operation, else the first.
   */
  find(hash: Hash): ArchivedSubmission | undefined;
  /** The first copy that was admitted. */
  copyOf(id: OperationId): ArchivedSubmission | undefined;
  progressOf(id: OperationId): OperationStatus | undefined;
  /** The checkpoints 1, 2, … as the first validator applied them. Number 0 is the genesis: `genesisLink`. */
  readonly links: readonly ChainLink[];
  /** Checkpoint 0: the state before the first operation, which nobody signed. */
  readonly genesisLink: { readonly hash: Hash; readonly value: ChainLink["content"]["value"] };
  linkByHash(hash: Hash): ChainLink | undefined;
  /** All that were opened, in order. */
  readonly epochs: readonly EpochRecord[];
}
