/** Git history of a file, and builds of earlier commits, each in a worktree of its own. */
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ANCESTORS, HASH_DIGITS, programOutput, run } from "./program.ts";

/** The program of a build, below its folder. */
export const MAIN = "dist/cli/main.js";

/** Worktrees, which exist until `remove` is called. */
export class Builds {
  /** Folder outside all worktrees, for files of the caller. */
  readonly folder: string = mkdtempSync(join(tmpdir(), "quorumlab-ledger-"));
  readonly #root: string;
  readonly #say: (line: string) => void;
  readonly #trees = new Map<string, string>();

  constructor(root: string, say: (line: string) => void) {
    this.#root = root;
    this.#say = say;
  }

  /** The built program of a commit; `undefined` if the commit has none. @throws Error if the build fails */
  mainOf(commit: string): string | undefined {
    const tree = this.#trees.get(commit) ?? this.#checkOut(commit);
    if (!existsSync(join(tree, "src/cli/main.ts"))) return undefined;
    const main = join(tree, MAIN);
    if (!existsSync(main)) this.#build(commit, tree);
    return main;
  }

  remove(): void {
    for (const tree of this.#trees.values()) programOutput("git", ["worktree", "remove", "--force", tree], this.#root);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #checkOut(commit: string): string {
    const tree = join(this.folder, commit);
    this.#trees.set(commit, tree);
    programOutput("git", ["worktree", "add", "--quiet", "--detach", tree, commit], this.#root);
    symlinkSync(realpathSync(join(this.#root, "node_modules")), join(tree, "node_modules"));
    return tree;
  }

  #build(commit: string, tree: string): void {
    this.#say(`building ${commit}`);
    // Since the command is bundled, it needs no compiler, which asks for the types of packages that are gone.
    const bundle = join("tools", "bundle.mjs");
    const compiler = [join("node_modules", "typescript", "bin", "tsc"), "-p", "src"];
    programOutput(process.execPath, existsSync(join(tree, bundle)) ? [bundle] : compiler, tree);
  }
}

/** The reason why the history is unusable; `undefined` if it is complete. */
export function historyFault(root: string): string | undefined {
  const { code, out, err } = run("git", ["rev-parse", "--is-shallow-repository"], root);
  if (code !== 0) return `the ledger needs the history of git: ${err.trim()}`;
  if (out.trim() === "false") return undefined;
  return "the ledger needs the whole history, and this clone is shallow: run git fetch --unshallow first";
}

/** The commit that added a file; hashes are shortened. */
export interface Origin {
  /** The commit that added it; null for an uncommitted file. */
  readonly added: string | null;
  /** Its ancestors, nearest first; HEAD and its ancestors for an uncommitted file. */
  readonly before: readonly string[];
}

/** The origin of a file of the tree. */
export function originOf(file: string, root: string): Origin {
  const added = programOutput(
    "git",
    ["log", "--follow", "--find-renames=90%", "--diff-filter=A", "--format=%H", "--", file],
    root,
  )
    .split("\n")
    .at(-1);
  const options = ["--first-parent", `--max-count=${ANCESTORS + 1}`, `--abbrev=${HASH_DIGITS}`, "--abbrev-commit"];
  const commits = programOutput("git", ["rev-list", ...options, added || "HEAD"], root).split("\n");
  const [first = null, ...rest] = commits;
  return added ? { added: first, before: rest } : { added: null, before: commits.slice(0, ANCESTORS) };
}
