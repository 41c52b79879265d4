/** Goal: a served network lists in a checkpoint all that it decides before the next one: a backlog would stay in memory. */
import { expect, test } from "vitest";
import { SERVED_LISTED } from "../../../src/server/limits.ts";
import { readServeOptions } from "../../../src/server/setup/read-options.ts";
import { setupOf } from "../../../src/server/setup/setup-of.ts";

function checkpointsOf(scenario?: string): unknown {
  const options = readServeOptions(scenario === undefined ? {} : { scenario: { file: "a.yaml", text: scenario } });
  if (!options.ok) throw new Error(options.error);
  return setupOf(options.value, 0).scenario.genesis?.checkpoints;
}

test("a checkpoint lists more than a server decides in a second, unless a file says otherwise", () => {
  expect(checkpointsOf()).toMatchObject({ limit: SERVED_LISTED });
  const own = "name: own\ngenesis: { checkpoints: { limit: 7 } }\n";
  expect(checkpointsOf(own)).toMatchObject({ limit: 7 });
});
