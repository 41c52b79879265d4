/** Programs that are measured from outside: each in a process of its own, ended with whatever it started. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** Longest time until a program prints its address, in ms. */
const START_MS = 60_000;
/** Milliseconds in a tick of the kernel's clock of processes (USER_HZ is 100 on every Linux). */
const TICK_MS = 10;

export interface Child {
  /** Groups that the pattern matched in the output. */
  readonly url: string;
  /** CPU milliseconds so far, of all its threads; `undefined` where the system does not tell. */
  cpuMs(): number | undefined;
  stop(): void;
}

/** Starts a program and waits until a line of its output holds a URL. @throws Error with its output where none comes. */
export async function startChild(command: readonly string[], cwd: string, pattern: RegExp): Promise<Child> {
  const [file = "", ...words] = command;
  const child = spawn(file, words, { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const { pid } = child;
  // Some programs are shells around others: the group that was opened for it holds them all.
  const stop = (): void => {
    process.off("exit", stop);
    if (pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-pid, "SIGKILL");
  };
  process.on("exit", stop);
  let output = "";
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`${command.join(" ")}: ${why}\n${output}`));
      const timer = setTimeout(() => fail(`said nothing of a URL in ${START_MS} ms`), START_MS);
      const hear = (chunk: Buffer): void => {
        output += chunk.toString();
        const found = pattern.exec(output)?.[1];
        if (found === undefined) return;
        clearTimeout(timer);
        // Later output is read and dropped: a full pipe would stop the program.
        child.stdout.off("data", hear).resume();
        resolve(found);
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", (chunk: Buffer) => {
        if (output.length < 10_000) output += chunk.toString();
      });
      child.once("error", (error) => fail(error.message));
      child.once("exit", (code) => fail(`ended with ${code}`));
    });
    return { url, cpuMs: () => cpuMsOf(pid), stop };
  } catch (error) {
    stop();
    throw error;
  }
}

function cpuMsOf(pid: number | undefined): number | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  // User and system time are the 14th and 15th fields; the second, a name in brackets, may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return TICK_MS * (Number(fields[11]) + Number(fields[12]));
}
