/** Forms of refusals: each code has evidence of its own, of which the oracles read the operations that it names. */
import { ROLES } from "../../core/base/operation.ts";
import { REFUSALS, type Refusal, type RequiredRole } from "../../core/base/refusal.ts";
import { BURN_OUTCOMES } from "../../core/base/slot.ts";
import {
  anyText,
  type Cases,
  count,
  defineForm,
  type Fields,
  flag,
  list,
  nullable,
  optional,
  record,
  signedCount,
  union,
  wordOf,
} from "./form.ts";
import { address, amount, hash, nonce } from "./operation-forms.ts";

type EvidenceOf<C extends Refusal["code"]> = Omit<Extract<Refusal, { readonly code: C }>, "code">;

const number = signedCount("number");
const text = anyText();
const role = wordOf<RequiredRole>(...ROLES, "Master", "Operator");
const outcome = wordOf(...BURN_OUTCOMES);
const id = hash as Fields<EvidenceOf<"business_superseded">>["by"];
const field = { field: text, reason: text };
const nonces = { expected: nonce, got: nonce };

const EVIDENCE: { readonly [C in Refusal["code"]]: Fields<EvidenceOf<C>> } = {
  validation_chain_id: { expected: number, got: number },
  validation_signature: { reason: text },
  validation_nonce: { got: number },
  validation_amount: field,
  validation_decimals: { got: number },
  validation_text: field,
  validation_action: { field: text, got: text, expected: list(text) },
  validation_layout: field,
  validation_evidence: { reason: text },
  validation_batch: field,
  validation_signers: field,
  validation_sender: { sender: address, signer: address },
  validation_signature_ambiguous: { client: address, spec: address },
  validation_proposal: { reason: text },
  resource_token_not_found: { token: address },
  resource_multisig_not_found: { account: address },
  resource_authorisation_not_found: { id },
  business_nonce_too_low: nonces,
  business_nonce_gap: nonces,
  business_nonce_pending: { nonce, pending: id },
  business_insufficient_funds: { token: address, balance: amount, need: amount },
  business_token_exists: { token: address },
  business_token_paused: { token: address },
  business_pause_state: { token: address, paused: flag },
  business_blacklisted: { token: address, address },
  business_not_whitelisted: { token: address, address },
  business_list_kind: { token: address, isPrivate: flag },
  business_list_state: { token: address, address, listed: flag },
  business_missing_role: { token: nullable(address), role, signer: address },
  business_role_full: { token: address, role: wordOf(...ROLES), cap: count() },
  business_role_not_held: { token: address, role: wordOf(...ROLES), address },
  business_allowance_exceeded: { token: address, allowance: amount, need: amount },
  business_amount_overflow: { token: address, minted: amount, value: amount },
  business_burn_unfunded: { token: address, account: address, value: amount },
  business_clawback_disabled: { token: address },
  business_not_excluded: { token: address, address },
  business_bridge_replayed: { token: address, sourceChainId: count(), sourceTxHash: text },
  business_clawback_unfunded: { token: address, account: address, value: amount },
  business_burn_outcome: { id, expected: outcome, got: outcome },
  business_signature_reused: { pending: id },
  business_nothing_to_cancel: { nonce },
  business_nothing_to_recover: { nonce },
  business_superseded: { by: id },
  business_decided_otherwise: { nonce, by: id },
  system_queue_full: { limit: count() },
};

/** Returns the same fields, in which what explains the code to people may be absent. */
function withExplanations(fields: object): Fields<object> {
  const entries = Object.entries(fields).map(([name, form]) => [name, form === id ? form : optional(form)]);
  return Object.fromEntries(entries) as Fields<object>;
}

const cases = Object.fromEntries(
  Object.entries(EVIDENCE).map(([code, fields]) => [
    code,
    record<object>(REFUSALS[code as Refusal["code"]].rule, withExplanations(fields)),
  ]),
) as unknown as Cases<Refusal, "code">;

export const refusal = defineForm("Refusal", union<Refusal, "code">("code", cases));
