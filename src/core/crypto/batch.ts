/**
 * Batches: one signature over the Merkle root of several statements, and the path from each statement to it (protocol
 * 3.5). A batch of one statement is a plain signature of its digest. A seal has one form: the count fixes the length of
 * the path, and the index its sides.
 */
import { fromHex, uint } from "../base/encoding.ts";
import { type Address, type Brand, type Hash, isSignature, type Signature } from "../base/ids.ts";
import { taggedHash } from "./hash.ts";
import { sidesOf, splitOf } from "./merkle-list.ts";
import type { Verifier } from "./scheme.ts";

/** `0x` and hex digits: the signature of a root (65 bytes), index and count (2 bytes each), and the path (32 bytes a hash). */
export type BatchedSignature = Brand<string, "BatchedSignature">;

/** Signature of one statement as votes, certificates and evidence carry it: plain, or with its path to a signed root. */
export type SealSignature = Signature | BatchedSignature;

/** Digest of a statement, and its signature as messages carry it. */
export type SignedRecord = Readonly<{ digest: Hash; signature: SealSignature }>;

/** Most statements that one signature covers: a path has at most ten hashes, and a seal at most 389 bytes. */
export const BATCH_LIMIT = 1_024;

/** Most hashes of a path. */
export const PATH_MAX = 10;

/** Place of a statement in a batch, and the hashes from its leaf up to the root. */
export type BatchPath = Readonly<{ index: number; count: number; path: readonly Hash[] }>;

/** Root of a batch, which is signed, and the path of each statement in their order. */
export type Batch = Readonly<{ root: Hash; paths: readonly BatchPath[] }>;

/** Parts of a batched signature. */
export type BatchedParts = Readonly<{ signature: Signature; place: BatchPath }>;

/** Functions of batches as one record; known-bad variants replace one of them. */
export interface BatchRules {
  readonly batchOf: (digests: readonly Hash[]) => Batch;
  /** Returns the root to which the path of a batched seal of `digest` leads; `undefined` for a malformed or a plain seal. */
  readonly rootOf: (digest: Hash, seal: SealSignature) => Hash | undefined;
  /** Returns the signer of a seal of `digest`; `undefined` for a malformed seal, or one of no point. */
  readonly recover: (verifier: Verifier, digest: Hash, seal: SealSignature) => Address | undefined;
  /** Returns true if exactly `signer` made this seal of `digest`. */
  readonly verifies: (verifier: Verifier, digest: Hash, seal: SealSignature, signer: Address) => boolean;
}

/** Parts of the rules in which a known-bad variant may differ. */
export interface BatchForm {
  readonly leafHash: (digest: Hash) => Hash;
  readonly nodeHash: (left: Hash, right: Hash) => Hash;
  readonly limit: number;
}

const FORM: BatchForm = {
  leafHash: (digest) => taggedHash("batch leaf", fromHex(digest)),
  nodeHash: (left, right) => taggedHash("batch node", fromHex(left), fromHex(right)),
  limit: BATCH_LIMIT,
};

/** The real rules. */
export const batchRules: BatchRules = batchRulesOf({});

/** Returns the rules with another form. Verifying a seal costs a hash for each of its path, and one recovery a batch. */
export function batchRulesOf(changed: Partial<BatchForm>): BatchRules {
  const form = { ...FORM, ...changed };
  const rootOf: BatchRules["rootOf"] = (digest, seal) => {
    const parts = batchedParts(seal, form.limit);
    return parts && rootAbove(digest, parts.place, form);
  };
  const recover: BatchRules["recover"] = (verifier, digest, seal) => {
    if (isPlain(seal)) return verifier.recover(digest, seal);
    const root = rootOf(digest, seal);
    return root && verifier.recover(root, bareSignature(seal));
  };
  return {
    batchOf: (digests) => batchOf(digests, form),
    rootOf,
    recover,
    verifies: (verifier, digest, seal, signer) => recover(verifier, digest, seal) === signer,
  };
}

/** Returns true for a signature that covers one statement alone. */
export function isPlain(seal: SealSignature): seal is Signature {
  return seal.length === PLAIN_LENGTH;
}

/** Returns the signature of a seal without its path: of the statement, or of the root of its batch. */
export function bareSignature(seal: SealSignature): Signature {
  return seal.slice(0, PLAIN_LENGTH) as Signature;
}

/** Returns the number of statements that the signature of a seal covers. */
export function batchCount(seal: SealSignature): number {
  return isPlain(seal) ? 1 : Number.parseInt(seal.slice(COUNT_AT, PATH_AT), 16);
}

/** Returns the seal of a statement, from the signature of the root and the path to it. */
export function batchedSignature(signature: Signature, { index, count, path }: BatchPath): BatchedSignature {
  return `${signature}${short(index)}${short(count)}${path.map((hash) => hash.slice(2)).join("")}` as BatchedSignature;
}

/**
 * Returns the parts of a batched signature; `undefined` unless it has the only form: at least two and at most `limit`
 * statements, an index among them, and exactly the hashes of that place. Never throws.
 */
export function batchedParts(seal: SealSignature, limit: number = BATCH_LIMIT): BatchedParts | undefined {
  if (!BATCHED.test(seal)) return undefined;
  const index = Number.parseInt(seal.slice(PLAIN_LENGTH, COUNT_AT), 16);
  const count = batchCount(seal);
  if (count < 2 || count > limit || index >= count) return undefined;
  const signature = bareSignature(seal);
  const path: Hash[] = [];
  for (let at = PATH_AT; at < seal.length; at += HASH_DIGITS)
    path.push(`0x${seal.slice(at, at + HASH_DIGITS)}` as Hash);
  if (!isSignature(signature) || path.length !== sidesOf(index, count).length) return undefined;
  return { signature, place: { index, count, path } };
}

const PLAIN_LENGTH = 132;
const COUNT_AT = PLAIN_LENGTH + 4;
const PATH_AT = COUNT_AT + 4;
const HASH_DIGITS = 64;
const BATCHED = /^0x[0-9a-f]{138}([0-9a-f]{64})+$/;

function short(number: number): string {
  return number.toString(16).padStart(4, "0");
}

/** The hash that is signed covers the count, so a leaf has one place under it, and its tag is no statement's. */
function rootHash(count: number, top: Hash): Hash {
  return taggedHash("batch", uint(count), fromHex(top));
}

/** Returns the root that this place of a statement leads to. */
function rootAbove(digest: Hash, { index, count, path }: BatchPath, { leafHash, nodeHash }: BatchForm): Hash {
  let hash = leafHash(digest);
  for (const [at, side] of sidesOf(index, count).entries()) {
    const sibling = path[at] as Hash;
    hash = side === "left" ? nodeHash(hash, sibling) : nodeHash(sibling, hash);
  }
  return rootHash(count, hash);
}

/** Cost: two hashes a statement. @throws RangeError for fewer than two statements or more than the limit. */
function batchOf(digests: readonly Hash[], form: BatchForm): Batch {
  const { length } = digests;
  if (length < 2 || length > form.limit) {
    throw new RangeError(`batch: expected 2 to ${form.limit} statements, got ${length}`);
  }
  const { top, paths } = subtree(digests.map(form.leafHash), form);
  return { root: rootHash(length, top), paths: paths.map((path, index) => ({ index, count: length, path })) };
}

type Subtree = Readonly<{ top: Hash; paths: readonly Hash[][] }>;

/** Has the shape of a list's tree (merkle-list.ts). */
function subtree(leaves: readonly Hash[], form: BatchForm): Subtree {
  if (leaves.length === 1) return { top: leaves[0] as Hash, paths: [[]] };
  const split = splitOf(leaves.length);
  const left = subtree(leaves.slice(0, split), form);
  const right = subtree(leaves.slice(split), form);
  for (const path of left.paths) path.push(right.top);
  for (const path of right.paths) path.push(left.top);
  return { top: form.nodeHash(left.top, right.top), paths: [...left.paths, ...right.paths] };
}
