/** JUnit XML of runs, for CI systems: one test case for a run, or for a check of a campaign and each seed that fails it. */
import { create } from "xmlbuilder2";
import { definedMembers } from "../core/base/defined-members.ts";
import { commandText, type RunReport } from "./run-report.ts";

/** A file that could not be run. */
export type UnrunFile = Readonly<{ id: string; file: string; message: string }>;

export interface JunitCase {
  readonly name: string;
  readonly classname: string;
  readonly file?: string;
  /** `undefined`: not measured apart. */
  readonly wallMs?: number;
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
export function caseOfRun(suite: string, run: RunReport): JunitCase {
  const { id, file, result, wallMs } = run;
  const { verdict, reason, seed } = result;
  const one = { name: `${id} (seed ${seed})`, classname: classOf(suite, file), file, wallMs };
  if (verdict === "pass") return one;
  const text = `${reason}\nreproduce: ${commandText(run)}`;
  return { ...one, outcome: { tag: verdict === "error" ? "error" : "failure", type: verdict, message: reason, text } };
}

/** Returns the case of a file that is no scenario. */
export function caseOfUnrun(suite: string, { id, file, message }: UnrunFile): JunitCase {
  const outcome = { tag: "error", type: "refused", message, text: message } as const;
  return { name: id, classname: classOf(suite, file), file, wallMs: 0, outcome };
}

/** Checks of a campaign, which are made in each of its runs. */
export interface CampaignChecks {
  readonly names: readonly string[];
  /** Why the runs show little. */
  readonly shortcomings: readonly string[];
}

/** A run, and the check that it failed. */
export type CheckedRun = Readonly<{ run: RunReport; check: string | undefined }>;

/** Returns a case for each check, or for each seed that failed it, under names that do not depend on the seeds. */
export function casesOfCampaign(
  suite: string,
  { names, shortcomings }: CampaignChecks,
  failed: readonly CheckedRun[],
  wallMs: number,
): readonly JunitCase[] {
  const checks = [...new Set([...names, ...failed.flatMap(({ check }) => check ?? [])])];
  const cases = checks.flatMap((name): readonly JunitCase[] => {
    const runs = failed.filter(({ check }) => check === name);
    if (runs.length === 0) return [{ name, classname: suite }];
    const nameOf = (place: number): string => (place === 0 ? name : `${name} ${place + 1}`);
    return runs.map(({ run }, place) => ({ ...caseOfRun(suite, run), name: nameOf(place), classname: suite }));
  });
  const whole = { name: "campaign", classname: suite, wallMs };
  if (shortcomings.length === 0) return [...cases, whole];
  return [...cases, { ...whole, outcome: { tag: "failure", type: "shortcoming", message: shortcomings.join("; ") } }];
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
    const time = taken === undefined ? undefined : seconds(taken);
    const builder = element.ele("testcase", { classname, name, ...definedMembers({ file, time }) });
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
