/** What a value hash stands for, with its warrant (design 3, table): enough to judge the value and to apply it. */
import type { SignedOperation } from "../base/operation.ts";
import type { CheckpointValue, LedgerValue, Value } from "../base/slot.ts";
import type { FinalityCertificate } from "../consensus/message.ts";

export interface Content {
  readonly value: Value;
  /**
   * operation: the operation. burn: the forced burn. skip: the cancellation and the operation that it displaces, or
   * the two conflicting operations. list: the operations in the list's order. checkpoint: those of its listed slots, one slot
   * after the other.
   */
  readonly operations: readonly SignedOperation[];
  /** The finality certificates that authorised them (burn, list); empty otherwise. */
  readonly certificates: readonly FinalityCertificate[];
}

/** The content of an account's or token's slot. */
export type LedgerContent = Content & { readonly value: LedgerValue };

/** The content of a checkpoint. */
export type CheckpointContent = Content & { readonly value: CheckpointValue };

export function isLedgerContent(content: Content): content is LedgerContent {
  return content.value.type !== "checkpoint";
}

export function isCheckpoint(content: Content): content is CheckpointContent {
  return content.value.type === "checkpoint";
}
