/** Files of counterexamples, with the scenario, so that they can be reproduced on their own. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Counterexample } from "../../explore/expansion.ts";
import type { PathStep } from "../../explore/path-step.ts";
import type { Bounds } from "../../explore/system.ts";
import type { Scenario } from "../../scenario/scenario.ts";

/** Format version of a saved path. */
const FORMAT = 1;

export interface SavedPath {
  readonly type: "explored path";
  readonly format: typeof FORMAT;
  readonly scenario: Scenario;
  readonly bounds: Bounds;
  readonly byzantine: string | undefined;
  readonly bug: string | undefined;
  readonly check: string;
  readonly detail: string;
  readonly path: readonly PathStep[];
}

/** New counterexample. */
export interface FoundPath extends Pick<SavedPath, "scenario" | "bounds" | "byzantine" | "bug"> {
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
  mkdirSync(folder, { recursive: true });
  const file = join(
    folder,
    `${id.replaceAll("/", "-")}${bug === undefined ? "" : `-${bug}`}-${counterexample.check}.json`,
  );
  writeFileSync(file, `${JSON.stringify(saved, undefined, 1)}\n`);
  return file;
}

/** Parses a saved path; returns the reason as text if it is invalid. */
export function parsePath(text: string): SavedPath | string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return `expected a saved path: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (typeof data !== "object" || data === null) return "expected a saved path: an object";
  const { type, format, path, scenario, bounds } = data as Partial<Record<keyof SavedPath, unknown>>;
  if (type !== "explored path") return 'expected "type": "explored path", as explore writes it';
  if (format !== FORMAT) return `expected a path of format ${FORMAT}, got ${JSON.stringify(format)}`;
  if (!Array.isArray(path) || typeof scenario !== "object" || typeof bounds !== "object")
    return "expected a path, its scenario and its bounds";
  return data as SavedPath;
}
