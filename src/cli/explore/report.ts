/** Output of `explore`: levels, bounds, and the counterexample with its path. */

import { CHECKS } from "../../explore/model/checks.ts";
import type { PathStep } from "../../explore/model/local-state.ts";
import { CLIENTS, CRASHED } from "../../explore/model/model.ts";
import type { BoundsReport, Level } from "../../explore/search/deepen.ts";
import type { Counterexample } from "../../explore/search/search.ts";
import type { PathValidation } from "../../explore/search/validate-path.ts";
import type { Paint } from "../../report/paint.ts";
import { roundToTenths } from "../../report/run-report.ts";
import { jsonLine } from "../output.ts";

/** Counterexample in the output. */
export interface CounterexampleReport {
  readonly counterexample: Counterexample;
  readonly validated: PathValidation;
  readonly file: string;
  readonly replay: string;
}

/** Result of an exploration. */
interface ExplorationReport {
  readonly id: string;
  readonly bug: string | undefined;
  readonly levels: readonly Level[];
  readonly bounds: BoundsReport;
  readonly exhausted: boolean;
  readonly found: CounterexampleReport | undefined;
  readonly wallMs: number;
}

/** Returns the line of a finished level. */
export function levelText(level: Level, wallMs: number, perSecond: number, paint: Paint): string {
  const { bounds, states, transitions, exhausted, counterexample } = level;
  const word =
    counterexample !== undefined
      ? paint("bad", "violation")
      : exhausted
        ? paint("good", "exhausted")
        : paint("bad", "not exhausted");
  const rate = perSecond > 0 ? `, ${perSecond} a second` : "";
  const counts = `${String(states).padStart(10)} states ${String(transitions).padStart(11)} transitions`;
  return `${word}  ${boundsText(bounds)} ${counts} ${paint("dim", `in ${(wallMs / 1_000).toFixed(1)} s${rate}`)}\n`;
}

export function boundsText({ rounds, crashes }: { readonly rounds: number; readonly crashes: number }): string {
  const crashing = crashes === 0 ? "no crash" : crashes === 1 ? "1 crash" : `${crashes} crashes`;
  return `rounds 0..${rounds}, ${crashing}`;
}

/** Returns the frontier of a stopped search, and how to search further; nothing for a search that ended by itself. */
export function remainingText({ states, left, isFull }: Level, paint: Paint): string {
  if (left === undefined) return "";
  const why = isFull ? `; out of memory after ${states} states` : "";
  const remaining = `frontier: ${left.frontier} states, depth <= ${left.depth} visible steps${why}`;
  const advice = isFull ? "" : `    ${paint("dim", "a higher --states searches further")}\n`;
  return `    ${remaining}\n${advice}`;
}

/** Returns the summary for people. */
export function exploreText(report: ExplorationReport, paint: Paint): string {
  const lines = report.found === undefined ? [] : [...counterexampleLines(report.found, paint)];
  const { bounds, exhausted, found } = report;
  const states = report.levels.map((level) => level.states).reduce((sum, count) => sum + count, 0);
  const verdict = found !== undefined ? "violation" : exhausted ? "no violation" : "no violation, not exhausted";
  lines.push("");
  lines.push(`${report.id}: ${states} states, ${verdict}`);
  lines.push(
    paint(
      "dim",
      `${bounds.validators} validators, of which ${bounds.byzantine} is Byzantine; values: ${bounds.values.join(", ")}`,
    ),
  );
  if (bounds.interchangeable.length > 0)
    lines.push(paint("dim", `symmetry: ${bounds.interchangeable.join(", ")} are interchangeable`));
  lines.push(paint("dim", `checked in each state: ${bounds.checks.join(", ")}`));
  for (const sentence of bounds.model) lines.push(paint("dim", `bound: ${sentence}`));
  return `${lines.join("\n")}\n`;
}

/** Returns the lines of a counterexample: failed check, path, and the validation by the ordinary oracles. */
function counterexampleLines(
  { counterexample, validated, file, replay }: CounterexampleReport,
  paint: Paint,
): readonly string[] {
  const lines = [
    `    ${paint("bad", counterexample.check)} (protocol ${CHECKS[counterexample.check]}): ${counterexample.text}`,
  ];
  for (const line of pathLines(counterexample.path)) lines.push(`    ${line}`);
  lines.push(`    ${paint("dim", "the same path by validators without normalization:")}`);
  for (const line of validationLines(counterexample.check, validated, paint)) lines.push(`      ${line}`);
  if (file !== "") lines.push(`    ${paint("dim", "saved:")} ${file}`);
  if (replay !== "") lines.push(`    ${paint("dim", "reproduce:")} ${replay}`);
  return lines;
}

/** Returns the numbered steps of a path, one a line. */
export function pathLines(path: readonly PathStep[]): readonly string[] {
  return path.map((step, place) => `${String(place + 1).padStart(3)}. ${stepText(step)}`);
}

/** Returns the result of a path by validators without normalization. `check`: the one that failed in the search. */
export function validationLines(check: string, validated: PathValidation, paint: Paint): readonly string[] {
  const { violations, impossible, stall } = validated;
  const lines = violations.map(({ invariant, detail }) => `${paint("bad", invariant)}: ${detail}`);
  if (impossible !== undefined) lines.unshift(`not enabled: ${stepText(impossible)}`);
  if (stall !== undefined) lines.push(`${paint("bad", "liveness")}: ${stall}`);
  else if (violations.length === 0)
    lines.push(paint("good", check === "liveness" ? "all demands are met" : "no oracle reports a violation"));
  return lines;
}

/** Returns one step of a path as text. */
export function stepText({ who, what, cut }: PathStep): string {
  if (who === CLIENTS) return what;
  if (what === CRASHED) return `${who} crashes and restarts`;
  return `${who} receives ${what}${cut === undefined ? "" : `, crashes after output ${cut.outputs} of input ${cut.input + 1}, and restarts`}`;
}

/** Returns the JSON line. */
export function exploreLine({ id, bug, levels, bounds, exhausted, found, wallMs }: ExplorationReport): string {
  const last = levels.at(-1);
  const violations = found === undefined ? [] : [violationOf(found)];
  return jsonLine({
    type: "explore",
    scenario: id,
    ...(bug === undefined ? {} : { bug }),
    states: last?.states ?? 0,
    transitions: last?.transitions ?? 0,
    exhausted,
    bounds,
    levels: levels.map((level) => ({
      ...level.bounds,
      states: level.states,
      transitions: level.transitions,
      exhausted: level.exhausted,
      ...(level.left === undefined ? {} : { frontier: level.left.frontier, depth: level.left.depth }),
    })),
    violations,
    wall_ms: roundToTenths(wallMs),
  });
}

function violationOf({ counterexample, validated, file, replay }: CounterexampleReport): object {
  return {
    check: counterexample.check,
    section: CHECKS[counterexample.check],
    detail: counterexample.text,
    path: counterexample.path.map(stepText),
    stall: validated.stall ?? null,
    oracles: validated.violations.map(({ invariant, detail, faulty }) => ({ invariant, detail, faulty })),
    impossible: validated.impossible === undefined ? null : stepText(validated.impossible),
    file,
    replay,
  };
}
