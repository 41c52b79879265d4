/** Output of `explore`: levels, bounds, and counterexamples, with their files and their reproduction by the ordinary oracles. */

import { join } from "node:path";
import { findBug } from "../../bugs/catalogue.ts";
import { variantOf } from "../../bugs/known-bad-variant.ts";
import { CHECKS } from "../../explore/model/checks.ts";
import type { PathStep } from "../../explore/model/local-state.ts";
import { CLIENTS, CRASHED } from "../../explore/model/model.ts";
import { NotExplorable, type SystemOptions } from "../../explore/model/system.ts";
import { type BoundsReport, coverageIn, gapsIn, type Level } from "../../explore/search/deepen.ts";
import type { Counterexample, PathState } from "../../explore/search/search.ts";
import { type PathValidation, type PathWatcher, validatePath } from "../../explore/search/validate-path.ts";
import type { Paint } from "../../report/paint.ts";
import { type PathStateFacts, type RunData, watchPath } from "../../report/run-data.ts";
import { roundToTenths } from "../../report/run-report.ts";
import { validatorNames } from "../../scenario/declarations.ts";
import { readText } from "../../scenario/files.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { EXIT, type ExitCode, UsageError } from "../command.ts";
import { writeInFolder } from "../files.ts";
import { type Io, painterFor } from "../io.ts";
import { jsonLine } from "../output.ts";
import { quoteForShell, versions } from "../reproduce.ts";

/** Counterexample in the output. */
interface CounterexampleReport {
  readonly counterexample: Counterexample;
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
  const { byzantine, states, transitions, exhausted, counterexample } = level;
  const word =
    counterexample !== undefined
      ? paint("bad", "violation")
      : exhausted
        ? paint("good", "exhausted")
        : paint("bad", "not exhausted");
  const rate = perSecond > 0 ? `, ${perSecond} a second` : "";
  const counts = `${String(states).padStart(10)} states ${String(transitions).padStart(11)} transitions`;
  return `${word}  ${boundsText(level)}, ${byzantine} Byzantine ${counts} ${paint("dim", `in ${(wallMs / 1_000).toFixed(1)} s${rate}`)}\n`;
}

export function boundsText({ bounds: { rounds, crashes } }: Pick<Level, "bounds">): string {
  const crashing = crashes === 0 ? "no crash" : crashes === 1 ? "1 crash" : `${crashes} crashes`;
  return `rounds 0..${rounds}, ${crashing}`;
}

/** Returns the frontier of a stopped search, and how to search further; nothing for a search that ended by itself. */
export function remainingText({ left }: Level, paint: Paint): string {
  if (left === undefined) return "";
  const remaining = `frontier: ${left.frontier} states, depth <= ${left.depth} visible steps`;
  return `    ${remaining}\n    ${paint("dim", "a higher --states searches further")}\n`;
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
      `${bounds.validators} validators, of which ${bounds.byzantine.join(" or ")} is Byzantine; values: ${bounds.values.join(", ")}`,
    ),
  );
  if (bounds.unchosen.length > 0)
    lines.push(paint("bad", `not explored: ${bounds.unchosen.join(", ")} as the Byzantine validator`));
  if (bounds.interchangeable.length > 0)
    lines.push(paint("dim", `symmetry: ${bounds.interchangeable.join(", ")} are interchangeable`));
  lines.push(paint("dim", `checked in each state: ${bounds.checks.join(", ")}`));
  lines.push(...reachedLines(report, paint));
  for (const sentence of bounds.model) lines.push(paint("dim", `bound: ${sentence}`));
  return `${lines.join("\n")}\n`;
}

/** Returns the lines on what the searches reached, and on what they were meant to reach and did not. */
function reachedLines({ levels, bounds, found }: ExplorationReport, paint: Paint): readonly string[] {
  const reached = coverageIn(levels);
  const { round, proposers, decided, coverage } = reached;
  const listed = (names: readonly string[]): string => (names.length === 0 ? "none" : names.join(", "));
  return [
    paint("dim", `reached: rounds 0..${round}; proposals by: ${listed(proposers)}; decided: ${listed(decided)}`),
    paint("dim", `coverage points: ${listed(coverage)}`),
    ...(found === undefined ? gapsIn(bounds, reached).map((text) => paint("bad", text)) : []),
  ];
}

/** Returns the lines of a counterexample: failed check, path, and the validation by the ordinary oracles. */
function counterexampleLines({ counterexample, file, replay }: CounterexampleReport, paint: Paint): readonly string[] {
  const lines = [
    `    ${paint("bad", counterexample.check)} (protocol ${CHECKS[counterexample.check]}): ${counterexample.text}`,
  ];
  for (const line of pathLines(counterexample.path)) lines.push(`    ${line}`);
  lines.push(`    ${paint("dim", "the same path by validators without normalization:")}`);
  for (const line of validationLines(counterexample.check, counterexample.validated, paint))
    lines.push(`      ${line}`);
  lines.push(`    ${paint("dim", "saved:")} ${file}`, `    ${paint("dim", "reproduce:")} ${replay}`);
  return lines;
}

/** Returns the numbered steps of a path, one a line. */
function pathLines(path: readonly PathStep[]): readonly string[] {
  return path.map((step, place) => `${String(place + 1).padStart(3)}. ${stepText(step)}`);
}

/** Returns the result of a path by validators without normalization. `check`: the one that failed in the search. */
function validationLines(check: string, validated: PathValidation, paint: Paint): readonly string[] {
  const { violations, impossible, stall } = validated;
  const lines = violations.map(({ invariant, detail }) => `${paint("bad", invariant)}: ${detail}`);
  if (impossible !== undefined) lines.unshift(`not enabled: ${stepText(impossible)}`);
  if (stall !== undefined) lines.push(`${paint("bad", "liveness")}: ${stall}`);
  else if (violations.length === 0)
    lines.push(paint("good", check === "liveness" ? "all demands are met" : "no oracle reports a violation"));
  return lines;
}

/** Returns one step of a path as text. */
function stepText({ who, what, cut }: PathStep): string {
  if (who === CLIENTS) return what;
  if (what === CRASHED) return `${who} crashes and restarts`;
  return `${who} receives ${what}${cut === undefined ? "" : `, crashes after output ${cut.outputs} of input ${cut.input + 1}, and restarts`}`;
}

/** Returns the JSON line. */
export function exploreLine({ id, bug, levels, bounds, exhausted, found, wallMs }: ExplorationReport): string {
  const last = levels.at(-1);
  const reached = coverageIn(levels);
  const violations = found === undefined ? [] : [violationOf(found)];
  return jsonLine({
    type: "explore",
    scenario: id,
    ...(bug === undefined ? {} : { bug }),
    states: last?.states ?? 0,
    transitions: last?.transitions ?? 0,
    exhausted,
    bounds,
    reached,
    unreached: gapsIn(bounds, reached),
    levels: levels.map((level) => ({
      ...level.bounds,
      byzantine: level.byzantine,
      states: level.states,
      transitions: level.transitions,
      exhausted: level.exhausted,
      ...(level.left === undefined ? {} : { frontier: level.left.frontier, depth: level.left.depth }),
    })),
    violations,
    wall_ms: roundToTenths(wallMs),
  });
}

function violationOf({ counterexample, file, replay }: CounterexampleReport): object {
  const { validated } = counterexample;
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

/** Format version of a saved path. */
const FORMAT = 3;

interface SavedPath extends Pick<SystemOptions, "bounds" | "byzantine"> {
  readonly type: "explored path";
  readonly format: typeof FORMAT;
  readonly scenario: Scenario;
  readonly bug: string | undefined;
  readonly check: string;
  readonly detail: string;
  readonly path: readonly PathStep[];
  readonly states: readonly PathState[];
}

/** Writes a counterexample of a level into a folder; returns its report. */
export function saveCounterexample(
  folder: string,
  id: string,
  { scenario, bug }: Pick<SavedPath, "scenario" | "bug">,
  { bounds, byzantine }: Level,
  counterexample: Counterexample,
): CounterexampleReport {
  const { check, text: detail, path, states } = counterexample;
  const about = { scenario, bounds, byzantine, bug };
  const saved: SavedPath = { type: "explored path", format: FORMAT, ...about, check, detail, path, states };
  const file = join(folder, `${id.replaceAll("/", "-")}${bug === undefined ? "" : `-${bug}`}-${check}.json`);
  writeInFolder(file, `${JSON.stringify(saved, undefined, 1)}\n`);
  return { counterexample, file, replay: `quorumlab explore ${quoteForShell(file)}` };
}

/** Parses a saved path; returns the reason as text if it is invalid. */
function parsePath(text: string): SavedPath | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return `expected a saved path: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (typeof data !== "object" || data === null) return "expected a saved path: an object";
  const { type, format, path, states, scenario, bounds } = data as Partial<Record<keyof SavedPath, unknown>>;
  if (type !== "explored path") return 'expected "type": "explored path", as explore writes it';
  if (format !== FORMAT) return `expected a path of format ${FORMAT}, got ${JSON.stringify(format)}: explore it again`;
  if (!Array.isArray(path) || !Array.isArray(states) || typeof scenario !== "object" || typeof bounds !== "object")
    return "expected a path, its states, its scenario and its bounds";
  return data as SavedPath;
}

/** Maximum size of a saved path in bytes. */
const PATH_BYTES = 4_194_304;

/**
 * Returns exit code 1 if the oracles report a violation or the continuation stalls. @throws UsageError for an invalid
 * file.
 */
export function replayPath(file: string, isJson: boolean, io: Io): ExitCode {
  const text = readText(file, PATH_BYTES);
  if (!text.ok) throw new UsageError(`${file}: ${text.error.message}`);
  const saved = parsePath(text.value);
  if (typeof saved === "string") throw new UsageError(`${file}: ${saved}`);
  const confirmed = rerun(saved, file);
  io.out(isJson ? lineOf(saved, confirmed) : textOf(saved, confirmed, io));
  return confirmed.violations.length > 0 || confirmed.stall !== undefined ? EXIT.failed : EXIT.expected;
}

/** Returns the data of the report of a saved path with this text. @throws UsageError for an invalid file */
export function pathDataIn(file: string, text: string, most: number): RunData {
  const saved = parsePath(text);
  if (typeof saved === "string") throw new UsageError(`${file}: ${saved}`);
  const watched = watchPath();
  const { violations, stall } = rerun(saved, file, watched);
  const byzantine = saved.byzantine ?? validatorNames(saved.scenario).at(-1) ?? "";
  const commands = [`quorumlab explore ${quoteForShell(file)}`];
  const data = watched.data(saved.scenario, { byzantine, violations, stall }, { commands, versions: versions(), most });
  return { ...data, states: saved.states.map(stateFacts) };
}

/** A state with its steps as texts: of one validator's steps the last one is visible to others. */
function stateFacts({ state, depth, steps }: PathState): PathStateFacts {
  const textOfSteps = (path: readonly PathStep[]): string => path.map(stepText).join(", then ");
  return { state, depth, steps: steps.map(({ path, to }) => ({ text: textOfSteps(path), to: to ?? null })) };
}

function rerun(
  { scenario, bounds, byzantine, bug, path, check }: SavedPath,
  file: string,
  watcher?: PathWatcher,
): PathValidation {
  try {
    return validatePath(scenario, { bounds, byzantine, variant: variantOf(findBug(bug ?? "")) }, path, check, watcher);
  } catch (error) {
    if (error instanceof NotExplorable) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}

function textOf({ path, check }: SavedPath, confirmed: PathValidation, io: Io): string {
  return [...pathLines(path), ...validationLines(check, confirmed, painterFor(io))].map((line) => `${line}\n`).join("");
}

function lineOf({ path }: SavedPath, { violations, impossible, stall }: PathValidation): string {
  const found = violations.map(({ invariant, detail, faulty }) => ({ invariant, detail, faulty }));
  const stopped = impossible === undefined ? null : stepText(impossible);
  return jsonLine({
    type: "explored path",
    steps: path.length,
    impossible: stopped,
    violations: found,
    stall: stall ?? null,
  });
}
