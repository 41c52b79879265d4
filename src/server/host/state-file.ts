/** Files of a served network: the recording as a write-ahead log, and beside it old records. */
import { crc32 } from "node:zlib";
import { assert } from "../../core/base/assert.ts";
import type { RecordPlace } from "../../live/archive.ts";
import type { NetworkFiles } from "../../live/input-history.ts";
import {
  NO_SUM,
  type Recording,
  type RecordingEntry,
  type RecordingHead,
  readRecording,
  recordingSizeFault,
  recordLine,
} from "../../live/recording.ts";
import { effectiveOf } from "../../live/replay.ts";
import { MemoryStore, type RecordStore } from "../../live/shelf.ts";
import { FSYNC_MS } from "../limits.ts";
import { AppendedFile, disk, EMPTY, type FileEnd, onFile, StateFileError } from "./disk.ts";

/** Position behind the last line of a recording. */
export interface RecordingEnd extends FileEnd {
  /** Checksum of the last line. */
  readonly sum: string;
}

/** Returns the end of the whole lines of a recording that was read from `bytes`; `before` stands before them. O(bytes). */
export function endOf({ bytes: length, sum }: Recording, bytes: Uint8Array, before: FileEnd = EMPTY): RecordingEnd {
  return { bytes: length, sum, crc: crc32(bytes.subarray(before.bytes, length), before.crc) };
}

/** Sink of entries. */
export interface Sink {
  write(entry: RecordingEntry): void;
  close(): void;
}

/**
 * Times at which a state file is forced to the disk. A killed process loses no entry under any of them; a machine that
 * loses power loses nothing (`always`: before the entry is carried out), the last second (`interval`), or what its
 * system had not yet written (`never`: half a minute is usual).
 */
export const FSYNC = ["always", "interval", "never"] as const;

export type Fsync = (typeof FSYNC)[number];

/** Recording in a file. After an error of the disk it takes nothing more. */
export class RecordingFile implements Sink {
  readonly #file: AppendedFile;
  readonly #fsync: Fsync;
  #sum: string;
  #timer: NodeJS.Timeout | undefined;
  #isForcing = false;
  #fault: unknown;

  private constructor(file: AppendedFile, sum: string, fsync: Fsync) {
    this.#file = file;
    this.#sum = sum;
    this.#fsync = fsync;
    if (fsync !== "never") file.force();
  }

  /** Starts a recording with what is past: the file stands at its path when all of it is written. O(past). */
  static begin(path: string, head: RecordingHead, past: readonly RecordingEntry[], fsync: Fsync): RecordingFile {
    const { lines, sum } = linesOf(head, past);
    const draft = new AppendedFile(draftPath(path), EMPTY);
    for (const line of lines) draft.append(line);
    if (fsync !== "never") draft.force();
    draft.close();
    onFile(path, () => disk.rename(draftPath(path), path));
    const file = new AppendedFile(path, draft.end);
    if (fsync !== "never") file.forceEntry();
    return new RecordingFile(file, sum, fsync);
  }

  /** Continues a recording; a torn tail is truncated. */
  static continue(path: string, { sum, ...end }: RecordingEnd, fsync: Fsync): RecordingFile {
    return new RecordingFile(new AppendedFile(path, end), sum, fsync);
  }

  /** Position behind the last line. */
  get end(): RecordingEnd {
    return { ...this.#file.end, sum: this.#sum };
  }

  /** @throws StateFileError, then and from then on; nothing of the entry counts */
  write(entry: RecordingEntry): void {
    this.#attempt(() => {
      const { line, sum } = recordLine(this.#sum, entry);
      this.#file.append(Buffer.from(line));
      this.#sum = sum;
      if (this.#fsync === "always") this.#file.force();
    });
    if (this.#fsync === "interval") this.#forceLater();
  }

  /**
   * Puts a file that was removed back; returns true if it did. @throws StateFileError if another file stands in its
   * place, and for an earlier error of the disk
   */
  putBack(): boolean {
    return this.#attempt(() => {
      const { standing, path } = this.#file;
      if (standing === "other") throw new StateFileError(path, "another file was put in its place while it was in use");
      if (standing === "none") this.#file.writeAgain();
      return standing === "none";
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    try {
      if (this.#fsync !== "never" && this.#fault === undefined) this.#file.force();
    } finally {
      this.#file.close();
    }
  }

  #attempt<T>(work: () => T): T {
    if (this.#fault !== undefined) throw this.#fault;
    try {
      return work();
    } catch (error) {
      this.#fault = error;
      throw error;
    }
  }

  /** Nobody waits for it: the next use reports its error. What is written while the disk works waits for the next time. */
  #forceLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#isForcing) {
        this.#forceLater();
        return;
      }
      this.#isForcing = true;
      this.#file.forceLater((fault) => {
        this.#isForcing = false;
        this.#fault ??= fault;
      });
    }, FSYNC_MS).unref();
  }
}

/** Name of a recording before all of it is written. */
export function draftPath(path: string): string {
  return `${path}.new`;
}

/** Returns the lines of a recording and the checksum of the last one. */
function linesOf(
  head: RecordingHead,
  past: readonly RecordingEntry[],
): { readonly lines: readonly Buffer[]; readonly sum: string } {
  const lines: Buffer[] = [];
  let sum = NO_SUM;
  for (const entry of [head, ...past]) {
    const next = recordLine(sum, entry);
    lines.push(Buffer.from(next.line));
    sum = next.sum;
  }
  return { lines, sum };
}

/** Characters of lines that become bytes together. */
const LINES_TOGETHER = 65_536;

/** Recording in memory, as the bytes of its lines: outside of the heap. */
export class MemorySink implements Sink {
  readonly #blocks: Buffer[];
  /** Lines after the blocks. */
  #lines = "";
  #sum: string;

  constructor(head: RecordingHead, past: readonly RecordingEntry[] = []) {
    const { lines, sum } = linesOf(head, past);
    this.#blocks = [Buffer.concat(lines)];
    this.#sum = sum;
  }

  write(entry: RecordingEntry): void {
    const { line, sum } = recordLine(this.#sum, entry);
    this.#sum = sum;
    this.#lines += line;
    if (this.#lines.length < LINES_TOGETHER) return;
    this.#blocks.push(Buffer.from(this.#lines));
    this.#lines = "";
  }

  /** Lines stay readable after the end. */
  close(): void {}

  /** O(entries). */
  text(): string {
    return `${Buffer.concat(this.#blocks).toString("utf8")}${this.#lines}`;
  }

  /** Files of a network whose past this is. */
  get files(): NetworkFiles {
    return {
      old: new MemoryStore(),
      readInputs: () => {
        const read = readRecording(this.text());
        assert(read.ok, "a recording in memory can be read");
        return effectiveOf(read.value.entries).inputs;
      },
      sizeFault: () => recordingSizeFault(this.#blocks.reduce((sum, { length }) => sum + length, this.#lines.length)),
    };
  }
}

/** Old records in a file beside the recording. */
export interface RecordFile extends RecordStore {
  /** Forces it to the disk, and returns its end. @throws StateFileError while the disk does not take all records */
  force(): FileEnd;
  close(): void;
}

/** Name of the old records of a recording. */
export function recordsPath(recording: string): string {
  return `${recording}.archive`;
}

/** Bytes of the checksum before each record. */
const CRC_BYTES = 4;

/**
 * Opens the old records of a recording, of which those before `end` stay. A record that the disk does not take stays in
 * memory until it does; one that it does not give back is none. `warn` is told of both.
 */
export function openRecords(path: string, end: FileEnd, warn: (message: string) => void): RecordFile {
  const file = new AppendedFile(path, end);
  const waiting = new Map<number, Buffer>();
  let next = end.bytes;
  const write = (): void => {
    for (const [at, bytes] of waiting) {
      file.append(bytes);
      waiting.delete(at);
    }
  };
  return {
    append: (record) => {
      const bytes = Buffer.alloc(CRC_BYTES + record.length);
      bytes.writeUInt32BE(crc32(record));
      bytes.set(record, CRC_BYTES);
      const place = { at: next, bytes: bytes.length };
      waiting.set(place.at, bytes);
      next += bytes.length;
      warnOf(write, warn);
      return place;
    },
    read: ({ at, bytes: length }: RecordPlace) => {
      const bytes = waiting.get(at) ?? warnOf(() => file.read(at, at + length), warn);
      if (bytes === undefined) return undefined;
      const record = bytes.subarray(CRC_BYTES);
      if (bytes.length === length && crc32(record) === bytes.readUInt32BE()) return record;
      warn(`${path}: the record at byte ${at} is damaged`);
      return undefined;
    },
    force: () => {
      write();
      file.force();
      return file.end;
    },
    close: () => warnOf(() => file.close(), warn),
  };
}

/** Warns of an error of the disk in place of throwing it. */
export function warnOf<T>(work: () => T, warn: (message: string) => void): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StateFileError)) throw error;
    warn(error.message);
    return undefined;
  }
}
