/**
 * Mutation testing by StrykerJS: the changes of the program that its tests would miss. `npm run mutation` runs this and then the report.
 *
 * Mutated: the whole agreement, since each line of it carries safety; and of the ledger what decides whether an amount
 * may move and what moves it (`check*`, `judge`, `fees`, `apply*`, `execute`, `balances`, `epoch`) with the
 * records that these read and write (`state`, `token`, `authorise`, `target`). Encodings, roots and limits are left to
 * the vectors of bytes and the properties that hold them.
 *
 * Judges: see vitest.config.ts.
 */
import { fileURLToPath } from "node:url";

const ledger = [
  ..."applied apply authorised balances check check-due check-skip epoch execute fees state token".split(" "),
  ..."payments policies supply tokens".split(" ").map((family) => `operations/${family}`),
];

/** @type {import("@stryker-mutator/core").PartialStrykerOptions} */
export default {
  mutate: ["src/core/consensus/*.ts", ...ledger.map((name) => `src/core/ledger/${name}.ts`)],
  plugins: ["@stryker-mutator/vitest-runner", fileURLToPath(new URL("ignored.mjs", import.meta.url))],
  ignorers: ["texts", "unreachable"],
  testRunner: "vitest",
  vitest: { configFile: "tools/mutation/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  // What runs only while files load is constants and the records of rules. Broken, they break the loading of tests, which
  // the runner does not count as a failure; what runs then as well as within tests is judged by those.
  ignoreStatic: true,
  // A worker holds one core; the command line sets more.
  concurrency: 1,
  // A mutant that loops is found by its hits; the clock only has to end what sleeps, on a slow machine as well.
  timeoutMS: 60_000,
  timeoutFactor: 4,
  dryRunTimeoutMinutes: 30,
  // Of reports/ only the report itself is kept.
  tempDirName: "reports/.mutation/sandbox",
  ignorePatterns: ["/dist", "/dist-*", "/reports", "/bench", "/coverage"],
  // What was judged stands while the mutated line and the test that killed it do: `--mutate <files>` runs a part, and the
  // next run goes on. Changes of scenarios and of other code are not seen; without this folder everything is run again.
  incremental: true,
  incrementalFile: "reports/.mutation/incremental.json",
  reporters: ["json", "progress-append-only"],
  jsonReporter: { fileName: "reports/.mutation/result.json" },
  disableTypeChecks: false,
  allowConsoleColors: false,
};
