/** CPU time: of this process with all its threads, and of programs that it has waited for. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

/** The folder of the project, from its compiled benchmarks. */
export const ROOT: string = fileURLToPath(new URL("../../../", import.meta.url));
export const COMMAND: string = `${ROOT}dist/cli/main.js`;
/** Milliseconds in a tick of the kernel's clock of processes (USER_HZ is 100 on every Linux). */
const TICK_MS = 10;

/** CPU milliseconds of some work in this process. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Repeats some work until it has taken `ms` of CPU time; returns the CPU milliseconds of one unit of it. */
export function cpuMsEach(work: () => number, ms: number): number {
  let [units, taken] = [0, 0];
  while (taken < ms) {
    taken += cpuMsOf(() => {
      units += work();
    });
  }
  return taken / units;
}

export interface ProgramRun {
  readonly wallMs: number;
  /** Of all its threads and programs; the time on the clock where the system does not tell. */
  readonly cpuMs: number;
  readonly output: string;
}

/** Runs `node` with some words to its end. @throws Error with its output for an exit code other than 0 */
export function runNode(...words: readonly string[]): ProgramRun {
  return runProgram(process.execPath, ...words);
}

/** Runs a program with some words to its end. @throws Error with its output for an exit code other than 0 */
export function runProgram(file: string, ...words: readonly string[]): ProgramRun {
  const [began, cpuBefore] = [performance.now(), waitedCpuMs()];
  const { status, stdout, stderr } = spawnSync(file, words, { cwd: ROOT, encoding: "utf8" });
  const wallMs = performance.now() - began;
  if (status !== 0) throw new Error(`${[file, ...words].join(" ")} ended with ${status}\n${stdout}${stderr}`);
  const cpuAfter = waitedCpuMs();
  const cpuMs = cpuBefore === undefined || cpuAfter === undefined ? wallMs : cpuAfter - cpuBefore;
  return { wallMs, cpuMs, output: stdout };
}

/** CPU milliseconds of all programs that this one has waited for; `undefined` where the system does not tell. */
function waitedCpuMs(): number | undefined {
  const fields = statOf("self");
  return fields === undefined ? undefined : TICK_MS * (Number(fields[13]) + Number(fields[14]));
}

/** CPU milliseconds of a running program so far; `undefined` where the system does not tell. */
export function runningCpuMs(pid: number | undefined): number | undefined {
  const fields = pid === undefined ? undefined : statOf(String(pid));
  return fields === undefined ? undefined : TICK_MS * (Number(fields[11]) + Number(fields[12]));
}

/** Fields of the kernel's line about a process, from the third on: the second, a name in brackets, may hold spaces. */
function statOf(process_: string): readonly string[] | undefined {
  if (process.platform !== "linux") return undefined;
  return readFileSync(`/proc/${process_}/stat`, "utf8").split(") ").at(-1)?.split(" ");
}

/** Bytes of memory that a running program has; `undefined` where the system does not tell. */
export function residentBytes(pid: number | undefined): number | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return found === undefined ? undefined : 1_024 * Number(found);
}
