/** Programs that are measured from outside: each in a process of its own, ended with whatever it started. */
import { spawn } from "node:child_process";
import { residentBytes, runningCpuMs } from "../support/cpu.ts";

/** Longest time until a program prints its address, in ms. */
const START_MS = 60_000;

export interface Child {
  /** Groups that the pattern matched in the output. */
  readonly url: string;
  /** CPU milliseconds so far, of all its threads; `undefined` where the system does not tell. */
  cpuMs(): number | undefined;
  /** Bytes of memory that it has now; `undefined` where the system does not tell. */
  residentBytes(): number | undefined;
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
    return { url, cpuMs: () => runningCpuMs(pid), residentBytes: () => residentBytes(pid), stop };
  } catch (error) {
    stop();
    throw error;
  }
}
