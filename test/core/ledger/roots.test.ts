import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { requireDefined } from "../../../src/core/base/assert.ts";
import { encode, uint } from "../../../src/core/base/encoding.ts";
import type { EpochParameters } from "../../../src/core/base/epoch.ts";
import type { Address, CheckpointNumber, Epoch } from "../../../src/core/base/ids.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import { findAuthorised } from "../../../src/core/ledger/authorised.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import {
  PART_BYTES,
  prove,
  STATE_PARTS,
  type StatePart,
  stateRoot,
  verifyProof,
} from "../../../src/core/ledger/roots.ts";
import { accountOf, type LedgerState } from "../../../src/core/ledger/state.ts";
import type { Token } from "../../../src/core/ledger/token.ts";
import { type Draft, NO_SIGNATURE } from "./support/operations.ts";
import {
  ALICE,
  act,
  amount,
  authorise,
  BOB,
  BRIDGE,
  bridgeMint,
  burn,
  CAROL,
  COIN,
  draft,
  grant,
  LISTER,
  list,
  MASTER,
  MINTER,
  mint,
  OPERATOR,
  pay,
  play,
  settle,
  start,
} from "./support/world.ts";

/** Returns a state with an entry in every part. */
function busy(): LedgerState {
  const acts = [[ALICE, pay(BOB, 5)] as const, [MINTER, burn(5, BOB)] as const, [BRIDGE, bridgeMint(BOB, 1)] as const];
  const state = play(start(), ...acts, [LISTER, list("blacklist", "Add", CAROL)]);
  return authorise(state, draft(state, MINTER, mint(ALICE, 1))).state;
}

/** Another value of a member of a token. */
function otherThan(value: unknown): unknown {
  if (typeof value === "string") return value === MASTER ? BOB : `${value}1`;
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (typeof value === "bigint") return value + 1n;
  if (Array.isArray(value)) return [...value, ["k", "v"]];
  return { ...(value as Token["roles"]), Pause: Trie.of([[OPERATOR, amount(0)]]) };
}

describe("the state root", () => {
  test("does not depend on the order in which independent slots were applied", () => {
    const turns: readonly (readonly [Address, Draft])[] = [
      [ALICE, pay(CAROL, 5)],
      [BOB, pay(ALICE, 7)],
      [MINTER, burn(9, BOB)],
      [LISTER, list("blacklist", "Add", MINTER)],
    ];
    const expected = stateRoot(play(start(), ...turns));
    fc.assert(
      fc.property(fc.shuffledSubarray([...turns], { minLength: turns.length }), (shuffled) => {
        expect(stateRoot(play(start(), ...shuffled))).toBe(expected);
      }),
    );
  });

  test("keeps no trace of removed amounts and entries", () => {
    const emptied = {
      ...start(),
      balances: start().balances.set(`${CAROL}/${COIN}`, amount(1)).delete(`${CAROL}/${COIN}`),
    };
    expect(stateRoot(emptied)).toBe(stateRoot(start()));
  });

  // holds: 6
  test("changes with every part of the state", () => {
    const state = busy();
    const one = accountOf(state, ALICE);
    const { fees, validators } = state.parameters;
    const policy = { intervalMs: 1, slots: 1, limit: 1, periodSeconds: 0, empty: false };
    const parameters: readonly Partial<EpochParameters>[] = [
      { fees: { ...fees, default: { ...fees.default, recovery: amount(99) } } },
      { fees: { ...fees, tokens: new Map([[COIN, { ...fees.default, payment: amount(99) }]]) } },
      { validators: validators.slice(1) },
      { validators: validators.toReversed() },
      { validators: validators.map(({ key }) => ({ key, reward: ALICE })) },
      { checkpoints: policy },
      { epochLength: 3 },
    ];
    const changed: readonly LedgerState[] = [
      state,
      { ...state, chainId: 1 },
      { ...state, operator: ALICE },
      { ...state, epoch: 1 as Epoch },
      { ...state, opened: 1 as CheckpointNumber },
      ...parameters.map((part) => ({ ...state, parameters: { ...state.parameters, ...part } })),
      { ...state, listLimit: 2 },
      { ...state, openTokens: !state.openTokens },
      { ...state, accounts: state.accounts.set(ALICE, { ...one, sequence: 9 as never }) },
      { ...state, accounts: state.accounts.set(ALICE, { ...one, nonce: 9 as never }) },
      { ...state, balances: state.balances.set(`${CAROL}/${COIN}`, amount(1)) },
      { ...state, pools: state.pools.set(COIN, amount(1)) },
      { ...state, burned: state.burned.set(COIN, amount(1)) },
      { ...state, pools: state.burned, burned: state.pools },
      { ...state, authorised: start().authorised },
      { ...state, listed: state.listed.set(`${COIN}/${BOB}`, true) },
      { ...state, listed: state.bridged, bridged: state.listed },
      act(state, MASTER, grant("Pause", BOB)).state,
      act(state, MASTER, grant("MintTokens", BOB, 0)).state,
      act(state, MASTER, grant("Burn", BOB)).state,
    ];
    // Each beside the first one, whatever a root keeps of the one before.
    const roots = changed.map((one) => [stateRoot(one), stateRoot(state)] as const);
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
    const operation = draft(start(), MINTER, mint(ALICE, 1));
    const copy = { ...operation, signature: `${NO_SIGNATURE.slice(0, -1)}1` as typeof NO_SIGNATURE };
    expect(stateRoot(authorise(start(), copy).state)).toBe(stateRoot(authorise(start(), operation).state));
    expect(stateRoot(settle(authorise(start(), copy).state, copy).state)).toBe(
      stateRoot(act(start(), MINTER, mint(ALICE, 1)).state),
    );
  });
});

describe("a proof against the state root", () => {
  const state = busy();
  const root = stateRoot(state);
  const waiting = operationId(draft(play(start(), [MINTER, burn(5, BOB)]), MINTER, mint(ALICE, 1)));
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
    expect(verifyProof(stateRoot(start()), prove(start(), part, "nothing"))).toEqual({ result: "absent" });
  });

  test("proves nothing against another state, for another part, or with a part changed", () => {
    const proof = prove(state, "accounts", ALICE);
    expect(verifyProof(stateRoot(start()), proof).result).toBe("invalid");
    expect(verifyProof(root, { ...proof, part: "balances" }).result).toBe("invalid");
    expect(verifyProof(root, { ...proof, parts: [...proof.parts].reverse() }).result).toBe("invalid");
    expect(verifyProof(root, { ...proof, parts: proof.parts.slice(1) }).result).toBe("invalid");
    expect(verifyProof(root, { ...proof, header: root }).result).toBe("invalid");
    expect(verifyProof(root, { ...proof, part: "nothing" as StatePart }).result).toBe("invalid");
  });
});
