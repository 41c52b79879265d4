/** Text of runs for a terminal: one line each; below a failure its causes and the commands that reproduce it. */
import { REFUSAL_CODES, REFUSALS } from "../core/ledger/refusals.ts";
import { countText } from "../invariants/text.ts";
import type { NamedViolation, Verdict } from "../run/verdict.ts";
import type { Paint, Tone } from "./paint.ts";
import type { RunReport, RunSummary } from "./run-lines.ts";

const TONES: Readonly<Record<Verdict, Tone>> = {
  pass: "good",
  violation: "bad",
  stalled: "bad",
  unmet: "warn",
  error: "bad",
};
const VIOLATIONS_SHOWN = 5;
const ID_WIDTH = 56;

/** The line of a run, and below it the causes of a failure. */
export function runText(run: RunReport, paint: Paint): string {
  const { id, result, wallMs } = run;
  const { verdict, finals, virtualMs } = result;
  const facts = `${String(finals.length).padStart(5)} final ${String(virtualMs).padStart(7)} ms virtual ${wallMs.toFixed(0).padStart(5)} ms`;
  const line = `${paint(TONES[verdict], verdict.padEnd(9))} ${id.padEnd(ID_WIDTH)} ${paint("dim", facts)}\n`;
  const report = result.schedule === undefined ? line : `${line}    ${paint("dim", result.schedule)}\n`;
  return verdict === "pass" ? report : `${report}${explanation(run, paint)}`;
}

/** The line after all runs. */
export function summaryText({ runs, passed, failed, wallMs }: RunSummary, paint: Paint): string {
  const seconds = (wallMs / 1000).toFixed(1);
  const parts = [
    countText(runs, "scenario"),
    paint(passed > 0 ? "good" : "dim", `${passed} passed`),
    paint(failed > 0 ? "bad" : "dim", `${failed} failed`),
  ];
  return `\n${parts.join(", ")} ${paint("dim", `in ${seconds} s`)}\n`;
}

function explanation({ result, replay, explain }: RunReport, paint: Paint): string {
  const { verdict, reason, violations, beyondF, unmet, cutShort } = result;
  const lines: string[] = [];
  if (verdict === "error") lines.push(...reason.split("\n"));
  if (cutShort !== undefined) lines.push(cutShort);
  if (verdict === "unmet" && reason === "empty")
    lines.push("The run shows nothing: no operation is final, or the file has no expectations.");
  lines.push(...shown(violations, paint), ...unmet.map((words) => `expected ${words}`));
  if (beyondF.length > 0)
    lines.push(paint("dim", "Excused, because more than f validators are Byzantine:"), ...shown(beyondF, paint));
  lines.push(`${paint("dim", "reproduce:")} ${replay}`);
  if (explain !== undefined) lines.push(`${paint("dim", "explain:")} ${explain}`);
  return `${lines.map((line) => `    ${line}\n`).join("")}`;
}

function shown(violations: readonly NamedViolation[], paint: Paint): readonly string[] {
  const lines = violations.slice(0, VIOLATIONS_SHOWN).flatMap(({ invariant, detail, faulty, virtualMs, step }) => {
    const where = paint("dim", `(at ${virtualMs} ms, step ${step})`);
    const who = faulty.length === 0 ? [] : [`    faulty: ${faulty.join(", ")}`];
    return [`${paint("strong", invariant)}: ${detail} ${where}`, ...who, ...rulesIn(detail, paint)];
  });
  const more = violations.length - VIOLATIONS_SHOWN;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** The rules of the refusal codes in a detail, for readers who do not know the codes. */
function rulesIn(detail: string, paint: Paint): readonly string[] {
  const words = new Set(detail.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []);
  return REFUSAL_CODES.filter((code) => words.has(code)).map((code) =>
    paint("dim", `    rule of ${code}: ${REFUSALS[code].rule}`),
  );
}
