/**
 * Checks a change in about a minute: types, lint, and the tests that CONTRIBUTING.md names for the rooms that differ from
 * a commit (default: HEAD). Exits with the code of the first step that fails.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const base = process.argv[2] ?? "HEAD";

/** Returns the paths that differ from the commit, and those that git does not know yet. */
function changedPaths() {
  const git = (...words) => execFileSync("git", words, { encoding: "utf8" }).split("\n").filter(Boolean);
  return [...git("diff", "--name-only", base), ...git("ls-files", "--others", "--exclude-standard")];
}

/** Returns rooms with their tests and scenarios, from the table in CONTRIBUTING.md. */
function rooms() {
  const rows = readFileSync("CONTRIBUTING.md", "utf8").matchAll(/^\| (`[^|]+) \| (`[^|]+) \|$/gm);
  const names = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  return [...rows].flatMap(([, cell, paths]) => names(cell).map((room) => ({ room, paths: names(paths) })));
}

function run(command, ...words) {
  const { status } = spawnSync(command, words, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

const changed = changedPaths();
const needed = new Set(changed.filter((path) => path.endsWith(".test.ts") && existsSync(path)));
for (const { room, paths } of rooms())
  if (changed.some((path) => path.startsWith(`src/${room}/`) || path.startsWith(`${room}/`))) paths.forEach((path) => needed.add(path));
const scenarios = [...needed].filter((path) => path.startsWith("scenarios/"));
const tests = [...needed].filter((path) => path.startsWith("test/"));

run("npm", "run", "--silent", "types");
run("npm", "run", "--silent", "lint");
if (tests.length + scenarios.length > 0) run("npm", "run", "--silent", "build");
if (tests.length > 0) run("npm", "run", "--silent", "vitest", "--", ...tests);
if (scenarios.length > 0) run("node", "dist/cli/main.js", "run", ...scenarios, "--quiet");
process.stdout.write(`${changed.length} files differ from ${base}: ${needed.size === 0 ? "no room among them" : [...needed].join(", ")}\n`);
