/** Goal: each row of the log of campaigns is complete. Method: the columns of reports/campaigns.md, cell by cell. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** The columns in order, each with the form of its cells. */
const COLUMNS: readonly (readonly [name: string, cell: RegExp])[] = [
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["commit", /^[0-9a-f]{7,40}$/],
  ["command after `fuzz`, or from `campaign` on", /^`--[^`]+`$/],
  ["worlds", /^\d+$/],
  ["operations", /^\d+$/],
  ["final", /^\d+$/],
  ["events", /^\d+$/],
  ["CPU time in s", /^\d+$/],
  // A finding is its seed, what it breaks, and the commit that fixed it.
  [
    "findings",
    /^(none|seed \d+(~\d+)*: [^;]+, (open|fixed by [0-9a-f]{7,40})(; seed \d+(~\d+)*: [^;]+, (open|fixed by [0-9a-f]{7,40}))*)$/,
  ],
];

const [head = "", , ...rows] = readFileSync("reports/campaigns.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|"));
const cellsOf = (row: string): readonly string[] =>
  row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

describe("the log of campaigns", () => {
  test("has the columns that its text speaks of", () => expect(cellsOf(head)).toEqual(COLUMNS.map(([name]) => name)));

  test.each(rows.map((row) => [row]))("has a whole row: %s", (row) => {
    const cells = cellsOf(row);
    expect(cells).toHaveLength(COLUMNS.length);
    for (const [at, [, cell]] of COLUMNS.entries()) expect(cells[at]).toMatch(cell);
    const [worlds = 0, operations = 0, final = 0, events = 0] = cells.slice(3, 7).map(Number);
    expect(operations).toBeGreaterThanOrEqual(final);
    expect(events).toBeGreaterThan(worlds);
  });
});
