/** JUnit XML of runs, for CI systems: one test case for a run, or for an invariant over a range of runs. */
import { create } from "xmlbuilder2";
import type { RunReport } from "./run-report.ts";

/** A file that could not be run. */
export type UnrunFile = Readonly<{ id: string; file: string; message: string }>;

export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  readonly file?: string;
  readonly wallMs: number;
  /** `undefined`: it passed. */
  readonly outcome?: {
    readonly tag: "failure" | "error" | "skipped";
    readonly type?: string;
    readonly message: string;
    readonly text?: string;
  };
}

/** Stands for characters that XML cannot represent. */
const REPLACEMENT = "\uFFFD";

/** Returns the case of a run. The verdict `error` is an error, every other one but `pass` a failure. */
export function caseOfRun(suite: string, { id, file, result, wallMs, replay }: RunReport): JunitCase {
  const { verdict, reason, seed } = result;
  const one = { name: `${id} (seed ${seed})`, classname: classOf(suite, file), file, wallMs };
  if (verdict === "pass") return one;
  const text = `${reason}\nreproduce: ${replay}`;
  return { ...one, outcome: { tag: verdict === "error" ? "error" : "failure", type: verdict, message: reason, text } };
}

/** Returns the case of a file that is no scenario. */
export function caseOfUnrun(suite: string, { id, file, message }: UnrunFile): JunitCase {
  const outcome = { tag: "error", type: "refused", message, text: message } as const;
  return { name: id, classname: classOf(suite, file), file, wallMs: 0, outcome };
}

/** Returns a case for each invariant that no failed run broke. `runs`: such as `seeds 1 to 200`. */
export function casesOfInvariants(
  suite: string,
  runs: string,
  invariants: readonly string[],
  failed: readonly RunReport[],
): readonly JunitCase[] {
  const broken = new Set(failed.flatMap(({ result }) => result.violations.map(({ invariant }): string => invariant)));
  const held = invariants.filter((name) => !broken.has(name));
  return held.map((name) => ({ name: `${runs}: ${name}`, classname: suite, wallMs: 0 }));
}

/** Returns the case that stands for the runs that an interrupt prevented. */
export function notRunCase(suite: string, count: number): JunitCase {
  const message = `interrupted: ${count} not run`;
  return { name: message, classname: suite, wallMs: 0, outcome: { tag: "skipped", message } };
}

/** Returns the text of the file. `suite`: the command. */
export function junitText(
  suite: string,
  cases: readonly JunitCase[],
  { startedAt, wallMs }: { readonly startedAt: Date; readonly wallMs: number },
): string {
  const count = (tag: string): number => cases.filter(({ outcome }) => outcome?.tag === tag).length;
  const totals = { tests: cases.length, failures: count("failure"), errors: count("error"), skipped: count("skipped") };
  const time = seconds(wallMs);
  const document = create({ version: "1.0", encoding: "UTF-8", invalidCharReplacement: REPLACEMENT });
  const element = document
    .ele("testsuites", { name: suite, ...totals, time })
    .ele("testsuite", { name: suite, ...totals, time, timestamp: startedAt.toISOString().slice(0, 19) });
  for (const { name, classname, file, wallMs: taken, outcome } of cases) {
    const where = file === undefined ? {} : { file };
    const builder = element.ele("testcase", { classname, name, ...where, time: seconds(taken) });
    if (outcome === undefined) continue;
    const { tag, type, message, text } = outcome;
    const child = builder.ele(tag, type === undefined ? { message } : { type, message });
    if (text !== undefined) child.txt(text);
  }
  return `${document.end({ prettyPrint: true })}\n`;
}

/** The folder of a file in the dotted form that CI systems group by; the suite for a file without one. */
function classOf(suite: string, file: string): string {
  const folders = file.split(/[\\/]/).slice(0, -1);
  const named = folders.filter((part) => part !== "" && part !== "." && part !== "..");
  return named.length === 0 ? suite : named.join(".");
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}
