/** What git knows of a file. */
import { ANCESTORS, HASH_DIGITS } from "./limits.ts";
import { printed, run } from "./program.ts";

/** Why there is no history to work with; `undefined` where there is one. */
export function noHistory(root: string): string | undefined {
  const { code, out, err } = run("git", ["rev-parse", "--is-shallow-repository"], root);
  if (code !== 0) return `the ledger needs the history of git: ${err.trim()}`;
  if (out.trim() === "false") return undefined;
  return "the ledger needs the whole history, and this clone is shallow: run git fetch --unshallow first";
}

/** Where a file came into the history; hashes are shortened. */
export interface Origin {
  /** The commit that brought it; null for a file that is in no commit yet. */
  readonly added: string | null;
  /** The commits before that one, nearest first: HEAD and so on for a file that is in none. */
  readonly before: readonly string[];
}

/** The origin of a file of the tree. */
export function originOf(file: string, root: string): Origin {
  const added = printed("git", ["log", "--diff-filter=A", "--format=%H", "--", file], root).split("\n").at(-1);
  const options = ["--first-parent", `--max-count=${ANCESTORS + 1}`, `--abbrev=${HASH_DIGITS}`, "--abbrev-commit"];
  const commits = printed("git", ["rev-list", ...options, added || "HEAD"], root).split("\n");
  const [first = null, ...rest] = commits;
  return added ? { added: first, before: rest } : { added: null, before: commits.slice(0, ANCESTORS) };
}
