/** The texts of the repository that tests of the documents read. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Text {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Reads all files below the folders whose name fits, in order of their paths; installed packages are left out. */
export function textsBelow(folders: readonly string[], name: RegExp): readonly Text[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && name.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll("\\", "/"))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}
