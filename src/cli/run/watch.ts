/** Changes of scenario files on the disk. */
import { type FSWatcher, statSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { isScenario } from "../files.ts";
import type { Io } from "../io.ts";

/** Milliseconds without a further change after which files are run: editors write in several steps. */
const QUIET_MS = 100;

/** Watches files and folders from its creation on. */
export class FileWatch {
  readonly #changed = new Set<string>();
  readonly #watchers: readonly FSWatcher[];
  #changedAt = 0;

  constructor(paths: readonly string[]) {
    this.#watchers = paths.map((path) => {
      const isFolder = statSync(path).isDirectory();
      const folder = isFolder ? path : dirname(path);
      return watch(folder, { recursive: isFolder }, (_event, name) => {
        const file = name === null ? "" : join(folder, name);
        if (!isScenario(file) || (!isFolder && join(path) !== file)) return;
        this.#changed.add(file);
        this.#changedAt = performance.now();
      });
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
