/** File of exhausted levels, which a resumed exploration skips. */
import { existsSync, writeFileSync } from "node:fs";
import type { DoneLevel, Level } from "../../explore/deepen.ts";
import type { LivenessMode } from "../../explore/liveness.ts";
import { packageVersion } from "../../run/version.ts";
import { readText } from "../../scenario/files.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { UsageError } from "../exit-code.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Identity of an exploration: levels are valid only for the same scenario, variant, Byzantine validator, liveness mode
 * and version.
 */
export interface Explored {
  readonly scenario: Scenario;
  readonly bug: string | undefined;
  readonly byzantine: string | undefined;
  readonly liveness: LivenessMode;
}

/** Returns the levels of a file; none if it does not exist. @throws UsageError if they are of another exploration. */
export function readLevels(file: string, explored: Explored): readonly DoneLevel[] {
  if (!existsSync(file)) return [];
  const text = readText(file);
  if (!text.ok) throw new UsageError(`--resume: ${file}: ${text.error.message}`);
  const data = parsed(file, text.value);
  if (data.of !== nameOf(explored))
    throw new UsageError(
      `--resume: ${file} holds levels of another scenario, variant, Byzantine validator, liveness mode or version`,
    );
  return data.levels;
}

/** Adds a level to those of a file. */
export function writeLevels(
  file: string,
  explored: Explored,
  done: readonly DoneLevel[],
  level: Level,
): readonly DoneLevel[] {
  const { states, transitions } = level;
  const levels = [...done, { ...level.bounds, states, transitions }];
  const text = `${JSON.stringify({ type: "explored levels", of: nameOf(explored), levels }, undefined, 1)}\n`;
  replaceFile(file, (unfinished) => writeFileSync(unfinished, text));
  return levels;
}

function parsed(file: string, text: string): { readonly of: string; readonly levels: readonly DoneLevel[] } {
  try {
    const data = JSON.parse(text) as { readonly type?: unknown; readonly of?: unknown; readonly levels?: unknown };
    if (data.type === "explored levels" && typeof data.of === "string" && Array.isArray(data.levels))
      return { of: data.of, levels: data.levels as readonly DoneLevel[] };
  } catch (error) {
    throw new UsageError(
      `--resume: ${file}: expected explored levels: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  throw new UsageError(`--resume: ${file}: expected explored levels, as explore writes them`);
}

/** Returns the identity of an exploration as text. */
export function nameOf({ scenario, bug, byzantine, liveness }: Explored): string {
  return JSON.stringify([packageVersion(), scenario, bug ?? null, byzantine ?? null, liveness]);
}
