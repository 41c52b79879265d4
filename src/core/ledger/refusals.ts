/** Refusals: rule, code, HTTP status and section. Complete over the union by its type. */
import type { RefusalCode } from "../base/refusal.ts";

export interface RefusalRow {
  /** Rule that the operation violates. */
  readonly rule: string;
  /** Status of the HTTP response (specification 13.3; names as in wire 2.3). */
  readonly status: 400 | 404 | 422 | 429;
  /** Section of `specification`, `protocol` or `wire` that states the rule. */
  readonly section: string;
  /** Origin of the refusal: the ledger's own rules, or a node that knows what is pending and checks signatures. */
  readonly givenBy: "ledger" | "node";
}

const RULES: Readonly<Record<RefusalCode, Omit<RefusalRow, "status">>> = {
  validation_chain_id: ledger("the chain id is this network's", "specification 5.1"),
  validation_signature: node("the signature is the sender's, with low s and parity 0 or 1", "specification 4.1"),
  validation_nonce: ledger("a nonce is an integer from 0 to 2^53 - 2", "specification 3.1"),
  validation_amount: ledger("amounts are from 1 (an allowance: 0) to 2^256 - 1, with the fee too", "specification 2.2"),
  validation_decimals: ledger("decimals are an integer from 0 to 18", "specification 14.1"),
  validation_text: ledger(
    "texts are Unicode of bounded length; a memo has its own characters",
    "specification 2.5, 14.1; wire 5",
  ),
  validation_action: ledger("actions and authority types are known spellings", "specification 6.3; wire 2.2"),
  validation_layout: ledger("a field is one that its signing layout signs", "specification 5.1; wire 3.9"),
  validation_evidence: ledger("evidence is an equivocation proof for this nonce", "specification 5.4; protocol 3.0"),
  validation_signature_ambiguous: node("only one of the two layouts makes a valid operation", "wire 3.9"),
  validation_proposal: ledger("a proposed list or burn keeps the rules of its slot", "protocol 3, 5"),
  resource_token_not_found: ledger("the token exists", "specification 5"),
  resource_authorisation_not_found: ledger("the operation is authorised and not yet executed", "protocol 4.1"),
  business_nonce_too_low: ledger("the nonce is not used yet", "specification 3.1"),
  business_nonce_gap: ledger("the nonce is exactly the next one", "specification 3.1, 3.4"),
  business_nonce_pending: node("no other operation with this nonce is pending", "specification 3.2"),
  business_insufficient_funds: ledger("the balance covers amount and fee", "specification 5.2"),
  business_token_exists: ledger("a master authority has a symbol once", "specification 5.5; wire 3.6"),
  business_token_paused: ledger("transfers, mints and burns need an unpaused token", "specification 6.5"),
  business_pause_state: ledger("only an unpaused token is paused, only a paused one unpaused", "specification 6.5"),
  business_blacklisted: ledger("a blacklisted address neither sends nor receives", "specification 6.4"),
  business_not_whitelisted: ledger("a private token moves between whitelisted addresses only", "specification 6.4"),
  business_list_kind: ledger("public tokens have a blacklist, private ones a whitelist", "specification 6.4"),
  business_list_state: ledger("an address is added once, and removed only when listed", "specification 6.4"),
  business_missing_role: ledger(
    "the signer holds the role, or is the master (for an issue: the operator)",
    "specification 4.4",
  ),
  business_role_full: ledger("roles have at most 1, 20, 5, 5, 5 addresses", "specification 6.2"),
  business_role_not_held: ledger("only a role that is held is revoked", "specification 6.2"),
  business_allowance_exceeded: ledger("a mint is within the signer's allowance", "specification 6.2"),
  business_amount_overflow: ledger("what was ever minted stays within 2^256 - 1", "specification 5.6"),
  business_burn_unfunded: ledger("a forced burn finds the amount when it is decided", "specification 5.7; protocol 5"),
  business_burn_outcome: ledger("the outcome of a forced burn is what the balance shows", "protocol 5"),
  business_signature_reused: node("one signed digest is admitted under one kind", "specification 4.3; wire 3.9"),
  business_nothing_to_cancel: ledger(
    "a cancellation meets a pending operation of its nonce",
    "specification 5.3; protocol 4.4",
  ),
  business_superseded: node("the nonce was not skipped by cancellation or recovery", "specification 8.1"),
  business_decided_otherwise: node("no other operation was decided for the nonce", "specification 5.3"),
  system_queue_full: node("the node has room for one more waiting operation", "specification 3.4"),
};

export const REFUSAL_CODES: readonly RefusalCode[] = Object.keys(RULES) as RefusalCode[];

/** Statuses by the first word of a code (specification 13.3). */
const STATUSES: Readonly<Record<string, RefusalRow["status"]>> = {
  validation: 400,
  resource: 404,
  business: 422,
  system: 429,
};

export const REFUSALS = Object.fromEntries(
  REFUSAL_CODES.map((code) => [code, { ...RULES[code], status: STATUSES[code.split("_", 1)[0] ?? ""] }]),
) as Readonly<Record<RefusalCode, RefusalRow>>;

function ledger(rule: string, section: string): Omit<RefusalRow, "status"> {
  return { rule, section, givenBy: "ledger" };
}

function node(rule: string, section: string): Omit<RefusalRow, "status"> {
  return { rule, section, givenBy: "node" };
}
