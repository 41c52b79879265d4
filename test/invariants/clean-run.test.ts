import { expect, test } from "vitest";
import { CATALOGUE, everyOracle } from "../../src/invariants/catalogue.ts";
import { cleanRun } from "./runs.ts";
import { details } from "./support.ts";

const stream = cleanRun();

test.each(CATALOGUE.map((one) => [one.name, one] as const))("%s is silent on a clean run", (_name, entry) => {
  expect(details(entry.oracle(stream.setting), stream)).toEqual([]);
});

test("an oracle judges alike alone and with the chronicle shared", () => {
  for (const oracle of everyOracle(stream.setting)) expect(details(oracle, stream)).toEqual([]);
});
