/**
 * Pieces of a state, each of which proves itself against the state root (protocol 6.2: joining). A piece is the subtree
 * at a location of one part: all entries if they are few, else the two hashes below. A receiver goes from the part's
 * root, which it knows, down to entries; equal keys and values have one shape, so a rebuilt subtree has the same hash.
 */
import type { Amount } from "../base/amount.ts";
import type { Hash } from "../base/ids.ts";
import { ROLES, type Role } from "../base/operation.ts";
import { isLeaf, Trie, type TrieNode } from "../base/trie.ts";
import { branchHash, childHashes, merkleRoot, type ValueBytes } from "../crypto/merkle.ts";
import { PIECE_ENTRIES } from "./limits.ts";
import { type StatePart, withPart } from "./roots.ts";
import type { Account, Authorised, LedgerState } from "./state.ts";
import type { Token } from "./token.ts";

/** Location of a subtree: the sides to take from the root of a part, `l` or `r` each. */
export interface PieceLocation {
  readonly part: StatePart;
  readonly path: string;
}

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

/** Returns the hash of a piece, computed from its content alone: received caches are not trusted. */
export function pieceHash(state: LedgerState, part: StatePart, piece: Piece): Hash {
  if (piece.type === "branch") return branchHash(piece.bit, piece.left, piece.right);
  return withPart(state, part, <V>(_: Trie<V>, bytes: ValueBytes<V>) =>
    merkleRoot(Trie.of(piece.entries.map(([key, value]) => [key, rebuilt(value) as V] as const)), bytes),
  );
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
  const { formerHolders, blacklist, whitelist } = value;
  return {
    ...value,
    roles,
    formerHolders: fresh(formerHolders),
    blacklist: fresh(blacklist),
    whitelist: fresh(whitelist),
  };
}
