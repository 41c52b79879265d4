/** Parts of a state root that differ from those of the reference ledger (protocol 6.1). */
import { expect, test } from "vitest";
import { constantsOf } from "../../src/invariants/constants.ts";
import { partRootsOf, partsOf, unlikeParts } from "../../src/invariants/oracles/chain-roots.ts";
import { atGenesis } from "../../src/invariants/reference/state.ts";
import { hash, setting } from "./vocabulary.ts";

const PARTS = partsOf(atGenesis(constantsOf(setting().genesis)));
const ROOTS = partRootsOf(PARTS).map(([, root]) => root);

test.each(partRootsOf(PARTS).map(([name], at) => [name, at] as const))("names %s", (name, at) => {
  expect(unlikeParts(PARTS, ROOTS.with(at, hash("another")))).toEqual([name]);
});

test("names the header where all parts are as expected", () => {
  expect(unlikeParts(PARTS, ROOTS)).toEqual(["header"]);
});
