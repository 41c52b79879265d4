/** Atomic replacement of a file by way of a temporary name. */
import { renameSync } from "node:fs";

/** Lets `write` create a file and then renames it to `file`. */
export function replaceFile(file: string, write: (unfinished: string) => void): void {
  const unfinished = `${file}.unfinished`;
  write(unfinished);
  renameSync(unfinished, file);
}
