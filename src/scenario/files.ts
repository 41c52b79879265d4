/** Search and reading of scenario files. */
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, isAbsolute, join, relative, sep } from "node:path";
import { globSync, isDynamicPattern } from "tinyglobby";
import { err, ok, type Result } from "../core/base/result.ts";
import { type Problem, positionIn } from "../schema/problem.ts";
import { SCENARIO_BYTES } from "./limits.ts";

export interface ScenarioFile {
  /** Path as named on the command line, or below the folder named there. */
  readonly path: string;
  /** Path below the named folder without suffix; of a file named directly, its name without suffix. */
  readonly id: string;
}

/** A named path without scenarios. */
export type PathProblem = Readonly<{ path: string; message: string }>;

const SUFFIX = /\.ya?ml$/i;

/** The scenario files in files, folders and patterns such as `**\/*.yaml`, in the order of the arguments and then by path. */
export function findScenarios(paths: readonly string[]): {
  readonly files: readonly ScenarioFile[];
  readonly problems: readonly PathProblem[];
} {
  const files: ScenarioFile[] = [];
  const problems: PathProblem[] = [];
  for (const path of paths) {
    try {
      if (isPattern(path)) {
        const matches = globSync(path, { expandDirectories: false, absolute: isAbsolute(path) }).filter((name) =>
          SUFFIX.test(name),
        );
        if (matches.length === 0) problems.push({ path, message: "the pattern matches no scenario file" });
        for (const name of matches.sort()) files.push({ path: name, id: name.replace(SUFFIX, "") });
        continue;
      }
      if (!statSync(path).isDirectory()) {
        files.push({ path, id: basename(path).replace(SUFFIX, "") });
        continue;
      }
      const found = filesBelow(path);
      if (found.length === 0)
        problems.push({ path, message: "the folder holds no scenario: expected files that end in .yaml or .yml" });
      for (const file of found)
        files.push({ path: file, id: relative(path, file).split(sep).join("/").replace(SUFFIX, "") });
    } catch (error) {
      problems.push({ path, message: `cannot be read: ${reasonText(error)}` });
    }
  }
  return { files, problems };
}

/** The text of a file, or the reason why it cannot be read. */
export function readText(path: string, limit: number = SCENARIO_BYTES): Result<string, Problem> {
  let bytes: Uint8Array;
  try {
    const { size } = statSync(path);
    if (size > limit) return err(problemAtStart(`expected at most ${limit} bytes, got ${size}`));
    bytes = readFileSync(path);
  } catch (error) {
    return err(problemAtStart(`cannot be read: ${reasonText(error)}`));
  }
  return decodeText(bytes);
}

/** Decodes UTF-8; a problem has the position of the first invalid byte. */
export function decodeText(bytes: Uint8Array): Result<string, Problem> {
  const whole = tryDecode(bytes);
  if (whole !== undefined) return ok(whole);
  // A prefix counts as valid if it ends inside a character, so all prefixes up to the invalid byte are.
  let [valid, most] = [0, bytes.length];
  while (valid < most) {
    const middle = Math.ceil((valid + most) / 2);
    if (tryDecode(bytes.subarray(0, middle), true) === undefined) most = middle - 1;
    else valid = middle;
  }
  const prefix = tryDecode(bytes.subarray(0, valid), true) ?? "";
  const { line, column } = positionIn(prefix, prefix.length);
  return err({ line, column, message: "expected UTF-8 text, got an invalid byte", source: undefined });
}

function tryDecode(bytes: Uint8Array, mayEndEarly = false): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: mayEndEarly });
  } catch {
    return undefined;
  }
}

/** A file of this very name is none, whatever characters it has. */
function isPattern(path: string): boolean {
  return isDynamicPattern(path) && statSync(path, { throwIfNoEntry: false }) === undefined;
}

function filesBelow(folder: string): readonly string[] {
  const files: string[] = [];
  const entries: Dirent[] = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...filesBelow(path));
    else if (entry.isFile() && SUFFIX.test(entry.name)) files.push(path);
  }
  return files;
}

function problemAtStart(message: string): Problem {
  return { line: 1, column: 1, message, source: undefined };
}

function reasonText(error: unknown): string {
  const code = (error as { readonly code?: string }).code;
  if (code === "ENOENT") return "there is no such file or folder";
  if (code === "EACCES") return "permission denied";
  if (code === "EISDIR") return "it is a folder";
  return code ?? (error as Error).message;
}
