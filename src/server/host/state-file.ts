/** Files of a served network: the recording as a write-ahead log, its lock, and beside it old records. */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { err, ok, type Result } from "../../core/base/result.ts";
import { NO_SUM, type Recording, type RecordingEntry, type RecordingHead, recordLine } from "../../live/recording.ts";
import type { RecordStore } from "../../live/shelf.ts";
import { FSYNC_MS } from "../limits.ts";

/** Position behind the last line of a recording. */
export interface RecordingEnd {
  readonly bytes: number;
  /** Checksum of the last line. */
  readonly sum: string;
}

/** Sink of entries. */
export interface Sink {
  write(entry: RecordingEntry): void;
  close(): void;
}

/** Sink into a file. */
export interface FileSink extends Sink {
  /** Position behind the last line. */
  readonly end: RecordingEnd;
}

/**
 * Times at which a state file is forced to the disk. A killed process loses no entry under any of them; a machine that
 * loses power loses nothing (`always`: before the entry is carried out), the last second (`interval`), or what its
 * system had not yet written (`never`: half a minute is usual).
 */
export const FSYNC = ["always", "interval", "never"] as const;

export type Fsync = (typeof FSYNC)[number];

/** Forces the content of an open file to the disk. */
type Force = (file: number) => void;

/** Starts a recording with what is past, and overwrites the file: written and forced once, however much is past. */
export function beginStateFile(
  path: string,
  head: RecordingHead,
  past: readonly RecordingEntry[],
  fsync: Fsync,
  force: Force = fdatasyncSync,
): FileSink {
  const { lines, sum } = linesOf(head, past);
  writeFileSync(path, lines.join(""));
  if (fsync !== "never") forceFolder(dirname(path));
  return openForAppending(path, sum, fsync, force);
}

/** Returns the lines of a recording and the checksum of the last one. */
function linesOf(
  head: RecordingHead,
  past: readonly RecordingEntry[],
): { readonly lines: string[]; readonly sum: string } {
  const first = recordLine(NO_SUM, head);
  const lines = [first.line];
  let { sum } = first;
  for (const entry of past) {
    const next = recordLine(sum, entry);
    lines.push(next.line);
    sum = next.sum;
  }
  return { lines, sum };
}

/** Continues a recording; a torn tail is truncated. */
export function continueStateFile(
  path: string,
  { sum, bytes }: Pick<Recording, "sum" | "bytes">,
  fsync: Fsync,
  force: Force = fdatasyncSync,
): FileSink {
  const file = openSync(path, "r+");
  if (fstatSync(file).size > bytes) ftruncateSync(file, bytes);
  closeSync(file);
  return openForAppending(path, sum, fsync, force);
}

/** Entries kept in memory: their lines are written when somebody asks for the recording, and most never do. */
export class MemorySink implements Sink {
  readonly #head: RecordingHead;
  readonly #entries: RecordingEntry[];

  constructor(head: RecordingHead, past: readonly RecordingEntry[] = []) {
    this.#head = head;
    this.#entries = [...past];
  }

  write(entry: RecordingEntry): void {
    this.#entries.push(entry);
  }

  /** Entries stay readable after the end. */
  close(): void {}

  /** O(entries). */
  text(): string {
    return linesOf(this.#head, this.#entries).lines.join("");
  }
}

function openForAppending(path: string, sum: string, fsync: Fsync, force: Force): FileSink {
  // Written when the call returns, so that a killed process loses no entry.
  const file = openSync(path, "a");
  let last = sum;
  let bytes = fstatSync(file).size;
  let timer: NodeJS.Timeout | undefined;
  const forced = (): void => {
    timer = undefined;
    force(file);
  };
  if (fsync !== "never") force(file);
  return {
    get end() {
      return { bytes, sum: last };
    },
    write: (entry) => {
      const { line, sum: next } = recordLine(last, entry);
      bytes += writeSync(file, line);
      last = next;
      if (fsync === "always") force(file);
      else if (fsync === "interval") timer ??= setTimeout(forced, FSYNC_MS).unref();
    },
    close: () => {
      clearTimeout(timer);
      if (fsync !== "never") force(file);
      closeSync(file);
    },
  };
}

/** A new file outlives a loss of power once its folder names it on the disk. */
function forceFolder(path: string): void {
  const folder = openSync(path, "r");
  fsyncSync(folder);
  closeSync(folder);
}

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
    writeFileSync(lock, String(process.pid), { flag: "wx" });
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
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Returns true for a process that has ended and whose parent has not noticed yet; always false where there is no /proc.
 * @throws the system's error for a process that is gone
 */
function isZombie(pid: number): boolean {
  // The state follows the name, which stands in parentheses and may hold any character.
  return existsSync("/proc/self/stat") && /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** Old records in a file beside the recording. */
export interface RecordFile extends RecordStore {
  /** Forces it to the disk, and returns its length in bytes. */
  force(): number;
  close(): void;
}

/** Name of the old records of a recording. */
export function recordsPath(recording: string): string {
  return `${recording}.archive`;
}

/** Opens the old records of a recording: those that a snapshot names stay, else the file begins anew. */
export function openRecords(path: string, begin: "continued" | "empty"): RecordFile {
  const file = openSync(path, begin === "empty" || !existsSync(path) ? "w+" : "r+");
  let end = fstatSync(file).size;
  return {
    append: (bytes) => {
      const at = end;
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
      end += bytes.length;
      return { at, bytes: bytes.length };
    },
    read: ({ at, bytes }) => readBytes(file, at, at + bytes),
    force: () => {
      fdatasyncSync(file);
      return end;
    },
    close: () => closeSync(file),
  };
}

/** Returns the bytes of a part of a file, fewer if it ends before. */
export function readBytes(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  for (let done = 0; done < bytes.length; ) {
    const count = readSync(file, bytes, done, bytes.length - done, from + done);
    if (count === 0) return bytes.subarray(0, done);
    done += count;
  }
  return bytes;
}
