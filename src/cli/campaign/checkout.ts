/** The program of a checkout's newest commit, built in a worktree of its own: the checkout stays free for work. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { UsageError } from "../command.ts";

/** Milliseconds between two questions whether the work is interrupted. */
const LOOK_MS = 100;

export interface Ended {
  /** `undefined` if a signal ended it. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

export interface Surroundings {
  readonly cwd: string;
  /** Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Asked several times a second; an interrupt is passed on. */
  readonly interrupted?: () => Promise<boolean>;
}

/** Runs a process to its end, in a group of its own: an interrupt in a terminal reaches it once, through this process. */
export async function ended(
  file: string,
  argv: readonly string[],
  { interrupted, ...where }: Surroundings,
): Promise<Ended> {
  const child = spawn(file, argv, { ...where, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const kill = (): boolean => child.kill();
  process.once("exit", kill);
  const end = new Promise<number | string>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (code, signal) => resolve(code ?? `ended by ${signal}`));
  });
  const [out, err, , how] = await Promise.all([text(child.stdout), text(child.stderr), passOn(), end]);
  process.off("exit", kill);
  return typeof how === "number" ? { code: how, out, err } : { code: undefined, out, err: `${err}${how}\n` };

  async function passOn(): Promise<void> {
    if (interrupted === undefined) return;
    const isOver = end.then(() => true);
    while (!(await Promise.race([isOver, setTimeout(LOOK_MS, false)])))
      if (await interrupted()) {
        child.kill("SIGINT");
        return;
      }
  }
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
    const { code, out, err } = await ended("sh", ["-c", this.#build], { cwd: this.#worktree });
    if (code !== 0) throw new UsageError(`--build: "${this.#build}" failed at ${commit}:\n${out}${err}`);
    writeFileSync(built, commit);
    return this.#worktree;
  }

  async #git(cwd: string, ...argv: readonly string[]): Promise<string> {
    const { code, out, err } = await ended("git", argv, { cwd });
    if (code !== 0) throw new UsageError(`--checkout: git ${argv.join(" ")}: ${err.trim()}`);
    return out;
  }
}
