/**
 * State root, and self-contained proofs against it (specification 10.4; protocol 6). Computed on demand: unchanged
 * subtrees keep their hashes, so a change costs the hashes on its path.
 */
import { bool, hex, text, uint } from "../base/encoding.ts";
import type { Hash } from "../base/ids.ts";
import type { Trie } from "../base/trie.ts";
import { taggedHash } from "../crypto/hash.ts";
import {
  merkleRoot,
  type ProofResult,
  proveKey,
  type TrieProof,
  type ValueBytes,
  verifyTrieProof,
} from "../crypto/merkle.ts";
import { parametersItem } from "./epoch-item.ts";
import type { LedgerState } from "./state.ts";
import { accountBytes, amountBytes, authorisedBytes, tokenBytes } from "./state-items.ts";

/** Parts of a state that a root covers, in its order. */
export type StatePart = "accounts" | "balances" | "tokens" | "pools" | "burned" | "authorised";

export const STATE_PARTS: readonly StatePart[] = ["accounts", "balances", "tokens", "pools", "burned", "authorised"];

/** Proof that a key has a value in a part of the state, or none. */
export interface Proof {
  readonly part: StatePart;
  /** Path to the key in its part. */
  readonly entry: TrieProof;
  /** Hash of chain, operator, list limit, and the epoch with its parameters. */
  readonly header: Hash;
  /** Root of each part, in the order of `STATE_PARTS`. */
  readonly parts: readonly Hash[];
}

/** Members that a state root covers besides the parts. */
export type StateHeader = Pick<
  LedgerState,
  "chainId" | "operator" | "listLimit" | "openTokens" | "epoch" | "opened" | "parameters"
>;

/** Returns the root of everything that validators agree on: chain, operator, limits, the epoch, and every part. */
export function stateRoot(state: LedgerState): Hash {
  return rootOf(headerOf(state), partRoots(state));
}

/** Returns a proof of the value of `key` in `part`: O(log n). Keys are those of `LedgerState`. */
export function prove(state: LedgerState, part: StatePart, key: string): Proof {
  const entry = withPart(state, part, <V>(trie: Trie<V>, bytes: ValueBytes<V>) => proveKey(trie, key, bytes));
  return { part, entry, header: headerOf(state), parts: partRoots(state) };
}

/** Verifies a proof offline: returns the value's canonical bytes, absence, or why it proves nothing. */
export function verifyProof(root: Hash, proof: Proof): ProofResult {
  const partRoot = proof.parts[STATE_PARTS.indexOf(proof.part)];
  if (partRoot === undefined || proof.parts.length !== STATE_PARTS.length) {
    return { result: "invalid", reason: "the parts are not those of a state" };
  }
  if (rootOf(proof.header, proof.parts) !== root)
    return { result: "invalid", reason: "the parts lead to another root" };
  return verifyTrieProof(partRoot, proof.entry);
}

/** Returns the root of each part, in the order of `STATE_PARTS`. */
export function partRoots(state: LedgerState): readonly Hash[] {
  return STATE_PARTS.map((part) => withPart(state, part, merkleRoot));
}

function headerOf({ chainId, operator, listLimit, openTokens, epoch, opened, parameters }: StateHeader): Hash {
  const head = [uint(chainId), hex(operator), uint(listLimit), bool(openTokens), uint(epoch), uint(opened)];
  return taggedHash("header", ...head, parametersItem(parameters));
}

/** Returns the root of a state with this header, of which only the parts' roots are known. */
export function rootOfParts(like: StateHeader, parts: readonly Hash[]): Hash {
  return rootOf(headerOf(like), parts);
}

function rootOf(header: Hash, parts: readonly Hash[]): Hash {
  return taggedHash(
    "state",
    hex(header),
    parts.map((part, at) => [text(STATE_PARTS[at] ?? ""), hex(part)]),
  );
}

/** Calls `look` with a part of a state and the encoder of its values. */
export function withPart<T>(
  state: LedgerState,
  part: StatePart,
  look: <V>(trie: Trie<V>, bytes: ValueBytes<V>) => T,
): T {
  switch (part) {
    case "accounts":
      return look(state.accounts, accountBytes);
    case "balances":
      return look(state.balances, amountBytes);
    case "tokens":
      return look(state.tokens, tokenBytes);
    case "pools":
      return look(state.pools, amountBytes);
    case "burned":
      return look(state.burned, amountBytes);
    case "authorised":
      return look(state.authorised, authorisedBytes);
  }
}
