/**
 * Renews the ledger of found bugs: `npm run ledger`, or one row with `npm run ledger -- --only <file without suffix>`. Builds
 * of the commits before the one that added a file, each in a worktree of its own, run the file of today until one shows the bug.
 */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { attempt } from "./attempt.ts";
import { LEDGER, ledgerOf, REGRESSIONS, type Row, rowsOf } from "./row.ts";

/** Commits that are asked in turn whether the bug shows there; each costs a build. */
const ANCESTORS = 6;
/** Digits of a commit's hash in a row. */
const HASH_DIGITS = 7;

const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), "quorumlab-ledger-"));
/** Worktrees by their commits. */
const trees = new Map<string, string>();

const { only } = parseArgs({ options: { only: { type: "string" } } }).values;
const files = readdirSync(REGRESSIONS)
  .sort()
  .map((name) => `${REGRESSIONS}/${name}`);
const chosen = only === undefined ? files : files.filter((file) => basename(file, ".yaml") === only);
if (chosen.length === 0) throw new Error(`--only: there is no file ${REGRESSIONS}/${only}.yaml`);
const rows = new Map(rowsOf(readFileSync(LEDGER, "utf8")).map((row) => [row.file, row]));
// An interrupted child makes its caller throw, so that the worktrees are removed.
process.on("SIGINT", () => undefined);
try {
  for (const file of chosen) rows.set(file, renewedRow(file, rows.get(file)));
} finally {
  for (const tree of trees.values()) git("worktree", "remove", "--force", tree);
  rmSync(folder, { recursive: true, force: true });
}
writeFileSync(LEDGER, ledgerOf([...rows.values()].filter(({ file }) => files.includes(file))));

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function git(...words: readonly string[]): string {
  return execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
}

/** Returns the row of a file after runs on the commits before its fix. An earlier reproduction stays in the ledger. */
function renewedRow(file: string, old: Row | undefined): Row {
  say(file);
  const { name: bug } = parse(readFileSync(join(root, file), "utf8")) as { readonly name: string };
  const { fixed, reproduced, why } = firstReproduction(file);
  const row = { bug, file, fixed, command: `npm run ledger -- --only ${basename(file, ".yaml")}` };
  if (reproduced !== null) return { ...row, reproduced };
  say(`  ${why}`);
  // Without a reproduction the fix is written by hand.
  if (old === undefined || old.reproduced === null) return { ...row, fixed: old?.fixed ?? fixed, reproduced, why };
  process.exitCode = 1;
  say(`  it showed on ${old.reproduced.commit} last on ${old.reproduced.on}, and does so no more`);
  return { ...old, bug };
}

/**
 * Searches the nearest commit before the fix that shows the bug: some files are younger than their fix. `why`: it is not
 * reproduced.
 */
function firstReproduction(file: string) {
  const options = ["--follow", "--find-renames=90%", "--diff-filter=A", "--format=%H"];
  const added =
    git("log", ...options, "--", file)
      .split("\n")
      .at(-1) ?? "";
  const abbreviated = [`--abbrev=${HASH_DIGITS}`, "--abbrev-commit"];
  const commits = git("rev-list", "--first-parent", `--max-count=${ANCESTORS + 1}`, ...abbreviated, added || "HEAD");
  // A file that is not committed yet is fixed by the next commit.
  const [first = null, ...before] = [...(added === "" ? [null] : []), ...commits.split("\n")];
  let fixed = first;
  let without: readonly string[] = [];
  for (const commit of before as readonly string[]) {
    const main = builtMain(commit);
    if (main === undefined) return { fixed: first, reproduced: null, why: `${commit} has no command that runs it` };
    const tried = attempt(main, join(root, file), folder);
    if (tried.type === "refused") return { fixed: first, reproduced: null, why: `${commit} refuses it: ${tried.why}` };
    if (tried.type === "shown") {
      say(`  ${commit} ${tried.as.verdict}: ${tried.as.detail}`);
      const on = new Date().toISOString().slice(0, 10);
      return { fixed, reproduced: { commit, on, ...tried.as }, why: "" };
    }
    ({ without } = tried);
    fixed = commit;
  }
  const lacking = without.length > 0 ? ` without ${without.join(", ")}, which they have no word for` : "";
  return { fixed: first, reproduced: null, why: `the ${before.length} commits before pass as well${lacking}` };
}

/** Returns the built command of a commit; `undefined` if the commit has none. @throws Error if the build fails */
function builtMain(commit: string): string | undefined {
  const tree = trees.get(commit) ?? join(folder, commit);
  if (!trees.has(commit)) {
    trees.set(commit, tree);
    git("worktree", "add", "--quiet", "--detach", tree, commit);
    symlinkSync(realpathSync(join(root, "node_modules")), join(tree, "node_modules"));
  }
  if (!existsSync(join(tree, "src/cli/main.ts"))) return undefined;
  const main = join(tree, "dist/cli/main.js");
  if (existsSync(main)) return main;
  say(`building ${commit}`);
  // Since the command is bundled, it needs no compiler, which asks for the types of packages that are gone.
  const bundle = join("tools", "bundle.mjs");
  const compiler = [join("node_modules", "typescript", "bin", "tsc"), "-p", "src"];
  const words = existsSync(join(tree, bundle)) ? [bundle] : compiler;
  execFileSync(process.execPath, words, { cwd: tree, stdio: ["ignore", "ignore", "inherit"] });
  return main;
}
