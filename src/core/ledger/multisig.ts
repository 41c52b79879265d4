/** Multisig accounts: their signer sets, addresses and signatures (specification 4.1, 5.18; wire 3.4, 3.6). Pure. */
import { fromHex, joinBytes, text, toHex } from "../base/encoding.ts";
import {
  type Address,
  type Hash,
  isMultisigSignature,
  isPublicKey,
  type MultisigSignature,
  type PublicKey,
  type Signature,
} from "../base/ids.ts";
import type { SignedOperation, SignerSet, WeightedKey } from "../base/operation.ts";
import type { Refusal } from "../base/refusal.ts";
import { keccakBytes } from "../crypto/hash.ts";
import type { Verifier } from "../crypto/scheme.ts";
import { SIGNERS_MAX, WEIGHT_MAX } from "./limits.ts";

/** Signature of a member. */
export type KeySignature = Readonly<{ key: PublicKey; signature: Signature }>;

/** Signer set of an account, with signatures of members. */
export interface Multisig extends SignerSet {
  readonly signatures: readonly KeySignature[];
}

const ADDRESS_TAG = text("MULTISIG_V1") as Uint8Array;

/** Returns the signers in ascending order of their keys. One letter case makes the order of texts that of bytes. */
export function sortSigners<T extends { readonly key: PublicKey }>(signers: readonly T[]): readonly T[] {
  return [...signers].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

/** Returns the address of a well-formed signer set, whatever the order of its signers (wire 3.6). */
export function multisigAddress({ signers, threshold }: SignerSet): Address {
  const members = sortSigners(signers).flatMap(({ key, weight }) => [fromHex(key), Uint8Array.of(weight)]);
  const bytes = joinBytes([ADDRESS_TAG, ...members, Uint8Array.of(threshold >> 8, threshold & 255)]);
  return toHex(keccakBytes(bytes).subarray(12)) as Address;
}

/** Returns the first fault of a signer set: numbers, keys, weights, threshold (specification 5.18). */
export function signersFault(signers: readonly WeightedKey[], threshold: number): Refusal | undefined {
  if (signers.length < 1 || signers.length > SIGNERS_MAX)
    return signersRefusal("signers", `has ${signers.length} signers, expected 1 to ${SIGNERS_MAX}`);
  for (const [at, { key, weight }] of signers.entries()) {
    const field = `signers[${at}]`;
    if (!isPublicKey(key)) return signersRefusal(`${field}.public_key`, "is no compressed public key of 33 bytes");
    if (!Number.isInteger(weight) || weight < 1 || weight > WEIGHT_MAX)
      return signersRefusal(`${field}.weight`, `is ${weight}, expected 1 to ${WEIGHT_MAX}`);
    if (signers.findIndex((signer) => signer.key === key) !== at)
      return signersRefusal(`${field}.public_key`, "is there twice");
  }
  const total = signers.reduce((sum, { weight }) => sum + weight, 0);
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > total)
    return signersRefusal("threshold", `is ${threshold}, expected 1 to the sum of the weights, ${total}`);
  return undefined;
}

function signersRefusal(field: string, reason: string): Refusal {
  return { code: "validation_signers", field, reason };
}

const KEY_DIGITS = 66;
const WEIGHT_DIGITS = 2;
const SIGNATURE_DIGITS = 130;
/** Count of signers (1 byte) and threshold (2 bytes). */
const HEAD_DIGITS = 6;

/** Returns one text for a signer set and signatures: count, threshold, keys with weights, keys with signatures. */
export function encodeMultisig({ signers, threshold, signatures }: Multisig): MultisigSignature {
  const parts = [
    `0x${hexOf(signers.length, 2)}${hexOf(threshold, 4)}`,
    ...sortSigners(signers).map(({ key, weight }) => `${key.slice(2)}${hexOf(weight, WEIGHT_DIGITS)}`),
    ...signatures.map(({ key, signature }) => `${key.slice(2)}${signature.slice(2)}`),
  ];
  return parts.join("") as MultisigSignature;
}

function hexOf(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** Returns what `encodeMultisig` has written; `undefined` for any other text. The set may be malformed. */
export function decodeMultisig(encoded: string): Multisig | undefined {
  if (!/^0x([0-9a-f]{2})*$/.test(encoded)) return undefined;
  const count = Number.parseInt(encoded.slice(2, 4), 16);
  const threshold = Number.parseInt(encoded.slice(4, 8), 16);
  const memberDigits = KEY_DIGITS + WEIGHT_DIGITS;
  const rest = encoded.slice(2 + HEAD_DIGITS);
  const proofs = rest.slice(count * memberDigits);
  const proofDigits = KEY_DIGITS + SIGNATURE_DIGITS;
  if (rest.length < count * memberDigits || proofs.length === 0 || proofs.length % proofDigits !== 0) return undefined;
  const signers = sliceDigits(rest.slice(0, count * memberDigits), memberDigits).map((piece) => ({
    key: `0x${piece.slice(0, KEY_DIGITS)}` as PublicKey,
    weight: Number.parseInt(piece.slice(KEY_DIGITS), 16),
  }));
  const signatures = sliceDigits(proofs, proofDigits).map((piece) => ({
    key: `0x${piece.slice(0, KEY_DIGITS)}` as PublicKey,
    signature: `0x${piece.slice(KEY_DIGITS)}` as Signature,
  }));
  return { signers, threshold, signatures };
}

function sliceDigits(digits: string, size: number): readonly string[] {
  return Array.from({ length: digits.length / size }, (_, at) => digits.slice(at * size, (at + 1) * size));
}

/** Parts of the check of signatures, so that a known-bad variant can replace one of them. */
export const multisigRules = { follows: isKeyAfter, weightOf, isEnough: meetsThreshold };
export type MultisigRules = Readonly<typeof multisigRules>;

/** True if the key of a signature may stand behind another one: keys ascend strictly, so none counts twice. */
function isKeyAfter(before: PublicKey, key: PublicKey): boolean {
  return before < key;
}

/** Returns the weight of a key in a set, `undefined` for a stranger. */
function weightOf({ signers }: SignerSet, key: PublicKey): number | undefined {
  return signers.find((signer) => signer.key === key)?.weight;
}

function meetsThreshold(weight: number, threshold: number): boolean {
  return weight >= threshold;
}

/**
 * Returns why a multisig account has not signed an operation, `undefined` if it has: the set is the account's, and
 * members with enough weight signed the digest (specification 4.1). Costs a recovery for each signature.
 */
export function multisigFault(
  verifier: Verifier,
  digest: Hash,
  { operation: { account }, sender, signature }: SignedOperation,
  rules: MultisigRules = multisigRules,
): string | undefined {
  const multisig = isMultisigSignature(signature) ? decodeMultisig(signature) : undefined;
  if (multisig === undefined) return "it is no signer set with signatures";
  const { signers, threshold, signatures } = multisig;
  if (signersFault(signers, threshold) !== undefined) return "its signer set is malformed";
  if (!isAscending(signers)) return "the keys of its signer set do not ascend";
  if (account !== sender || multisigAddress(multisig) !== account) return `its signer set is not that of ${sender}`;
  let weight = 0;
  for (const [at, { key, signature: keySignature }] of signatures.entries()) {
    const before = signatures[at - 1]?.key;
    if (before !== undefined && !rules.follows(before, key)) return "the keys of its signatures do not ascend";
    const keyWeight = rules.weightOf(multisig, key);
    if (keyWeight === undefined) return `key ${key} is not in its signer set`;
    const signer = verifier.recover(digest, keySignature);
    if (signer === undefined || signer !== verifier.addressOfPublic(key))
      return `the signature of key ${key} does not recover to it`;
    weight += keyWeight;
  }
  return rules.isEnough(weight, threshold) ? undefined : `its weight is ${weight}, the threshold is ${threshold}`;
}

function isAscending(signers: readonly WeightedKey[]): boolean {
  return signers.every(({ key }, at) => at === 0 || (signers[at - 1] as WeightedKey).key < key);
}
