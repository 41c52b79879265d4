/** Lock of a state file: two networks that append to it would corrupt the recording. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { err, ok, type Result } from "../../core/base/result.ts";

/** Locks a state file for this process; returns the unlock function. A lock of an exited process is ignored. */
export function lockState(path: string): Result<() => void, string> {
  const lock = `${path}.lock`;
  if (tryLock(lock)) return ok(() => rmSync(lock, { force: true }));
  const holder = holderOf(lock);
  if (holder !== undefined && isRunning(holder)) return err(`${path} is in use by process ${holder}`);
  rmSync(lock, { force: true });
  return tryLock(lock) ? ok(() => rmSync(lock, { force: true })) : err(`${path} is being claimed by another process`);
}

function tryLock(lock: string): boolean {
  try {
    const file = openSync(lock, "wx");
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** `undefined` if the lock was released in between, or never written. */
function holderOf(lock: string): number | undefined {
  try {
    const text = readFileSync(lock, "utf8");
    return /^\d+$/.test(text) ? Number(text) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Signal 0 only tests. EPERM means that another user's process is running. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
