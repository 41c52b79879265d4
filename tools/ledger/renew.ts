/** Renews the ledger of found bugs: `npm run ledger`, or one row with `npm run ledger -- --only <file without suffix>`. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Builds, historyFault } from "./builds.ts";
import { renewRow } from "./renewal.ts";
import { LEDGER, ledgerOf, REGRESSIONS, type Row, rowsOf } from "./row.ts";

const EXIT = { expected: 0, failed: 1, usage: 2 } as const;
const ROOT = process.cwd();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** A mistake in the command line. */
class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The files of the command line: all, or one. */
function chosenOf(files: readonly string[]): readonly string[] {
  const only = onlyOf();
  if (only === undefined) return files;
  const file = `${REGRESSIONS}/${only}.yaml`;
  if (files.includes(file)) return [file];
  const expected = `expected the name of a file in ${REGRESSIONS} without .yaml`;
  throw new UsageError(`--only: there is no regression "${only}": ${expected}`);
}

function onlyOf(): string | undefined {
  try {
    return parseArgs({ options: { only: { type: "string" } } }).values.only;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nusage: npm run ledger [-- --only <regression>]`);
  }
}

/** Runs the files, then writes the ledger: an error leaves it unchanged. */
function renew(files: readonly string[], chosen: readonly string[]): number {
  const old = existsSync(LEDGER) ? rowsOf(readFileSync(LEDGER, "utf8")) : [];
  const rows = new Map(old.filter(({ file }) => files.includes(file)).map((row): [string, Row] => [row.file, row]));
  const builds = new Builds(ROOT, say);
  const shop = { root: ROOT, builds, today: new Date().toISOString().slice(0, 10), say };
  const complaints: string[] = [];
  try {
    for (const file of chosen) {
      say(file);
      const renewal = renewRow(file, rows.get(file), shop);
      rows.set(file, renewal.row);
      complaints.push(...renewal.complaints);
    }
  } finally {
    builds.remove();
  }
  writeFileSync(LEDGER, ledgerOf([...rows.values()]));
  const all = [...rows.values()];
  const count = all.filter(({ reproduced }) => reproduced !== null).length;
  say(`${LEDGER}: ${all.length} bugs, ${count} of them reproduced on the commit before their fix`);
  for (const complaint of complaints) complain(complaint);
  return complaints.length > 0 ? EXIT.failed : EXIT.expected;
}

function main(): number {
  const missing = historyFault(ROOT);
  if (missing !== undefined) throw new UsageError(missing);
  const names = readdirSync(join(ROOT, REGRESSIONS)).filter((name) => name.endsWith(".yaml"));
  const files = names.sort().map((name) => `${REGRESSIONS}/${name}`);
  return renew(files, chosenOf(files));
}

// An interrupted child makes its caller throw, so that the worktrees are removed.
process.on("SIGINT", () => undefined);
try {
  process.exitCode = main();
} catch (error) {
  complain((error as Error).message);
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
