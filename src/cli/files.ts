/** Files named on the command line: scenarios with the data saved beside them, recordings, and what commands write. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AssertionError } from "../core/base/assert.ts";
import { err, ok, type Result } from "../core/base/result.ts";
import { type NodeSettings, nodesOf, programsOf } from "../external/nodes.ts";
import { RECORDING_BYTES, type Recording, readRecording } from "../live/recording.ts";
import { readText } from "../scenario/files.ts";
import { createParser, type ScenarioParser } from "../scenario/parse.ts";
import { type Scenario, seedOf } from "../scenario/scenario.ts";
import { type Problem, problemText } from "../schema/problem.ts";
import { UsageError } from "./command.ts";
import type { Io } from "./io.ts";
import { FORMAT } from "./reproduce.ts";

/** Data that `fuzz` writes beside a scenario; every member may be missing. */
interface SavedFacts {
  /** The rolling hash over every event of that run. */
  readonly hash?: string;
  readonly quorumlab?: string;
  readonly node?: string;
}

/** Returns true for the name of a scenario file. */
export function isScenario(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

/** Returns the scenario of a file; reports problems and returns `undefined`. */
export function scenarioIn(path: string, parser: ScenarioParser, io: Io): Scenario | undefined {
  return readOrReport(path, (text) => parser.parse(text), io);
}

/**
 * Returns a scenario file as it runs: with the validators that others wrote for it, and under the chosen seed, else its own.
 * Reports problems and returns `undefined`.
 */
export function scenarioRunIn(path: string, chosen: string | undefined, given: NodeSettings | undefined, io: Io) {
  const parser = createParser(given !== undefined);
  const read = readOrReport(path, (text) => withText(text, parser.parse(text)), io);
  if (read === undefined) return undefined;
  const { scenario, nodes } = nodesOf(read.scenario, given);
  return { text: read.text, parser, scenario, nodes, programs: programsOf(nodes), seed: seedOf(scenario, chosen) };
}

/** A scenario with the text that it was read from. */
function withText<E>(text: string, parsed: Result<Scenario, E>): Result<{ text: string; scenario: Scenario }, E> {
  return parsed.ok ? ok({ text, scenario: parsed.value }) : parsed;
}

/** Returns the recording of a file; reports problems and returns `undefined`. */
export function recordingIn(path: string, io: Io): Recording | undefined {
  const text = readText(path, RECORDING_BYTES);
  const read = text.ok ? readRecording(text.value) : err(text.error.message);
  if (read.ok) return read.value;
  io.err(`${path}: ${read.error}\n`);
  return undefined;
}

/**
 * Returns true for an error that an input of a recording caused where it was carried out: the author of a recording can
 * name any operation, step and setup. Errors of the system have a code.
 */
export function isFaultOfInput(error: unknown): error is Error {
  const isKnown = error instanceof RangeError || error instanceof TypeError || error instanceof AssertionError;
  return isKnown && (error as NodeJS.ErrnoException).code === undefined;
}

/** Returns the data saved beside the file, if any. @throws UsageError if another format has other hashes. */
export function savedFacts(path: string): SavedFacts {
  const jsonPath = path.replace(/\.ya?ml$/i, ".json");
  if (jsonPath === path || !existsSync(jsonPath)) return {};
  const text = readText(jsonPath);
  if (!text.ok) return {};
  const saved: unknown = JSON.parse(text.value);
  if (typeof saved !== "object" || saved === null) return {};
  const { format } = saved as { readonly format?: unknown };
  if (typeof format === "number" && format !== FORMAT)
    throw new UsageError(
      `${jsonPath}: expected a saved run of format ${FORMAT}, got ${format}: remove it to run without it`,
    );
  const entries = Object.entries(saved).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(entries) as SavedFacts;
}

/** Result of parsing a file's text. */
type FileParser<T> = (text: string) => Result<T, readonly Problem[]>;

/** Returns the parsed file, or all problems, including that it cannot be read. */
export function readAs<T>(path: string, read: FileParser<T>): Result<T, readonly Problem[]> {
  const text = readText(path);
  return text.ok ? read(text.value) : err([text.error]);
}

/** Returns the parsed file; reports problems on stderr and returns `undefined`. */
export function readOrReport<T>(path: string, read: FileParser<T>, io: Io): T | undefined {
  const result = readAs(path, read);
  if (result.ok) return result.value;
  for (const problem of result.error) io.err(`${problemText(path, problem)}\n`);
  return undefined;
}

/** Writes a file, and creates its folder if there is none. */
export function writeInFolder(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
