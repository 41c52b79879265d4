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

export type Refusal = Readonly<
  | { code: "validation_chain_id"; expected: number; got: number }
  | { code: "validation_signature"; reason: string }
  | { code: "validation_nonce"; got: number }
  | { code: "validation_amount"; field: string; reason: string }
  | { code: "validation_decimals"; got: number }
  | { code: "validation_text"; field: string; reason: string }
  | { code: "validation_action"; field: string; got: string; expected: readonly string[] }
  | { code: "validation_layout"; field: string; reason: string }
  | { code: "validation_evidence"; reason: string }
  | { code: "validation_signature_ambiguous"; client: Address; spec: Address }
  /** A value that a validator proposed for a slot breaks the rules of that slot. */
  | { code: "validation_proposal"; reason: string }
  | { code: "resource_token_not_found"; token: Address }
  /** Not in the set of authorised, not yet executed operations. */
  | { code: "resource_authorisation_not_found"; id: OperationId }
  | { code: "business_nonce_too_low"; expected: Nonce; got: Nonce }
  | { code: "business_nonce_gap"; expected: Nonce; got: Nonce }
  | { code: "business_nonce_pending"; nonce: Nonce; pending: OperationId }
  | { code: "business_insufficient_funds"; token: Address; balance: Amount; need: Amount }
  | { code: "business_token_exists"; token: Address }
  | { code: "business_token_paused"; token: Address }
  | { code: "business_pause_state"; token: Address; paused: boolean }
  | { code: "business_blacklisted"; token: Address; address: Address }
  | { code: "business_not_whitelisted"; token: Address; address: Address }
  | { code: "business_list_kind"; token: Address; isPrivate: boolean }
  | { code: "business_list_state"; token: Address; address: Address; listed: boolean }
  | { code: "business_missing_role"; token: Address | undefined; role: RequiredRole; signer: Address }
  | { code: "business_role_full"; token: Address; role: Role; cap: number }
  | { code: "business_role_not_held"; token: Address; role: Role; address: Address }
  | { code: "business_allowance_exceeded"; token: Address; allowance: Amount; need: Amount }
  | { code: "business_amount_overflow"; token: Address; minted: Amount; value: Amount }
  /** A forced burn was decided as failed; no local balance in it, so that every validator writes the same receipt. */
  | { code: "business_burn_unfunded"; token: Address; account: Address; value: Amount }
  /** The proposed outcome of a burn is not the one that the balance here shows. */
  | { code: "business_burn_outcome"; id: OperationId; expected: "burned" | "failed"; got: "burned" | "failed" }
  | { code: "business_signature_reused"; pending: OperationId }
  | { code: "business_nothing_to_cancel"; nonce: Nonce }
  | { code: "business_superseded"; by: OperationId }
  | { code: "business_decided_otherwise"; nonce: Nonce; by: OperationId }
  | { code: "system_queue_full"; limit: number }
>;

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
