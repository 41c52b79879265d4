/** Goal: a campaign names the commit that ran it. Method: folders as git lays them out. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { commitOfProgram } from "../../src/cli/reproduce.ts";
import { folder } from "./support.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

/** A folder with these files, some of them in folders of their own. */
function laidOut(files: Readonly<Record<string, string>>): string {
  const root = folder({});
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

test.each<[string, Readonly<Record<string, string>>]>([
  ["of a branch", { ".git/HEAD": "ref: refs/heads/a/b\n", ".git/refs/heads/a/b": `${COMMIT}\n` }],
  [
    "of a packed branch",
    {
      ".git/HEAD": "ref: refs/heads/b\n",
      ".git/packed-refs": `# pack-refs\n${"f".repeat(40)} refs/heads/a\n${COMMIT} refs/heads/b\n`,
    },
  ],
  ["of no branch", { ".git/HEAD": `${COMMIT}\n` }],
  [
    "of a worktree",
    {
      ".git": "gitdir: clone/.git/worktrees/w\n",
      "clone/.git/worktrees/w/HEAD": "ref: refs/heads/b\n",
      "clone/.git/worktrees/w/commondir": "../..\n",
      "clone/.git/refs/heads/b": `${COMMIT}\n`,
    },
  ],
])("the commit %s", (_, files) => expect(commitOfProgram(laidOut(files))).toBe(COMMIT));

test.each<[string, Readonly<Record<string, string>>]>([
  ["an installed package", { "package.json": "{}" }],
  ["a branch without a commit", { ".git/HEAD": "ref: refs/heads/b\n" }],
  ["a file that names no folder", { ".git": "nothing\n" }],
])("%s has none", (_, files) => expect(commitOfProgram(laidOut(files))).toBeUndefined());
