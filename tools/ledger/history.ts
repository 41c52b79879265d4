/** Git history of a file. */
import { ANCESTORS, HASH_DIGITS } from "./limits.ts";
import { programOutput, run } from "./program.ts";

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
