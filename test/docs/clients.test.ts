/** The table of clients names each release that the document knows, and eras that tests send (wire 6.3). */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

const SUITE = { scripts: { "test:integration:local": "mocha" } };

test.each([
  ["package.json", { name: "@1money/ts-sdk", version: "1.0.14" }, "--compat ts-1.0", "npm test"],
  [
    "package.json",
    { name: "@1money/protocol-ts-sdk", version: "1.1.0", ...SUITE },
    "--compat ts-1.1",
    "npm run test:integration:local",
  ],
  [
    "package.json",
    { name: "@1money/protocol-ts-sdk", version: "2.1.0" },
    "--v1-hash padded --compat ts-1.1",
    "npm test",
  ],
  ["package.json", { name: "@1money/protocol-ts-sdk", version: "3.0.1" }, "", "npm test"],
  ["Cargo.toml", '[package]\nname = "onemoney-protocol"\nversion = "0.15.0"\n', "--compat rust-0.15", "cargo test"],
  ["Cargo.toml", '[package]\nname = "onemoney-protocol"\nversion = "0.18.0"\n', "", "cargo test"],
  ["go.mod", "module github.com/1Money-Co/1money-go-sdk\n", "--compat go", "go test ./..."],
])("the command for suites knows the options of %s: %j", (file, content, flags, suite) => {
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  writeFileSync(join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
  const { status, stdout } = spawnSync(process.execPath, ["tools/clients.mjs", folder, "--print"], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  const [, serve, command] = stdout.split("\n");
  expect([status, serve, command]).toEqual([
    0,
    `serve   npx quorumlab serve --profile clients ${flags}`.trim(),
    `suite   ${suite}`,
  ]);
});
