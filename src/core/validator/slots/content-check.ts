/**
 * Checks that a content proves itself: its operations are the value's, signed by their senders, with their warrants; and
 * that a piece of a state matches its hash.
 */

import { hex, text } from "../../base/encoding.ts";
import { type Hash, isMultisigSignature } from "../../base/ids.ts";
import type { OperationId, SignedOperation } from "../../base/operation.ts";
import { type SkipValue, slotItem, slotKey } from "../../base/slot.ts";
import { closesOf } from "../../consensus/close.ts";
import type { Close, FinalityCertificate } from "../../consensus/message.ts";
import { taggedHash } from "../../crypto/hash.ts";
import { recoveryId } from "../../ledger/identity.ts";
import { type Piece, provenSubtree, type Subtree } from "../../ledger/pieces.ts";
import type { StatePart } from "../../ledger/roots.ts";
import { proposalDigest, slotKindOf } from "../../ledger/value.ts";
import {
  type Cause,
  type ChainContent,
  type ClosingContent,
  type Content,
  copiesOf,
  isCheckpoint,
  isClosing,
  listedSlots,
} from "../content.ts";
import type { DecisionInputs, ProofView } from "../decision-inputs.ts";

/**
 * Returns `undefined` for a content that proves itself: right count of operations, ids as the value names them, valid
 * signatures, for each operation that had to be authorised a finality certificate, unless the state contains it, and
 * nothing else (protocol 3, table; 3.0).
 */
export function contentFault(view: ProofView, content: Content): string | undefined {
  const { environment } = view;
  const { value, operations, certificates, closing } = content;
  // No value names them, and a validator that keeps the content would show them to others.
  if (certificates.length > 0 && value.type !== "burn" && value.type !== "list") return "it shows certificates";
  if (closing !== undefined && value.type !== "closing") return "it shows closes";
  if (!operations.every((signed) => isAuthentic(environment, signed))) return "an operation has an invalid signature";
  switch (value.type) {
    case "operation":
      return haveIds(environment, operations, [value.id]) ? undefined : "the operation is not the value's";
    case "burn":
      if (!haveIds(environment, operations, [value.id])) return "the burn is not the value's";
      return warrantsFault(view, content);
    case "list":
      if (!haveIds(environment, operations, value.ids)) return "the operations are not the list's";
      return warrantsFault(view, content);
    case "skip":
      return skipFault(environment, content, value);
    case "checkpoint":
      return isCheckpoint(content) ? listedFault(environment, content) : undefined;
    case "closing":
      return isClosing(content) ? closingFault(view, content) : "a closing lacks its closes";
  }
}

/** Requires q closes of distinct members, the contents of the checkpoints that they show locked, and valid copies. */
function closingFault(view: ProofView, content: ClosingContent): string | undefined {
  const { environment } = view;
  const { committee, authenticator, rules, hashes } = environment;
  const { locked } = content.closing;
  if (content.value.epoch !== committee.epoch) return "the closing is of another epoch";
  const closes = closesOf(content.closing, committee.epoch);
  if (closes === undefined) return "its certificates are not those of its closes";
  if (warrantHash(environment, content.closing.cause, closes) !== content.value.warrant)
    return "the warrant is not the value's";
  const unproved = proofFault(environment, content.closing.cause);
  if (unproved !== undefined) return unproved;
  if (closes.length !== committee.quorum || new Set(closes.map(({ signer }) => signer)).size !== closes.length)
    return "a closing lacks the closes of a quorum";
  const verifier = { committee, authenticator, rules: rules.consensus };
  if (closes.some((close) => rules.consensus.closeFault(verifier, close) !== undefined)) return "a close is invalid";
  const needed = rules.consensus.closingEvidenceOf(closes).checkpoints.filter(({ type }) => type === "lock");
  if (
    locked.length !== needed.length ||
    needed.some(({ value }, at) => hashes.value((locked[at] as Content).value) !== value)
  )
    return "the locked checkpoints differ from those in the closes";
  for (const checkpoint of locked) {
    const fault = rules.validator.contentFault(view, checkpoint);
    if (fault !== undefined) return fault;
  }
  return listedFault(environment, content);
}

/** Requires the copies that the value fixes, and for each listed slot the operations of its value. */
function listedFault(environment: DecisionInputs, content: ChainContent): string | undefined {
  const parts = listedSlots(content.value.listed, content.operations);
  if (parts === undefined) return "the operations are not those of the listed slots";
  for (const { slot, value, copies, operations } of parts) {
    if (slotKindOf(value) !== slot.kind) return `${slotKey(slot)} cannot decide a value of type ${value.type}`;
    const hashes = copiesOf(operations, environment.hashes.copy);
    if (copies.some((copy, index) => copy !== hashes[index])) return `${slotKey(slot)} has another copy`;
    const ids = value.type === "list" ? value.ids : [value.id];
    if (value.type === "skip") {
      const fault = skipFault(environment, { value, operations, certificates: [] }, value);
      if (fault !== undefined) return fault;
    } else if (!haveIds(environment, operations, ids)) return `${slotKey(slot)} has other operations`;
  }
  return undefined;
}

/**
 * Returns true if the sender signed the operation, in a form that can be encoded at all. Judged once for each record:
 * the validators of one process share it.
 */
export function isAuthentic(environment: DecisionInputs, signed: SignedOperation): boolean {
  return authorshipFault(environment, signed) === undefined;
}

/** Returns why the sender did not sign the operation, `undefined` if it did. Judged as `isAuthentic`. */
export function authorshipFault(environment: DecisionInputs, signed: SignedOperation): string | undefined {
  const { authenticator, rules } = environment;
  const fault = authenticator.once(rules.ledger, signed, () => signatureFault(environment, signed) ?? "");
  return fault === "" ? undefined : fault;
}

function signatureFault(environment: DecisionInputs, signed: SignedOperation): string | undefined {
  const { authenticator, hashes, genesis, rules } = environment;
  const { operation, sender, signature } = signed;
  if (rules.ledger.wellFormed(operation, genesis.chainId) !== undefined) return "it is malformed";
  if (operation.account !== undefined)
    return rules.ledger.multisigFault(authenticator.verifier, hashes.digest(operation), signed);
  const isOwn =
    !isMultisigSignature(signature) && authenticator.verifier.recover(hashes.digest(operation), signature) === sender;
  return isOwn ? undefined : `it does not recover to ${sender}`;
}

function haveIds(
  environment: DecisionInputs,
  operations: readonly SignedOperation[],
  ids: readonly OperationId[],
): boolean {
  return (
    operations.length === ids.length &&
    ids.every((id, i) => environment.hashes.operationId(operations[i] as SignedOperation) === id)
  );
}

/** Requires for each operation the next certificate, or that it is due in the state: what that says needs no proof. */
function warrantsFault(view: ProofView, { operations, certificates }: Content): string | undefined {
  const { environment, ledger } = view;
  const { hashes, rules } = environment;
  let position = 0;
  for (const signed of operations) {
    const certificate = certificates[position];
    if (certificate?.value === hashes.value(hashes.operationValue(signed))) {
      const fault = rules.validator.warrantFault(environment, signed, certificate);
      if (fault !== undefined) return fault;
      position++;
    } else if (!ledger.authorisedKeys.has(hashes.operationId(signed))) return "a warrant is missing";
  }
  return position === certificates.length ? undefined : "a warrant is of another operation";
}

/** Returns `undefined` for a certificate that decided the authorisation of an operation, whose value it names. */
export function warrantFault(
  { committee, authenticator, rules }: DecisionInputs,
  signed: SignedOperation,
  certificate: FinalityCertificate,
): string | undefined {
  const { slot } = certificate;
  if (certificate.type !== "finality") return "a warrant is not a finality certificate";
  // Honest validators decide an operation in its signer's slots only; more than f Byzantine ones must not make it apply
  // elsewhere.
  if (slot.kind !== "account" || slot.address !== signed.sender) return "a warrant is of another account";
  return rules.consensus.certificateFault(committee, authenticator, certificate) === undefined
    ? undefined
    : "a warrant is invalid";
}

/** Requires the cancellation and the operation that it displaces, or the two operations of the proof, as the value names them. */
function skipFault(
  environment: DecisionInputs,
  { operations }: Content,
  { by, id, displaced }: SkipValue,
): string | undefined {
  const ids = by === "cancellation" ? [id, ...displaced] : displaced;
  if (!haveIds(environment, operations, ids)) return "the operations are not the skip's";
  const [first, second, ...surplus] = operations;
  if (first === undefined || second === undefined || surplus.length > 0) return "a skip lacks its two operations";
  if (by === "recovery") {
    const { chainId, nonce } = first.operation;
    if (!environment.rules.ledger.isEquivocation(first, second))
      return "the two operations are not an equivocation proof";
    if (!isInOrder(displaced)) return "the two operations are not in the order of their ids";
    return recoveryId(chainId, first.sender, nonce) === id ? undefined : "the recovery is not the value's";
  }
  if (first.operation.kind !== "cancellation" || second.operation.kind === "cancellation")
    return "a skip lacks its cancellation or displaced operation";
  const isOneNonce = first.sender === second.sender && first.operation.nonce === second.operation.nonce;
  return isOneNonce ? undefined : "the cancellation is for another nonce";
}

/** One proof has one value. */
function isInOrder([first, second]: readonly OperationId[]): boolean {
  return first !== undefined && second !== undefined && first < second;
}

/**
 * Returns what a piece shows if it proves itself. No hash covers the copies of authorised operations: they prove
 * themselves by their ids and signatures.
 */
export function provenPiece(
  environment: DecisionInputs,
  part: StatePart,
  piece: Piece,
  hash: Hash,
): Subtree | undefined {
  const subtree = provenSubtree(environment.genesis, part, piece, hash);
  if (subtree === undefined || piece.type !== "entries") return subtree;
  const isProven = piece.entries.every(
    ([, value]) =>
      typeof value !== "object" ||
      !("signed" in value) ||
      (environment.hashes.operationId(value.signed) === value.id && isAuthentic(environment, value.signed)),
  );
  return isProven ? subtree : undefined;
}

/** Requires the signatures of a cause: a quorum of the committee, or the operator. */
export function proofFault(
  { committee, authenticator, rules, genesis }: DecisionInputs,
  cause: Cause,
): string | undefined {
  if (cause.kind === "checkpoint") {
    if (cause.certificate.type !== "finality") return "no finality certificate is shown";
    return rules.consensus.certificateFault(committee, authenticator, cause.certificate);
  }
  const { proposal, signature } = cause.signed;
  const signer = authenticator.verifier.recover(proposalDigest(proposal), signature);
  return signer === genesis.operator ? undefined : "the operator has not signed it";
}

/**
 * Returns the hash of a warrant that the closing's value names. Certificates count by what they certify, closes by what
 * is signed.
 */
export function warrantHash(
  { authenticator }: Pick<DecisionInputs, "authenticator">,
  cause: Cause,
  closes: readonly Close[],
): Hash {
  const causeItems =
    cause.kind === "checkpoint"
      ? [text("checkpoint"), slotItem(cause.certificate.slot), hex(cause.certificate.value)]
      : [text("proposal"), hex(proposalDigest(cause.signed.proposal))];
  return taggedHash(
    "closing warrant",
    causeItems,
    closes.map((close) => [hex(close.signer), hex(authenticator.digest(close))]),
  );
}
