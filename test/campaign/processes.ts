/** Processes of the built command, which a test may kill. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command in a folder to its end. */
export function command(cwd: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { cwd, maxBuffer: 1 << 28 }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, out, err }),
    );
  });
}

/** Returns the last line of output as an object. */
export function lastLine({ out, err }: Ended): Readonly<Record<string, unknown>> {
  const line = out.trimEnd().split("\n").at(-1) ?? "";
  if (!line.startsWith("{")) throw new Error(`expected JSON, got ${line}\n${err}`);
  return JSON.parse(line) as Readonly<Record<string, unknown>>;
}

/** Starts a worker of one thread; its problems are printed. */
export function worker(cwd: string, url: string, takeover: number): ChildProcess {
  const args = ["campaign", "work", "--redis", url, "--workers", "1", "--takeover-seconds", String(takeover)];
  return spawn(process.execPath, [MAIN, ...args], { cwd, stdio: ["ignore", "ignore", "inherit"] });
}

/** Returns the exit code of a process, `undefined` if a signal ended it. */
export function ended(child: ChildProcess): Promise<number | undefined> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode ?? undefined);
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? undefined)));
}
