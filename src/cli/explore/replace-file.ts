/** A file that is there whole or not at all: until it is complete it has another name. */
import { renameSync } from "node:fs";

/** Has `write` make a file, which then takes the place of whatever has the name. */
export function replaceFile(file: string, write: (unfinished: string) => void): void {
  const unfinished = `${file}.unfinished`;
  write(unfinished);
  renameSync(unfinished, file);
}
