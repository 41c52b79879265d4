/** Scenario file with the data saved beside it. */

import { existsSync } from "node:fs";
import { RECORDING_BYTES } from "../live/limits.ts";
import { type Recording, readRecording } from "../live/recording.ts";
import { readText } from "../scenario/files.ts";
import type { ScenarioParser } from "../scenario/parse.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Io } from "./io.ts";
import { readOrReport } from "./read-file.ts";

/** Data that `fuzz` writes beside a scenario; every member may be missing. */
export interface SavedFacts {
  readonly seed?: string;
  /** The rolling hash over every event of that run. */
  readonly hash?: string;
  readonly quorumlab?: string;
  readonly node?: string;
}

/** Returns the scenario of a file; reports problems and returns `undefined`. */
export function scenarioIn(path: string, parser: ScenarioParser, io: Io): Scenario | undefined {
  return readOrReport(path, (text) => parser.parse(text), io);
}

/** Returns the recording of a file; reports problems and returns `undefined`. */
export function recordingIn(path: string, io: Io): Recording | undefined {
  const text = readText(path, RECORDING_BYTES);
  if (!text.ok) {
    io.err(`${path}: ${text.error.message}\n`);
    return undefined;
  }
  const read = readRecording(text.value);
  if (read.ok) return read.value;
  io.err(`${path}: ${read.error}\n`);
  return undefined;
}

/** Returns the data saved beside the file, if any. */
export function savedFacts(path: string): SavedFacts {
  const beside = path.replace(/\.ya?ml$/i, ".json");
  if (beside === path || !existsSync(beside)) return {};
  const text = readText(beside);
  if (!text.ok) return {};
  const saved: unknown = JSON.parse(text.value);
  if (typeof saved !== "object" || saved === null) return {};
  const entries = Object.entries(saved).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(entries) as SavedFacts;
}
