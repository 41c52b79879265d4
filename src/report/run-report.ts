/** Report of a run: a JSON line for programs, text for people, annotations and a summary on GitHub's runner. */

import { definedMembers } from "../core/base/defined-members.ts";
import { REFUSAL_CODES, REFUSALS } from "../core/base/refusal.ts";
import { CATALOGUE } from "../invariants/catalogue.ts";
import { countText } from "../invariants/text.ts";
import { idleText, type NamedViolation, type PlainResult, type Verdict } from "../run/verdict.ts";
import { readYaml } from "../scenario/yaml-document.ts";
import type { Paint, Tone } from "./paint.ts";

/** A run with what its report needs. */
export interface RunReport {
  readonly id: string;
  readonly file: string;
  readonly result: PlainResult;
  readonly wallMs: number;
  readonly versions: ProgramVersion & Readonly<{ format: number; node: string }>;
  /** The command that reproduces the run. */
  readonly replay: string;
  /** The command that prints its narrative; `undefined` if no file holds the scenario. */
  readonly explain: string | undefined;
}

/** Program of a run; `commit` is absent outside a git clone. */
export type ProgramVersion = Readonly<{ quorumlab: string; commit?: string }>;

/** Returns `version 0.1.0, commit 0123456789ab`. */
export function programText({ quorumlab, commit }: ProgramVersion): string {
  return commit === undefined ? `version ${quorumlab}` : `version ${quorumlab}, commit ${commit.slice(0, 12)}`;
}

/** Returns the command that reproduces a run, with the program that it needs. */
export function commandText({ replay, versions }: RunReport): string {
  return `${replay} (${programText(versions)})`;
}

/** Numbers of runs, and milliseconds. */
export interface RunSummary {
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  /** Left out by a pattern or by tags. */
  readonly leftOut?: number;
  /** Files that an interrupt or the last allowed failure prevented. */
  readonly notRun?: number;
  readonly isInterrupted?: boolean;
  readonly wallMs: number;
}

/** Returns the JSON line of one run: a contract with users' programs, to which members may be added, never changed. */
export function runLine({ id, file, result, wallMs, versions, replay, explain }: RunReport): string {
  const { verdict, violations, expected, beyondF, unmet, idle, epochsClosed } = result;
  return JSON.stringify({
    type: "run",
    scenario: id,
    seed: result.seed,
    verdict,
    ...(verdict === "pass" ? {} : { reason: result.reason }),
    hash: result.hash,
    crypto: result.crypto,
    steps: result.steps,
    virtual_ms: result.virtualMs,
    wall_ms: roundToTenths(wallMs),
    final: result.finals.length,
    ...(epochsClosed > 0 ? { epochs_closed: epochsClosed } : {}),
    violations: violations.map(violationPart),
    ...(expected.length > 0 ? { expected_violations: expected.map(violationPart) } : {}),
    ...(beyondF.length > 0 ? { beyond_f: beyondF.map(violationPart) } : {}),
    ...(unmet.length > 0 ? { unmet } : {}),
    ...(idle.length > 0 ? { idle } : {}),
    ...definedMembers({ schedule: result.schedule, cut_short: result.cutShort }),
    file,
    replay,
    ...(verdict === "pass" || explain === undefined ? {} : { explain }),
    ...versions,
  });
}

/** Returns the JSON line after all runs. */
export function summaryLine({ wallMs, ...summary }: RunSummary): string {
  const { runs, passed, failed, leftOut = 0 } = summary;
  const left = leftOut === 0 ? {} : { left_out: leftOut };
  return JSON.stringify({
    ...{ type: "summary", runs, passed, failed },
    ...left,
    ...interruption(summary),
    wall_ms: roundToTenths(wallMs),
  });
}

/** Returns the members of the summary of a command that ended early. */
export function interruption({ notRun = 0, isInterrupted }: Pick<RunSummary, "notRun" | "isInterrupted">): object {
  return { ...(isInterrupted === true ? { interrupted: true } : {}), ...(notRun === 0 ? {} : { not_run: notRun }) };
}

function violationPart({ invariant, step, virtualMs, detail, faulty }: NamedViolation): Record<string, unknown> {
  return { invariant, step, virtual_ms: virtualMs, detail, faulty };
}

/** Returns milliseconds rounded to tenths. */
export function roundToTenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

export const TONES: Readonly<Record<Verdict, Tone>> = {
  pass: "good",
  violation: "bad",
  stalled: "bad",
  unmet: "warn",
  error: "bad",
};
const VIOLATIONS_SHOWN = 5;
const ID_WIDTH = 56;

/** Returns the line of a run, and below it the causes of a failure and the commands that reproduce it. */
export function runText(run: RunReport, paint: Paint): string {
  const { id, result, wallMs } = run;
  const { verdict, finals, virtualMs, idle } = result;
  const facts = `${String(finals.length).padStart(5)} final ${String(virtualMs).padStart(7)} ms virtual ${wallMs.toFixed(0).padStart(5)} ms`;
  const line = `${paint(TONES[verdict], verdict.padEnd(9))} ${id.padEnd(ID_WIDTH)} ${paint("dim", facts)}\n`;
  const report = result.schedule === undefined ? line : `${line}    ${paint("dim", result.schedule)}\n`;
  const idleLines = idle.map((step) => `    ${paint(verdict === "unmet" ? "warn" : "dim", idleText(step))}\n`).join("");
  return `${report}${idleLines}${verdict === "pass" ? "" : explanation(run, paint)}`;
}

/** Returns the line after all runs; `what`: the word for one of them. */
export function summaryText(summary: RunSummary, paint: Paint, what = "scenario"): string {
  const { runs, passed, failed, leftOut = 0, notRun = 0, isInterrupted, wallMs } = summary;
  const seconds = (wallMs / 1000).toFixed(1);
  const parts = [
    countText(runs, what),
    paint(passed > 0 ? "good" : "dim", `${passed} passed`),
    paint(failed > 0 ? "bad" : "dim", `${failed} failed`),
    ...(leftOut === 0 ? [] : [paint("dim", `${leftOut} left out`)]),
    ...(isInterrupted === true ? [paint("warn", "interrupted")] : []),
    ...(notRun === 0 ? [] : [paint("warn", `${notRun} not run`)]),
  ];
  return `\n${parts.join(", ")} ${paint("dim", `in ${seconds} s`)}\n`;
}

function explanation(run: RunReport, paint: Paint): string {
  const { result, explain } = run;
  const { verdict, reason, violations, beyondF, named, unmet, idle, cutShort } = result;
  const lines: string[] = [];
  if (verdict === "error") lines.push(...reason.split("\n"));
  if (cutShort !== undefined && verdict !== "violation") lines.push(cutShort);
  if (verdict === "unmet" && reason === "empty")
    lines.push(
      "The run shows nothing: no operation is final. Expect what became of one (final, refused, superseded, blocked), " +
        "or - { nothing_final: true }.",
    );
  else if (verdict === "unmet" && unmet.length === 0 && cutShort === undefined)
    lines.push(idle.length === 0 ? `${reason}.` : "Where that is meant, the file says so: allow_idle: true.");
  lines.push(...violationLines(violations, named, paint), ...unmet.map((words) => `expected ${words}`));
  if (cutShort !== undefined && verdict === "violation") lines.push(...cutShort.split("\n"));
  if (beyondF.length > 0)
    lines.push(
      paint("dim", "Excused, because more than f validators are Byzantine:"),
      ...violationLines(beyondF, named, paint),
    );
  const rules = brokenInvariants([...violations, ...beyondF]).map(
    ({ name, section }) => `quorumlab explain ${name} (protocol ${section})`,
  );
  if (rules.length > 0) lines.push(`${paint("dim", "rules:")} ${rules.join(", ")}`);
  lines.push(`${paint("dim", "reproduce:")} ${commandText(run)}`);
  if (explain !== undefined) lines.push(`${paint("dim", "explain:")} ${explain}`);
  return `${lines.map((line) => `    ${line}\n`).join("")}`;
}

/** Returns the violated invariants, in the order of the catalogue. */
export function brokenInvariants(violations: readonly NamedViolation[]): typeof CATALOGUE {
  const broken = new Set(violations.map(({ invariant }) => invariant));
  return CATALOGUE.filter(({ name }) => broken.has(name));
}

/** The first violations; below the first one that names it, each operation and each refusal code is explained. */
function violationLines(
  violations: readonly NamedViolation[],
  named: PlainResult["named"],
  paint: Paint,
): readonly string[] {
  const told = new Set<string>();
  const lines = violations.slice(0, VIOLATIONS_SHOWN).flatMap(({ invariant, detail, faulty, virtualMs, step }) => {
    const where = paint("dim", `(at ${virtualMs} ms, step ${step})`);
    const faultyLines = faulty.length === 0 ? [] : [`    faulty: ${faulty.join(", ")}`];
    const more = [...operationsIn(detail, named), ...rulesIn(detail)].filter((line) => !told.has(line));
    for (const line of more) told.add(line);
    const explained = more.map((line) => paint("dim", `    ${line}`));
    return [`${paint("strong", invariant)}: ${detail} ${where}`, ...faultyLines, ...explained];
  });
  const more = violations.length - VIOLATIONS_SHOWN;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** The rules of the refusal codes in a detail, for readers who do not know the codes. */
function rulesIn(detail: string): readonly string[] {
  const words = new Set(detail.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []);
  return REFUSAL_CODES.filter((code) => words.has(code)).map((code) => `rule of ${code}: ${REFUSALS[code].rule}`);
}

/** Sentences about the operations of a detail, for readers who know their names or the starts of their ids only. */
function operationsIn(detail: string, named: PlainResult["named"]): readonly string[] {
  const words = new Set(detail.match(/[A-Za-z0-9_][\w.-]*…?/g) ?? []);
  return named.filter(({ name }) => words.has(name)).map(({ name, text }) => `${name}: ${text}`);
}

/**
 * Returns the annotation of a failed run: at its first unmet expectation in the text of its file, else at the first step
 * without an effect, else at the first line.
 */
export function annotation(run: RunReport, text?: string): string {
  const { id, file, result } = run;
  const place = placeOf(result);
  const { verdict, reason } = result;
  const line = text === undefined || place === undefined ? 1 : lineOf(text, place);
  return workflowCommand(file, line, `${verdict}: ${id}`, `${reason}\nreproduce: ${commandText(run)}`);
}

/** The part of a scenario file that made a run unmet; `undefined` if no part did. */
function placeOf({ verdict, unmetAt: [unmet], idle: [idle] }: PlainResult): readonly [string, number] | undefined {
  if (verdict !== "unmet") return undefined;
  if (unmet !== undefined) return ["expect", unmet];
  return idle === undefined ? undefined : ["steps", idle.step - 1];
}

/** The line of a part of a scenario file, from 1. */
function lineOf(text: string, path: readonly (string | number)[]): number {
  const read = readYaml(text);
  return "problems" in read ? 1 : (read.document.place([{ path, message: "" }])[0]?.line ?? 1);
}

/** Returns an annotation; `at`: line number from 1. */
export function workflowCommand(file: string, at: number, title: string, message: string): string {
  return `::error file=${escapeProperty(file)},line=${at},title=${escapeProperty(title)}::${escapeAnnotation(message)}\n`;
}

function escapeAnnotation(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeAnnotation(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Rows of a summary, and characters of a reason there. */
const SUMMARY_ROWS = 20;
const SUMMARY_REASON = 300;

/** A run that failed, or a file that is no scenario. */
export type StepFailure = readonly [verdict: string, id: string, reason: string, command: string];

/** Returns the summary of a command for the page of its job, in Markdown. `result`: such as `3 scenarios, 2 passed`. */
export function stepSummary(suite: string, result: string, failures: readonly StepFailure[]): string {
  const cell = (text: string): string =>
    `\`${text.slice(0, SUMMARY_REASON).replace(/\s+/g, " ").replaceAll("`", "'").replaceAll("|", "\\|")}\``;
  const rows = failures.slice(0, SUMMARY_ROWS).map((texts) => `| ${texts.map(cell).join(" | ")} |`);
  const head = rows.length === 0 ? [] : ["", "| verdict | run | reason | reproduce |", "|---|---|---|---|"];
  const rest = failures.length > rows.length ? ["", `and ${failures.length - rows.length} more`] : [];
  return `${[`**${suite}**: ${result}`, ...head, ...rows, ...rest].join("\n")}\n\n`;
}
