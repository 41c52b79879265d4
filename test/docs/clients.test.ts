/** The table of clients names each release that the document knows, and eras that tests send (wire 6.3). */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERAS } from "../server/served/eras.ts";

const wire = readFileSync("docs/wire.md", "utf8");

/** First and last cell of each row of a table that follows a heading or a sentence. */
function rowsAfter(words: string): readonly (readonly [first: string, last: string])[] {
  const [, after = ""] = wire.split(words);
  const [table = ""] = after.match(/(^\|.*\n)+/m) ?? [];
  const cells = table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  return cells.slice(2).flatMap((row) => (row.length < 3 ? [] : [[row[1] ?? "", row.at(-2) ?? ""] as const]));
}

const releases = rowsAfter("Releases of the clients are named so:").flatMap(([names]) => names.split(/, | to /));
const rows = rowsAfter("### 6.3 Which clients work");

test("the table has a row for each release", () => {
  const named = rows.flatMap(([client]) => client.match(/(TS|RS|GO)-[\w.]+/g) ?? []);
  // TS-2.0 and TS-2.1 stand in one row of the releases.
  expect([...new Set(named)].sort()).toEqual([...new Set(releases)].sort());
  expect(named.length).toBeGreaterThan(12);
});

test("the eras that hold it are sent by tests, and each sent one but the specification's holds a row", () => {
  const held = new Set(rows.flatMap(([, eras]) => (eras === "-" ? [] : eras.split(", "))));
  const sent = ERAS.map(({ name }) => name).filter((name) => name !== "SPEC");
  expect([...held].sort()).toEqual([...sent].sort());
});
