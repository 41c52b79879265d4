import { describe, expect, test } from "vitest";
import type { Address } from "../../../src/core/base/ids.ts";
import { type Authority, ROLES, type Role } from "../../../src/core/base/operation.ts";
import type { RequiredRole } from "../../../src/core/base/refusal.ts";
import { check, checkAuthority } from "../../../src/core/ledger/check.ts";
import { ROLE_CAPS } from "../../../src/core/ledger/limits.ts";
import { KINDS } from "../../../src/core/ledger/operations/kinds.ts";
import { tokenOf } from "../../../src/core/ledger/state.ts";
import { holdsRole } from "../../../src/core/ledger/token.ts";
import { address, type Draft } from "./support/operations.ts";
import {
  ALICE,
  act,
  BOB,
  burn,
  CAROL,
  COIN,
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

  test("burning one's own balance needs the role too", () => {
    expect(verdict(start(), ALICE, burn(1))).toBe("business_missing_role");
    const state = play(start(), [MASTER, grant("Burn", ALICE)]);
    expect(verdict(state, ALICE, burn(1))).toBe("accept");
  });

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

  test("a full role of one refuses and never replaces", () => {
    const state = start();
    expect(verdict(state, MASTER, grant("MasterMintBurn", ALICE))).toBe("business_role_full");
    expect(holdsRole(tokenOf(state, COIN) as never, GRANTER, "MasterMintBurn")).toBe(true);
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
