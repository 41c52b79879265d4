/**
 * Receipts of operations, results of checks, and the table of refusals: one row a code, with its evidence, rule, section
 * and text. The union of refusals follows from the table.
 */
import type { Amount } from "./amount.ts";
import { type Address, type Nonce, quote } from "./ids.ts";
import type { OperationId, Role } from "./operation.ts";
import type { BurnOutcome, SlotKey } from "./slot.ts";

/** Result of an operation, written when its effect is decided (protocol 4.1). */
export interface Receipt {
  readonly id: OperationId;
  readonly success: boolean;
  /** Fee in the smallest unit of `feeToken`; 0 if nothing is paid. */
  readonly fee: Amount;
  readonly feeToken: Address | undefined;
  /** Reason of a failure, `undefined` on success. A failed operation has still used its nonce. */
  readonly error: Refusal | undefined;
  /** Slot of the effect. */
  readonly slot: SlotKey;
  /** Number of earlier burn-and-bridge operations of the account; only in receipts of that kind. */
  readonly bridgeNonce?: number;
}

/** Role that an action needs: `Master` if only the master authority may do it, `Operator` for an issue. */
export type RequiredRole = Role | "Master" | "Operator";

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

/** Row of a code before its status. `text` is for people: clients read the code only. */
interface Row<Evidence> extends Omit<RefusalRow, "status"> {
  readonly text: (evidence: Readonly<Evidence>) => string;
}

/** Texts have each amount in its token's smallest unit, as `5 of token 0x…`. */
const ROWS = {
  validation_chain_id: ledgerRow<{ expected: number; got: number }>(
    "the chain id is this network's",
    "specification 5.1",
    ({ expected, got }) => `the chain id of this network is ${expected}, got ${got}`,
  ),
  validation_signature: nodeRow<{ reason: string }>(
    "the signature is the sender's, with low s and parity 0 or 1",
    "specification 4.1",
    ({ reason }) => `invalid signature: ${reason}`,
  ),
  validation_nonce: ledgerRow<{ got: number }>(
    "a nonce is an integer from 0 to 2^53 - 2",
    "specification 3.1",
    ({ got }) => `a nonce is an integer from 0 to 2^53 - 2, got ${got}`,
  ),
  validation_amount: ledgerRow<{ field: string; reason: string }>(
    "amounts are from 1 (an allowance: 0) to 2^256 - 1, with the fee too",
    "specification 2.2",
    ({ field, reason }) => `${field}: ${reason}`,
  ),
  validation_decimals: ledgerRow<{ got: number }>(
    "decimals are an integer from 0 to 18",
    "specification 14.1",
    ({ got }) => `decimals are an integer from 0 to 18, got ${got}`,
  ),
  validation_text: ledgerRow<{ field: string; reason: string }>(
    "texts are Unicode of bounded length; a memo has its own characters",
    "specification 2.5, 14.1; wire 5",
    ({ field, reason }) => `${field}: ${reason}`,
  ),
  validation_action: ledgerRow<{ field: string; got: string; expected: readonly string[] }>(
    "actions and authority types are known spellings",
    "specification 6.3; wire 2.2",
    ({ field, expected, got }) => `${field}: expected one of ${expected.join(", ")}, got ${quote(got)}`,
  ),
  validation_layout: ledgerRow<{ field: string; reason: string }>(
    "a field is one that its signing layout signs",
    "specification 5.1; wire 3.9",
    ({ field, reason }) => `${field}: ${reason}`,
  ),
  validation_evidence: ledgerRow<{ reason: string }>(
    "evidence is an equivocation proof for this nonce",
    "specification 5.4; protocol 3.0",
    ({ reason }) => `evidence is not an equivocation proof: ${reason}`,
  ),
  validation_batch: ledgerRow<{ field: string; reason: string }>(
    "a batch has 1 to 256 legs to somebody, and the hash of its legs if it names one",
    "specification 5.17",
    ({ field, reason }) => `${field}: ${reason}`,
  ),
  validation_signers: ledgerRow<{ field: string; reason: string }>(
    "a signer set has 1 to 20 keys, weights from 1 to 255, and a threshold that they reach",
    "specification 5.18",
    ({ field, reason }) => `${field}: ${reason}`,
  ),
  validation_sender: ledgerRow<{ sender: Address; signer: Address }>(
    "the sender of a burn and bridge is its signer",
    "specification 5.16",
    ({ sender, signer }) => `the sender is ${sender}, but the signature is of ${signer}`,
  ),
  validation_signature_ambiguous: nodeRow<{ client: Address; spec: Address }>(
    "only one of the two layouts makes a valid operation",
    "wire 3.9",
    ({ client, spec }) =>
      `ambiguous signature: it is valid for two operations, of ${client} in the client layout and of ${spec} in the spec layout; sign another one`,
  ),
  /** A value that a validator proposed for a slot breaks the rules of that slot. */
  validation_proposal: ledgerRow<{ reason: string }>(
    "a proposed list or burn keeps the rules of its slot",
    "protocol 3, 5",
    ({ reason }) => `the proposed value breaks a rule of its slot: ${reason}`,
  ),
  resource_token_not_found: ledgerRow<{ token: Address }>(
    "the token exists",
    "specification 5",
    ({ token }) => `there is no token ${token}`,
  ),
  resource_multisig_not_found: ledgerRow<{ account: Address }>(
    "a multisig account is created before it signs",
    "specification 5.18",
    ({ account }) => `no multisig account ${account} is created`,
  ),
  /** The operation is not in the set of authorised, not yet executed operations. */
  resource_authorisation_not_found: ledgerRow<{ id: OperationId }>(
    "the operation is authorised and not yet executed",
    "protocol 4.1",
    ({ id }) => `operation ${id} is not among those that are authorised and not yet executed`,
  ),
  business_nonce_too_low: ledgerRow<{ expected: Nonce; got: Nonce }>(
    "the nonce is not used yet",
    "specification 3.1",
    ({ expected, got }) => `the next nonce of this account is ${expected}, got ${got}, which is used`,
  ),
  business_nonce_gap: ledgerRow<{ expected: Nonce; got: Nonce }>(
    "the nonce is exactly the next one",
    "specification 3.1, 3.4",
    ({ expected, got }) => `the next nonce of this account is ${expected}, got ${got}`,
  ),
  business_nonce_pending: nodeRow<{ nonce: Nonce; pending: OperationId }>(
    "no other operation with this nonce is pending",
    "specification 3.2",
    ({ pending, nonce }) => `operation ${pending} with nonce ${nonce} is pending: wait for it, or cancel it`,
  ),
  business_insufficient_funds: ledgerRow<{ token: Address; balance: Amount; need: Amount }>(
    "the balance covers amount and fee",
    "specification 5.2",
    ({ token, balance, need }) =>
      `the balance is ${balance} of token ${token}, expected at least ${need} of token ${token} with the fee`,
  ),
  business_token_exists: ledgerRow<{ token: Address }>(
    "a master authority has a symbol once",
    "specification 5.5; wire 3.6",
    ({ token }) => `the master authority already has a token of this symbol: ${token}`,
  ),
  business_token_paused: ledgerRow<{ token: Address }>(
    "transfers, mints, burns and clawbacks need an unpaused token",
    "specification 6.5",
    ({ token }) => `token ${token} is paused`,
  ),
  business_pause_state: ledgerRow<{ token: Address; paused: boolean }>(
    "only an unpaused token is paused, only a paused one unpaused",
    "specification 6.5",
    ({ token, paused }) => `token ${token} is ${paused ? "paused already" : "not paused"}`,
  ),
  business_blacklisted: ledgerRow<{ token: Address; address: Address }>(
    "a blacklisted address neither sends nor receives",
    "specification 6.4",
    ({ address, token }) => `${address} is on the blacklist of token ${token}`,
  ),
  business_not_whitelisted: ledgerRow<{ token: Address; address: Address }>(
    "a private token moves between whitelisted addresses only",
    "specification 6.4",
    ({ address, token }) => `${address} is not on the whitelist of the private token ${token}`,
  ),
  business_list_kind: ledgerRow<{ token: Address; isPrivate: boolean }>(
    "public tokens have a blacklist, private ones a whitelist",
    "specification 6.4",
    ({ token, isPrivate }) =>
      `token ${token} is ${isPrivate ? "private, and has a whitelist only" : "public, and has a blacklist only"}`,
  ),
  business_list_state: ledgerRow<{ token: Address; address: Address; listed: boolean }>(
    "an address is added once, and removed only when listed",
    "specification 6.4",
    ({ address, listed, token }) =>
      `${address} is ${listed ? "on the list already" : "not on the list"} of token ${token}`,
  ),
  business_missing_role: ledgerRow<{ token: Address | undefined; role: RequiredRole; signer: Address }>(
    "the signer holds the role, or is the master (for an issue: the operator)",
    "specification 4.4",
    ({ signer, role, token }) =>
      `signer ${signer} lacks the role ${role}${token === undefined ? "" : ` of token ${token}`}`,
  ),
  business_role_full: ledgerRow<{ token: Address; role: Role; cap: number }>(
    "roles have at most 1, 20, 5, 5, 5, 5, 5 addresses",
    "specification 6.2",
    ({ token, cap, role }) => `token ${token} has ${cap} in the role ${role}, the maximum`,
  ),
  business_role_not_held: ledgerRow<{ token: Address; role: Role; address: Address }>(
    "only a role that is held is revoked",
    "specification 6.2",
    ({ address, role, token }) => `${address} does not hold the role ${role} of token ${token}`,
  ),
  business_allowance_exceeded: ledgerRow<{ token: Address; allowance: Amount; need: Amount }>(
    "a mint is within the signer's allowance",
    "specification 6.2",
    ({ token, allowance, need }) =>
      `the allowance is ${allowance} of token ${token}, expected at least ${need} of token ${token}`,
  ),
  business_amount_overflow: ledgerRow<{ token: Address; minted: Amount; value: Amount }>(
    "what was ever minted stays within 2^256 - 1",
    "specification 5.6",
    ({ minted, token, value }) =>
      `${minted} of token ${token} was minted already, and ${value} of token ${token} more would pass 2^256 - 1`,
  ),
  /** A forced burn was decided as failed; no local balance in it, so that every validator writes the same receipt. */
  business_burn_unfunded: ledgerRow<{ token: Address; account: Address; value: Amount }>(
    "a forced burn finds the amount when it is decided",
    "specification 5.7; protocol 5",
    ({ account, value, token }) => `${account} had less than ${value} of token ${token} when its burn was decided`,
  ),
  business_clawback_disabled: ledgerRow<{ token: Address }>(
    "only a token that was issued with clawback enabled is clawed back",
    "specification 5.14",
    ({ token }) => `token ${token} was issued without clawback`,
  ),
  business_not_excluded: ledgerRow<{ token: Address; address: Address }>(
    "where the policy `clawbacks` says so, only an account that the token's list excludes is clawed back from",
    "specification 5.14; specification 12.1",
    ({ address, token }) => `the list of token ${token} does not exclude ${address}`,
  ),
  business_bridge_replayed: ledgerRow<{ token: Address; sourceChainId: number; sourceTxHash: string }>(
    "a transaction of a source chain is minted once per token",
    "specification 5.15",
    ({ token, sourceChainId, sourceTxHash }) =>
      `transaction ${sourceTxHash.slice(0, 80)} of chain ${sourceChainId} was minted as token ${token} already`,
  ),
  /** As of a burn. */
  business_clawback_unfunded: ledgerRow<{ token: Address; account: Address; value: Amount }>(
    "a clawback finds the amount when it is decided",
    "specification 5.14; protocol 5",
    ({ account, value, token }) => `${account} had less than ${value} of token ${token} when its clawback was decided`,
  ),
  /** The proposed outcome of a burn is not the one that the state here shows. */
  business_burn_outcome: ledgerRow<{ id: OperationId; expected: BurnOutcome; got: BurnOutcome }>(
    "the outcome of a forced burn is what balance and token show",
    "protocol 5",
    ({ id, expected, got }) => `burn ${id} must be decided as ${expected}, and not as ${got}`,
  ),
  business_signature_reused: nodeRow<{ pending: OperationId }>(
    "one signed digest is admitted under one kind",
    "specification 4.3; wire 3.9",
    ({ pending }) =>
      `this signature was admitted for operation ${pending}, and is valid for one kind of operation only`,
  ),
  business_nothing_to_cancel: ledgerRow<{ nonce: Nonce }>(
    "a cancellation meets a pending operation of its nonce",
    "specification 5.3; protocol 4.4",
    ({ nonce }) => `no cancellable operation with nonce ${nonce} is pending`,
  ),
  business_nothing_to_recover: nodeRow<{ nonce: Nonce }>(
    "a recovery meets a blocked account: votes have been cast for its nonce",
    "specification 5.4; protocol 3.2",
    ({ nonce }) => `no validator was seen to vote for an operation with nonce ${nonce}: nothing blocks it`,
  ),
  business_superseded: nodeRow<{ by: OperationId }>(
    "the nonce was not skipped by cancellation or recovery",
    "specification 8.1",
    ({ by }) => `its nonce was skipped by ${by}`,
  ),
  business_decided_otherwise: nodeRow<{ nonce: Nonce; by: OperationId }>(
    "no other operation was decided for the nonce",
    "specification 5.3",
    ({ by, nonce }) => `operation ${by} was decided for nonce ${nonce}`,
  ),
  system_queue_full: nodeRow<{ limit: number }>(
    "the node has room for one more waiting operation",
    "specification 3.4",
    ({ limit }) => `this validator already holds ${limit} waiting operations: try again later, or another one`,
  ),
};

export type RefusalCode = keyof typeof ROWS;

/** Broken rule with its evidence. */
export type Refusal = {
  [C in RefusalCode]: { readonly code: C } & Parameters<(typeof ROWS)[C]["text"]>[0];
}[RefusalCode];

export const REFUSAL_CODES: readonly RefusalCode[] = Object.keys(ROWS) as RefusalCode[];

/** Statuses by the first word of a code (specification 13.3). */
const STATUSES: Readonly<Record<string, RefusalRow["status"]>> = {
  validation: 400,
  resource: 404,
  business: 422,
  system: 429,
};

export const REFUSALS = Object.fromEntries(
  REFUSAL_CODES.map((code) => [code, { ...ROWS[code], status: STATUSES[code.split("_", 1)[0] ?? ""] }]),
) as unknown as Readonly<Record<RefusalCode, RefusalRow>>;

/** Returns the text of a refusal, for people. */
export function refusalText(refusal: Refusal): string {
  return (ROWS[refusal.code].text as (evidence: Refusal) => string)(refusal);
}

function ledgerRow<Evidence>(rule: string, section: string, text: Row<Evidence>["text"]): Row<Evidence> {
  return { rule, section, givenBy: "ledger", text };
}

function nodeRow<Evidence>(rule: string, section: string, text: Row<Evidence>["text"]): Row<Evidence> {
  return { rule, section, givenBy: "node", text };
}

/** Result of a check before a vote (protocol 4.2). `wait` names what is still missing. */
export type CheckResult =
  | { readonly answer: "accept" }
  | { readonly answer: "wait"; readonly missing: Refusal }
  | {
      readonly answer: "refuse";
      readonly refusal: Refusal;
      /** The value contradicts what was decided here: its proposer is not reported (protocol 3.4). */
      readonly mayBeHonest?: true;
    };

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

/** Refuses a value that does not follow from this validator's state. */
export function refuseProposal(reason: string): CheckResult {
  return refuse({ code: "validation_proposal", reason });
}

/** Refuses a value that contradicts what was decided here: beyond f, an honest proposer may hold the other decision. */
export function refuseConflict(reason: string): CheckResult {
  return { answer: "refuse", refusal: { code: "validation_proposal", reason }, mayBeHonest: true };
}

/** Returns true for a refusal because a list of the token excludes a party (specification 6.4). */
export function isListRefusal({ code }: Refusal): boolean {
  return code === "business_blacklisted" || code === "business_not_whitelisted";
}
