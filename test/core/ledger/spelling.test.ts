import { describe, expect, test } from "vitest";
import { ROLES } from "../../../src/core/base/operation.ts";
import {
  grantActionOf,
  listActionOf,
  listsOf,
  pauseActionOf,
  roleOf,
  SPELLINGS,
} from "../../../src/core/ledger/spelling.ts";

/** Every authority type of specification 6.3. */
const SEEN = [
  ["MasterMintBurn", "MasterMintBurn"],
  ["MasterMint", "MasterMintBurn"],
  ["MintBurnTokens", "MintBurnTokens"],
  ["MintTokens", "MintBurnTokens"],
  ["Burn", "MintBurnTokens"],
  ["Pause", "Pause"],
  ["ManageList", "ManageList"],
  ["Blacklist", "ManageList"],
  ["Whitelist", "ManageList"],
  ["UpdateMetadata", "UpdateMetadata"],
  ["Clawback", "Clawback"],
  ["Bridge", "Bridge"],
] as const;

describe("spellings", () => {
  // holds: 101
  test.each(SEEN)("%s means %s", (spelling, role) => expect(roleOf(spelling)).toBe(role));

  test("every role has a spelling, and there is no other spelling", () => {
    expect(SPELLINGS.role).toEqual(SEEN.map(([spelling]) => spelling));
    expect(new Set(SPELLINGS.role.map(roleOf))).toEqual(new Set(ROLES));
  });

  test("no spelling makes a master, and none is accepted in another letter case or as a property's name", () => {
    for (const text of ["Master", "MasterAuthority", "pause", "PAUSE", "", "constructor", "__proto__"]) {
      expect([
        roleOf(text),
        grantActionOf(text),
        pauseActionOf(text),
        listActionOf({ list: "blacklist", action: text }),
      ]).toEqual(Array(4).fill(undefined));
    }
  });

  // holds: 102
  test("actions", () => {
    expect(SPELLINGS.grant.map(grantActionOf)).toEqual(["grant", "revoke"]);
    expect(SPELLINGS.pause.map(pauseActionOf)).toEqual(["pause", "unpause"]);
    const meant = (action: string) =>
      (["blacklist", "whitelist"] as const).map((list) => listActionOf({ list, action }));
    expect(SPELLINGS.list.map((text) => [text, ...meant(text)])).toEqual([
      ["Add", "add", "add"],
      ["Remove", "remove", "remove"],
      ["Blacklist", "add", undefined],
      ["Whitelist", "remove", "add"],
    ]);
    expect([listsOf("Blacklist"), listsOf("Whitelist")]).toEqual([["blacklist"], ["whitelist", "blacklist"]]);
  });
});
