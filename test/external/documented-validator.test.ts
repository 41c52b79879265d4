/** The validator in examples/validator, which was written from the documents alone, takes part beside ours and alone. */
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { programsOf } from "../../src/external/nodes.ts";
import { runScenario } from "../../src/run/run.ts";
import { scenarioIn } from "../run/support.ts";

const COMMAND = "native:examples/validator/node.mjs";

const FILES = [
  "rules/payments/payment",
  "rules/cancellation/cancellation-before",
  "rules/recovery/recovery",
  "rules/tokens/every-kind-in-version-2",
  "rules/epochs/epoch-closes-by-governance",
];

test("its bytes are those of the vectors", () => {
  expect(() => execFileSync(process.execPath, ["examples/validator/vectors.mjs"], { stdio: "pipe" })).not.toThrow();
});

describe.each([
  ["beside three of ours", "v2"],
  ["alone", ""],
])("a validator written from the documents, %s", (_where, name) => {
  test.each(FILES)("passes %s", (file) => {
    const scenario = scenarioIn(`scenarios/${file}.yaml`);
    const programs = programsOf({ commands: { [name]: COMMAND }, silentMs: 60_000 });
    expect(runScenario(scenario, { seed: "1", programs }).reason).toBe("");
  });
});
