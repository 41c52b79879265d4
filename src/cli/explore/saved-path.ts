/** Files of counterexamples, each with its scenario, and their reproduction by the ordinary oracles. */

import { join } from "node:path";
import { findBug } from "../../bugs/catalogue.ts";
import { variantOf } from "../../bugs/variant.ts";
import type { PathStep } from "../../explore/model/local-state.ts";
import { type ExplorationBounds, NotExplorable } from "../../explore/model/system.ts";
import type { Counterexample } from "../../explore/search/search.ts";
import { type PathValidation, type PathWatcher, validatePath } from "../../explore/search/validate-path.ts";
import { type RunData, watchPath } from "../../report/run-data.ts";
import { validatorNames } from "../../scenario/declared.ts";
import { readText } from "../../scenario/files.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { EXIT, type ExitCode, UsageError } from "../command.ts";
import { writeInFolder } from "../files.ts";
import { type Io, painterFor } from "../io.ts";
import { jsonLine } from "../output.ts";
import { quoteForShell, versions } from "../reproduce.ts";
import { pathLines, stepText, validationLines } from "./report.ts";

/** Format version of a saved path. */
const FORMAT = 2;

interface SavedPath {
  readonly type: "explored path";
  readonly format: typeof FORMAT;
  readonly scenario: Scenario;
  readonly bounds: ExplorationBounds;
  readonly byzantine: string | undefined;
  readonly bug: string | undefined;
  readonly check: string;
  readonly detail: string;
  readonly path: readonly PathStep[];
}

/** New counterexample. */
interface FoundPath extends Pick<SavedPath, "scenario" | "bounds" | "byzantine" | "bug"> {
  readonly breach: Counterexample;
}

/** Writes a path into a folder; returns the file name. */
export function savePath(folder: string, id: string, found: FoundPath): string {
  const { scenario, bounds, byzantine, bug, breach: counterexample } = found;
  const saved: SavedPath = {
    type: "explored path",
    format: FORMAT,
    scenario,
    bounds,
    byzantine,
    bug,
    check: counterexample.check,
    detail: counterexample.text,
    path: counterexample.path,
  };
  const file = join(
    folder,
    `${id.replaceAll("/", "-")}${bug === undefined ? "" : `-${bug}`}-${counterexample.check}.json`,
  );
  writeInFolder(file, `${JSON.stringify(saved, undefined, 1)}\n`);
  return file;
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
  const { type, format, path, scenario, bounds } = data as Partial<Record<keyof SavedPath, unknown>>;
  if (type !== "explored path") return 'expected "type": "explored path", as explore writes it';
  if (format !== FORMAT) return `expected a path of format ${FORMAT}, got ${JSON.stringify(format)}: explore it again`;
  if (!Array.isArray(path) || typeof scenario !== "object" || typeof bounds !== "object")
    return "expected a path, its scenario and its bounds";
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
  return watched.data(saved.scenario, { byzantine, violations, stall }, { commands, versions: versions(), most });
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
