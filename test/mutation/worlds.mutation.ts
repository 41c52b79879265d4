/**
 * Goal: what no unit test sees of a mutant, the oracles see in a world. Method: the scenarios of rules and regressions,
 * and a fixed number of drawn worlds, each judged by its verdict alone.
 */
import { expect, test } from "vitest";
import { runToEnd } from "../../src/run/interruptible.ts";
import { runScenario } from "../../src/run/run.ts";
import { findScenarios, readText } from "../../src/scenario/files.ts";
import { createParser } from "../../src/scenario/parse.ts";
import { problemText } from "../../src/scenario/problem.ts";
import { runSeed } from "../../src/search/fuzz/seed-run.ts";

const SEEDS = 24;

const parser = createParser();

for (const { path, id } of findScenarios(["scenarios/rules", "scenarios/regressions"]).files) {
  test(`scenario ${id}`, () => {
    const text = readText(path);
    if (!text.ok) throw new Error(problemText(path, text.error));
    const parsed = parser.parse(text.value);
    if (!parsed.ok) throw new Error(parsed.error.map((one) => problemText(path, one)).join("\n"));
    const { verdict, reason } = runScenario(parsed.value, { seed: "1" });
    expect(`${verdict} ${reason}`.trim()).toBe("pass");
  });
}

for (let seed = 1; seed <= SEEDS; seed++) {
  test(`drawn world ${seed}`, () => {
    expect(runToEnd(runSeed(`${seed}`, { profile: "quick", bug: undefined })).signature).toBeUndefined();
  });
}
