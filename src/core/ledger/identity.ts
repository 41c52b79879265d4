/** Names of operations, and proofs of equivocation by their accounts (protocol 3.0; wire 3.3). */
import { encode, fromHex, hex, type Item, joinBytes, text, uint } from "../base/encoding.ts";
import { type AccountSignature, type Address, type Hash, isMultisigSignature, type Nonce } from "../base/ids.ts";
import {
  isRecovery,
  type Operation,
  type OperationId,
  type SignedOperation,
  type Submission,
} from "../base/operation.ts";
import { keccak, taggedHash } from "../crypto/hash.ts";
import { canonicalLayout, digestOf, signedItem } from "./layout.ts";
import { decodeMultisig, type Multisig } from "./multisig.ts";

/** Keccak of (tag, kind, layout, sender, signed digest): no second signature makes a second operation. */
export function operationId(signed: SignedOperation): OperationId {
  return operationIdOfDigest(signed, digestOf(signed.operation));
}

/** Returns the same id for callers that know the signed digest already. */
export function operationIdOfDigest({ operation, sender }: SignedOperation, digest: Hash): OperationId {
  const [reading, layout] = [text(readingOf(operation)), text(canonicalLayout(operation))];
  return taggedHash("operation", reading, layout, hex(sender), hex(digest));
}

/** Kind as ids count it: the list is not signed, so the two lists are two kinds (wire 3.9). */
function readingOf(operation: Operation): string {
  return operation.kind === "list" ? operation.list : operation.kind;
}

/** Returns the id of a recovery, which is its hash for clients: the same for every proof (wire 3.9). */
export function recoveryId(chainId: number, account: Address, nonce: Nonce): OperationId {
  return taggedHash("recovery", uint(chainId), hex(account), uint(nonce));
}

/** Returns the id of a submission. `idOf`: for callers with a cache of operation ids. */
export function submissionId(
  submission: Submission,
  idOf: (signed: SignedOperation) => OperationId = operationId,
): OperationId {
  return isRecovery(submission)
    ? recoveryId(submission.chainId, submission.account, submission.nonce)
    : idOf(submission);
}

/** Returns the hash that a client sees, of one copy: signature included, v, r and s as integers (wire 3.3, 3.4). */
export function transactionHash(signed: SignedOperation): Hash {
  return keccak(transactionBytes(signed));
}

/**
 * Returns the hash of a copy with r and s as 32 bytes each, as TypeScript clients make it in version 1; `undefined` where
 * it is the same, for 253 signatures of 256 (wire 3.3).
 */
export function paddedHash({ operation, signature }: SignedOperation): Hash | undefined {
  if (operation.layout === "v2" || isMultisigSignature(signature)) return undefined;
  const [r, s, v] = [signature.slice(2, 66), signature.slice(66, 130), signature.slice(130)];
  if (!(r.startsWith("00") || s.startsWith("00"))) return undefined;
  return keccak(encode([signedItem(operation), uint(BigInt(`0x${v}`)), hex(`0x${r}`), hex(`0x${s}`)]));
}

/** One copy: its hash, and its bytes as a checkpoint's size counts them. */
export type OperationCopy = Readonly<{ hash: Hash; bytes: number }>;

/** Returns the hash and size of one copy, as a checkpoint fixes and counts them (protocol 6.1). */
export function copyOf(signed: SignedOperation): OperationCopy {
  const bytes = transactionBytes(signed);
  return { hash: keccak(bytes), bytes: bytes.length };
}

function transactionBytes(signed: SignedOperation): Uint8Array {
  const { operation, signature } = signed;
  const item = signedItem(operation);
  // In version 2 the proof is one more item of the signed list; in version 1 it stands beside the list, and the
  // signatures of a multisig account behind it.
  if (operation.layout === "v2") return encode([...(item as readonly Item[]), proofItem(signature)]);
  if (isMultisigSignature(signature)) {
    const { signatures } = decodeMultisig(signature) ?? NO_SIGNATURES;
    return joinBytes([encode(item), ...signatures.map((keySignature) => fromHex(keySignature.signature))]);
  }
  const [r, s, v] = signatureFields(signature).map(uint) as [Item, Item, Item];
  return encode([item, v, r, s]);
}

/** [r, s, v], or [[key, r, s, v]...] of a multisig account (wire 3.4). */
function proofItem(signature: AccountSignature): Item {
  if (!isMultisigSignature(signature)) return signatureFields(signature).map(uint);
  const { signatures } = decodeMultisig(signature) ?? NO_SIGNATURES;
  return signatures.map((keySignature) => [
    hex(keySignature.key),
    ...signatureFields(keySignature.signature).map(uint),
  ]);
}

/** A text that is none proves nothing; its hash names a copy that is refused. */
const NO_SIGNATURES: Pick<Multisig, "signatures"> = { signatures: [] };

function signatureFields(signature: string): readonly [r: bigint, s: bigint, v: bigint] {
  return [
    BigInt(signature.slice(0, 66)),
    BigInt(`0x${signature.slice(66, 130)}`),
    BigInt(`0x${signature.slice(130, 132)}`),
  ];
}

/**
 * Returns true if two operations prove equivocation: one sender, chain and nonce, two signed digests, neither a
 * cancellation. One digest read as two kinds proves nothing. The sender's signatures are checked elsewhere (protocol
 * 3.0).
 */
export function isEquivocation(a: SignedOperation, b: SignedOperation): boolean {
  return (
    a.sender === b.sender &&
    a.operation.chainId === b.operation.chainId &&
    a.operation.nonce === b.operation.nonce &&
    a.operation.kind !== "cancellation" &&
    b.operation.kind !== "cancellation" &&
    digestOf(a.operation) !== digestOf(b.operation)
  );
}
