/** Each known-bad variant is caught in its scenario, and the real program withstands the same attack. */
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { BUGS } from "../src/bugs/catalogue.ts";
import { type KnownBadVariant, realVariantOf } from "../src/bugs/known-bad-variant.ts";
import type { InvariantName } from "../src/invariants/observation.ts";
import { runScenario } from "../src/run/run.ts";
import type { RunResult } from "../src/run/verdict.ts";
import type { Scenario } from "../src/scenario/scenario.ts";
import { runsFor } from "./depth.ts";
import { scenarioIn } from "./run/support.ts";

const FOLDER = join(import.meta.dirname, "../scenarios/bugs");
const SEEDS = ["1", "2", "3"].slice(0, runsFor({ test: 1, nightly: 3, soak: 3 }));

function scenarioOf(name: string): Scenario {
  return scenarioIn(join(FOLDER, `${name}.yaml`));
}

/** The real program, and the Byzantine peer where the variant plays one. No invariant may break, beyond f included. */
function withstood(bug: KnownBadVariant, seed: string): RunResult {
  const { bug: _bug, expect: _expect, transcript: _transcript, ...rest } = scenarioOf(bug.name);
  return runScenario({ ...rest, expect: [{ violation: "none" }] }, { seed, variant: realVariantOf(bug) });
}

function seenIn({ violations, expected, beyondF }: RunResult): ReadonlySet<InvariantName> {
  return new Set([...violations, ...expected, ...beyondF].map(({ invariant }) => invariant));
}

/** Returns the invariants that a file expects to be violated. */
function promised({ expect: all = [] }: Scenario): readonly InvariantName[] {
  return all.flatMap(({ violation, stalled }): InvariantName[] => {
    if (stalled !== undefined) return ["liveness"];
    return violation === undefined || violation === "none" ? [] : [violation];
  });
}

describe("the catalogue of bugs", () => {
  it("has one scenario for each variant", () => {
    const files = readdirSync(FOLDER).map((file) => basename(file, ".yaml"));
    const withBug = files.filter((file) => scenarioOf(file).bug !== undefined);
    expect(withBug.sort()).toEqual(BUGS.map(({ name }) => name).sort());
  });
});

describe.each(BUGS.map((bug) => [bug.name, bug] as const))("%s", (name, bug) => {
  it("runs in its own scenario, which promises an invariant that may catch it", () => {
    const scenario = scenarioOf(name);
    expect(scenario.bug).toBe(name);
    expect(scenario.shows).toBeDefined();
    expect(bug.caughtBy).toEqual(expect.arrayContaining([...promised(scenario)]));
    expect([...promised(scenario)].length).toBeGreaterThan(0);
  });

  it.each(SEEDS)("is caught as its scenario says, and by nothing unnamed: seed %s", (seed) => {
    const run = runScenario(scenarioOf(name), { seed });
    expect(run).toMatchObject({ verdict: "pass", reason: "" });
    const seen = [...seenIn(run)];
    expect(bug.caughtBy).toEqual(expect.arrayContaining(seen));
    expect(seen).toEqual(expect.arrayContaining([...promised(scenarioOf(name))]));
    expect(seen.length).toBeGreaterThan(0);
  });

  it.each(SEEDS)("is withstood by the real program: seed %s", (seed) => {
    const run = withstood(bug, seed);
    expect([...seenIn(run)]).toEqual([]);
    expect(["pass", "unmet"]).toContain(run.verdict);
  });
});
