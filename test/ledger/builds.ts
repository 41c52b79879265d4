/** Earlier commits, each built once in a worktree of its own. */
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printed } from "./program.ts";

/** The program of a build, below its folder. */
export const MAIN = "dist/cli/main.js";

/** Holds worktrees until `remove` is called, whatever happened in between. */
export class Builds {
  /** Outside every worktree: for files of whoever uses the builds. */
  readonly folder: string = mkdtempSync(join(tmpdir(), "quorumlab-ledger-"));
  readonly #root: string;
  readonly #say: (line: string) => void;
  readonly #trees = new Map<string, string>();

  constructor(root: string, say: (line: string) => void) {
    this.#root = root;
    this.#say = say;
  }

  /** The command line's program of a commit; `undefined` where the commit has none. Throws where it does not build. */
  mainOf(commit: string): string | undefined {
    const tree = this.#trees.get(commit) ?? this.#checkOut(commit);
    if (!existsSync(join(tree, "src/cli/main.ts"))) return undefined;
    const main = join(tree, MAIN);
    if (!existsSync(main)) this.#build(commit, tree);
    return main;
  }

  remove(): void {
    for (const tree of this.#trees.values()) printed("git", ["worktree", "remove", "--force", tree], this.#root);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #checkOut(commit: string): string {
    const tree = join(this.folder, commit);
    this.#trees.set(commit, tree);
    printed("git", ["worktree", "add", "--quiet", "--detach", tree, commit], this.#root);
    symlinkSync(realpathSync(join(this.#root, "node_modules")), join(tree, "node_modules"));
    return tree;
  }

  #build(commit: string, tree: string): void {
    this.#say(`building ${commit}`);
    printed(process.execPath, [join("node_modules", "typescript", "bin", "tsc"), "-p", "src"], tree);
  }
}
