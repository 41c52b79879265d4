/**
 * Goal: pieces prove themselves from a part's root down and make the same state, beside any earlier one and whatever is
 * here already. Method: parts of many sizes, with any changes between two of them.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address, Hash, Nonce, Sequence } from "../../../src/core/base/ids.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import { branchHash } from "../../../src/core/crypto/merkle.ts";
import { PIECE_DEPTH, PIECE_ENTRIES } from "../../../src/core/ledger/limits.ts";
import {
  assemble,
  assembledState,
  locationOf,
  type Piece,
  pieceAt,
  piecesAt,
  provenSubtree,
  type Subtree,
  subtreeOf,
} from "../../../src/core/ledger/pieces.ts";
import { partRoots, STATE_PARTS, type StatePart, stateRoot } from "../../../src/core/ledger/roots.ts";
import type { LedgerState } from "../../../src/core/ledger/state.ts";
import type { Token } from "../../../src/core/ledger/token.ts";
import { address } from "./support/operations.ts";
import { amount, COIN, start } from "./support/world.ts";

const PART = "balances";

/** Returns spread addresses. */
function numbered(count: number): readonly Address[] {
  return Array.from({ length: count }, (_, at) => address(1 + ((at * 7_919) % 1_000_003)));
}

/** Returns a state with `count` holders at spread addresses, in which the named ones hold 1 more. */
function holders(count: number, changed: readonly number[] = []): LedgerState {
  const entries = numbered(count).map(
    (holder, at) => [`${holder}/${COIN}`, amount(1 + at + (changed.includes(at) ? 1 : 0))] as const,
  );
  const minted = amount(entries.reduce((sum, [, held]) => sum + Number(held), 0));
  const token = start().tokens.get(COIN) as Token;
  return { ...start(), tokens: start().tokens.set(COIN, { ...token, minted }), balances: Trie.of(entries) };
}

/** Takes every piece of `target` that neither `base` nor the pieces here make unnecessary. */
function taken(base: LedgerState, target: LedgerState, pieces: Trie<Subtree> = Trie.empty()) {
  let known = pieces;
  for (let count = 0; ; ) {
    const { missing, roots } = assemble(base, partRoots(target), known);
    if (missing.length === 0) return { state: assembledState(start(), target, roots), known, count };
    for (const [key, hash] of missing) {
      const place = locationOf(key);
      const subtree = provenSubtree(start(), place.part, pieceAt(target, place) as Piece, hash);
      known = known.set(hash, subtree as Subtree);
      count += 1;
    }
  }
}

const COUNT = fc.integer({ min: 0, max: 5 * PIECE_ENTRIES });
const CHANGED = fc.array(fc.nat(5 * PIECE_ENTRIES), { maxLength: 4 });
const rootOf = (state: LedgerState | string) => (typeof state === "string" ? state : stateRoot(state));

/** Returns true if some part root of one entry is that of the piece: the part may hold such values. */
function provesItself(part: StatePart, piece: Piece): boolean {
  const [[key, value] = ["", amount(0)]] = piece.type === "entries" ? piece.entries : [];
  const state = { ...start(), [part]: Trie.of([[key, value as never] as const]) };
  try {
    const root = partRoots(state)[STATE_PARTS.indexOf(part)] as Hash;
    return provenSubtree(start(), part, piece, root) !== undefined;
  } catch {
    return false;
  }
}

describe("the pieces of a state", () => {
  test("make the same state, beside any earlier one", () => {
    fc.assert(
      fc.property(COUNT, COUNT, CHANGED, (before, after, changed) => {
        const target = holders(after, changed);
        const { state } = taken(holders(before), target);
        expect(rootOf(state)).toBe(stateRoot(target));
        expect((state as LedgerState).balances.entries()).toEqual(target.balances.entries());
      }),
      { numRuns: 20 },
    );
  });

  test("are asked for once, and after a change only on the paths to what changed", () => {
    fc.assert(
      fc.property(COUNT, CHANGED, (count, changed) => {
        const [first, second] = [holders(count), holders(count, changed)];
        const { known } = taken(start(), first);
        expect(taken(start(), first, known).count).toBe(0);
        expect(taken(first, first).count).toBe(0);
        const paths = new Set(changed.filter((at) => at < count)).size;
        // Balances and supply: no path has more than a dozen branches here.
        for (const { count: asked } of [taken(start(), second, known), taken(first, second)])
          expect(asked).toBeLessThanOrEqual(paths * 16 + 1);
      }),
      { numRuns: 20 },
    );
  });

  test("have at most 256 entries, and come with the branches of the next levels", () => {
    const state = holders(5 * PIECE_ENTRIES);
    const placed = piecesAt(state, { part: PART, path: "" });
    expect(placed.map(({ place: { path } }) => path)).toEqual(expect.arrayContaining(["", "l", "r", "ll", "lll"]));
    expect(placed.every(({ piece }) => piece.type === "branch")).toBe(true);
    const below = placed.flatMap(({ place: { path } }) => [`${path}l`, `${path}r`]);
    for (const path of below) {
      const piece = pieceAt(state, { part: PART, path });
      if (piece?.type === "entries") expect(piece.entries.length).toBeLessThanOrEqual(PIECE_ENTRIES);
    }
  });

  test("have at most 256 entries, however long the list of a token is, and make the same state", () => {
    fc.assert(
      fc.property(COUNT, COUNT, (addresses, sources) => {
        const members = (count: number) => Trie.of(numbered(count).map((one) => [`${COIN}/${one}`, true] as const));
        const target = { ...start(), listed: members(addresses), bridged: members(sources) };
        const { state, known } = taken(start(), target);
        expect(rootOf(state)).toBe(stateRoot(target));
        for (const subtree of known.values())
          if (subtree instanceof Trie) expect(subtree.size).toBeLessThanOrEqual(PIECE_ENTRIES);
      }),
      { numRuns: 20 },
    );
  });

  test("prove nothing under the name of a part that holds other values", () => {
    const account = { nonce: 0 as Nonce, sequence: 0 as Sequence };
    const token = start().tokens.get(COIN) as Token;
    const amounts = { balances: amount(1), pools: amount(1), burned: amount(1) };
    const parts = { accounts: account, tokens: token, listed: true as const, bridged: true as const, ...amounts };
    for (const [own, value] of Object.entries(parts)) {
      const piece: Piece = { type: "entries", entries: [["key", value]] };
      const named = STATE_PARTS.filter((part) => provesItself(part, piece));
      expect(named).toContain(own);
      const alike: readonly string[] = STATE_PARTS.filter((part) => parts[part as keyof typeof parts] === value);
      expect(named).toEqual(alike);
    }
  });

  test("prove nothing with more entries than one has, nor with values of another part", () => {
    const isProven = (part: StatePart, count: number): boolean => {
      const balances = holders(count).balances;
      const hash = partRoots({ ...start(), balances })[STATE_PARTS.indexOf(PART)] as Hash;
      return provenSubtree(start(), part, { type: "entries", entries: balances.entries() }, hash) !== undefined;
    };
    expect([isProven(PART, PIECE_ENTRIES), isProven(PART, PIECE_ENTRIES + 1)]).toEqual([true, false]);
    expect(STATE_PARTS.filter((part) => isProven(part, 1))).toEqual(["balances", "pools", "burned"]);
  });

  test("make nothing below more branches than keys differ in", () => {
    const one = pieceAt(holders(1), { part: PART, path: "" }) as Piece;
    const bottom = partRoots(holders(1))[STATE_PARTS.indexOf(PART)] as Hash;
    /** Root under a chain of branches, each with one entry beside the next. */
    const rootBelow = (depth: number) => {
      const pieces: (readonly [Hash, Subtree])[] = [[bottom, subtreeOf(one)]];
      let [root, bit] = [bottom, depth];
      while (bit-- > 0) {
        const branch = { type: "branch", bit, left: bottom, right: root } as const;
        root = branchHash(bit, bottom, root);
        pieces.push([root, branch]);
      }
      const parts = partRoots(start()).with(STATE_PARTS.indexOf(PART), root);
      return assemble(start(), parts, Trie.of(pieces)).roots[STATE_PARTS.indexOf(PART)];
    };
    expect(rootBelow(PIECE_DEPTH)).toBeDefined();
    expect(rootBelow(PIECE_DEPTH + 1)).toBeUndefined();
  });

  test("make no state where a root is not that of a trie", () => {
    const roots = STATE_PARTS.map((part) => holders(300)[part].root);
    const at = STATE_PARTS.indexOf(PART);
    const bent = roots.with(at, { ...roots[at], left: roots[at] } as never);
    expect(assembledState(start(), start(), bent as never)).toBe("balances are no trie of their keys");
  });

  test("are nothing below an entry, and entries alone where there are few", () => {
    const state = holders(2);
    expect(pieceAt(state, { part: PART, path: "" })).toMatchObject({ type: "entries" });
    expect(pieceAt(state, { part: PART, path: "lll" })).toBeUndefined();
    expect(pieceAt(holders(0), { part: PART, path: "l" })).toBeUndefined();
    const sides = ["l", "r"].map((path) => pieceAt(state, { part: PART, path }));
    const keys = sides.map((piece) => (piece?.type === "entries" ? piece.entries.map(([key]) => key) : []));
    expect(keys).toEqual([...state.balances.entries()].map(([key]) => [key]));
  });
});
