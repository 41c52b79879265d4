/**
 * Every scenario comes to what it says, and scenarios/README.md is an index of all folders. Those of known-bad variants run
 * in bugs.test.ts.
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { runScenario } from "../src/run/run.ts";
import { findScenarios, readText } from "../src/scenario/files.ts";
import { createParser } from "../src/scenario/parse.ts";
import { problemText } from "../src/schema/problem.ts";

const parser = createParser();
const { files } = findScenarios(["scenarios"]);

describe("every scenario comes to what it says", () => {
  for (const { path, id } of files) {
    it(id, () => {
      const text = readText(path);
      if (!text.ok) throw new Error(problemText(path, text.error));
      const parsed = parser.parse(text.value);
      if (!parsed.ok) throw new Error(parsed.error.map((problem) => problemText(path, problem)).join("\n"));
      expect(parsed.value.shows, "a scenario names the section that it shows").toBeDefined();
      expect(parsed.value.genesis?.checkpoints, "a scenario states its checkpoints, or none").toBeDefined();
      if (dirname(id) === "bugs" && parsed.value.bug !== undefined) return;
      const { verdict, reason } = runScenario(parsed.value, { seed: "1" });
      expect(`${verdict} ${reason}`.trim()).toBe("pass");
    });
  }
});

it("scenarios/README.md has a row for each folder", () => {
  const rows = readFileSync("scenarios/README.md", "utf8").matchAll(/^\| `([a-z/]+)` \|/gm);
  expect([...rows].map(([, folder = ""]) => folder).sort()).toEqual(
    [...new Set(files.map(({ id }) => dirname(id)))].sort(),
  );
});
