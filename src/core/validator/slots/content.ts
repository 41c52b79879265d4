/** What a value hash stands for, with its warrant (protocol 3, table): enough to judge the value and to apply it. */
import type { SignedProposal } from "../../base/epoch.ts";
import type { SignedOperation } from "../../base/operation.ts";
import type { ChainValue, CheckpointValue, ClosingValue, LedgerValue, Value } from "../../base/slot.ts";
import type { Close, FinalityCertificate } from "../../consensus/message.ts";

export interface Content {
  readonly value: Value;
  /**
   * operation: the operation. burn: the forced burn. skip: the cancellation and the operation that it displaces, or
   * the two conflicting operations. list: the operations in the list's order. checkpoint and closing: those of its listed
   * slots, one slot after the other.
   */
  readonly operations: readonly SignedOperation[];
  /** The finality certificates that authorised them (burn, list); empty otherwise. */
  readonly certificates: readonly FinalityCertificate[];
  /** Of a closing, and of nothing else. */
  readonly closing?: ClosingWarrant;
}

/** Why an epoch closes: it is due after this checkpoint, or the operator says so (protocol 6.3). */
export type Cause =
  | { readonly kind: "checkpoint"; readonly certificate: FinalityCertificate }
  | { readonly kind: "proposal"; readonly signed: SignedProposal };

/** What shows that a closing covers all that is final in its epoch (protocol 6.3). */
export interface ClosingWarrant {
  readonly cause: Cause;
  /** Of q validators, by signer. */
  readonly closes: readonly Close[];
  /** The contents of the checkpoints up to its base that are shown locked and not final, in order. */
  readonly locked: readonly CheckpointContent[];
}

/** The content of an account's or token's slot. */
export type LedgerContent = Content & { readonly value: LedgerValue };

/** The content of a checkpoint. */
export type CheckpointContent = Content & { readonly value: CheckpointValue };

/** The content of an epoch's closing. */
export type ClosingContent = Content & { readonly value: ClosingValue; readonly closing: ClosingWarrant };

/** The content of a link of the checkpoint chain. */
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
