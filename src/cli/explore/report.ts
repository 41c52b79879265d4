/** Output of `explore`: levels, bounds, and counterexamples, with their files and their reproduction by the ordinary oracles. */

import { join } from "node:path";
import { findBug } from "../../bugs/catalogue.ts";
import { variantOf } from "../../bugs/known-bad-variant.ts";
import { definedMembers } from "../../core/base/defined-members.ts";
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
  const { bounds, exhausted, found } = report;
  const { validators, byzantine, values, unchosen, interchangeable, checks, model } = bounds;
  const states = report.levels.reduce((sum, level) => sum + level.states, 0);
  const verdict = found !== undefined ? "violation" : exhausted ? "no violation" : "no violation, not exhausted";
  const dim = (text: string): string => paint("dim", text);
  const lines = [
    ...(found === undefined ? [] : counterexampleLines(found, paint)),
    "",
    `${report.id}: ${states} states, ${verdict}`,
    dim(`${validators} validators, of which ${byzantine.join(" or ")} is Byzantine; values: ${values.join(", ")}`),
    ...(unchosen.length > 0 ? [paint("bad", `not explored: ${unchosen.join(", ")} as the Byzantine validator`)] : []),
    ...(interchangeable.length > 0 ? [dim(`symmetry: ${interchangeable.join(", ")} are interchangeable`)] : []),
    dim(`checked in each state: ${checks.join(", ")}`),
    ...reachedLines(report, paint),
    ...model.map((sentence) => dim(`bound: ${sentence}`)),
  ];
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
  const { check, text, path, validated } = counterexample;
  const lines = [
    `${paint("bad", check)} (protocol ${CHECKS[check]}): ${text}`,
    ...pathLines(path),
    paint("dim", "the same path by validators without normalization:"),
    ...validationLines(check, validated, paint).map((line) => `  ${line}`),
    `${paint("dim", "saved:")} ${file}`,
    `${paint("dim", "reproduce:")} ${replay}`,
  ];
  return lines.map((line) => `    ${line}`);
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
  const { states = 0, transitions = 0 } = levels.at(-1) ?? {};
  const reached = coverageIn(levels);
  return jsonLine({
    type: "explore",
    scenario: id,
    ...definedMembers({ bug }),
    states,
    transitions,
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
      ...definedMembers({ frontier: level.left?.frontier, depth: level.left?.depth }),
    })),
    violations: found === undefined ? [] : [violationOf(found)],
    wall_ms: roundToTenths(wallMs),
  });
}

function violationOf({ counterexample, file, replay }: CounterexampleReport): object {
  const { check, text: detail, path, validated } = counterexample;
  const { stall, violations: oracles, impossible } = validationMembers(validated);
  const found = { check, section: CHECKS[check], detail, path: path.map(stepText) };
  return { ...found, stall, oracles, impossible, file, replay };
}

/** Returns the members of a validation in JSON. */
function validationMembers({ violations, impossible, stall }: PathValidation) {
  return {
    impossible: impossible === undefined ? null : stepText(impossible),
    violations: violations.map(({ invariant, detail, faulty }) => ({ invariant, detail, faulty })),
    stall: stall ?? null,
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

/** Returns the saved path of a file with this text. @throws UsageError for an invalid one. */
function savedPathIn(file: string, text: string): SavedPath {
  const invalid = (fault: string): UsageError => new UsageError(`${file}: expected ${fault}`);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw invalid(`a saved path: ${(error as Error).message}`);
  }
  if (typeof data !== "object" || data === null) throw invalid("a saved path: an object");
  const { type, format, path, states, scenario, bounds } = data as Partial<Record<keyof SavedPath, unknown>>;
  if (type !== "explored path") throw invalid('"type": "explored path", as explore writes it');
  if (format !== FORMAT) throw invalid(`a path of format ${FORMAT}, got ${JSON.stringify(format)}: explore it again`);
  if (!Array.isArray(path) || !Array.isArray(states) || typeof scenario !== "object" || typeof bounds !== "object")
    throw invalid("a path, its states, its scenario and its bounds");
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
  const saved = savedPathIn(file, text.value);
  const confirmed = rerun(saved, file);
  const { path, check } = saved;
  const lines = [...pathLines(path), ...validationLines(check, confirmed, painterFor(io))];
  io.out(
    isJson
      ? jsonLine({ type: "explored path", steps: path.length, ...validationMembers(confirmed) })
      : `${lines.join("\n")}\n`,
  );
  return confirmed.violations.length > 0 || confirmed.stall !== undefined ? EXIT.failed : EXIT.expected;
}

/** Returns the data of the report of a saved path with this text. @throws UsageError for an invalid file */
export function pathDataIn(file: string, text: string, most: number): RunData {
  const saved = savedPathIn(file, text);
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
