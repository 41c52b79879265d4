/** The tests of core and oracles over the instrumented texts, for the guards and reports that no kept scenario needs. */
import { relative } from "node:path";
import { defineConfig } from "vitest/config";
import common from "../vitest.config.ts";
import { instrumentAll, judgedFiles } from "./program.ts";

const { texts } = instrumentAll(judgedFiles());

export default defineConfig({
  plugins: [
    {
      name: "guards",
      enforce: "pre",
      transform: (_code, id) => texts.get(relative(process.cwd(), id).replaceAll("\\", "/")),
    },
  ],
  test: {
    ...common.test,
    include: ["test/core/**/*.test.ts", "test/invariants/**/*.test.ts"],
    // It tests the cache that the instrumented text leaves out.
    exclude: ["test/core/base/memo-table.test.ts"],
    runner: "tools/mutation/guards/runner.ts",
    // One worker remembers which guards are killed. Modules are loaded once for all files: no test here mocks one.
    isolate: false,
    fileParallelism: false,
    pool: "threads",
  },
});
