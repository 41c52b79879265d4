/** The program of a checkout's newest commit, built in a worktree of its own: the checkout stays free for work. */
import { type ExecFileException, execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../command.ts";

/** Bytes of output of one process: those of a campaign with many findings. */
const OUTPUT_MAX = 1 << 28;

export interface Ended {
  /** `undefined` if a signal ended it. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** Runs a process to its end. */
export function ended(file: string, argv: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(file, argv, { cwd, maxBuffer: OUTPUT_MAX }, (error: ExecFileException | null, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : undefined;
      resolve({ code, out, err: code === undefined ? `${err}${error?.message}\n` : err });
    });
  });
}

export class Checkout {
  readonly #checkout: string;
  readonly #worktree: string;
  readonly #build: string;

  /** `build`: command that makes the program in the worktree. */
  constructor(checkout: string, worktree: string, build: string) {
    this.#checkout = checkout;
    this.#worktree = worktree;
    this.#build = build;
  }

  /** Returns the newest commit. @throws UsageError where there is none. */
  async newest(): Promise<string> {
    return (await this.#git(this.#checkout, "rev-parse", "HEAD")).trim();
  }

  /** Brings the branch of the checkout forward from where it comes. @throws UsageError if it cannot be. */
  async pull(): Promise<void> {
    await this.#git(this.#checkout, "pull", "--ff-only", "--quiet");
  }

  /** Makes the program of a commit, if it is not the one that was made last; returns its folder. @throws UsageError */
  async program(commit: string): Promise<string> {
    const built = `${this.#worktree}.commit`;
    if (existsSync(built) && readFileSync(built, "utf8") === commit) return this.#worktree;
    if (existsSync(join(this.#worktree, ".git")))
      await this.#git(this.#worktree, "checkout", "--quiet", "--detach", "--force", commit);
    else await this.#git(this.#checkout, "worktree", "add", "--quiet", "--force", "--detach", this.#worktree, commit);
    const { code, out, err } = await ended("sh", ["-c", this.#build], this.#worktree);
    if (code !== 0) throw new UsageError(`--build: "${this.#build}" failed at ${commit}:\n${out}${err}`);
    writeFileSync(built, commit);
    return this.#worktree;
  }

  async #git(cwd: string, ...argv: readonly string[]): Promise<string> {
    const { code, out, err } = await ended("git", argv, cwd);
    if (code !== 0) throw new UsageError(`--checkout: git ${argv.join(" ")}: ${err.trim()}`);
    return out;
  }
}
