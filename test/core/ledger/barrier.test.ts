import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Address } from "../../../src/core/base/ids.ts";
import { isRestriction, restrictionsOf } from "../../../src/core/ledger/check-due.ts";
import type { Restriction } from "../../../src/core/ledger/token.ts";
import { address, type Draft, signed } from "./support/operations.ts";
import {
  ALICE,
  act,
  amount,
  BOB,
  burn,
  CAROL,
  CLUB,
  COIN,
  edit,
  grant,
  issue,
  LISTER,
  list,
  MASTER,
  MINTER,
  mint,
  PAUSER,
  pause,
  pay,
  play,
  revoke,
  start,
  verdict,
} from "./support/world.ts";

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
