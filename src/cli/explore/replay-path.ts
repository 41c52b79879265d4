/** Reproduction of a saved path without normalization and before the ordinary oracles. */
import { findBug } from "../../bugs/catalogue.ts";
import { variantOf } from "../../bugs/variant.ts";
import { NotExplorable } from "../../explore/system.ts";
import { type PathValidation, validatePath } from "../../explore/validate-path.ts";
import { painter } from "../../report/paint.ts";
import { readText } from "../../scenario/files.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-code.ts";
import { type Io, wantsColours } from "../io.ts";
import { DECIDED, stepText } from "./explore-report.ts";
import { PATH_BYTES } from "./limits.ts";
import { parsePath, type SavedPath } from "./saved-path.ts";

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
  return isBroken(confirmed) ? EXIT.failed : EXIT.expected;
}

function isBroken({ violations, stall }: PathValidation): boolean {
  return violations.length > 0 || stall !== undefined;
}

function rerun({ scenario, bounds, byzantine, bug, path, check }: SavedPath, file: string): PathValidation {
  try {
    return validatePath(scenario, { bounds, byzantine, variant: variantOf(findBug(bug ?? "")) }, path, check);
  } catch (error) {
    if (error instanceof NotExplorable) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}

function textOf({ path, check }: SavedPath, confirmed: PathValidation, io: Io): string {
  const { violations, impossible, stall } = confirmed;
  const paint = painter(wantsColours(io));
  const lines = path.map((step, place) => `${String(place + 1).padStart(3)}. ${stepText(step)}`);
  if (impossible !== undefined) lines.push(`not enabled: ${stepText(impossible)}`);
  for (const { invariant, detail } of violations) lines.push(`${paint("bad", invariant)}: ${detail}`);
  if (stall !== undefined) lines.push(`${paint("bad", "liveness")}: ${stall}`);
  if (violations.length === 0 && check !== "liveness") lines.push(paint("good", "no oracle reports a violation"));
  if (!isBroken(confirmed) && check === "liveness") lines.push(paint("good", DECIDED));
  return `${lines.join("\n")}\n`;
}

function lineOf({ path }: SavedPath, { violations, impossible, stall }: PathValidation): string {
  const found = violations.map(({ invariant, detail, faulty: blame }) => ({ invariant, detail, blame }));
  const stopped = impossible === undefined ? null : stepText(impossible);
  return `${JSON.stringify({ type: "explored path", steps: path.length, impossible: stopped, violations: found, stall: stall ?? null })}\n`;
}
