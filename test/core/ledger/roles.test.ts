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
import { policiesWith } from "../../../src/core/base/policies.ts";
import type { RequiredRole } from "../../../src/core/base/refusal.ts";
import { checkAuthority } from "../../../src/core/ledger/check.ts";
import { checkList, chooseList, isRestriction, restrictionsOf } from "../../../src/core/ledger/check-due.ts";
import { operationId } from "../../../src/core/ledger/identity.ts";
import { LIST_WAIT_MS, ROLE_CAPS } from "../../../src/core/ledger/limits.ts";
import { KINDS } from "../../../src/core/ledger/operations/kinds.ts";
import { type LedgerState, tokenOf } from "../../../src/core/ledger/state.ts";
import { issuedTokenAddress, type Restriction } from "../../../src/core/ledger/token.ts";
import { address, type Draft, signed } from "./support/operations.ts";
import { apply, check, checkVote } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const { ALICE, BOB, CAROL, CLUB, COIN, EDITOR, GRANTER, LISTER, MASTER, MINTER, OPERATOR, PAUSER } = w;

/** The table of specification 4.4, with the holders of each role. */
const ACTIONS: readonly (readonly [string, Draft, readonly Address[]])[] = [
  // holds: 111
  ["mint", w.mint(ALICE, 1), [MASTER, MINTER]],
  // holds: 57, 111
  ["burn another's balance", w.burn(1, BOB), [MASTER, MINTER]],
  // holds: 112
  ["pause", w.pause("Pause"), [MASTER, PAUSER]],
  // holds: 113
  ["blacklist", w.list("blacklist", "Add", BOB), [MASTER, LISTER]],
  // holds: 113
  ["update metadata", w.edit("n"), [MASTER, EDITOR]],
  // holds: 55, 58
  ["grant minting", w.grant("MintBurnTokens", BOB, 1), [MASTER, GRANTER]],
  // holds: 55, 58
  ["revoke minting", w.revoke("MintTokens", MINTER), [MASTER, GRANTER]],
  // holds: 58, 110
  ["grant master minting", w.grant("MasterMintBurn", GRANTER), [MASTER]],
  ["revoke master minting", w.revoke("MasterMint", GRANTER), [MASTER]],
  // holds: 58, 110
  ["grant pausing", w.grant("Pause", BOB), [MASTER]],
  ["grant listing", w.grant("ManageList", BOB), [MASTER]],
  // holds: 110
  ["revoke metadata", w.revoke("UpdateMetadata", EDITOR), [MASTER]],
];

describe("authority", () => {
  // holds: 54
  test.each(ACTIONS)("only the right ones may %s", (_, draft, allowed) => {
    for (const signer of [OPERATOR, MASTER, MINTER, GRANTER, PAUSER, LISTER, EDITOR, ALICE]) {
      expect(w.verdict(w.start(), signer, draft)).toBe(allowed.includes(signer) ? "accept" : "business_missing_role");
    }
  });

  test.each<readonly [string, Draft, RequiredRole]>([
    ["a mint", w.mint(ALICE, 1), "MintBurnTokens"],
    ["a pause", w.pause("Pause"), "Pause"],
    ["a grant of minting", w.grant("MintBurnTokens", BOB, 1), "MasterMintBurn"],
    ["a grant of another role", w.grant("Pause", BOB), "Master"],
    ["an issue", w.issue("EUR"), "Operator"],
  ])("the refusal of %s names the role that is needed", (_, fields, role) => {
    expect(check(w.start(), [], w.draft(w.start(), ALICE, fields))).toMatchObject({
      refusal: { code: "business_missing_role", role, signer: ALICE },
    });
  });

  test.each([w.grant("Nothing", ALICE), { ...w.grant("MasterMintBurn", ALICE), action: "Nothing" } as Draft])(
    "words that mean nothing are left to the check of the form: $authorityType, $action",
    (fields) => {
      expect(checkAuthority(w.start(), COIN, w.draft(w.start(), MASTER, fields))).toBeUndefined();
    },
  );

  test.each(ROLES)("%s has a cap that a second grant to a holder does not break", (role) => {
    let state = w.start({ tokens: [w.genesisToken(COIN, { roles: [] })], balances: [] });
    for (let at = 0; at < ROLE_CAPS[role]; at++)
      state = w.act(state, MASTER, w.grant(role, address(0x500 + at), 1)).state;
    expect(w.verdict(state, MASTER, w.grant(role, CAROL))).toBe("business_role_full");
    expect(w.verdict(state, MASTER, w.grant(role, address(0x500), 2))).toBe("accept");
    const freed = w.act(state, MASTER, w.revoke(role, address(0x500))).state;
    expect(w.verdict(freed, MASTER, w.grant(role, CAROL))).toBe("accept");
  });

  test("only minting has an allowance: the value of another grant leaves no trace", () => {
    const state = w.play(w.start(), [MASTER, w.grant("Pause", ALICE, 5)]);
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
    const held = at === "first" ? w.start() : w.play(w.start(), [MASTER, w.grant("MintTokens", ALICE, 1_000)]);
    const fields = w.grant(spelling, ALICE, 7);
    const restriction = { type: "allowance", token: COIN, address: ALICE, value: 7n };
    const { operation } = w.draft(held, MASTER, fields);
    expect(KINDS.authority.inToken?.restriction?.(operation as Authority, policiesWith())).toEqual(
      spelling === "Burn" ? undefined : restriction,
    );
    expect(tokenOf(w.play(held, [MASTER, fields]), COIN)?.roles.MintBurnTokens.get(ALICE)).toBe(allowance);
  });

  // holds: 55, 59, 60, 61, 62
  test("the caps are 1, 20, and 5 of each other role", () => {
    expect(ROLES.map((role) => ROLE_CAPS[role])).toEqual([1, 20, 5, 5, 5, 5, 5]);
  });

  test.each(ROLES)("revoking %s from one who does not hold it is refused", (role: Role) => {
    expect(w.verdict(w.start(), MASTER, w.revoke(role, ALICE))).toBe("business_role_not_held");
  });

  // holds: 17, 54
  test("a revoked authority may no longer act, the master always may", () => {
    const state = w.play(w.start(), [MASTER, w.revoke("Pause", PAUSER)]);
    expect(w.verdict(state, PAUSER, w.pause("Pause"))).toBe("business_missing_role");
    expect(w.verdict(state, MASTER, w.pause("Pause"))).toBe("accept");
    expect(tokenOf(state, COIN)?.masterAuthority).toBe(MASTER);
  });

  // holds: 17
  test("no action of an authority gives a token another master", () => {
    for (const [, fields, allowed] of ACTIONS)
      for (const signer of allowed)
        expect(tokenOf(w.act(w.start(), signer, fields).state, COIN)?.masterAuthority).toBe(MASTER);
  });

  test("roles of one token do not apply to another", () => {
    const other = address(0xc9);
    const state = w.start({
      tokens: [w.genesisToken(COIN), w.genesisToken(other, { roles: [], masterAuthority: BOB })],
      balances: [],
    });
    expect(w.verdict(state, MASTER, w.pause("Pause", other))).toBe("business_missing_role");
    expect(w.verdict(state, BOB, w.pause("Pause", other))).toBe("accept");
  });
});

const paused = () => w.play(w.start(), [PAUSER, w.pause("Pause")]);

const STOPPED: readonly (readonly [Address, Draft])[] = [
  [ALICE, w.pay(BOB, 1)],
  [MINTER, w.mint(BOB, 1)],
  [MASTER, w.mint(BOB, 1)],
  [MINTER, w.burn(1, BOB)],
  [MASTER, w.burn(1, BOB)],
];
const GOING_ON: readonly (readonly [Address, Draft])[] = [
  [MASTER, w.grant("Pause", CAROL)],
  [MASTER, w.revoke("Pause", PAUSER)],
  [LISTER, w.list("blacklist", "Add", CAROL)],
  [MASTER, w.edit("n")],
  [PAUSER, w.pause("Unpause")],
  [ALICE, { kind: "cancellation" }],
];

describe("a pause", () => {
  test("of a paused token is refused at submission, and voted for: the token's order decides", () => {
    const vote = (signer: Address, fields: Draft): string =>
      checkVote(paused(), [], w.draft(paused(), signer, fields)).answer;
    for (const late of [w.pause("Pause"), w.mint(BOB, 1)]) {
      expect(w.verdict(paused(), MASTER, late)).not.toBe("accept");
      expect(vote(MASTER, late)).toBe("accept");
      expect(vote(ALICE, late)).toBe("refuse");
    }
    expect(vote(ALICE, w.pay(BOB, 1))).toBe("refuse");
  });

  // holds: 66, 67, 68
  test.each(STOPPED)("stops, for %s, $1.kind", (signer, draft) => {
    expect(w.verdict(w.start(), signer, draft)).toBe("accept");
    expect(w.verdict(paused(), signer, draft)).toBe("business_token_paused");
    expect(w.verdict(w.play(paused(), [MASTER, w.pause("Unpause")]), signer, draft)).toBe("accept");
  });

  // holds: 60, 69
  test.each(GOING_ON)("does not stop, for %s, $1.kind", (signer, draft) => {
    expect(w.verdict(paused(), signer, draft)).toBe("accept");
  });
});

const NOWHERE = address(0xcf);

/** Each restriction with the operation that makes it. */
const RESTRICTIONS: readonly (readonly [Draft, Restriction])[] = [
  [w.pause("Pause"), { type: "pause", token: COIN }],
  [w.list("blacklist", "Add", ALICE), { type: "exclude", token: COIN, address: ALICE }],
  [w.list("whitelist", "Remove", ALICE, CLUB), { type: "exclude", token: CLUB, address: ALICE }],
  [w.grant("MintTokens", MINTER, 50), { type: "allowance", token: COIN, address: MINTER, value: w.amount(50) }],
  [w.revoke("MintBurnTokens", MINTER), { type: "revoke", token: COIN, address: MINTER, role: "MintBurnTokens" }],
  [w.revoke("Pause", PAUSER), { type: "revoke", token: COIN, address: PAUSER, role: "Pause" }],
];

const PERMISSIVE: readonly Draft[] = [
  w.pause("Unpause"),
  w.list("blacklist", "Remove", ALICE),
  w.list("whitelist", "Add", CAROL, CLUB),
  w.grant("MintTokens", MINTER, 1_000),
  w.grant("MintTokens", CAROL, 1),
  w.grant("Pause", CAROL),
  w.grant("Pause", MINTER),
  w.grant("MintTokens", MINTER, 1, NOWHERE),
  w.revoke("Nothing", MINTER),
  w.pay(BOB, 1),
  w.burn(1, BOB),
  { kind: "cancellation" },
  w.mint(ALICE, 1),
  w.edit("n"),
  w.issue("EUR"),
];

/** Operations that some restriction above forbids. */
const PROBES: readonly (readonly [Address, Draft])[] = [
  [ALICE, w.pay(BOB, 1)],
  [BOB, w.pay(ALICE, 1)],
  [ALICE, w.pay(BOB, 1, CLUB)],
  [BOB, w.pay(ALICE, 1, CLUB)],
  [MINTER, w.mint(ALICE, 1)],
  [MINTER, w.mint(BOB, 51)],
  [MINTER, w.mint(BOB, 50)],
  [MINTER, w.mint(BOB, 1, CLUB)],
  [MINTER, w.burn(1, BOB)],
  [PAUSER, w.pause("Pause")],
  [LISTER, w.list("blacklist", "Add", ALICE)],
  [MASTER, w.mint(CAROL, 1)],
];

describe("restrictions", () => {
  test("are what these operations make, in the order of their list", () => {
    const operations = RESTRICTIONS.map(([draft], nonce) => signed(MASTER, nonce, draft));
    expect(restrictionsOf(operations, policiesWith())).toEqual(RESTRICTIONS.map(([, restriction]) => restriction));
    for (const operation of operations) expect(isRestriction(w.start(), operation)).toBe(true);
  });

  test.each(PERMISSIVE)("$kind $action is none, and bars nothing", (draft) => {
    const operation = signed(MASTER, 0, draft);
    expect(isRestriction(w.start(), operation)).toBe(false);
    for (const [signer, probe] of PROBES) {
      expect(w.verdict(w.start(), signer, probe, restrictionsOf([operation], policiesWith()))).toBe(
        w.verdict(w.start(), signer, probe),
      );
    }
  });

  test("a release is one where only excluded accounts are clawed back from, and allows nothing", () => {
    const policies = policiesWith({ clawbacks: "excluded" });
    const excluded = w.act(w.start({ policies }), MASTER, w.list("blacklist", "Add", BOB)).state;
    const operation = signed(MASTER, 1, w.list("blacklist", "Remove", BOB));
    const barrier = restrictionsOf([operation], policies);
    expect(barrier).toEqual([{ type: "release", token: COIN, address: BOB }]);
    expect(isRestriction(excluded, operation)).toBe(true);
    expect(w.verdict(excluded, MASTER, w.clawback(BOB, ALICE, 1))).toBe("accept");
    expect(w.verdict(excluded, MASTER, w.clawback(BOB, ALICE, 1), barrier)).toBe("business_not_excluded");
    expect(w.verdict(excluded, ALICE, w.pay(BOB, 1), barrier)).toBe("business_blacklisted");
    const listing = signed(MASTER, 0, w.list("whitelist", "Add", CAROL, CLUB));
    expect(restrictionsOf([listing], policies)).toEqual([{ type: "release", token: CLUB, address: CAROL }]);
  });
});

describe("a barrier", () => {
  test("makes every vote as if it were in force, in any order, and for its own token only", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(RESTRICTIONS.map((_, at) => at)), (chosen) => {
        const made = RESTRICTIONS.filter((_, at) => chosen.includes(at));
        const inForce = w.play(w.start(), ...made.map(([draft]) => [MASTER, draft] as const));
        const barrier = chosen.map((at) => (RESTRICTIONS[at] as (typeof RESTRICTIONS)[0])[1]);
        for (const [signer, probe] of PROBES)
          expect(w.verdict(w.start(), signer, probe, barrier)).toBe(w.verdict(inForce, signer, probe));
      }),
      { examples: [...RESTRICTIONS.map((_, at): [number[]] => [[at]]), [RESTRICTIONS.map((_, at) => at)]] },
    );
  });

  test("never lifts anything: an unraised allowance and a role not held stay", () => {
    const high: Restriction = { type: "allowance", token: COIN, address: MINTER, value: w.amount(10n ** 9n) };
    const other: Restriction = { type: "allowance", token: COIN, address: CAROL, value: w.amount(5) };
    expect(w.verdict(w.start(), MINTER, w.mint(BOB, 1_001), [high])).toBe("business_allowance_exceeded");
    expect(w.verdict(w.start(), CAROL, w.mint(BOB, 1), [other])).toBe("business_missing_role");
  });

  test("restricts no token that does not exist here", () => {
    expect(w.verdict(w.start(), MINTER, w.mint(BOB, 1, NOWHERE), [{ type: "pause", token: NOWHERE }])).toBe(
      "resource_token_not_found",
    );
  });

  test("does not bind the master's roles, nor cancellations", () => {
    const revoked: Restriction = { type: "revoke", token: COIN, address: MASTER, role: "Pause" };
    expect(w.verdict(w.start(), MASTER, w.pause("Pause"), [revoked])).toBe("accept");
    expect(w.verdict(w.start(), ALICE, { kind: "cancellation" }, [{ type: "pause", token: COIN }])).toBe("accept");
  });
});

const LIMIT = 8;

/** A state in which all of these are authorised and wait, with their ids in order. */
function waiting(...turns: readonly (readonly [Address, Draft])[]): {
  state: LedgerState;
  ids: OperationId[];
  operations: SignedOperation[];
} {
  let state = w.start();
  const operations = turns.map(([sender, fields]) => {
    const operation = w.draft(state, sender, fields);
    state = w.authorise(state, operation).state;
    return operation;
  });
  return { state, ids: operations.map(operationId), operations };
}

const answer = (state: LedgerState, ids: readonly OperationId[], limit = LIMIT) =>
  checkList(state, COIN, ids, limit).answer;

describe("a token slot's list", () => {
  const { state, ids } = waiting(
    [MINTER, w.mint(ALICE, 1)],
    [MINTER, w.mint(ALICE, 2)],
    [EDITOR, w.edit("n")],
    [MINTER, w.mint(ALICE, 3, CLUB)],
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

  test("begins with the issue of a token that does not exist yet", () => {
    const eur = issuedTokenAddress(MASTER, "EUR");
    const minted = waiting([OPERATOR, w.issue("EUR")], [MASTER, w.mint(ALICE, 1, eur)]);
    const [first, second] = minted.ids as [OperationId, OperationId];
    const lists = [[first, second], [second, first], [second]];
    expect(lists.map((ids) => checkList(minted.state, eur, ids, LIMIT).answer)).toEqual(["accept", "refuse", "refuse"]);
    const issued = waiting([OPERATOR, w.issue("EUR")], [OPERATOR, w.issue("EUR")]);
    expect(checkList(issued.state, eur, issued.ids, LIMIT)).toEqual({ answer: "accept" });
    const { state: after, receipts } = w.decide(issued.state, w.tokenSlot(issued.state, eur), {
      type: "list",
      ids: issued.ids,
    });
    expect(receipts.map((receipt) => receipt.error?.code)).toEqual([undefined, "business_token_exists"]);
    expect(tokenOf(after, eur)).toMatchObject({ version: 1, isPaused: true });
  });

  test("leaves the token as it was but for the version where all of it fails", () => {
    const race = waiting([MASTER, w.revoke("MintTokens", MINTER)], [MINTER, w.mint(ALICE, 1)]);
    const [revocation, minting] = race.ids as [OperationId, OperationId];
    const revoked = w.decide(race.state, w.tokenSlot(race.state), { type: "list", ids: [revocation] }).state;
    const failed = w.decide(revoked, w.tokenSlot(revoked), { type: "list", ids: [minting] });
    expect(failed.receipts).toMatchObject([{ success: false, fee: 0n, error: { code: "business_missing_role" } }]);
    expect(tokenOf(failed.state, COIN)).toEqual({ ...tokenOf(revoked, COIN), version: 2 });
    expect(w.verdict(failed.state, MASTER, w.mint(ALICE, 1))).toBe("accept");
  });

  test("is impossible where it names an operation twice, or one of another token", () => {
    const race = waiting([MINTER, w.mint(ALICE, 1)]);
    const [minting] = race.ids as [OperationId];
    const twice = apply(race.state, w.tokenSlot(race.state), { type: "list", ids: [minting, minting] }, undefined);
    expect(twice).toMatchObject({ outcome: "impossible", reason: expect.stringContaining("listed twice") });
    const elsewhere = apply(race.state, w.tokenSlot(race.state, CLUB), { type: "list", ids: [minting] }, undefined);
    expect(elsewhere).toMatchObject({ outcome: "impossible", reason: expect.stringContaining("another sequence") });
  });
});

/** Returns the ages of these operations. */
const agesOf =
  (ids: readonly OperationId[], ...ages: readonly number[]) =>
  (id: OperationId): number =>
    ages[ids.indexOf(id)] ?? 0;

describe("an honest proposer's list", () => {
  test("puts restrictions first, with what must precede them, then the older", () => {
    const { state, ids } = waiting(
      [MINTER, w.mint(ALICE, 1)],
      [PAUSER, w.pause("Pause")],
      [MASTER, w.edit("n")],
      [MASTER, w.revoke("Pause", PAUSER)],
      [EDITOR, w.edit("m")],
    );
    const age = agesOf(ids, 9, 1, 1, 5, 8);
    const inOrder = [2, 3, 1, 0, 4].map((at) => ids[at]);
    for (const limit of [LIMIT, 2, 1]) expect(chooseList(state, COIN, age, limit)).toEqual(inOrder.slice(0, limit));
    expect(chooseList(w.start(), COIN, age, LIMIT)).toEqual([]);
  });

  test("puts the older first, and of one age those of the lower address", () => {
    const { state, ids } = waiting([EDITOR, w.edit("n")], [MINTER, w.mint(ALICE, 1)], [MASTER, w.edit("m")]);
    const chosen = (...ages: number[]) => chooseList(state, COIN, agesOf(ids, ...ages), LIMIT);
    expect(chosen(5, 1, 3)).toEqual([0, 2, 1].map((at) => ids[at]));
    expect(chosen(7, 7, 7)).toEqual([2, 1, 0].map((at) => ids[at]));
  });

  test("leaves what follows a restriction of the same signer at its own position", () => {
    const { state, ids } = waiting([MASTER, w.pause("Pause")], [MASTER, w.edit("m")], [EDITOR, w.edit("n")]);
    expect(chooseList(state, COIN, agesOf(ids, 1, 1, 9), LIMIT)).toEqual([0, 2, 1].map((at) => ids[at]));
  });

  test("puts what has waited long before restrictions", () => {
    const { state, ids } = waiting([MINTER, w.mint(ALICE, 1)], [PAUSER, w.pause("Pause")]);
    const chosen = (wait: number) => chooseList(state, COIN, agesOf(ids, wait, 1), 1);
    expect(chosen(LIST_WAIT_MS - 1)).toEqual([ids[1]]);
    expect(chosen(LIST_WAIT_MS)).toEqual([ids[0]]);
  });

  test("begins with an issue that the token lacks, before older operations", () => {
    const euro = issuedTokenAddress(MASTER, "EUR");
    const { state, ids } = waiting([MASTER, w.pause("Pause", euro)], [OPERATOR, w.issue("EUR")]);
    expect(chooseList(state, euro, agesOf(ids, 9, 1), LIMIT)).toEqual(ids.toReversed());
  });

  test("is always valid, and takes all that fits", () => {
    const turn = fc.constantFrom<readonly [Address, Draft]>(
      [MINTER, w.mint(ALICE, 1)],
      [MASTER, w.mint(ALICE, 2)],
      [MASTER, w.pause("Pause")],
      [MASTER, w.revoke("Pause", PAUSER)],
      [PAUSER, w.pause("Pause")],
      [EDITOR, w.edit("n")],
      [GRANTER, w.grant("MintTokens", MINTER, 5)],
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
