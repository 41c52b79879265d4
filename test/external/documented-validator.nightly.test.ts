/** Most scenario files pass with the validator in examples/validator in the place of one of ours. */
import { expect, test } from "vitest";
import { type NodeSettings, programsOf, unfitParts } from "../../src/external/nodes.ts";
import { runScenario } from "../../src/run/run.ts";
import { findScenarios } from "../../src/scenario/files.ts";
import { seedOf } from "../../src/scenario/scenario.ts";
import { scenarioIn } from "../run/support.ts";

const LEAST = 95;

test(`at least ${LEAST} % of the scenario files that fit pass beside three of our validators`, () => {
  const nodes: NodeSettings = { commands: { v2: "native:examples/validator/node.mjs" }, silentMs: 60_000 };
  const scenarios = findScenarios(["scenarios"]).files.map(({ path }) => scenarioIn(path));
  const fitting = scenarios.filter((scenario) => unfitParts(scenario, nodes).length === 0);
  const failed = fitting.filter(
    (scenario) => runScenario(scenario, { seed: seedOf(scenario), programs: programsOf(nodes) }).verdict !== "pass",
  );
  expect(fitting.length).toBeGreaterThan(500);
  expect(100 * (1 - failed.length / fitting.length), failed.map(({ name }) => name).join("\n")).toBeGreaterThan(LEAST);
});
