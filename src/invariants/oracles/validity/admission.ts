/**
 * Answers that an entry validator may give at once to a new submission (protocol 4.2), by the reference ledger at its place:
 * every refusal has its reason there, and nothing is admitted that its state refuses.
 */
import { AMOUNT_MAX, leastOf } from "../../../core/base/amount.ts";
import type { Address } from "../../../core/base/ids.ts";
import {
  isRecovery,
  type Operation,
  type OperationId,
  type Recovery,
  type SignedOperation,
} from "../../../core/base/operation.ts";
import type { Refusal, RefusalCode } from "../../../core/base/refusal.ts";
import { type Chronicle, isRegular, lacksWeight } from "../../history/chronicle.ts";
import { QUEUE_LIMITS } from "../../limits.ts";
import type { EventOf } from "../../observation.ts";
import { isFunded } from "../../reference/account-rules.ts";
import { spentAmount } from "../../reference/epoch.ts";
import { formRefusals } from "../../reference/form-rules.ts";
import {
  identityOf,
  isCancellation,
  isSignedAlike,
  isSpending,
  provesEquivocation,
  tokenOf,
} from "../../reference/operation-meaning.ts";
import { balanceOf, countersOf, type LedgerState } from "../../reference/state.ts";
import { refusalsIn } from "../../reference/token-rules.ts";
import { barrierRefusals, byBarrier, type CommitBarrier } from "./barriers.ts";
import { hasRival, isCompetingRequest, isProven, isSettled, NO_REQUESTS, type Requests } from "./client-requests.ts";

/** A reply in the step in which the submission arrived. */
export interface Admission {
  readonly id: OperationId;
  readonly answer: EventOf<"replied">["answer"];
  /** True if nobody else received it before. */
  readonly isFirst: boolean;
}

export interface AdmissionContext {
  readonly chronicle: Pick<Chronicle, "keys" | "signerSets">;
  readonly ledger: LedgerState;
  readonly requests: Requests;
  /** Operations of open nonces that the node has admitted since it started, by signer; `undefined` for none. */
  readonly admitted: ReadonlyMap<Address, readonly Pick<SignedOperation, "operation">[]> | undefined;
  readonly barrier: CommitBarrier | undefined;
  /** Returns the ledgers of all honest nodes; `undefined` unless each is known. */
  readonly ledgers: () => readonly LedgerState[] | undefined;
}

/** Returns what is wrong with the reply, as the end of a sentence; `undefined` if nothing is. */
export function wrongAdmission(place: AdmissionContext, { id, answer, isFirst }: Admission): string | undefined {
  const requested = place.requests.byId.get(id)?.signed ?? place.requests.recoveries.get(id);
  if (requested === undefined || place.requests.ambiguous.has(id)) return undefined;
  if (answer.status === "refused" && !answer.disclosed) {
    const { refusal } = answer;
    const isRight = isRecovery(requested)
      ? mayRefuseRecovery(place.ledger, requested, refusal)
      : isReason(place, id, requested, refusal);
    return isRight ? undefined : `refused it for ${refusal.code}, of which its state knows nothing`;
  }
  if (answer.status !== "pending" || answer.barred !== undefined || !isFirst) return undefined;
  const [reason] = isRecovery(requested)
    ? recoveryReasons(place.ledger, requested)
    : admissionReasons(place, requested);
  return reason === undefined ? undefined : `admitted it, though its state refuses it: ${reason}`;
}

/** Reasons that the applied state gives, and the least that the signer asked for before. */
function admissionReasons(place: AdmissionContext, signed: SignedOperation): readonly string[] {
  const { chronicle, ledger } = place;
  const { operation, sender } = signed;
  const found: string[] = [...formRefusals(signed)];
  if (lacksWeight(chronicle, signed)) found.push("validation_signature");
  if (isNotCreated(ledger, signed)) found.push("resource_multisig_not_found");
  if (operation.chainId !== ledger.genesis.chainId) found.push("validation_chain_id");
  if (operation.nonce < countersOf(ledger, sender).nonce) found.push("business_nonce_too_low");
  if (isCancellation(signed)) return found;
  found.push(...refusalsIn(ledger, signed));
  found.push(...barrierRefusals(ledger, place.barrier, signed).map(byBarrier));
  const before = leastBefore(place, signed);
  if (before === undefined) found.push("business_nonce_gap");
  if (!isFunded(ledger, signed) || !coversQueue(ledger, signed, before ?? 0n))
    found.push("business_insufficient_funds");
  return found;
}

/** True if the form of the operation or the applied state can be why a voter refuses it. */
export function mayRefuseVote(ledger: LedgerState, signed: SignedOperation, code: RefusalCode): boolean {
  if (isOfForm(signed, code) || refusalsIn(ledger, signed).includes(code)) return true;
  return code === "validation_amount" && exceedsMaximum(ledger, signed.operation);
}

/** Returns true unless it is paid from a balance that does not cover it and what precedes it. */
function coversQueue(ledger: LedgerState, { operation, sender }: SignedOperation, before: bigint): boolean {
  if (!isSpending(operation)) return true;
  const total = before + spentAmount(ledger.epoch.parameters.fees, operation);
  return total <= balanceOf(ledger, operation.token, sender);
}

/**
 * Returns the least that the operations which the node has admitted for earlier nonces can take from the balance that it
 * is paid from; `undefined` if the signer has asked for none at one of those nonces.
 */
function leastBefore(
  { ledger, requests, admitted }: AdmissionContext,
  { operation, sender }: SignedOperation,
): bigint | undefined {
  const token = isSpending(operation) ? operation.token : undefined;
  const { fees } = ledger.epoch.parameters;
  const admittedOfSender = admitted?.get(sender) ?? [];
  let sum = 0n;
  for (let { nonce } = countersOf(ledger, sender); nonce < operation.nonce; nonce++) {
    const isOfNonce = (earlier: Operation): boolean => earlier.nonce === nonce && earlier.kind !== "cancellation";
    if (!(requests.bySigner.get(sender) ?? NO_REQUESTS).some(({ signed }) => isOfNonce(signed.operation)))
      return undefined;
    const earlier = admittedOfSender.map(({ operation: admittedOperation }) => admittedOperation).filter(isOfNonce);
    sum += leastOf(
      earlier.map((admittedOperation) =>
        isSpending(admittedOperation) && admittedOperation.token === token ? spentAmount(fees, admittedOperation) : 0n,
      ),
    );
  }
  return sum;
}

/** True if the state, the signer's other requests or a restriction on its way can be the reason of the refusal. */
function isReason(place: AdmissionContext, id: OperationId, signed: SignedOperation, refusal: Refusal): boolean {
  const { chronicle, ledger, requests } = place;
  const { operation, sender } = signed;
  const { nonce } = countersOf(ledger, sender);
  switch (refusal.code) {
    case "validation_chain_id":
      return operation.chainId !== ledger.genesis.chainId;
    case "validation_nonce":
      return operation.nonce < 0 || operation.nonce >= Number.MAX_SAFE_INTEGER;
    case "validation_amount":
      return isOfForm(signed, refusal.code) || exceedsMaximum(ledger, operation);
    case "validation_decimals":
    case "validation_text":
    case "validation_action":
    case "validation_layout":
    case "validation_batch":
    case "validation_signers":
      return isOfForm(signed, refusal.code);
    case "business_nonce_too_low":
      // An operation that waits for its token's list, or for the account that it debits, has not failed.
      return operation.nonce < nonce && !ledger.due.has(id);
    case "business_nonce_gap":
      return operation.nonce > nonce && !isBehindAdmitted(place, signed);
    case "business_nonce_pending": {
      const named = requests.byId.get(refusal.pending);
      // Another reading of a signature, which a peer can show, has an id that nobody asked for.
      const isTaken = named === undefined ? hasRival(requests, id, signed) : isCompetingRequest(named, id, signed);
      return isTaken || isProven(requests, (provenOperation) => isRivalOf(provenOperation, signed));
    }
    case "business_insufficient_funds":
      return isSpending(operation) ? exceedsBalance(place, signed) : !isFunded(ledger, signed);
    case "resource_multisig_not_found":
      return isNotCreated(ledger, signed);
    case "validation_signature":
      return operation.account === undefined || lacksWeight(chronicle, signed) || !isRegular(chronicle, signed);
    case "validation_sender":
      return refusalsIn(ledger, signed).includes(refusal.code);
    case "business_signature_reused": {
      const first = requests.byId.get(refusal.pending);
      // One that is over everywhere is forgotten here, and remembered there until a checkpoint lists it.
      if (first === undefined) return operation.nonce < nonce;
      return isCompetingRequest(first, id, signed) && isSignedAlike(first.signed.operation, operation);
    }
    case "system_queue_full":
      return QUEUE_LIMITS.has(refusal.limit);
    // It shows later whether there was anything to cancel.
    case "business_nothing_to_cancel":
      return true;
    default:
      return refusalsIn(ledger, signed).includes(refusal.code) || isRestrictionOpen(place, signed);
  }
}

/** True for an operation of a multisig account that this ledger does not know. */
function isNotCreated(ledger: LedgerState, { operation: { account } }: SignedOperation): boolean {
  return account !== undefined && countersOf(ledger, account).multisig === undefined;
}

/** True if its form forbids it with this code in any state. */
function isOfForm(signed: SignedOperation, code: RefusalCode): boolean {
  return formRefusals(signed).includes(code);
}

/** True if no balance can cover it with its fee. */
function exceedsMaximum({ epoch }: LedgerState, operation: Operation): boolean {
  return isSpending(operation) && spentAmount(epoch.parameters.fees, operation) > AMOUNT_MAX;
}

/** True if it is another operation of the signer for the nonce, which need not have been asked for itself. */
function isRivalOf(rival: SignedOperation, signed: SignedOperation): boolean {
  const isOfNonce = rival.sender === signed.sender && rival.operation.nonce === signed.operation.nonce;
  return isOfNonce && identityOf(rival) !== identityOf(signed);
}

/** True if the balance does not cover the payment with all other open payments of its signer and token. */
function exceedsBalance({ ledger, requests }: AdmissionContext, { operation, sender }: SignedOperation): boolean {
  if (!isSpending(operation)) return false;
  const { token } = operation;
  const { fees } = ledger.epoch.parameters;
  const { nonce } = countersOf(ledger, sender);
  let total = spentAmount(fees, operation);
  for (const { signed } of requests.bySigner.get(sender) ?? NO_REQUESTS) {
    const other = signed.operation;
    if (
      other !== operation &&
      isSpending(other) &&
      other.token === token &&
      other.nonce >= nonce &&
      other.nonce < operation.nonce
    )
      total += spentAmount(fees, other);
  }
  return total > balanceOf(ledger, token, sender);
}

/** True if the node has admitted an operation of each nonce before this one that is open: it waits behind them. */
function isBehindAdmitted({ ledger, admitted }: AdmissionContext, { operation, sender }: SignedOperation): boolean {
  const before = (admitted?.get(sender) ?? []).filter((earlier) => earlier.operation.kind !== "cancellation");
  const nonces = new Set<number>(before.map((earlier) => earlier.operation.nonce));
  for (let { nonce } = countersOf(ledger, sender); nonce < operation.nonce; nonce++)
    if (!nonces.has(nonce)) return false;
  return true;
}

/**
 * True if an operation that may restrict the token is authorised somewhere and not applied here: one that was refused, or
 * that nobody has decided, is in no list that a validator has committed to.
 */
function isRestrictionOpen({ ledger, requests, ledgers }: AdmissionContext, { operation }: SignedOperation): boolean {
  const token = tokenOf(operation);
  if (token === undefined) return false;
  const open = (requests.restricting.get(token) ?? NO_REQUESTS).filter((request) => !isSettled(ledger, request));
  if (open.length === 0) return false;
  const all = ledgers();
  return open.some(
    ({ signed }) =>
      all === undefined || all.some((other) => countersOf(other, signed.sender).nonce > signed.operation.nonce),
  );
}

/** Returns true if the refusal has its reason in the recovery or in this state. */
function mayRefuseRecovery(ledger: LedgerState, recovery: Recovery, { code, ...refusal }: Refusal): boolean {
  switch (code) {
    // Of the two signatures this ledger knows nothing.
    case "validation_signature":
      return true;
    case "system_queue_full":
      return "limit" in refusal && QUEUE_LIMITS.has(refusal.limit);
    default:
      return recoveryReasons(ledger, recovery).includes(code);
  }
}

/** Returns the codes for which this state refuses a recovery. */
function recoveryReasons(ledger: LedgerState, recovery: Recovery): readonly string[] {
  const { account, nonce, chainId, evidence } = recovery;
  const { first, second } = evidence;
  const counters = countersOf(ledger, account);
  const found = [first, second].flatMap((evidenceOperation) => formRefusals(evidenceOperation));
  if ([chainId, first.operation.chainId, second.operation.chainId].some((id) => id !== ledger.genesis.chainId))
    found.push("validation_chain_id");
  if (!provesEquivocation(recovery)) found.push("validation_evidence");
  if (first.operation.account !== undefined && counters.multisig === undefined)
    found.push("resource_multisig_not_found");
  if (nonce > counters.nonce) found.push("business_nonce_gap");
  if (nonce < counters.nonce) found.push("business_nonce_too_low");
  return found;
}
