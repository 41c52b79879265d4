/**
 * Receipts of operations, the closed union of refusal codes, each with its evidence, and results of checks. The table
 * of rules: ledger/refusals.ts.
 */
import type { Amount } from "./amount.ts";
import type { Address, Nonce } from "./ids.ts";
import type { OperationId, Role } from "./operation.ts";
import type { SlotKey } from "./slot.ts";

/** Result of an operation, written when its effect is decided (protocol 4.1). */
export interface Receipt {
  readonly id: OperationId;
  readonly success: boolean;
  /** In the smallest unit of `feeToken`; 0 if nothing is paid. */
  readonly fee: Amount;
  readonly feeToken: Address | undefined;
  /** Reason of a failure, `undefined` on success. A failed operation has still used its nonce. */
  readonly error: Refusal | undefined;
  /** Slot of the effect. */
  readonly slot: SlotKey;
}

/** Role that an action needs: `Master` if only the master authority may do it, `Operator` for an issue. */
export type RequiredRole = Role | "Master" | "Operator";

export type Refusal =
  | { readonly code: "validation_chain_id"; readonly expected: number; readonly got: number }
  | { readonly code: "validation_signature"; readonly reason: string }
  | { readonly code: "validation_nonce"; readonly got: number }
  | { readonly code: "validation_amount"; readonly field: string; readonly reason: string }
  | { readonly code: "validation_decimals"; readonly got: number }
  | { readonly code: "validation_text"; readonly field: string; readonly reason: string }
  | {
      readonly code: "validation_action";
      readonly field: string;
      readonly got: string;
      readonly expected: readonly string[];
    }
  | { readonly code: "validation_layout"; readonly field: string; readonly reason: string }
  | { readonly code: "validation_evidence"; readonly reason: string }
  | { readonly code: "validation_signature_ambiguous"; readonly client: Address; readonly spec: Address }
  /** A value that a validator proposed for a slot breaks the rules of that slot. */
  | { readonly code: "validation_proposal"; readonly reason: string }
  | { readonly code: "resource_token_not_found"; readonly token: Address }
  /** Not in the set of authorised, not yet executed operations. */
  | { readonly code: "resource_authorisation_not_found"; readonly id: OperationId }
  | { readonly code: "business_nonce_too_low"; readonly expected: Nonce; readonly got: Nonce }
  | { readonly code: "business_nonce_gap"; readonly expected: Nonce; readonly got: Nonce }
  | { readonly code: "business_nonce_pending"; readonly nonce: Nonce; readonly pending: OperationId }
  | {
      readonly code: "business_insufficient_funds";
      readonly token: Address;
      readonly balance: Amount;
      readonly need: Amount;
    }
  | { readonly code: "business_token_exists"; readonly token: Address }
  | { readonly code: "business_token_paused"; readonly token: Address }
  | { readonly code: "business_pause_state"; readonly token: Address; readonly paused: boolean }
  | { readonly code: "business_blacklisted"; readonly token: Address; readonly address: Address }
  | { readonly code: "business_not_whitelisted"; readonly token: Address; readonly address: Address }
  | { readonly code: "business_list_kind"; readonly token: Address; readonly isPrivate: boolean }
  | {
      readonly code: "business_list_state";
      readonly token: Address;
      readonly address: Address;
      readonly listed: boolean;
    }
  | {
      readonly code: "business_missing_role";
      readonly token: Address | undefined;
      readonly role: RequiredRole;
      readonly signer: Address;
    }
  | { readonly code: "business_role_full"; readonly token: Address; readonly role: Role; readonly cap: number }
  | { readonly code: "business_role_not_held"; readonly token: Address; readonly role: Role; readonly address: Address }
  | {
      readonly code: "business_allowance_exceeded";
      readonly token: Address;
      readonly allowance: Amount;
      readonly need: Amount;
    }
  | {
      readonly code: "business_amount_overflow";
      readonly token: Address;
      readonly minted: Amount;
      readonly value: Amount;
    }
  /** A forced burn was decided as failed; no local balance in it, so that every validator writes the same receipt. */
  | {
      readonly code: "business_burn_unfunded";
      readonly token: Address;
      readonly account: Address;
      readonly value: Amount;
    }
  /** The proposed outcome of a burn is not the one that the balance here shows. */
  | {
      readonly code: "business_burn_outcome";
      readonly id: OperationId;
      readonly expected: "burned" | "failed";
      readonly got: "burned" | "failed";
    }
  | { readonly code: "business_signature_reused"; readonly pending: OperationId }
  | { readonly code: "business_nothing_to_cancel"; readonly nonce: Nonce }
  | { readonly code: "business_superseded"; readonly by: OperationId }
  | { readonly code: "business_decided_otherwise"; readonly nonce: Nonce; readonly by: OperationId }
  | { readonly code: "system_queue_full"; readonly limit: number };

export type RefusalCode = Refusal["code"];

/** Result of a check before a vote (protocol 4.2). `wait` names what is still missing. */
export type CheckResult =
  | { readonly answer: "accept" }
  | { readonly answer: "wait"; readonly missing: Refusal }
  | { readonly answer: "refuse"; readonly refusal: Refusal };

/** The value may be voted for. */
export const ACCEPT: CheckResult = { answer: "accept" };

/** Waits for something that is missing here. */
export function wait(missing: Refusal): CheckResult {
  return { answer: "wait", missing };
}

/** Refuses for a broken rule. */
export function refuse(refusal: Refusal): CheckResult {
  return { answer: "refuse", refusal };
}
