/**
 * Operations and recoveries that clients have asked for, as far as they are open somewhere, and the signed bytes that
 * each node has admitted, with the operation that they were read as (protocol 9.3).
 */

import { entryOf } from "../../../core/base/entry.ts";
import type { Address } from "../../../core/base/ids.ts";
import {
  isRecovery,
  type Operation,
  type OperationId,
  type Recovery,
  type SignedOperation,
} from "../../../core/base/operation.ts";
import type { EventOf, NodeName } from "../../observation.ts";
import { identityOf, isCancellation, isSignedAlike, mayRestrict, tokenOf } from "../../reference/operation-meaning.ts";
import { countersOf, type LedgerState } from "../../reference/state.ts";

/** An operation that a client submitted. */
export interface Request {
  readonly id: OperationId;
  readonly signed: SignedOperation;
}

/** Operations that are open somewhere, by id, by signer, and by the token that they may restrict. */
export interface Requests {
  /** Without recoveries, and what is forgotten. */
  readonly byId: Map<OperationId, Request>;
  /** Ids of two operations that were asked for, such as a malformed one with the signed bytes of another. */
  readonly ambiguous: Set<OperationId>;
  readonly recoveries: Map<OperationId, Recovery>;
  /** Those that reached a node. */
  readonly arrived: Set<OperationId>;
  readonly bySigner: Map<Address, readonly Request[]>;
  readonly restricting: Map<Address, readonly Request[]>;
}

/** Returns the requests before the first. */
export function noRequests(): Requests {
  return {
    byId: new Map(),
    ambiguous: new Set(),
    recoveries: new Map(),
    arrived: new Set(),
    bySigner: new Map(),
    restricting: new Map(),
  };
}

/** Adds a submission. Forgets recoveries, and those of its signer and token, that are over in each ledger, if all are known. */
export function noteRequest(
  requests: Requests,
  { id, submission }: Pick<EventOf<"submitted">, "id" | "submission">,
  ledgers: readonly LedgerState[] | undefined,
): void {
  const known = requests.byId.get(id);
  if (known !== undefined) {
    if (!isRecovery(submission) && identityOf(known.signed) !== identityOf(submission)) requests.ambiguous.add(id);
    return;
  }
  if (isRecovery(submission)) {
    noteRecovery(requests, id, submission, ledgers);
    return;
  }
  const request: Request = { id, signed: submission };
  requests.byId.set(id, request);
  const { operation, sender } = submission;
  const isOver = (candidate: Request): boolean => ledgers?.every((ledger) => isSettled(ledger, candidate)) === true;
  const signerRequests = requests.bySigner.get(sender) ?? NO_REQUESTS;
  requests.bySigner.set(sender, [
    ...signerRequests.filter((candidate) => !forgetIfOver(requests, candidate, isOver)),
    request,
  ]);
  const token = mayRestrict(submission) ? tokenOf(operation) : undefined;
  if (token === undefined) return;
  const restricting = requests.restricting.get(token) ?? NO_REQUESTS;
  requests.restricting.set(token, [...restricting.filter((candidate) => !isOver(candidate)), request]);
}

export const NO_REQUESTS: readonly Request[] = [];

function noteRecovery(
  { recoveries, arrived }: Requests,
  id: OperationId,
  recovery: Recovery,
  ledgers: readonly LedgerState[] | undefined,
): void {
  for (const [other, { account, nonce }] of recoveries)
    if (ledgers?.every((ledger) => countersOf(ledger, account).nonce > nonce) === true) {
      recoveries.delete(other);
      arrived.delete(other);
    }
  recoveries.set(id, recovery);
}

function forgetIfOver(requests: Requests, request: Request, isOver: (request: Request) => boolean): boolean {
  if (!isOver(request)) return false;
  requests.byId.delete(request.id);
  requests.ambiguous.delete(request.id);
  requests.arrived.delete(request.id);
  return true;
}

/** True if the nonce is used in this state, and its operation waits for no slot any more. */
export function isSettled(ledger: LedgerState, { id, signed: { operation, sender } }: Request): boolean {
  return countersOf(ledger, sender).nonce > operation.nonce && !ledger.due.has(id);
}

/** Returns true if its signer asked for another operation with the same nonce, cancellations aside. */
export function hasRival({ bySigner }: Requests, id: OperationId, signed: SignedOperation): boolean {
  const all = bySigner.get(signed.sender) ?? NO_REQUESTS;
  return all.some((request) => isCompetingRequest(request, id, signed) && !isCancellation(request.signed));
}

/** Notes an arrival; returns true for the first anywhere, of a submission that nobody can have disclosed. */
export function noteArrival(requests: Requests, id: OperationId): boolean {
  const { byId, recoveries, arrived } = requests;
  const signed = byId.get(id)?.signed;
  if ((signed === undefined && !recoveries.has(id)) || arrived.has(id)) return false;
  arrived.add(id);
  return (
    signed === undefined || !isProven(requests, (provenOperation) => identityOf(provenOperation) === identityOf(signed))
  );
}

/** True for one of the operations by which a recovery that has arrived accuses their signer. */
export function isProven(
  { recoveries, arrived }: Requests,
  isIt: (provenOperation: SignedOperation) => boolean,
): boolean {
  for (const [id, { evidence }] of recoveries)
    if (arrived.has(id) && (isIt(evidence.first) || isIt(evidence.second))) return true;
  return false;
}

/** True if it is another operation of the signer for the nonce. */
export function isCompetingRequest(
  other: Request | undefined,
  id: OperationId,
  { operation, sender }: SignedOperation,
): boolean {
  if (other === undefined || other.id === id) return false;
  return other.signed.sender === sender && other.signed.operation.nonce === operation.nonce;
}

interface Reading {
  readonly id: OperationId;
  readonly operation: Operation;
}

/** By node and signer; of a node what it has admitted since it started, of a signer the nonces that are open there. */
export type Readings = Map<NodeName, Map<Address, readonly Reading[]>>;

/** Notes what a node admits. Returns true if it has admitted the same bytes of the signer as another operation before. */
export function isSecondReading(
  readings: Readings,
  ledger: LedgerState,
  { node, id, signed: { operation, sender } }: Readonly<{ node: NodeName; id: OperationId; signed: SignedOperation }>,
): boolean {
  const readingsOfNode = entryOf(readings, node, () => new Map<Address, readonly Reading[]>());
  const { nonce: next } = countersOf(ledger, sender);
  const open = (readingsOfNode.get(sender) ?? []).filter((reading) => reading.operation.nonce >= next);
  const first = open.find((reading) => reading.id === id || isSignedAlike(reading.operation, operation));
  readingsOfNode.set(sender, first === undefined ? [...open, { id, operation }] : open);
  return first !== undefined && first.id !== id;
}

/** A node forgets what it refused, and what an epoch's end made void: another reading may follow. */
export function forgetReading(readings: Readings, node: NodeName, sender: Address, id: OperationId): void {
  const bySender = readings.get(node);
  const remaining = bySender?.get(sender)?.filter((reading) => reading.id !== id);
  if (remaining !== undefined) bySender?.set(sender, remaining);
}
