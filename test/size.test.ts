/** Size of the program: lines of code are paid for. Who raises a number says in the commit what it buys. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/** Lines and files that the program had when its budgets were set. */
const SIZE = { lines: 87_700, files: 670, testLines: 53_850 };

/** Lines of `src` and `tools` that planned work may add, or has to take away; an entry counts once the work has begun. */
const BUDGETS: Readonly<Record<string, { readonly lines: number; readonly begun: boolean }>> = {
  "state, disk and clients that misbehave": { lines: 2_500, begun: true },
  "steps, rules and oracles that took no effect": { lines: 1_275, begun: true },
  "what public reports need of the scenario language": { lines: 350, begun: true },
  "an explorer judged by enumeration": { lines: 800, begun: true },
  "validators written by others": { lines: 4_050, begun: true },
  "the newest clients": { lines: 1_500, begun: true },
  "search from what is rare": { lines: -1_500, begun: false },
  "causes, and the report that shows them": { lines: 1_560, begun: true },
};

function linesOf(folders: readonly string[], extension: RegExp): readonly number[] {
  const entries = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }),
  );
  return entries
    .filter((entry) => entry.isFile() && extension.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8").split("\n").length - 1);
}

const sum = (lines: readonly number[]): number => lines.reduce((total, count) => total + count, 0);

const begunBudgets = Object.values(BUDGETS).flatMap(({ lines, begun }) => (begun ? [lines] : []));

test("src and tools have no more lines and files than their budgets allow", () => {
  const program = linesOf(["src", "tools"], /\.(tsx?|mjs)$/);
  expect(sum(program)).toBeGreaterThan(SIZE.lines / 2);
  expect(sum(program)).toBeLessThanOrEqual(SIZE.lines + sum(begunBudgets));
  expect(program.length).toBeLessThanOrEqual(SIZE.files);
});

test("the tests have no more lines than their budget", () =>
  expect(sum(linesOf(["test"], /\.ts$/))).toBeLessThanOrEqual(SIZE.testLines));
