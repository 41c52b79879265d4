/**
 * Transfer of a state to a validator that joins (protocol 6.2). A piece is the subtree at a location of one part: all
 * entries if they are few, else the two hashes below. A receiver goes from the part's root, which it knows, down to
 * entries; equal keys and values have one shape, so a rebuilt subtree has the same hash. The whole state is checked at
 * the end: it is proved by its root only, and a quorum with more than f Byzantine members can certify any root.
 */
import type { Amount } from "../base/amount.ts";
import type { Address, Hash } from "../base/ids.ts";
import { ROLES, type Role } from "../base/operation.ts";
import { type AccountSlot, slotKey } from "../base/slot.ts";
import { isLeaf, Trie, type TrieNode } from "../base/trie.ts";
import { branchHash, childHashes, merkleRoot, type ValueBytes } from "../crypto/merkle.ts";
import { authorisedKey } from "./authorised.ts";
import { PIECE_ENTRIES } from "./limits.ts";
import { effectSlotOf } from "./operations/kinds.ts";
import { type StatePart, withPart } from "./roots.ts";
import { type Account, type Authorised, type LedgerState, supplyOf } from "./state.ts";
import type { Token } from "./token.ts";

/** Location of a subtree: the sides to take from the root of a part, `l` or `r` each. */
export type PieceLocation = Readonly<{ part: StatePart; path: string }>;

type StateEntry = Account | Amount | Token | Authorised;

export type Piece =
  | { readonly type: "entries"; readonly entries: readonly (readonly [key: string, value: StateEntry])[] }
  | { readonly type: "branch"; readonly bit: number; readonly left: Hash; readonly right: Hash };

/** Returns the piece at a location of this state; `undefined` if there is none. */
export function pieceAt(state: LedgerState, { part, path }: PieceLocation): Piece | undefined {
  return withPart(state, part, <V>(trie: Trie<V>, bytes: ValueBytes<V>): Piece | undefined => {
    if (trie.root === undefined) return path === "" ? { type: "entries", entries: [] } : undefined;
    let node: TrieNode<V> = trie.root;
    for (const side of path) {
      if (isLeaf(node)) return undefined;
      node = side === "l" ? node.left : node.right;
    }
    const entries = entriesOf(node);
    if (entries !== undefined || isLeaf(node)) return { type: "entries", entries: (entries ?? []) as never };
    const [left, right] = childHashes(node, bytes);
    return { type: "branch", bit: node.bit, left, right };
  });
}

/** Returns all entries below a node, `undefined` if they exceed one piece. */
function entriesOf<V>(root: TrieNode<V>): readonly (readonly [string, V])[] | undefined {
  const entries: (readonly [string, V])[] = [];
  const left: TrieNode<V>[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (!isLeaf(node)) left.push(node.right, node.left);
    else if (entries.length === PIECE_ENTRIES) return undefined;
    else entries.push([node.key, node.value]);
  }
  return entries;
}

/**
 * Returns the hash of a piece, computed from its content alone: received caches are not trusted. `undefined` for entries
 * that this part never holds: a Byzantine sender may name another part, whose values have no such bytes.
 */
export function pieceHash(state: LedgerState, part: StatePart, piece: Piece): Hash | undefined {
  if (piece.type === "branch") return branchHash(piece.bit, piece.left, piece.right);
  if (!piece.entries.every(([, value]) => isOfPart(part, value))) return undefined;
  return withPart(state, part, <V>(_: Trie<V>, bytes: ValueBytes<V>) =>
    merkleRoot(Trie.of(piece.entries.map(([key, value]) => [key, rebuilt(value) as V] as const)), bytes),
  );
}

function isOfPart(part: StatePart, value: StateEntry): boolean {
  if (typeof value === "bigint") return part === "balances" || part === "pools" || part === "burned";
  if ("signed" in value) return part === "authorised";
  return part === ("blacklist" in value ? "tokens" : "accounts");
}

/** Returns a state with the entries of a verified piece. */
export function withPiece(
  state: LedgerState,
  part: StatePart,
  piece: Extract<Piece, { type: "entries" }>,
): LedgerState {
  let { authorisedKeys } = state;
  let trie = state[part] as Trie<StateEntry>;
  for (const [key, value] of piece.entries) {
    trie = trie.set(key, rebuilt(value));
    if (part === "authorised") authorisedKeys = authorisedKeys.set((value as Authorised).id, key);
  }
  return { ...state, [part]: trie, authorisedKeys };
}

/**
 * Returns the same value with new tries: a node caches the hash of its subtree, and a Byzantine sender could supply a
 * false one.
 */
function rebuilt(value: StateEntry): StateEntry {
  if (typeof value === "bigint" || !("blacklist" in value)) return value;
  const fresh = <V>(trie: Trie<V>): Trie<V> => Trie.of(trie.entries());
  const roles = Object.fromEntries(ROLES.map((role) => [role, fresh(value.roles[role])])) as Record<Role, Trie<Amount>>;
  const { blacklist, whitelist, bridged } = value;
  return {
    ...value,
    roles,
    blacklist: fresh(blacklist),
    whitelist: fresh(whitelist),
    bridged: fresh(bridged),
  };
}

/**
 * Returns why later operations on this state could fail within the ledger itself; `undefined` for a consistent one.
 * Balances and pool of each token must equal minted less burned, so that no sum can exceed 2^256 - 1, and each
 * authorised operation must have its own key. Cost: O(entries).
 */
export function stateFault(state: LedgerState): string | undefined {
  return supplyFault(state) ?? authorisedFault(state);
}

function supplyFault(state: LedgerState): string | undefined {
  const sums = new Map<string, bigint>();
  const count = (token: string, amount: bigint): void => void sums.set(token, (sums.get(token) ?? 0n) + amount);
  for (const [key, amount] of state.balances.entries()) count(key.slice(key.indexOf("/") + 1), amount);
  for (const [token, amount] of state.pools.entries()) count(token, amount);
  for (const [token, { minted }] of state.tokens.entries()) {
    const burned = state.burned.get(token) ?? 0n;
    if (burned > minted) return `token ${token}: burned ${burned}, expected at most ${minted}`;
    const [held, supply] = [sums.get(token) ?? 0n, supplyOf(state, token as Address)];
    if (held !== supply) return `token ${token}: balances and pool hold ${held}, expected ${supply}`;
    sums.delete(token);
  }
  const [stranger] = sums.keys();
  return stranger === undefined ? undefined : `balances of token ${stranger}, which does not exist`;
}

function authorisedFault({ authorised }: LedgerState): string | undefined {
  for (const [key, entry] of authorised.entries()) {
    const { signed, sequence, authorisedBy, id } = entry;
    const slot: AccountSlot = { kind: "account", address: signed.sender, sequence };
    const isPlaced =
      effectSlotOf(signed).where !== "own" && authorisedKey(entry) === key && authorisedBy === slotKey(slot);
    if (!isPlaced) return `operation ${id} is authorised at ${key}`;
  }
  return undefined;
}
