/** Every scenario comes to what it says, and scenarios/README.md is an index of all folders. */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { runScenario } from "../src/run/run.ts";
import { findScenarios, readText } from "../src/scenario/files.ts";
import { createParser } from "../src/scenario/parse.ts";
import { problemText } from "../src/scenario/problem.ts";

const parser = createParser();
const { files } = findScenarios(["scenarios"]);

describe("every scenario comes to what it says", () => {
  for (const { path, id } of files) {
    it(id, () => {
      const text = readText(path);
      if (!text.ok) throw new Error(problemText(path, text.error));
      const parsed = parser.parse(text.value);
      if (!parsed.ok) throw new Error(parsed.error.map((one) => problemText(path, one)).join("\n"));
      expect(parsed.value.shows, "a scenario names the section that it shows").toBeDefined();
      expect(parsed.value.genesis?.checkpoints, "a scenario states its checkpoints, or none").toBeDefined();
      const { verdict, reason } = runScenario(parsed.value, { seed: "1" });
      expect(`${verdict} ${reason}`.trim()).toBe("pass");
    });
  }
});

it("scenarios/README.md counts the files of each folder", () => {
  const counts = new Map<string, number>();
  for (const { id } of files) counts.set(dirname(id), (counts.get(dirname(id)) ?? 0) + 1);
  const rows = readFileSync("scenarios/README.md", "utf8").matchAll(/^\| `([a-z/]+)` \| (\d+) \|/gm);
  const documented = new Map([...rows].map(([, folder = "", count]) => [folder, Number(count)]));
  expect([...documented].sort()).toEqual([...counts].sort());
});
