/**
 * Transfer of a state to a validator that joins (protocol 6.2). A piece is the subtree at a location of one part: all
 * entries if they are few, else the two hashes below. A receiver goes from the part's root, which it knows, down to
 * entries; equal keys and values have one shape, so a rebuilt subtree has the same hash. The whole state is checked at
 * the end: it is proved by its root only, and a quorum with more than f Byzantine members can certify any root.
 */
import { AMOUNT_MAX } from "../base/amount.ts";
import type { Address, Hash } from "../base/ids.ts";
import { ROLES } from "../base/operation.ts";
import { type AccountSlot, slotKey } from "../base/slot.ts";
import { isLeaf, isLeft, Trie, type TrieNode } from "../base/trie.ts";
import { branchHash, childHashes, merkleRoot, nodeHash, type ValueBytes } from "../crypto/merkle.ts";
import { authorisedKey } from "./authorised.ts";
import { PIECE_DEPTH, PIECE_ENTRIES, PIECE_LEVELS } from "./limits.ts";
import { effectSlotOf } from "./operations/kinds.ts";
import { STATE_PARTS, type StateHeader, type StatePart, withPart } from "./roots.ts";
import { type Account, type AuthorisedOperation, accountOf, type LedgerState, supplyOf } from "./state.ts";
import type { Token } from "./token.ts";

/** Location of a subtree: the sides to take from the root of a part, `l` or `r` each. */
export type PieceLocation = Readonly<{ part: StatePart; path: string }>;

type StateEntry = Account | bigint | Token | AuthorisedOperation | true;

export type Piece =
  | { readonly type: "entries"; readonly entries: readonly (readonly [key: string, value: StateEntry])[] }
  | { readonly type: "branch"; readonly bit: number; readonly left: Hash; readonly right: Hash };

/** Piece with its location. */
export type PlacedPiece = Readonly<{ place: PieceLocation; piece: Piece }>;

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

/**
 * Returns the piece at a location and, below a branch, the branches of the next levels, each after the one above it: a
 * receiver gets down a large part in a few round trips.
 */
export function piecesAt(state: LedgerState, location: PieceLocation): readonly PlacedPiece[] {
  const pieces: PlacedPiece[] = [];
  let level: readonly PieceLocation[] = [location];
  for (let depth = 0; depth < PIECE_LEVELS && level.length > 0; depth++) {
    const branches = level.flatMap((place) => {
      const piece = pieceAt(state, place);
      if (piece === undefined || (depth > 0 && piece.type === "entries")) return [];
      pieces.push({ place, piece });
      return piece.type === "branch" ? [place] : [];
    });
    level = branches.flatMap(({ part, path }) => [
      { part, path: `${path}l` },
      { part, path: `${path}r` },
    ]);
  }
  return pieces;
}

/** Returns all entries below a node, `undefined` if they exceed one piece. */
function entriesOf<V>(root: TrieNode<V>): readonly (readonly [string, V])[] | undefined {
  const entries: (readonly [string, V])[] = [];
  const left: TrieNode<V>[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (!isLeaf(node)) {
      left.push(node.right, node.left);
      continue;
    }
    if (entries.push([node.key, node.value]) > PIECE_ENTRIES) return undefined;
  }
  return entries;
}

/** Returns the number of entries that a piece counts for. */
export function pieceWeight(piece: Piece): number {
  return piece.type === "branch" ? 1 : piece.entries.length;
}

/** Content of a piece: entries in a trie of their own, or a branch with the hashes below it. */
export type Subtree = Trie<StateEntry> | Extract<Piece, { type: "branch" }>;

/** Returns what a piece shows, made of its content alone: received caches are not trusted. */
export function subtreeOf(piece: Piece): Subtree {
  if (piece.type === "branch") return piece;
  return Trie.of(piece.entries.map(([key, value]) => [key, rebuildTries(value)] as const));
}

/** Characters of a key of any part: a trie compares them as bytes. */
const KEY = /^[\x21-\x7e]{1,256}$/;

/**
 * Returns what a piece of this part shows, if it has this hash, and each key once. `undefined` also for entries that
 * this part never holds: a Byzantine sender may name another part, whose values have no such bytes.
 */
export function provenSubtree(state: LedgerState, part: StatePart, piece: Piece, hash: Hash): Subtree | undefined {
  if (piece.type === "branch") return branchHash(piece.bit, piece.left, piece.right) === hash ? piece : undefined;
  const { entries } = piece;
  if (entries.length > PIECE_ENTRIES) return undefined;
  if (!entries.every(([key, value]) => KEY.test(key) && isOfPart(part, value))) return undefined;
  const subtree = subtreeOf(piece) as Trie<never>;
  if (subtree.size !== entries.length) return undefined;
  return withPart(state, part, (_, bytes) => merkleRoot(subtree, bytes)) === hash ? subtree : undefined;
}

function isOfPart(part: StatePart, value: StateEntry): boolean {
  if (typeof value === "bigint") return part === "balances" || ((part === "pools" || part === "burned") && value >= 0n);
  if (typeof value === "boolean") return part === "listed" || part === "bridged";
  if ("signed" in value) return part === "authorised";
  return part === ("roles" in value ? "tokens" : "accounts");
}

/** State that is being put together from pieces and from the subtrees of an earlier one. */
export interface Assembly {
  /** Locations of which nothing is here, as `locationKey` writes them, with the hashes that prove their pieces. */
  readonly missing: readonly (readonly [key: string, hash: Hash])[];
  /** Pieces that belong to the state, by hash. */
  readonly pieces: readonly (readonly [hash: Hash, subtree: Subtree])[];
  /** Root of each part, in the order of `STATE_PARTS`. Whole once nothing is missing. */
  readonly roots: readonly (TrieNode<StateEntry> | undefined)[];
}

/**
 * Puts together the state whose parts have these roots: from pieces by hash, and from the subtrees of `base` that have
 * the same hash at the same place. O(pieces): equal subtrees are not walked.
 */
export function assemble(base: LedgerState, parts: readonly Hash[], pieces: Trie<Subtree>): Assembly {
  const missing: (readonly [string, Hash])[] = [];
  const used: (readonly [Hash, Subtree])[] = [];
  const roots = STATE_PARTS.map((part, at) =>
    withPart(base, part, <V>(trie: Trie<V>, bytes: ValueBytes<V>) => {
      const below = (path: string, hash: Hash, like: TrieNode<V> | undefined): TrieNode<V> | undefined => {
        if (path.length > PIECE_DEPTH) return undefined;
        if (like !== undefined && nodeHash(like, bytes) === hash) return like;
        const subtree = pieces.get(hash);
        if (subtree === undefined) {
          missing.push([locationKey({ part, path }), hash]);
          return undefined;
        }
        used.push([hash, subtree]);
        if (subtree instanceof Trie) return subtree.root as TrieNode<V> | undefined;
        const [likeLeft, likeRight] = sidesAt(like, subtree.bit);
        const left = below(`${path}l`, subtree.left, likeLeft);
        const right = below(`${path}r`, subtree.right, likeRight);
        return left && right && { bit: subtree.bit, left, right, memo: hash };
      };
      // An empty part has no root to compare.
      const root = merkleRoot(trie, bytes) === parts[at] ? trie.root : below("", parts[at] as Hash, trie.root);
      return root as TrieNode<StateEntry> | undefined;
    }),
  );
  return { missing, pieces: used, roots };
}

/** Returns the nodes that hold a trie's keys on the two sides of a bit, as far as one look at its root shows them. */
function sidesAt<V>(node: TrieNode<V> | undefined, bit: number): readonly (TrieNode<V> | undefined)[] {
  if (node === undefined) return [];
  if (!isLeaf(node) && node.bit === bit) return [node.left, node.right];
  if (!isLeaf(node) && node.bit < bit) return [];
  return isLeft(node, bit) ? [node] : [undefined, node];
}

/** Returns the state with these parts, whole, and this header; else why they are no tries. `stateFault` checks the rest. */
export function assembledState(base: LedgerState, header: StateHeader, roots: Assembly["roots"]): LedgerState | string {
  const parts = roots.map((root) => Trie.fromUntrusted(root));
  const broken = parts.indexOf(undefined);
  if (broken >= 0) return `${STATE_PARTS[broken]} are no trie of their keys`;
  const named = Object.fromEntries(STATE_PARTS.map((part, at) => [part, parts[at]]));
  const state: LedgerState = { ...base, ...header, ...named };
  const keys = state.authorised.entries().map(([key, { id }]) => [id, key] as const);
  return { ...state, authorisedKeys: Trie.of(keys) };
}

/** Returns a location as text; `locationOf` reads it. */
export function locationKey({ part, path }: PieceLocation): string {
  return `${part} ${path}`;
}

/** Returns the location that `locationKey` wrote. */
export function locationOf(key: string): PieceLocation {
  const [part, path = ""] = key.split(" ");
  return { part: part as StatePart, path };
}

/** Returns the value with new tries: a node caches its subtree's hash, and a sender could supply a false one. */
function rebuildTries(value: StateEntry): StateEntry {
  if (typeof value !== "object" || !("roles" in value)) return value;
  const roles = ROLES.map((role) => [role, Trie.of(value.roles[role].entries())] as const);
  return { ...value, roles: Object.fromEntries(roles) as Token["roles"] };
}

/**
 * Returns why later operations on this state could fail within the ledger itself; `undefined` for a consistent one.
 * Balances and pool of each token must equal minted less burned, which is at most 2^256 - 1, so that no sum can exceed it,
 * each authorised operation must have its own key and a used slot, and no counter is near its end. Cost: O(entries).
 */
export function stateFault(state: LedgerState): string | undefined {
  return supplyFault(state) ?? counterFault(state) ?? authorisedFault(state);
}

/** Far above what decisions reach, and as far below the end of safe integers. */
const COUNTER_MAX = 2 ** 52;

function counterFault({ accounts, tokens }: LedgerState): string | undefined {
  for (const [address, { nonce, sequence, bridgeNonce = 0 }] of accounts.entries())
    if (nonce > sequence || Math.max(sequence, bridgeNonce) > COUNTER_MAX)
      return `account ${address}: nonce ${nonce}, sequence ${sequence}, bridge nonce ${bridgeNonce}`;
  for (const [token, { version }] of tokens.entries())
    if (version > COUNTER_MAX) return `token ${token}: version ${version}`;
  return undefined;
}

function supplyFault(state: LedgerState): string | undefined {
  const sums = new Map<string, bigint>();
  const count = (token: string, amount: bigint): void => void sums.set(token, (sums.get(token) ?? 0n) + amount);
  // A debt is in no balance and no pool.
  for (const [key, amount] of state.balances.entries()) if (amount > 0n) count(key.slice(key.indexOf("/") + 1), amount);
  for (const [token, amount] of state.pools.entries()) count(token, amount);
  for (const [token, { minted }] of state.tokens.entries()) {
    const burned = state.burned.get(token) ?? 0n;
    if (minted > AMOUNT_MAX) return `token ${token}: minted ${minted}, expected at most 2^256 - 1`;
    if (burned > minted) return `token ${token}: burned ${burned}, expected at most ${minted}`;
    const [sum, supply] = [sums.get(token) ?? 0n, supplyOf(state, token as Address)];
    if (sum !== supply) return `token ${token}: balances and pool hold ${sum}, expected ${supply}`;
    sums.delete(token);
  }
  const [stranger] = sums.keys();
  return stranger === undefined ? undefined : `balances of token ${stranger}, which does not exist`;
}

function authorisedFault(state: LedgerState): string | undefined {
  for (const [key, entry] of state.authorised.entries()) {
    const { signed, sequence, authorisedBy, id } = entry;
    const slot: AccountSlot = { kind: "account", address: signed.sender, sequence };
    const isPlaced =
      effectSlotOf(signed).kind !== "own" && authorisedKey(entry) === key && authorisedBy === slotKey(slot);
    const account = accountOf(state, signed.sender);
    const isUsed = sequence < account.sequence && signed.operation.nonce < account.nonce;
    if (!isPlaced || !isUsed) return `operation ${id} is authorised at ${key}`;
  }
  return undefined;
}
