/** The report of the mutation test: survivors are known by their text, none goes without its reason, and files exist. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { matchReasons, readExplained } from "../../tools/mutation/explained.ts";
import { reportText } from "../../tools/mutation/markdown.ts";
import { type RawMutant, type RawResult, readResults } from "../../tools/mutation/results.ts";

const FILE = "src/core/a.ts";
const SOURCE = "const a = 1;\nif (a > 0) {\n  go();\n}\n";

function mutant(status: string, [line, column]: readonly [number, number], end: readonly [number, number], to: string) {
  const location = { start: { line, column }, end: { line: end[0], column: end[1] } };
  return { status, replacement: to, location } satisfies RawMutant;
}

const CONDITION = mutant("Survived", [2, 5], [2, 10], "a >= 0");
const BLOCK = mutant("NoCoverage", [2, 12], [4, 2], "{}");

function resultOf(source: string, ...mutants: readonly RawMutant[]): RawResult {
  return { files: { [FILE]: { source, mutants } } };
}

function survivorsOf(result: RawResult) {
  return readResults(result).flatMap((file) => file.survivors);
}

const EXPLAINED = `
${FILE}:
  - why: It is 1.
    changes:
      - { at: "if (a > 0) {", from: "a > 0", to: "a >= 0" }
  - why: It goes
      nowhere.
    changes:
      - at: "if (a > 0) {"
        from: |
          {
            go();
          }
        to: "{}"
`;

test("a survivor finds its reason by its text, wherever it has moved to, and whatever the order", () => {
  const reasons = readExplained(EXPLAINED);
  const moved = { ...CONDITION, location: { start: { line: 4, column: 5 }, end: { line: 4, column: 10 } } };
  const all = [
    ...survivorsOf(resultOf(SOURCE, BLOCK, CONDITION)),
    ...survivorsOf(resultOf(`// 1\n// 2\n${SOURCE}`, moved)),
  ];
  const { explained, unexplained, idle } = matchReasons(all, reasons);
  expect(explained.map(({ survivor: { line, covered }, why }) => [line, covered, why])).toEqual([
    [2, true, "It is 1."],
    [2, false, "It goes nowhere."],
    [4, true, "It is 1."],
  ]);
  expect([unexplained, idle]).toEqual([[], []]);
});

test("a survivor without a reason and a reason without a survivor are both named", () => {
  const other = mutant("Survived", [3, 3], [3, 8], "");
  const matched = matchReasons(survivorsOf(resultOf(SOURCE, CONDITION, other)), readExplained(EXPLAINED));
  expect(matched.unexplained.map(({ from }) => from)).toEqual(["go();"]);
  expect(matched.idle).toEqual([`${FILE}: in "if (a > 0) {": "{ go(); }" -> "{}"`]);
  const text = reportText(readResults(resultOf(SOURCE, CONDITION, other)), matched);
  expect(text).toContain(`- no explanation: ${FILE}:3: \`go();\` becomes nothing`);
  expect(text).toContain("- explains no survivor: ");
  expect(text).toContain("**Not explained.**");
});

test("the table counts each mutant once, and scores those that were judged", () => {
  const statuses = ["Killed", "Killed", "Timeout", "RuntimeError", "Ignored"];
  const killed = statuses.map((status) => mutant(status, [1, 1], [1, 13], ""));
  const files = readResults(resultOf(SOURCE, CONDITION, BLOCK, ...killed));
  const matched = matchReasons(
    files.flatMap(({ survivors }) => survivors),
    readExplained(EXPLAINED),
  );
  const text = reportText(files, matched);
  expect(text).toContain(`| ${FILE} | 7 | 2 | 1 | 1 | 1 | 1 | 1 | 60.0 % |`);
  expect(text).toContain("| all | 7 | 2 | 1 | 1 | 1 | 1 | 1 | 60.0 % |");
  expect(text).toContain("2 survivors are explained, 0 are not.");
  expect(text).not.toContain("Faults");
});

test("a run that broke off makes no report, and a text of another form is refused", () => {
  expect(() => readResults(resultOf(SOURCE, mutant("Pending", [1, 1], [1, 2], "")))).toThrow("not run (Pending)");
  expect(() => readExplained(`${FILE}:\n  - why: It is 1.\n`)).toThrow("expected a list of { why, changes");
  expect(() => readExplained(EXPLAINED + EXPLAINED.replace(`${FILE}:\n`, ""))).toThrow("explained twice");
});

test("each file that is mutated or explained exists", async () => {
  const settings = new URL("../../tools/mutation/stryker.config.mjs", import.meta.url).href;
  const { mutate } = ((await import(settings)) as { default: { mutate: readonly string[] } }).default;
  const explained = parse(readFileSync("tools/mutation/explained.yaml", "utf8")) as Readonly<Record<string, unknown>>;
  const files = [...mutate.map((one) => one.replace(/\/\*\.ts$/, "")), ...Object.keys(explained)];
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(files.length).toBeGreaterThan(30);
});
