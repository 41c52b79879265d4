import { describe, expect, test } from "vitest";
import { allOracles, CATALOGUE } from "../../src/invariants/catalogue.ts";
import { cleanRun, epochRun } from "./runs.ts";
import { details } from "./support.ts";

describe.each([
  ["a clean run", cleanRun()],
  ["a clean run of three epochs", epochRun()],
])("on %s", (_what, stream) => {
  test.each(CATALOGUE.map((one) => [one.name, one] as const))("%s is silent", (_name, entry) => {
    expect(details(entry.oracle(stream.setting), stream)).toEqual([]);
  });

  test("an oracle judges alike alone and with the chronicle shared", () => {
    for (const oracle of allOracles(stream.setting)) expect(details(oracle, stream)).toEqual([]);
  });
});
