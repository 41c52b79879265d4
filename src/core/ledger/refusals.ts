/** Refusals: rule, code, HTTP status and section. Complete over the union by its type. */
import type { RefusalCode } from "../base/refusal.ts";

export interface RefusalRow {
  /** What the operation would have to satisfy. */
  readonly rule: string;
  /** Status of the HTTP answer (specification 13.3; names as in wire 2.3). */
  readonly status: 400 | 404 | 422 | 429;
  /** Where the rule stands: a section of `specification`, `protocol` or `wire`. */
  readonly section: string;
  /** Who gives it: the ledger's own rules, or a node that knows what is pending and checks signatures. */
  readonly givenBy: "ledger" | "node";
}

export const REFUSALS: Readonly<Record<RefusalCode, RefusalRow>> = {
  validation_chain_id: row("the chain id is this network's", 400, "specification 5.1"),
  validation_signature: nodeRow(
    "the signature is the sender's, with low s and parity 0 or 1",
    400,
    "specification 4.1",
  ),
  validation_nonce: row("a nonce is an integer from 0 to 2^53 - 2", 400, "specification 3.1"),
  validation_amount: row(
    "amounts are from 1 (an allowance: 0) to 2^256 - 1, with the fee too",
    400,
    "specification 2.2",
  ),
  validation_decimals: row("decimals are an integer from 0 to 18", 400, "specification 14.1"),
  validation_text: row(
    "texts are Unicode of bounded length; a memo has its own characters",
    400,
    "specification 2.5, 14.1; wire 5",
  ),
  validation_action: row("actions and authority types are known spellings", 400, "specification 6.3; wire 2.2"),
  validation_layout: row("a field is one that its signing layout signs", 400, "specification 5.1; wire 3.9"),
  validation_evidence: row(
    "evidence accuses the account of two operations for this nonce",
    400,
    "specification 5.4; protocol 3.0",
  ),
  validation_signature_ambiguous: nodeRow("only one of the two layouts makes a valid operation", 400, "wire 3.9"),
  validation_proposal: row("a proposed list or burn keeps the rules of its slot", 400, "protocol 3, 5"),
  resource_token_not_found: row("the token exists", 404, "specification 5"),
  resource_authorisation_not_found: row("the operation is authorised and not yet executed", 404, "protocol 4.1"),
  business_nonce_too_low: row("the nonce is not used yet", 422, "specification 3.1"),
  business_nonce_gap: row("the nonce is exactly the next one", 422, "specification 3.1, 3.4"),
  business_nonce_pending: nodeRow("no other operation with this nonce is pending", 422, "specification 3.2"),
  business_insufficient_funds: row("the balance covers amount and fee", 422, "specification 5.2"),
  business_token_exists: row("a master authority has a symbol once", 422, "specification 5.5; wire 3.6"),
  business_token_paused: row("transfers, mints and burns need an unpaused token", 422, "specification 6.5"),
  business_pause_state: row("only an unpaused token is paused, only a paused one unpaused", 422, "specification 6.5"),
  business_blacklisted: row("a blacklisted address neither sends nor receives", 422, "specification 6.4"),
  business_not_whitelisted: row("a private token moves between whitelisted addresses only", 422, "specification 6.4"),
  business_list_kind: row("public tokens have a blacklist, private ones a whitelist", 422, "specification 6.4"),
  business_list_state: row("an address is added once, and removed only when listed", 422, "specification 6.4"),
  business_missing_role: row(
    "the signer holds the role, or is the master (for an issue: the operator)",
    422,
    "specification 4.4",
  ),
  business_role_full: row("roles have at most 1, 20, 5, 5, 5 addresses", 422, "specification 6.2"),
  business_role_not_held: row("only a role that is held is revoked", 422, "specification 6.2"),
  business_allowance_exceeded: row("a mint is within the signer's allowance", 422, "specification 6.2"),
  business_amount_overflow: row("what was ever minted stays within 2^256 - 1", 422, "specification 5.6"),
  business_burn_unfunded: row(
    "a forced burn finds the amount when it is decided",
    422,
    "specification 5.7; protocol 5",
  ),
  business_burn_outcome: row("the outcome of a forced burn is what the balance shows", 422, "protocol 5"),
  business_signature_reused: nodeRow(
    "one signed digest is admitted under one kind",
    422,
    "specification 4.3; wire 3.9",
  ),
  business_nothing_to_cancel: row(
    "a cancellation meets a pending operation of its nonce",
    422,
    "specification 5.3; protocol 4.4",
  ),
  business_superseded: nodeRow("the nonce was not skipped by cancellation or recovery", 422, "specification 8.1"),
  business_decided_otherwise: nodeRow("no other operation was decided for the nonce", 422, "specification 5.3"),
  system_queue_full: nodeRow("the node has room for one more waiting operation", 429, "specification 3.4"),
};

/** The codes in the order of the table. */
export const REFUSAL_CODES: readonly RefusalCode[] = Object.keys(REFUSALS) as RefusalCode[];

/** The HTTP status that goes with a code. */
export function statusOf(code: RefusalCode): RefusalRow["status"] {
  return REFUSALS[code].status;
}

function row(rule: string, status: RefusalRow["status"], section: string): RefusalRow {
  return { rule, status, section, givenBy: "ledger" };
}

function nodeRow(rule: string, status: RefusalRow["status"], section: string): RefusalRow {
  return { rule, status, section, givenBy: "node" };
}
