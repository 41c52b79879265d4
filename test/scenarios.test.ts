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
      const { verdict, reason } = runScenario(parsed.value, { seed: "1" });
      expect(`${verdict} ${reason}`.trim()).toBe("pass");
    });
  }

  it("has forty files of rules, and a dozen of attacks", () => {
    expect(files.filter(({ id }) => id.startsWith("rules/")).length).toBeGreaterThanOrEqual(40);
    expect(files.filter(({ id }) => id.startsWith("attacks/")).length).toBeGreaterThanOrEqual(12);
  });
});
