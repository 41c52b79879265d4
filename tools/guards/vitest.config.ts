/** The tests of core and oracles over the instrumented texts, for the guards and reports that no kept scenario needs. */
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { instrumentAll, judgedFiles } from "./program.ts";

const { texts } = instrumentAll(judgedFiles());

/** The nearer to the code, the sooner: the first test file that notices a guard is the one in the record. */
const ORDER = [
  /consensus\/(?!agreement)/,
  /ledger\/(?!checkpoint|codec)/,
  /core\/validator\//,
  /core\/consensus\/agreement/,
  /core\//,
];

function rankOf({ moduleId }: TestSpecification): number {
  return ORDER.findIndex((place) => place.test(moduleId));
}

class Nearest extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  plugins: [
    {
      name: "guards",
      enforce: "pre",
      transform: (_code, id) => texts.get(relative(process.cwd(), id).replaceAll("\\", "/")),
    },
  ],
  test: {
    include: ["test/core/**/*.test.ts", "test/invariants/**/*.test.ts"],
    setupFiles: ["test/guards/setup.ts"],
    sequence: { sequencer: Nearest },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    runner: "tools/guards/runner.ts",
    // One worker remembers which guards are killed. Modules are loaded once for all files: no test here mocks one.
    isolate: false,
    fileParallelism: false,
    pool: "threads",
  },
});
