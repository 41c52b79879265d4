/** System calls on state files in one place, in which a test puts faults, and files that grow at their end. */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";

/** Every system call on a state file; a test replaces members. */
export const disk = {
  close: closeSync,
  force: fdatasyncSync,
  forceFolder: fsyncSync,
  /** In a thread of its own: a busy disk may take seconds. */
  forceLater: fdatasync as (file: number, done: (error: Error | null) => void) => void,
  open: openSync,
  openStat: fstatSync,
  read: readSync,
  remove: rmSync,
  rename: renameSync,
  stat: statSync,
  truncate: ftruncateSync,
  write: writeSync,
};

/** A state file that cannot be read or written: the message names the file, and the errno where there is one. */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
  readonly code: string | undefined;

  constructor(path: string, message: string, code?: string) {
    super(`${path}: ${message}`);
    this.code = code;
  }
}

/** Carries out calls on a file. @throws StateFileError for the error of the system */
export function onFile<T>(path: string, calls: () => T): T {
  try {
    return calls();
  } catch (error) {
    throw faultOn(path, error);
  }
}

/** Returns the error of the system on a file with its path at the front; any other one as it is. */
function faultOn(path: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof StateFileError) return error;
  return new StateFileError(path, message.replace(/ '.*'$/s, ""), code);
}

/** Position behind the last byte that counts, and the checksum (CRC-32) of all bytes before it. */
export interface FileEnd {
  readonly bytes: number;
  readonly crc: number;
}

export const EMPTY: FileEnd = { bytes: 0, crc: 0 };

/** Bytes that are read at once. */
const BLOCK_BYTES = 1_048_576;

/**
 * File that grows at its end. The system may write a part of what it is given; after an error, the next bytes replace what
 * was written of those that failed.
 */
export class AppendedFile {
  readonly path: string;
  #file: number;
  #end: FileEnd;

  /**
   * Opens a file with this content, and drops what follows it; `EMPTY` creates or empties it.
   * @throws StateFileError for a shorter one
   */
  constructor(path: string, end: FileEnd) {
    this.path = path;
    this.#end = end;
    this.#file = onFile(path, () => disk.open(path, end === EMPTY ? "w+" : "r+"));
    onFile(path, () => {
      const { size } = disk.openStat(this.#file);
      if (size < end.bytes) throw new StateFileError(path, "it became shorter while it was read");
      if (size > end.bytes) disk.truncate(this.#file, end.bytes);
    });
  }

  get end(): FileEnd {
    return this.#end;
  }

  append(bytes: Uint8Array): void {
    const { bytes: at, crc } = this.#end;
    onFile(this.path, () => {
      for (let done = 0; done < bytes.length; )
        done += disk.write(this.#file, bytes, done, bytes.length - done, at + done);
    });
    this.#end = { bytes: at + bytes.length, crc: crc32(bytes, crc) };
  }

  /** Returns the bytes of a part, fewer if the file ends before. */
  read(from: number, to: number): Buffer {
    return onFile(this.path, () => readBytes(this.#file, from, to));
  }

  force(): void {
    onFile(this.path, () => disk.force(this.#file));
  }

  /** Forces what is written to the disk meanwhile; `done` gets the error, if there is one. */
  forceLater(done: (error: unknown) => void): void {
    const end = (error: unknown): void => done(error === null ? undefined : faultOn(this.path, error));
    try {
      disk.forceLater(this.#file, end);
    } catch (error) {
      end(error);
    }
  }

  /** Forces its entry in its folder: a new file outlives a loss of power once its folder names it on the disk. */
  forceEntry(): void {
    onFile(this.path, () => {
      const folder = disk.open(dirname(this.path), "r");
      disk.forceFolder(folder);
      disk.close(folder);
    });
  }

  /** Returns what stands at the path: this file, another one, or nothing. */
  get standing(): "same" | "other" | "none" {
    const [open, named] = onFile(this.path, () => [
      disk.openStat(this.#file),
      disk.stat(this.path, { throwIfNoEntry: false }),
    ]);
    if (named === undefined) return "none";
    return named.ino === open?.ino && named.dev === open.dev ? "same" : "other";
  }

  /** Writes its content into a new file at its path, where none stands, and continues there. O(bytes). */
  writeAgain(): void {
    const copy = new AppendedFile(`${this.path}.new`, EMPTY);
    for (let at = 0; at < this.#end.bytes; at += BLOCK_BYTES)
      copy.append(this.read(at, Math.min(this.#end.bytes, at + BLOCK_BYTES)));
    copy.force();
    onFile(this.path, () => disk.rename(copy.path, this.path));
    disk.close(this.#file);
    this.#file = copy.#file;
    this.forceEntry();
  }

  close(): void {
    onFile(this.path, () => disk.close(this.#file));
  }
}

/** Returns the bytes of a part of an open file, fewer if it ends before. */
function readBytes(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  for (let done = 0; done < bytes.length; ) {
    const count = disk.read(file, bytes, done, bytes.length - done, from + done);
    if (count === 0) return bytes.subarray(0, done);
    done += count;
  }
  return bytes;
}

/** Returns the bytes of a file; `undefined` if there is none. O(bytes). */
export function readFile(path: string): Buffer | undefined {
  return onOpenFile(path, (file) => readBytes(file, 0, disk.openStat(file).size));
}

/** Returns the end of the first bytes of a file; `undefined` if it has fewer, or there is none. O(bytes). */
export function endAt(path: string, bytes: number): FileEnd | undefined {
  return onOpenFile(path, (file) => {
    let crc = 0;
    for (let at = 0; at < bytes; at += BLOCK_BYTES) {
      const to = Math.min(bytes, at + BLOCK_BYTES);
      const block = readBytes(file, at, to);
      if (block.length < to - at) return undefined;
      crc = crc32(block, crc);
    }
    return { bytes, crc };
  });
}

/** Carries out calls on a file that is opened for them; `undefined` if there is none. */
function onOpenFile<T>(path: string, calls: (file: number) => T): T | undefined {
  return onFile(path, () => {
    if (disk.stat(path, { throwIfNoEntry: false }) === undefined) return undefined;
    const file = disk.open(path, "r");
    try {
      return calls(file);
    } finally {
      disk.close(file);
    }
  });
}

/** Returns the size of a file in bytes, 0 if there is none. */
export function sizeOf(path: string): number {
  return onFile(path, () => disk.stat(path, { throwIfNoEntry: false }))?.size ?? 0;
}
