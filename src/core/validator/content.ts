/**
 * Contents of values with their warrants (protocol 3, table): enough to check a value and to apply it. The content of a
 * chain link has one verified copy of each operation of its slots (protocol 6.1).
 */
import type { SignedProposal } from "../base/epoch.ts";
import type { SignedOperation } from "../base/operation.ts";
import type { ChainValue, CheckpointValue, ClosingValue, LedgerValue, ListedDecision, Value } from "../base/slot.ts";
import type { ShownCloses } from "../consensus/close.ts";
import type { FinalityCertificate } from "../consensus/message.ts";
import { copyOf } from "../ledger/identity.ts";

export interface Content {
  readonly value: Value;
  /**
   * operation: the operation. burn: the forced burn. skip: the cancellation and the operation that it displaces, or the
   * two conflicting operations. list: the operations in the list's order. checkpoint and closing: those of its listed
   * slots, one slot after the other.
   */
  readonly operations: readonly SignedOperation[];
  /** Finality certificates that authorised them (burn, list); empty otherwise. */
  readonly certificates: readonly FinalityCertificate[];
  /** Only for a closing. */
  readonly closing?: ClosingWarrant;
}

/** Proof that an epoch has to end: its last checkpoint, or the operator's proposal (protocol 6.3). */
export type Cause =
  | { readonly kind: "checkpoint"; readonly certificate: FinalityCertificate }
  | { readonly kind: "proposal"; readonly signed: SignedProposal };

/** Proof that a closing covers all that is final in its epoch: q closes, ascending by signer (protocol 6.3). */
export interface ClosingWarrant extends ShownCloses {
  readonly cause: Cause;
  /** Contents of the checkpoints up to its base that are shown locked and not final, in order. */
  readonly locked: readonly CheckpointContent[];
}

/** Finality certificate with the content that it decides: that of a slot, or of a chain link that lists the slot. */
export type Decision<Of extends Content = Content> = Readonly<{ certificate: FinalityCertificate; content: Of }>;

/** Content of an account or token slot. */
export type LedgerContent = Content & { readonly value: LedgerValue };

/** Content of a checkpoint. */
export type CheckpointContent = Content & { readonly value: CheckpointValue };

/** Content of an epoch's closing. */
export type ClosingContent = Content & { readonly value: ClosingValue; readonly closing: ClosingWarrant };

/** Content of a chain link. */
export type ChainContent = Content & { readonly value: ChainValue };

export function isLedgerContent(content: Content): content is LedgerContent {
  return !isChainContent(content);
}

export function isChainContent(content: Content): content is ChainContent {
  return content.value.type === "checkpoint" || content.value.type === "closing";
}

export function isClosing(content: Content): content is ClosingContent {
  return content.value.type === "closing" && content.closing !== undefined;
}

export function isCheckpoint(content: Content): content is CheckpointContent {
  return content.value.type === "checkpoint";
}

/** Listed slot with its own operations. */
export interface ListedContent extends ListedDecision {
  readonly operations: readonly SignedOperation[];
}

/** Returns the content of a checkpoint slot by slot; `undefined` if the numbers of operations and copies differ. */
export function listedSlots(
  all: readonly ListedDecision[],
  operations: readonly SignedOperation[],
): readonly ListedContent[] | undefined {
  const parts: ListedContent[] = [];
  let from = 0;
  for (const listed of all) {
    const to = from + listed.copies.length;
    parts.push({ ...listed, operations: operations.slice(from, to) });
    from = to;
  }
  return from === operations.length ? parts : undefined;
}

/** Returns the hashes of the copies, as clients see them; `copy` may be a cached function. */
export function copiesOf(
  operations: readonly SignedOperation[],
  copy: typeof copyOf = copyOf,
): ListedDecision["copies"] {
  return operations.map((signed) => copy(signed).hash);
}

/** Returns the bytes of the copies; `copy` may be a cached function. */
export function sizeOf(operations: readonly SignedOperation[], copy: typeof copyOf = copyOf): number {
  return operations.reduce((sum, signed) => sum + copy(signed).bytes, 0);
}
