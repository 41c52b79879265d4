/** Recording on disk: a write-ahead log, read at the start. */
import { closeSync, fstatSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs";
import { NO_SUM, type Recording, type RecordingEntry, type RecordingHead, recordLine } from "../../live/recording.ts";

/** Sink of entries. */
export interface Sink {
  write(entry: RecordingEntry): void;
  close(): void;
}

/** Starts a recording and overwrites the file. */
export function beginStateFile(path: string, head: RecordingHead): Sink {
  const { line, sum } = recordLine(NO_SUM, head);
  writeFileSync(path, line);
  return appending(path, sum);
}

/** Continues a recording; a torn tail is truncated. */
export function continueStateFile(path: string, { sum, bytes }: Pick<Recording, "sum" | "bytes">): Sink {
  const file = openSync(path, "r+");
  if (fstatSync(file).size > bytes) ftruncateSync(file, bytes);
  closeSync(file);
  return appending(path, sum);
}

/** Entries kept in memory, for later requests of the recording. */
export class MemorySink implements Sink {
  readonly #lines: string[] = [];
  #sum: string;

  constructor(head: RecordingHead, past: readonly RecordingEntry[] = []) {
    const { line, sum } = recordLine(NO_SUM, head);
    this.#sum = sum;
    this.#lines.push(line);
    for (const entry of past) this.write(entry);
  }

  write(entry: RecordingEntry): void {
    const { line, sum } = recordLine(this.#sum, entry);
    this.#sum = sum;
    this.#lines.push(line);
  }

  /** Entries stay readable after the end. */
  close(): void {}

  text(): string {
    return this.#lines.join("");
  }
}

function appending(path: string, sum: string): Sink {
  // Written when the call returns, so that a killed process loses no entry.
  const file = openSync(path, "a");
  let last = sum;
  return {
    write: (entry) => {
      const { line, sum: next } = recordLine(last, entry);
      writeSync(file, line);
      last = next;
    },
    close: () => closeSync(file),
  };
}
