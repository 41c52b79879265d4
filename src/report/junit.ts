/** JUnit XML of runs, for CI systems: one test case per run. */
import { create } from "xmlbuilder2";
import type { RunReport } from "./run-report.ts";

/** A file that could not be run. */
export type NotRun = Readonly<{ id: string; file: string; message: string }>;

/** Stands for characters that XML cannot represent. */
const REPLACEMENT = "\uFFFD";

/** The text of the file. `suite`: the command. Verdict `error` and files not run are errors, the others failures. */
export function junitText(suite: string, runs: readonly RunReport[], unrun: readonly NotRun[]): string {
  const failures = runs.filter(({ result: { verdict } }) => verdict !== "pass" && verdict !== "error");
  const errors = runs.length - runs.filter(({ result: { verdict } }) => verdict !== "error").length + unrun.length;
  const document = create({ version: "1.0", encoding: "UTF-8", invalidCharReplacement: REPLACEMENT });
  const cases = document.ele("testsuites").ele("testsuite", {
    name: suite,
    tests: runs.length + unrun.length,
    failures: failures.length,
    errors,
    time: seconds(runs.reduce((sum, { wallMs }) => sum + wallMs, 0)),
  });
  for (const { id, file, result, wallMs, replay } of runs) {
    const { verdict, reason, seed } = result;
    const name = `${id} (seed ${seed})`;
    const one = cases.ele("testcase", { classname: suite, name, file, time: seconds(wallMs) });
    if (verdict === "pass") continue;
    const tag = verdict === "error" ? "error" : "failure";
    one.ele(tag, { type: verdict, message: reason }).txt(`${reason}\nreproduce: ${replay}`);
  }
  for (const { id, file, message } of unrun) {
    const one = cases.ele("testcase", { classname: suite, name: id, file, time: seconds(0) });
    one.ele("error", { type: "refused", message }).txt(message);
  }
  return `${document.end({ prettyPrint: true })}\n`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
