/** Roots of a state, its pieces, and states that no decisions lead to (protocol 6.1, 6.2). */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requireDefined } from "../../../src/core/base/assert.ts";
import { encode, uint } from "../../../src/core/base/encoding.ts";
import type { Address, CheckpointNumber, Epoch, Hash, Nonce, Sequence } from "../../../src/core/base/ids.ts";
import { policiesWith } from "../../../src/core/base/policies.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import { branchHash } from "../../../src/core/crypto/merkle.ts";
import { findAuthorised } from "../../../src/core/ledger/authorised.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
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
  stateFault,
  subtreeOf,
} from "../../../src/core/ledger/pieces.ts";
import {
  PART_BYTES,
  partRoots,
  prove,
  STATE_PARTS,
  type StatePart,
  stateRoot,
  verifyProof,
} from "../../../src/core/ledger/roots.ts";
import { accountOf, balanceKey, type LedgerState } from "../../../src/core/ledger/state.ts";
import type { Token } from "../../../src/core/ledger/token.ts";
import { address, type Draft, NO_SIGNATURE } from "./support/operations.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, CAROL, COIN, LISTER, MASTER, MINTER } = w;

/** Returns a state with an entry in every part. */
function busy(): LedgerState {
  const acts = [
    [ALICE, w.pay(BOB, 5)] as const,
    [MINTER, w.burn(5, BOB)] as const,
    [w.BRIDGE, w.bridgeMint(BOB, 1)] as const,
  ];
  const state = w.play(w.start(), ...acts, [LISTER, w.list("blacklist", "Add", CAROL)]);
  return w.authorise(state, w.draft(state, MINTER, w.mint(ALICE, 1))).state;
}

/** Another value of a member of a token. */
function otherThan(value: unknown): unknown {
  if (typeof value === "string") return value === MASTER ? BOB : `${value}1`;
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (typeof value === "bigint") return value + 1n;
  if (Array.isArray(value)) return [...value, ["k", "v"]];
  return { ...(value as Token["roles"]), Pause: Trie.of([[w.OPERATOR, w.amount(0)]]) };
}

describe("the state root", () => {
  test("does not depend on the order in which independent slots were applied", () => {
    const turns: readonly (readonly [Address, Draft])[] = [
      [ALICE, w.pay(CAROL, 5)],
      [BOB, w.pay(ALICE, 7)],
      [MINTER, w.burn(9, BOB)],
      [LISTER, w.list("blacklist", "Add", MINTER)],
    ];
    const expected = stateRoot(w.play(w.start(), ...turns));
    fc.assert(
      fc.property(fc.shuffledSubarray([...turns], { minLength: turns.length }), (shuffled) => {
        expect(stateRoot(w.play(w.start(), ...shuffled))).toBe(expected);
      }),
    );
  });

  // holds: 6
  test("changes with every part of the state", () => {
    const state = busy();
    const account = accountOf(state, ALICE);
    const changed: readonly LedgerState[] = [
      state,
      { ...state, chainId: 1 },
      { ...state, operator: ALICE },
      { ...state, epoch: 1 as Epoch },
      { ...state, opened: 1 as CheckpointNumber },
      { ...state, parameters: { ...state.parameters, validators: state.parameters.validators.toReversed() } },
      { ...state, listLimit: 2 },
      { ...state, policies: policiesWith({ issuedTokens: "open" }) },
      { ...state, accounts: state.accounts.set(ALICE, { ...account, sequence: 9 as never }) },
      { ...state, accounts: state.accounts.set(ALICE, { ...account, nonce: 9 as never }) },
      { ...state, balances: state.balances.set(`${CAROL}/${COIN}`, w.amount(1)) },
      { ...state, pools: state.pools.set(COIN, w.amount(1)) },
      { ...state, burned: state.burned.set(COIN, w.amount(1)) },
      { ...state, pools: state.burned, burned: state.pools },
      { ...state, authorised: w.start().authorised },
      { ...state, listed: state.listed.set(`${COIN}/${BOB}`, true) },
      { ...state, listed: state.bridged, bridged: state.listed },
      w.act(state, MASTER, w.grant("Pause", BOB)).state,
      w.act(state, MASTER, w.grant("MintTokens", BOB, 0)).state,
      w.act(state, MASTER, w.grant("Burn", BOB)).state,
    ];
    // Each beside the first one, whatever a root keeps of the one before.
    const roots = changed.map((other) => [stateRoot(other), stateRoot(state)] as const);
    expect(new Set(roots.map(([root]) => root)).size).toBe(changed.length);
    expect(new Set(roots.map(([, root]) => root)).size).toBe(1);
  });

  test("changes with every member of a token", () => {
    const state = busy();
    const token = requireDefined(state.tokens.get(COIN), "the token");
    const changed = Object.entries(token).map(([name, value]) =>
      stateRoot({ ...state, tokens: state.tokens.set(COIN, { ...token, [name]: otherThan(value) }) }),
    );
    expect(new Set([stateRoot(state), ...changed]).size).toBe(1 + Object.keys(token).length);
  });

  test("is the same for every signed copy of an authorised operation", () => {
    const operation = w.draft(w.start(), MINTER, w.mint(ALICE, 1));
    const copy = { ...operation, signature: `${NO_SIGNATURE.slice(0, -1)}1` as typeof NO_SIGNATURE };
    expect(stateRoot(w.authorise(w.start(), copy).state)).toBe(stateRoot(w.authorise(w.start(), operation).state));
    expect(stateRoot(w.settle(w.authorise(w.start(), copy).state, copy).state)).toBe(
      stateRoot(w.act(w.start(), MINTER, w.mint(ALICE, 1)).state),
    );
  });
});

describe("a proof against the state root", () => {
  const state = busy();
  const root = stateRoot(state);
  const waiting = operationId(w.draft(w.play(w.start(), [MINTER, w.burn(5, BOB)]), MINTER, w.mint(ALICE, 1)));
  const key = state.authorisedKeys.get(waiting) as string;

  test("proves an account, a balance and an authorised operation", () => {
    const accounts = verifyProof(root, prove(state, "accounts", ALICE));
    expect(accounts).toEqual({ result: "included", value: PART_BYTES.accounts({ nonce: 1, sequence: 1 } as never) });
    const balances = verifyProof(root, prove(state, "balances", `${ALICE}/${COIN}`));
    expect(balances).toEqual({ result: "included", value: encode(uint(993)) });
    const entry = findAuthorised(state, waiting);
    expect(verifyProof(root, prove(state, "authorised", key))).toEqual({
      result: "included",
      value: PART_BYTES.authorised(entry as never),
    });
    expect(verifyProof(root, prove(state, "tokens", COIN)).result).toBe("included");
  });

  test.each(STATE_PARTS)("proves that %s lack a key", (part: StatePart) => {
    expect(verifyProof(root, prove(state, part, `${CAROL}/nothing`))).toEqual({ result: "absent" });
    expect(verifyProof(stateRoot(w.start()), prove(w.start(), part, "nothing"))).toEqual({ result: "absent" });
  });

  test("proves nothing against another state, for another part, or with a part changed", () => {
    const proof = prove(state, "accounts", ALICE);
    expect(verifyProof(stateRoot(w.start()), proof).result).toBe("invalid");
    expect(verifyProof(root, { ...proof, part: "balances" }).result).toBe("invalid");
    expect(verifyProof(root, { ...proof, parts: [...proof.parts].reverse() }).result).toBe("invalid");
    expect(verifyProof(root, { ...proof, parts: proof.parts.slice(1) }).result).toBe("invalid");
    expect(verifyProof(root, { ...proof, header: root }).result).toBe("invalid");
    expect(verifyProof(root, { ...proof, part: "nothing" as StatePart }).result).toBe("invalid");
  });
});

const PART = "balances";

/** Returns spread addresses. */
function numbered(count: number): readonly Address[] {
  return Array.from({ length: count }, (_, at) => address(1 + ((at * 7_919) % 1_000_003)));
}

/** Returns a state with `count` holders at spread addresses, in which the named ones hold 1 more. */
function holders(count: number, changed: readonly number[] = []): LedgerState {
  const entries = numbered(count).map(
    (holder, at) => [`${holder}/${COIN}`, w.amount(1 + at + (changed.includes(at) ? 1 : 0))] as const,
  );
  const minted = w.amount(entries.reduce((sum, [, held]) => sum + Number(held), 0));
  const token = w.start().tokens.get(COIN) as Token;
  return { ...w.start(), tokens: w.start().tokens.set(COIN, { ...token, minted }), balances: Trie.of(entries) };
}

/** Takes every piece of `target` that neither `base` nor the pieces here make unnecessary. */
function taken(base: LedgerState, target: LedgerState, pieces: Trie<Subtree> = Trie.empty()) {
  let known = pieces;
  for (let count = 0; ; ) {
    const { missing, roots } = assemble(base, partRoots(target), known);
    if (missing.length === 0) return { state: assembledState(w.start(), target, roots), known, count };
    for (const [key, hash] of missing) {
      const place = locationOf(key);
      const subtree = provenSubtree(w.start(), place.part, pieceAt(target, place) as Piece, hash);
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
  const [[key, value] = ["", w.amount(0)]] = piece.type === "entries" ? piece.entries : [];
  const state = { ...w.start(), [part]: Trie.of([[key, value as never] as const]) };
  try {
    const root = partRoots(state)[STATE_PARTS.indexOf(part)] as Hash;
    return provenSubtree(w.start(), part, piece, root) !== undefined;
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
        const { known } = taken(w.start(), first);
        expect(taken(w.start(), first, known).count).toBe(0);
        expect(taken(first, first).count).toBe(0);
        const paths = new Set(changed.filter((at) => at < count)).size;
        // Balances and supply: no path has more than a dozen branches here.
        for (const { count: asked } of [taken(w.start(), second, known), taken(first, second)])
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
        const target = { ...w.start(), listed: members(addresses), bridged: members(sources) };
        const { state, known } = taken(w.start(), target);
        expect(rootOf(state)).toBe(stateRoot(target));
        for (const subtree of known.values())
          if (subtree instanceof Trie) expect(subtree.size).toBeLessThanOrEqual(PIECE_ENTRIES);
      }),
      { numRuns: 20 },
    );
  });

  test("prove nothing under the name of a part that holds other values", () => {
    const account = { nonce: 0 as Nonce, sequence: 0 as Sequence };
    const token = w.start().tokens.get(COIN) as Token;
    const amounts = { balances: w.amount(1), pools: w.amount(1), burned: w.amount(1) };
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
      const hash = partRoots({ ...w.start(), balances })[STATE_PARTS.indexOf(PART)] as Hash;
      return provenSubtree(w.start(), part, { type: "entries", entries: balances.entries() }, hash) !== undefined;
    };
    expect([isProven(PART, PIECE_ENTRIES), isProven(PART, PIECE_ENTRIES + 1)]).toEqual([true, false]);
    expect(STATE_PARTS.filter((part) => isProven(part, 1))).toEqual(["balances", "pools", "burned"]);
  });

  test("prove nothing with keys of other characters than those of a state: a trie compares bytes", () => {
    for (const key of ["\u0100", "\u0200", "a\u0100", " ", "", "k".repeat(257)]) {
      const entries = [["A", w.amount(1)] as const, [key, w.amount(1)] as const];
      expect(
        provenSubtree(w.start(), "balances", { type: "entries", entries }, `0x${"00".repeat(32)}` as Hash),
      ).toBeUndefined();
    }
  });

  test("make nothing below more branches than keys differ in", () => {
    const piece = pieceAt(holders(1), { part: PART, path: "" }) as Piece;
    const bottom = partRoots(holders(1))[STATE_PARTS.indexOf(PART)] as Hash;
    /** Root under a chain of branches, each with one entry beside the next. */
    const rootBelow = (depth: number) => {
      const pieces: (readonly [Hash, Subtree])[] = [[bottom, subtreeOf(piece)]];
      let [root, bit] = [bottom, depth];
      while (bit-- > 0) {
        const branch = { type: "branch", bit, left: bottom, right: root } as const;
        root = branchHash(bit, bottom, root);
        pieces.push([root, branch]);
      }
      const parts = partRoots(w.start()).with(STATE_PARTS.indexOf(PART), root);
      return assemble(w.start(), parts, Trie.of(pieces)).roots[STATE_PARTS.indexOf(PART)];
    };
    expect(rootBelow(PIECE_DEPTH)).toBeDefined();
    expect(rootBelow(PIECE_DEPTH + 1)).toBeUndefined();
  });

  test("make no state where a root is not that of a trie", () => {
    const roots = STATE_PARTS.map((part) => holders(300)[part].root);
    const at = STATE_PARTS.indexOf(PART);
    const bent = roots.with(at, { ...roots[at], left: roots[at] } as never);
    expect(assembledState(w.start(), w.start(), bent as never)).toBe("balances are no trie of their keys");
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

const authorised = w.authorise(w.start(), w.draft(w.start(), MINTER, w.mint(BOB, 5))).state;
const [[place, entry]] = [...authorised.authorised.entries()] as [[string, never]];
const richer = (state: LedgerState, token: Address): LedgerState => ({
  ...state,
  balances: state.balances.set(balanceKey(ALICE, token), w.amount(1_001)),
});

const withAlice = (account: { nonce: number; sequence: number }): LedgerState => ({
  ...w.start(),
  accounts: w.start().accounts.set(ALICE, account as never),
});
const minted = w.amount((1n << 256n) + 7n);
const overminted: LedgerState = {
  ...w.start(),
  tokens: w.start().tokens.set(COIN, { ...(w.start().tokens.get(COIN) as Token), minted }),
  balances: w.start().balances.set(balanceKey(ALICE, COIN), minted),
};

describe("a state that no decisions lead to", () => {
  test("is none at the start, nor after what was decided on it", () => {
    expect(stateFault(w.start())).toBeUndefined();
    expect(stateFault(authorised)).toBeUndefined();
    expect(stateFault(w.play(w.start(), [MINTER, w.mint(BOB, 5)]))).toBeUndefined();
  });

  test.each<readonly [string, LedgerState, string]>([
    ["more is held than was minted", richer(w.start(), COIN), "expected 2000"],
    ["more was burned than minted", { ...w.start(), burned: Trie.of([[COIN, w.amount(2_001)]]) }, "burned 2001"],
    ["a token that does not exist is held", richer(w.start(), BOB), "does not exist"],
    [
      "an authorised operation stands at another place",
      { ...authorised, authorised: Trie.of([[`${place}0`, entry]]) },
      "is authorised at",
    ],
    ["more was minted than an amount can be", overminted, "expected at most 2^256 - 1"],
    ["what is authorised has used no nonce", { ...authorised, accounts: Trie.empty() }, "is authorised at"],
    [
      "an account is at the end of its counters",
      withAlice({ nonce: 0, sequence: Number.MAX_SAFE_INTEGER }),
      "sequence",
    ],
    ["an account has used more nonces than slots", withAlice({ nonce: 2, sequence: 1 }), "nonce 2"],
  ])("is rejected where %s", (_, state, words) => {
    expect(stateFault(state)).toContain(words);
  });
});
