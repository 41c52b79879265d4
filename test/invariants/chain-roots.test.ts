/** Parts of a state root that differ from those of the reference ledger (protocol 6.1). */
import { expect, test } from "vitest";
import { constantsOf } from "../../src/invariants/constants.ts";
import { differingParts, partRootsOf, partsOf } from "../../src/invariants/oracles/checkpoints/chain-roots.ts";
import { genesisLedger } from "../../src/invariants/reference/state.ts";
import { hash, setting } from "./vocabulary.ts";

const PARTS = partsOf(genesisLedger(constantsOf(setting().genesis)));
const ROOTS = partRootsOf(PARTS).map(([, root]) => root);

test.each(partRootsOf(PARTS).map(([name], at) => [name, at] as const))("names %s", (name, at) => {
  expect(differingParts(PARTS, ROOTS.with(at, hash("another")))).toEqual([name]);
});

test("names the header where all parts are as expected", () => {
  expect(differingParts(PARTS, ROOTS)).toEqual(["header"]);
});
