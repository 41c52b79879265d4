/**
 * Canonical bytes of operations and submissions, for messages and durable records. One record has one encoding, and
 * decoding refuses every other. (Two records may still share an id: the id is over what was signed, protocol 3.0.)
 */
import { decode, encode, hex, type Item, text, uint } from "../base/encoding.ts";
import type { Nonce } from "../base/ids.ts";
import { isRecovery, type Recovery, type SignedOperation, type Submission } from "../base/operation.ts";
import { malformed, readAddress, readCount, readList, readSignature, readWord } from "./items.ts";
import { operationItem } from "./operation-item.ts";
import { readOperation } from "./read-operation.ts";

/** Returns the canonical RLP bytes of a signed operation. */
export function encodeSigned(signed: SignedOperation): Uint8Array {
  return encode(signedOperationItem(signed));
}

/**
 * Returns the signed operation that exactly these bytes encode. @throws Error, naming the field, on anything not
 * canonical.
 */
export function decodeSigned(bytes: Uint8Array): SignedOperation {
  return readSigned(decode(bytes));
}

/** Returns the canonical RLP bytes of a submission. */
export function encodeSubmission(submission: Submission): Uint8Array {
  return encode(submissionItem(submission));
}

/**
 * Returns the submission that exactly these bytes encode. @throws Error, naming the field, on anything not canonical.
 */
export function decodeSubmission(bytes: Uint8Array): Submission {
  return readSubmission(decode(bytes));
}

/** Returns a signed operation as an RLP item, for use inside a message. */
export function signedOperationItem({ operation, sender, signature }: SignedOperation): Item {
  return [operationItem(operation), hex(sender), hex(signature)];
}

/** Reads a signed operation. @throws Error, naming the field, on anything not canonical. */
export function readSigned(item: Item | undefined): SignedOperation {
  const [operation, sender, signature] = readList(item, "signed operation", 3);
  return {
    operation: readOperation(operation),
    sender: readAddress(sender, "sender"),
    signature: readSignature(signature, "signature"),
  };
}

/** Returns a submission as an RLP item, for use inside a message. */
export function submissionItem(submission: Submission): Item {
  if (!isRecovery(submission)) return [text("operation"), signedOperationItem(submission)];
  const { chainId, account, nonce, evidence } = submission;
  const proof = [signedOperationItem(evidence.first), signedOperationItem(evidence.second)];
  return [text("recovery"), uint(chainId), hex(account), uint(nonce), proof];
}

/** Reads a submission. @throws Error, naming the field, on anything not canonical. */
export function readSubmission(item: Item | undefined): Submission {
  const list = readList(item, "submission");
  const type = readWord(list[0], "submission type", ["operation", "recovery"]);
  if (type === "recovery") return readRecovery(readList(item, "recovery", 5));
  return list.length === 2 ? readSigned(list[1]) : malformed("submission", "one operation");
}

function readRecovery([, chainId, account, nonce, proof]: readonly Item[]): Recovery {
  const [first, second] = readList(proof, "evidence", 2);
  return {
    kind: "recovery",
    chainId: readCount(chainId, "chain id"),
    account: readAddress(account, "account"),
    nonce: readCount(nonce, "nonce") as Nonce,
    evidence: { first: readSigned(first), second: readSigned(second) },
  };
}
