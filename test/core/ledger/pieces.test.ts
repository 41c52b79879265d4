/**
 * Goal: a descent through the pieces of a state finds each at the location that its parent names, and all of it.
 * Method: parts of many sizes.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Nonce, Sequence } from "../../../src/core/base/ids.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import { PIECE_ENTRIES } from "../../../src/core/ledger/limits.ts";
import { type Piece, pieceAt, pieceHash, withPiece } from "../../../src/core/ledger/pieces.ts";
import { partRoots, STATE_PARTS } from "../../../src/core/ledger/roots.ts";
import type { LedgerState } from "../../../src/core/ledger/state.ts";
import type { Token } from "../../../src/core/ledger/token.ts";
import { address } from "./support/operations.ts";
import { amount, COIN, start } from "./support/world.ts";

const PART = "balances";

/** Returns a state with `count` holders at spread addresses. */
function holders(count: number): LedgerState {
  const entries = Array.from({ length: count }, (_, at) => {
    const holder = address(1 + ((at * 7_919) % 1_000_003));
    return [`${holder}/${COIN}`, amount(1 + at)] as const;
  });
  return { ...start(), balances: Trie.of(entries) };
}

/** Every piece from a location down, each compared with its parent's hash. */
function* piecesFrom(state: LedgerState, path: string, hash: string): Generator<Piece> {
  const piece = pieceAt(state, { part: PART, path });
  if (piece === undefined) throw new Error(`nothing at "${path}"`);
  expect(pieceHash(start(), PART, piece)).toBe(hash);
  yield piece;
  if (piece.type === "entries") return;
  yield* piecesFrom(state, `${path}l`, piece.left);
  yield* piecesFrom(state, `${path}r`, piece.right);
}

describe("the pieces of a state", () => {
  test("prove themselves from the part's root down, and make the same part", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 * PIECE_ENTRIES }), (count) => {
        const state = holders(count);
        const root = partRoots(state)[STATE_PARTS.indexOf(PART)] as string;
        let rebuilt: LedgerState = { ...start(), balances: Trie.empty() };
        let branches = 0;
        for (const piece of piecesFrom(state, "", root)) {
          if (piece.type === "branch") branches += 1;
          else {
            expect(piece.entries.length).toBeLessThanOrEqual(PIECE_ENTRIES);
            rebuilt = withPiece(rebuilt, PART, piece);
          }
        }
        expect([...rebuilt.balances.entries()]).toEqual([...state.balances.entries()]);
        expect(branches > 0).toBe(count > PIECE_ENTRIES);
      }),
      { numRuns: 12 },
    );
  });

  test("have no hash under the name of a part that holds other values", () => {
    const account = { nonce: 0 as Nonce, sequence: 0 as Sequence };
    const token = start().tokens.get(COIN) as Token;
    const parts = { accounts: account, balances: amount(1), tokens: token, pools: amount(1), burned: amount(1) };
    for (const [own, value] of Object.entries(parts)) {
      const piece: Piece = { type: "entries", entries: [["key", value]] };
      const named = STATE_PARTS.filter((part) => pieceHash(start(), part, piece) !== undefined);
      expect(named).toContain(own);
      expect(named).toEqual(typeof value === "bigint" ? ["balances", "pools", "burned"] : [own]);
    }
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
