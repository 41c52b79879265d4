/** ARCHITECTURE.md tells the truth: its tables are the ones in the code. `UPDATE_PAGES=1` rewrites them. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusalTable } from "../src/core/ledger/refusals.ts";
import { CATALOGUE } from "../src/invariants/catalogue.ts";

const PAGE = "ARCHITECTURE.md";

function invariantTable(): string {
  const rows = CATALOGUE.map(
    ({ name, section, bugs, sentence }) => `| \`${name}\` | ${section} | ${bugs.join(", ")} | ${sentence} |`,
  );
  return ["| invariant | section | catalogue ids | what holds |", "|---|---|---|---|", ...rows].join("\n");
}

function withTable(page: string, name: string, table: string): string {
  const [before, , after] = page.split(new RegExp(`(?<=<!-- ${name} -->\n)|(?=<!-- /${name} -->)`));
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the table ${name}`);
  return `${before}${table.trim()}\n${after}`;
}

const TABLES: readonly (readonly [string, () => string])[] = [
  ["invariants", invariantTable],
  ["refusals", refusalTable],
];

test.each(TABLES)("the table of %s in ARCHITECTURE.md is the one in the code", (name, table) => {
  const page = readFileSync(PAGE, "utf8");
  if (process.env["UPDATE_PAGES"] === "1") writeFileSync(PAGE, withTable(page, name, table()));
  else
    expect(page.includes(table().trim()), `run UPDATE_PAGES=1 npx vitest run --root . test/pages.test.ts`).toBe(true);
});
