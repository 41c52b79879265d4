/**
 * State root, and self-contained proofs against it (specification 10.4; protocol 6). Computed on demand: unchanged
 * subtrees keep their hashes, so a change costs the hashes on its path.
 */
import type { Amount } from "../base/amount.ts";
import { bool, encode, hex, type Item, text, uint } from "../base/encoding.ts";
import { entryOf } from "../base/entry.ts";
import type { Hash } from "../base/ids.ts";
import { ROLES, type SignerSet } from "../base/operation.ts";
import { POLICY_CHOICES, POLICY_NAMES, type Policies } from "../base/policies.ts";
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
import { hexOrText } from "./layout.ts";
import type { Account, AuthorisedOperation, LedgerState } from "./state.ts";
import type { Token } from "./token.ts";
import { parametersItem } from "./value.ts";

/** Part of a state that a root covers. */
export type StatePart = "accounts" | "balances" | "tokens" | "listed" | "bridged" | "pools" | "burned" | "authorised";

/** Encoders of the values of each part, in the order of the root. */
export const PART_BYTES: Readonly<Record<StatePart, ValueBytes<never>>> = {
  accounts: accountBytes,
  balances: balanceBytes,
  tokens: tokenBytes,
  listed: memberBytes,
  bridged: memberBytes,
  pools: amountBytes,
  burned: amountBytes,
  authorised: authorisedBytes,
};

export const STATE_PARTS = Object.keys(PART_BYTES) as readonly StatePart[];

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
  "chainId" | "operator" | "listLimit" | "policies" | "epoch" | "opened" | "parameters"
>;

/** Root of a state, and the root of each part in the order of `STATE_PARTS`. */
export interface StateRoots {
  readonly root: Hash;
  readonly parts: readonly Hash[];
}

const knownRoots = new WeakMap<LedgerState, StateRoots>();

/** Returns the root of everything that validators agree on: chain, operator, limits, the epoch, and every part. */
export function stateRoot(state: LedgerState): Hash {
  return stateRoots(state).root;
}

/** Returns the root of a state with those of its parts, computed once for each state. */
export function stateRoots(state: LedgerState): StateRoots {
  return entryOf(knownRoots, state, () => {
    const parts = partRoots(state);
    return { root: rootOfParts(state, parts), parts };
  });
}

/** Returns a proof of the value of `key` in `part`: O(log n). Keys are those of `LedgerState`. */
export function prove(state: LedgerState, part: StatePart, key: string): Proof {
  const entry = withPart(state, part, <V>(trie: Trie<V>, bytes: ValueBytes<V>) => proveKey(trie, key, bytes));
  return { part, entry, header: headerOf(state), parts: stateRoots(state).parts };
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

function headerOf({ chainId, operator, listLimit, policies, epoch, opened, parameters }: StateHeader): Hash {
  const head = [uint(chainId), hex(operator), uint(listLimit), ...policyItems(policies), uint(epoch), uint(opened)];
  return taggedHash("header", ...head, parametersItem(parameters));
}

/** True for open issued tokens, and a list of the other policies that differ from their defaults, if any does. */
function policyItems({ issuedTokens, ...policies }: Policies): readonly Item[] {
  const names = POLICY_NAMES.filter((name) => name !== "issuedTokens" && policies[name] !== POLICY_CHOICES[name][0]);
  const changed = names.map((name) => [text(name), text(policies[name as keyof typeof policies])]);
  return [bool(issuedTokens === "open"), ...(changed.length === 0 ? [] : [changed])];
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
  return look(state[part] as Trie<never>, PART_BYTES[part]);
}

/** [nonce, sequence], the number of burns to other chains if there was one, and the signer set of a multisig account. */
function accountBytes({ nonce, sequence, bridgeNonce, multisig }: Account): Uint8Array {
  const bridged = bridgeNonce === undefined ? [] : [uint(bridgeNonce)];
  return encode([uint(nonce), uint(sequence), ...bridged, ...(multisig === undefined ? [] : [signersItem(multisig)])]);
}

/** [threshold, [key, weight]...]. A list, unlike the number before it. */
function signersItem({ signers, threshold }: SignerSet): Item {
  return [uint(threshold), ...signers.map(({ key, weight }) => [hexOrText(key), uint(weight)])];
}

/** A balance in the token's smallest unit; of one that owes a fee, a list with what it owes. */
export function balanceBytes(balance: bigint): Uint8Array {
  return encode(balance < 0n ? [uint(-balance)] : uint(balance));
}

/** Pool or burned total, in the token's smallest unit. */
function amountBytes(amount: Amount): Uint8Array {
  return encode(uint(amount));
}

/** Policy and version of a token. */
export function tokenBytes(token: Token): Uint8Array {
  const { additional, version, decimals, masterAuthority, isPrivate, isPaused, clawbackEnabled, minted } = token;
  const roles = ROLES.map((role) =>
    [...token.roles[role].entries()].map(([address, left]) => [hex(address), ...(left === null ? [] : [uint(left)])]),
  );
  return encode([
    uint(version),
    text(token.symbol),
    text(token.name),
    text(token.uri),
    additional.map(([key, value]) => [text(key), text(value)]),
    uint(decimals),
    hex(masterAuthority),
    bool(isPrivate),
    bool(isPaused),
    bool(clawbackEnabled),
    uint(minted),
    roles,
  ]);
}

/** [id, authorising slot, its sequence], without the signature, of which copies differ (protocol 3.0). */
function authorisedBytes({ id, authorisedBy, sequence }: AuthorisedOperation): Uint8Array {
  return encode([hex(id), text(authorisedBy), uint(sequence)]);
}

function memberBytes(isMember: true): Uint8Array {
  return encode(bool(isMember));
}
