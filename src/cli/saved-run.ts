/** A scenario file and what was saved beside it when it was run. */
import { existsSync } from "node:fs";
import { readText } from "../harness/files.ts";
import type { ScenarioParser } from "../harness/parse.ts";
import { problemText } from "../harness/problem.ts";
import type { Scenario } from "../harness/scenario.ts";
import type { Io } from "./io.ts";

/** What `fuzz` writes beside a scenario; anything of it may be missing. */
export interface SavedFacts {
  readonly seed?: string;
  /** The rolling hash over every event of that run. */
  readonly hash?: string;
  readonly quorumlab?: string;
  readonly node?: string;
}

/** The scenario of a file; `undefined` where it is none, which is told. */
export function scenarioIn(path: string, parser: ScenarioParser, io: Io): Scenario | undefined {
  const text = readText(path);
  const parsed = text.ok ? parser.parse(text.value) : { ok: false as const, error: [text.error] };
  if (parsed.ok) return parsed.value;
  for (const problem of parsed.error) io.err(`${problemText(path, problem)}\n`);
  return undefined;
}

/** What was written beside the file, if anything was. */
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
