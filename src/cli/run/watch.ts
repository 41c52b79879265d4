/** Changes of scenario files on the disk. */
import { type FSWatcher, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { findScenarios } from "../../scenario/files.ts";
import { isScenario } from "../files.ts";
import type { Io } from "../io.ts";

/** Milliseconds without a further change after which files are run: editors write in several steps. */
const QUIET_MS = 100;

/** Watches files and folders from its creation on. */
export class FileWatch {
  readonly #changed = new Set<string>();
  readonly #watchers: readonly FSWatcher[];
  #changedAt = 0;

  /** Of a pattern it watches the files that match now; of a name without a file, nothing. */
  constructor(paths: readonly string[]) {
    this.#watchers = paths.flatMap((path) => {
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
        return [this.#watch(path, true, (file) => isScenario(file))];
      const { files } = findScenarios([path]);
      const found = new Set(files.map((one) => join(one.path)));
      const folders = new Set([...found].map((file) => dirname(file)));
      return [...folders].map((folder) => this.#watch(folder, false, (file) => found.has(file)));
    });
  }

  #watch(folder: string, recursive: boolean, isMeant: (file: string) => boolean): FSWatcher {
    return watch(folder, { recursive }, (_event, name) => {
      const file = name === null ? "" : join(folder, name);
      if (!isMeant(file)) return;
      this.#changed.add(file);
      this.#changedAt = performance.now();
    });
  }

  /** Resolves with the files that changed since the last call, at least one; with `undefined` after an interrupt. */
  async next(io: Io): Promise<readonly string[] | undefined> {
    while (this.#changed.size === 0 || performance.now() - this.#changedAt < QUIET_MS) {
      if (await io.interrupted()) return undefined;
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    }
    const changed = [...this.#changed].sort();
    this.#changed.clear();
    return changed;
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}
