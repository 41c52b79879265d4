/** Roles, pauses, lists and barriers of a token (specification 4.4, 6; protocol 4.2). */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address } from "../../../src/core/base/ids.ts";
import {
  type Authority,
  type OperationId,
  ROLES,
  type Role,
  type SignedOperation,
} from "../../../src/core/base/operation.ts";
import type { RequiredRole } from "../../../src/core/base/refusal.ts";
import type { TokenSlot } from "../../../src/core/base/slot.ts";
import { checkAuthority } from "../../../src/core/ledger/check.ts";
import { checkList, chooseList, isRestriction, restrictionsOf } from "../../../src/core/ledger/check-due.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { LIST_WAIT_MS, ROLE_CAPS } from "../../../src/core/ledger/limits.ts";
import { KINDS } from "../../../src/core/ledger/operations/kinds.ts";
import { type LedgerState, tokenOf, versionOf } from "../../../src/core/ledger/state.ts";
import { issuedTokenAddress, type Restriction } from "../../../src/core/ledger/token.ts";
import { address, type Draft, signed } from "./support/operations.ts";
import { apply, check, checkVote } from "./support/real-rules.ts";
import {
  ALICE,
  act,
  amount,
  authorise,
  BOB,
  burn,
  CAROL,
  CLUB,
  COIN,
  decide,
  draft,
  EDITOR,
  edit,
  GRANTER,
  genesisToken,
  grant,
  issue,
  LISTER,
  list,
  MASTER,
  MINTER,
  mint,
  OPERATOR,
  PAUSER,
  pause,
  pay,
  play,
  revoke,
  start,
  verdict,
} from "./support/world.ts";

/** The table of specification 4.4, with the holders of each role. */
const ACTIONS: readonly (readonly [string, Draft, readonly Address[]])[] = [
  // holds: 111
  ["mint", mint(ALICE, 1), [MASTER, MINTER]],
  // holds: 57, 111
  ["burn another's balance", burn(1, BOB), [MASTER, MINTER]],
  // holds: 112
  ["pause", pause("Pause"), [MASTER, PAUSER]],
  // holds: 113
  ["blacklist", list("blacklist", "Add", BOB), [MASTER, LISTER]],
  // holds: 113
  ["update metadata", edit("n"), [MASTER, EDITOR]],
  // holds: 55, 58
  ["grant minting", grant("MintBurnTokens", BOB, 1), [MASTER, GRANTER]],
  // holds: 55, 58
  ["revoke minting", revoke("MintTokens", MINTER), [MASTER, GRANTER]],
  // holds: 58, 110
  ["grant master minting", grant("MasterMintBurn", GRANTER), [MASTER]],
  ["revoke master minting", revoke("MasterMint", GRANTER), [MASTER]],
  // holds: 58, 110
  ["grant pausing", grant("Pause", BOB), [MASTER]],
  ["grant listing", grant("ManageList", BOB), [MASTER]],
  // holds: 110
  ["revoke metadata", revoke("UpdateMetadata", EDITOR), [MASTER]],
];

describe("authority", () => {
  // holds: 54
  test.each(ACTIONS)("only the right ones may %s", (_, draft, allowed) => {
    for (const signer of [OPERATOR, MASTER, MINTER, GRANTER, PAUSER, LISTER, EDITOR, ALICE]) {
      expect(verdict(start(), signer, draft)).toBe(allowed.includes(signer) ? "accept" : "business_missing_role");
    }
  });

  test.each<readonly [string, Draft, RequiredRole]>([
    ["a mint", mint(ALICE, 1), "MintBurnTokens"],
    ["a pause", pause("Pause"), "Pause"],
    ["a grant of minting", grant("MintBurnTokens", BOB, 1), "MasterMintBurn"],
    ["a grant of another role", grant("Pause", BOB), "Master"],
    ["an issue", issue("EUR"), "Operator"],
  ])("the refusal of %s names the role that is needed", (_, fields, role) => {
    expect(check(start(), [], draft(start(), ALICE, fields))).toMatchObject({
      refusal: { code: "business_missing_role", role, signer: ALICE },
    });
  });

  test.each([grant("Nothing", ALICE), { ...grant("MasterMintBurn", ALICE), action: "Nothing" } as Draft])(
    "words that mean nothing are left to the check of the form: $authorityType, $action",
    (fields) => {
      expect(checkAuthority(start(), COIN, draft(start(), MASTER, fields))).toBeUndefined();
    },
  );

  test.each(ROLES)("%s has a cap that a second grant to a holder does not break", (role) => {
    let state = start({ tokens: [genesisToken(COIN, { roles: [] })], balances: [] });
    for (let at = 0; at < ROLE_CAPS[role]; at++) state = act(state, MASTER, grant(role, address(0x500 + at), 1)).state;
    expect(verdict(state, MASTER, grant(role, CAROL))).toBe("business_role_full");
    expect(verdict(state, MASTER, grant(role, address(0x500), 2))).toBe("accept");
    const freed = act(state, MASTER, revoke(role, address(0x500))).state;
    expect(verdict(freed, MASTER, grant(role, CAROL))).toBe("accept");
  });

  test("only minting has an allowance: the value of another grant leaves no trace", () => {
    const state = play(start(), [MASTER, grant("Pause", ALICE, 5)]);
    expect(tokenOf(state, COIN)?.roles.Pause.get(ALICE)).toBe(0n);
  });

  test.each<readonly [spelling: string, at: "first" | "later", allowance: bigint | null]>([
    ["MintBurnTokens", "first", 7n],
    ["MintTokens", "first", 7n],
    ["Burn", "first", null],
    ["MintBurnTokens", "later", 7n],
    ["MintTokens", "later", 7n],
    ["Burn", "later", 1_000n],
  ])("a grant spelled %s, %s, leaves an allowance of", (spelling, at, allowance) => {
    const held = at === "first" ? start() : play(start(), [MASTER, grant("MintTokens", ALICE, 1_000)]);
    const fields = grant(spelling, ALICE, 7);
    const restriction = { type: "allowance", token: COIN, address: ALICE, value: 7n };
    expect(KINDS.authority.inToken?.restriction?.(draft(held, MASTER, fields).operation as Authority)).toEqual(
      spelling === "Burn" ? undefined : restriction,
    );
    expect(tokenOf(play(held, [MASTER, fields]), COIN)?.roles.MintBurnTokens.get(ALICE)).toBe(allowance);
  });

  // holds: 55, 59, 60, 61, 62
  test("the caps are 1, 20, and 5 of each other role", () => {
    expect(ROLES.map((role) => ROLE_CAPS[role])).toEqual([1, 20, 5, 5, 5, 5, 5]);
  });

  test.each(ROLES)("revoking %s from one who does not hold it is refused", (role: Role) => {
    expect(verdict(start(), MASTER, revoke(role, ALICE))).toBe("business_role_not_held");
  });

  // holds: 17, 54
  test("a revoked authority may no longer act, the master always may", () => {
    const state = play(start(), [MASTER, revoke("Pause", PAUSER)]);
    expect(verdict(state, PAUSER, pause("Pause"))).toBe("business_missing_role");
    expect(verdict(state, MASTER, pause("Pause"))).toBe("accept");
    expect(tokenOf(state, COIN)?.masterAuthority).toBe(MASTER);
  });

  // holds: 17
  test("no action of an authority gives a token another master", () => {
    for (const [, fields, allowed] of ACTIONS)
      for (const signer of allowed)
        expect(tokenOf(act(start(), signer, fields).state, COIN)?.masterAuthority).toBe(MASTER);
  });

  test("roles of one token do not apply to another", () => {
    const other = address(0xc9);
    const state = start({
      tokens: [genesisToken(COIN), genesisToken(other, { roles: [], masterAuthority: BOB })],
      balances: [],
    });
    expect(verdict(state, MASTER, pause("Pause", other))).toBe("business_missing_role");
    expect(verdict(state, BOB, pause("Pause", other))).toBe("accept");
  });
});

const paused = () => play(start(), [PAUSER, pause("Pause")]);

const STOPPED: readonly (readonly [Address, Draft])[] = [
  [ALICE, pay(BOB, 1)],
  [MINTER, mint(BOB, 1)],
  [MASTER, mint(BOB, 1)],
  [MINTER, burn(1, BOB)],
  [MASTER, burn(1, BOB)],
];
const GOING_ON: readonly (readonly [Address, Draft])[] = [
  [MASTER, grant("Pause", CAROL)],
  [MASTER, revoke("Pause", PAUSER)],
  [LISTER, list("blacklist", "Add", CAROL)],
  [MASTER, edit("n")],
  [PAUSER, pause("Unpause")],
  [ALICE, { kind: "cancellation" }],
];

describe("a pause", () => {
  test("of a paused token is refused at submission, and voted for: the token's order decides", () => {
    const vote = (signer: Address, fields: Draft): string =>
      checkVote(paused(), [], draft(paused(), signer, fields)).answer;
    for (const late of [pause("Pause"), mint(BOB, 1)]) {
      expect(verdict(paused(), MASTER, late)).not.toBe("accept");
      expect(vote(MASTER, late)).toBe("accept");
      expect(vote(ALICE, late)).toBe("refuse");
    }
    expect(vote(ALICE, pay(BOB, 1))).toBe("refuse");
  });

  // holds: 66, 67, 68
  test.each(STOPPED)("stops, for %s, $1.kind", (signer, draft) => {
    expect(verdict(start(), signer, draft)).toBe("accept");
    expect(verdict(paused(), signer, draft)).toBe("business_token_paused");
    expect(verdict(play(paused(), [MASTER, pause("Unpause")]), signer, draft)).toBe("accept");
  });

  // holds: 60, 69
  test.each(GOING_ON)("does not stop, for %s, $1.kind", (signer, draft) => {
    expect(verdict(paused(), signer, draft)).toBe("accept");
  });
});

const NOWHERE = address(0xcf);

/** Each restriction with the operation that makes it. */
const RESTRICTIONS: readonly (readonly [Draft, Restriction])[] = [
  [pause("Pause"), { type: "pause", token: COIN }],
  [list("blacklist", "Add", ALICE), { type: "exclude", token: COIN, address: ALICE }],
  [list("whitelist", "Remove", ALICE, CLUB), { type: "exclude", token: CLUB, address: ALICE }],
  [grant("MintTokens", MINTER, 50), { type: "allowance", token: COIN, address: MINTER, value: amount(50) }],
  [revoke("MintBurnTokens", MINTER), { type: "revoke", token: COIN, address: MINTER, role: "MintBurnTokens" }],
  [revoke("Pause", PAUSER), { type: "revoke", token: COIN, address: PAUSER, role: "Pause" }],
];

const PERMISSIVE: readonly Draft[] = [
  pause("Unpause"),
  list("blacklist", "Remove", ALICE),
  list("whitelist", "Add", CAROL, CLUB),
  grant("MintTokens", MINTER, 1_000),
  grant("MintTokens", CAROL, 1),
  grant("Pause", CAROL),
  grant("Pause", MINTER),
  grant("MintTokens", MINTER, 1, NOWHERE),
  revoke("Nothing", MINTER),
  pay(BOB, 1),
  burn(1, BOB),
  { kind: "cancellation" },
  mint(ALICE, 1),
  edit("n"),
  issue("EUR"),
];

/** Operations that some restriction above forbids. */
const PROBES: readonly (readonly [Address, Draft])[] = [
  [ALICE, pay(BOB, 1)],
  [BOB, pay(ALICE, 1)],
  [ALICE, pay(BOB, 1, CLUB)],
  [BOB, pay(ALICE, 1, CLUB)],
  [MINTER, mint(ALICE, 1)],
  [MINTER, mint(BOB, 51)],
  [MINTER, mint(BOB, 50)],
  [MINTER, mint(BOB, 1, CLUB)],
  [MINTER, burn(1, BOB)],
  [PAUSER, pause("Pause")],
  [LISTER, list("blacklist", "Add", ALICE)],
  [MASTER, mint(CAROL, 1)],
];

describe("restrictions", () => {
  test.each(RESTRICTIONS)("$kind $action is one", (draft, restriction) => {
    const operation = signed(MASTER, 0, draft);
    expect(restrictionsOf([operation])).toEqual([restriction]);
    expect(isRestriction(start(), operation)).toBe(true);
  });

  test.each(PERMISSIVE)("$kind $action is none, and bars nothing", (draft) => {
    const operation = signed(MASTER, 0, draft);
    expect(isRestriction(start(), operation)).toBe(false);
    for (const [signer, probe] of PROBES) {
      expect(verdict(start(), signer, probe, restrictionsOf([operation]))).toBe(verdict(start(), signer, probe));
    }
  });

  test("of a list are in its order", () => {
    const operations = RESTRICTIONS.map(([draft], nonce) => signed(MASTER, nonce, draft));
    expect(restrictionsOf(operations)).toEqual(RESTRICTIONS.map(([, restriction]) => restriction));
  });
});

describe("a barrier", () => {
  test.each(RESTRICTIONS)("of $kind $action makes every vote as if it were in force", (draft, restriction) => {
    const inForce = act(start(), MASTER, draft).state;
    for (const [signer, probe] of PROBES) {
      expect(verdict(start(), signer, probe, [restriction])).toBe(verdict(inForce, signer, probe));
    }
  });

  test("counts whole, in any order, and for its own token only", () => {
    const all = RESTRICTIONS.map(([, restriction]) => restriction);
    const inForce = play(start(), ...RESTRICTIONS.map(([draft]) => [MASTER, draft] as const));
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (barrier) => {
        for (const [signer, probe] of PROBES) {
          expect(verdict(start(), signer, probe, barrier)).toBe(verdict(inForce, signer, probe));
        }
      }),
    );
  });

  test("never lifts anything: an unraised allowance and a role not held stay", () => {
    const high: Restriction = { type: "allowance", token: COIN, address: MINTER, value: amount(10n ** 9n) };
    const other: Restriction = { type: "allowance", token: COIN, address: CAROL, value: amount(5) };
    expect(verdict(start(), MINTER, mint(BOB, 1_001), [high])).toBe("business_allowance_exceeded");
    expect(verdict(start(), CAROL, mint(BOB, 1), [other])).toBe("business_missing_role");
  });

  test("restricts no token that does not exist here", () => {
    expect(verdict(start(), MINTER, mint(BOB, 1, NOWHERE), [{ type: "pause", token: NOWHERE }])).toBe(
      "resource_token_not_found",
    );
  });

  test("does not bind the master's roles, nor cancellations", () => {
    const revoked: Restriction = { type: "revoke", token: COIN, address: MASTER, role: "Pause" };
    expect(verdict(start(), MASTER, pause("Pause"), [revoked])).toBe("accept");
    expect(verdict(start(), ALICE, { kind: "cancellation" }, [{ type: "pause", token: COIN }])).toBe("accept");
  });
});

const LIMIT = 8;
const slot = (state: LedgerState, token: Address = COIN): TokenSlot => ({
  kind: "token",
  token,
  version: versionOf(state, token),
});

/** A state in which all of these are authorised and wait, with their ids in order. */
function waiting(...turns: readonly (readonly [Address, Draft])[]): {
  state: LedgerState;
  ids: OperationId[];
  operations: SignedOperation[];
} {
  let state = start();
  const operations = turns.map(([sender, fields]) => {
    const operation = draft(state, sender, fields);
    state = authorise(state, operation).state;
    return operation;
  });
  return { state, ids: operations.map(operationId), operations };
}

const answer = (state: LedgerState, ids: readonly OperationId[], limit = LIMIT) =>
  checkList(state, COIN, ids, limit).answer;

describe("a token slot's list", () => {
  const { state, ids } = waiting(
    [MINTER, mint(ALICE, 1)],
    [MINTER, mint(ALICE, 2)],
    [EDITOR, edit("n")],
    [MINTER, mint(ALICE, 3, CLUB)],
  );
  const [first, second, other, foreign] = ids as [OperationId, OperationId, OperationId, OperationId];

  test.each<readonly [string, readonly OperationId[], string]>([
    ["all that waits, in the signers' order", [first, second, other], "accept"],
    ["signers interleaved", [first, other, second], "accept"],
    ["the beginning of what a signer has waiting", [first], "accept"],
    ["one signer left out", [other], "accept"],
    ["nothing", [], "refuse"],
    ["an operation twice", [first, first], "refuse"],
    ["a signer's order turned round", [second, first], "refuse"],
    ["a signer's earlier operation left out", [second], "refuse"],
    ["another token's operation", [foreign], "refuse"],
    ["an operation nobody authorised", [`0x${"9".repeat(64)}` as OperationId], "wait"],
  ])("of %s: %s", (_, list, expected) => expect(answer(state, list)).toBe(expected));

  test("is as long as its limit and no longer", () => {
    expect([answer(state, [first, second, other], 3), answer(state, [first, second, other], 2)]).toEqual([
      "accept",
      "refuse",
    ]);
  });

  test("holds no burn, not even of this token", () => {
    const forced = waiting([MINTER, burn(1, BOB)]);
    expect(answer(forced.state, forced.ids)).toBe("refuse");
  });

  test("begins with the issue of a token that does not exist yet", () => {
    const eur = issuedTokenAddress(MASTER, "EUR");
    const minted = waiting([OPERATOR, issue("EUR")], [MASTER, mint(ALICE, 1, eur)]);
    const [first, second] = minted.ids as [OperationId, OperationId];
    const lists = [[first, second], [second, first], [second]];
    expect(lists.map((ids) => checkList(minted.state, eur, ids, LIMIT).answer)).toEqual(["accept", "refuse", "refuse"]);
    const issued = waiting([OPERATOR, issue("EUR")], [OPERATOR, issue("EUR")]);
    expect(checkList(issued.state, eur, issued.ids, LIMIT)).toEqual({ answer: "accept" });
    const { state: after, receipts } = decide(issued.state, slot(issued.state, eur), { type: "list", ids: issued.ids });
    expect(receipts.map((receipt) => receipt.error?.code)).toEqual([undefined, "business_token_exists"]);
    expect(tokenOf(after, eur)).toMatchObject({ version: 1, isPaused: true });
  });

  test("leaves the token as it was but for the version where all of it fails", () => {
    const race = waiting([MASTER, revoke("MintTokens", MINTER)], [MINTER, mint(ALICE, 1)]);
    const [revocation, minting] = race.ids as [OperationId, OperationId];
    const revoked = decide(race.state, slot(race.state), { type: "list", ids: [revocation] }).state;
    const failed = decide(revoked, slot(revoked), { type: "list", ids: [minting] });
    expect(failed.receipts).toMatchObject([{ success: false, fee: 0n, error: { code: "business_missing_role" } }]);
    expect(tokenOf(failed.state, COIN)).toEqual({ ...tokenOf(revoked, COIN), version: 2 });
    expect(verdict(failed.state, MASTER, mint(ALICE, 1))).toBe("accept");
  });

  test("waits for the slots that authorise it", () => {
    const missing = { code: "resource_authorisation_not_found", id: first };
    expect(apply(start(), slot(start()), { type: "list", ids: [first] }, undefined)).toEqual({
      outcome: "waiting",
      missing,
    });
  });

  test("is impossible where it names an operation twice, or one of another token", () => {
    const race = waiting([MINTER, mint(ALICE, 1)]);
    const [minting] = race.ids as [OperationId];
    const twice = apply(race.state, slot(race.state), { type: "list", ids: [minting, minting] }, undefined);
    expect(twice).toMatchObject({ outcome: "impossible", reason: expect.stringContaining("listed twice") });
    const elsewhere = apply(race.state, slot(race.state, CLUB), { type: "list", ids: [minting] }, undefined);
    expect(elsewhere).toMatchObject({ outcome: "impossible", reason: expect.stringContaining("another sequence") });
  });
});

describe("an honest proposer's list", () => {
  test("puts restrictions first, with what must precede them, then the older", () => {
    const { state, ids } = waiting(
      [MINTER, mint(ALICE, 1)],
      [PAUSER, pause("Pause")],
      [MASTER, edit("n")],
      [MASTER, revoke("Pause", PAUSER)],
      [EDITOR, edit("m")],
    );
    const [mintId, pauseId, editId, revokeId, otherId] = ids as [
      OperationId,
      OperationId,
      OperationId,
      OperationId,
      OperationId,
    ];
    const ages = new Map<OperationId, number>([
      [mintId, 9],
      [pauseId, 1],
      [editId, 1],
      [revokeId, 5],
      [otherId, 8],
    ]);
    const age = (id: OperationId) => ages.get(id) ?? 0;
    expect(chooseList(state, COIN, age, LIMIT)).toEqual([editId, revokeId, pauseId, mintId, otherId]);
    expect(chooseList(state, COIN, age, 2)).toEqual([editId, revokeId]);
    expect(chooseList(state, COIN, age, 1)).toEqual([editId]);
    expect(chooseList(start(), COIN, age, LIMIT)).toEqual([]);
  });

  test("puts the older first, and of one age those of the lower address", () => {
    const { state, ids } = waiting([EDITOR, edit("n")], [MINTER, mint(ALICE, 1)], [MASTER, edit("m")]);
    const [editors, minters, masters] = ids as [OperationId, OperationId, OperationId];
    const ages = new Map([
      [editors, 5],
      [minters, 1],
      [masters, 3],
    ]);
    expect(chooseList(state, COIN, (id) => ages.get(id) ?? 0, LIMIT)).toEqual([editors, masters, minters]);
    expect(chooseList(state, COIN, () => 7, LIMIT)).toEqual([masters, minters, editors]);
  });

  test("leaves what follows a restriction of the same signer at its own position", () => {
    const { state, ids } = waiting([MASTER, pause("Pause")], [MASTER, edit("m")], [EDITOR, edit("n")]);
    const [paused, later, older] = ids as [OperationId, OperationId, OperationId];
    expect(chooseList(state, COIN, (id) => (id === older ? 9 : 1), LIMIT)).toEqual([paused, older, later]);
  });

  test("puts what has waited long before restrictions", () => {
    const { state, ids } = waiting([MINTER, mint(ALICE, 1)], [PAUSER, pause("Pause")]);
    const chosen = (wait: number) => chooseList(state, COIN, (id) => (id === ids[0] ? wait : 1), 1);
    expect(chosen(LIST_WAIT_MS - 1)).toEqual([ids[1]]);
    expect(chosen(LIST_WAIT_MS)).toEqual([ids[0]]);
  });

  test("begins with an issue that the token lacks, before older operations", () => {
    const euro = issuedTokenAddress(MASTER, "EUR");
    const { state, ids } = waiting([MASTER, pause("Pause", euro)], [OPERATOR, issue("EUR")]);
    expect(chooseList(state, euro, (id) => (id === ids[0] ? 9 : 1), LIMIT)).toEqual(ids.toReversed());
  });

  test("is always valid, and takes all that fits", () => {
    const turn = fc.constantFrom<readonly [Address, Draft]>(
      [MINTER, mint(ALICE, 1)],
      [MASTER, mint(ALICE, 2)],
      [MASTER, pause("Pause")],
      [MASTER, revoke("Pause", PAUSER)],
      [PAUSER, pause("Pause")],
      [EDITOR, edit("n")],
      [GRANTER, grant("MintTokens", MINTER, 5)],
    );
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 12 }),
        fc.nat(9),
        fc.integer({ min: 1, max: 12 }),
        (turns, salt, limit) => {
          const { state, ids } = waiting(...turns);
          const age = (id: OperationId) => Number.parseInt(id.slice(2, 4), 16) % (salt + 1);
          const chosen = chooseList(state, COIN, age, limit);
          expect(chosen.length).toBe(Math.min(limit, ids.length));
          expect(checkList(state, COIN, chosen, limit)).toEqual({ answer: "accept" });
        },
      ),
    );
  });
});
