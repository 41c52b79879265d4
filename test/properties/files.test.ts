/**
 * Goal: `run` carries out every file that `check` accepts: the check covers all limits of the simulator. Method:
 * arbitrary files from the published schema; those that pass the check must get another verdict than `error`.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runScenario } from "../../src/run/run.ts";
import { createParser } from "../../src/scenario/parse.ts";
import { runsFor } from "../depth.ts";
import { file } from "./files.ts";

const RUNS = runsFor({ test: 150, nightly: 1_200, soak: 6_000 });
/** Enough to start every action; longer runs test nothing more of the file. */
const EVENTS = 4_000;

test(`a file that passes the check can be run, in ${RUNS} files`, () => {
  const parser = createParser();
  let passed = 0;
  fc.assert(
    fc.property(file, (text) => {
      const parsed = parser.parse(text);
      if (!parsed.ok) return;
      passed++;
      const { verdict, reason } = runScenario(parsed.value, { seed: "1", events: EVENTS });
      expect({ verdict, reason }).not.toMatchObject({ verdict: "error" });
    }),
    { numRuns: RUNS, seed: 1 },
  );
  expect(passed).toBeGreaterThan(RUNS / 5);
});
