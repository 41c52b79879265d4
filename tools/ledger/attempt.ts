/** Run of a scenario file by the command line of a build, and reproduction of a bug with an earlier one. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isNode, isSeq, LineCounter, parseDocument } from "yaml";
import type { Reproduction } from "./row.ts";

/** Characters of a violation's detail in a row. */
const DETAIL_LENGTH = 160;
/** Longest time of a run in ms, and most that it may print in bytes: a run prints two lines. */
const LIMITS = { timeout: 600_000, maxBuffer: 16_777_216 };

/** Result of a reproduction. */
export type Attempt =
  | { readonly type: "shown"; readonly as: Omit<Reproduction, "commit" | "on"> }
  /** A removed expectation might have shown the bug. */
  | { readonly type: "passed"; readonly without: readonly string[] }
  /** The build cannot run the file. */
  | { readonly type: "refused"; readonly why: string };

/** Names of today and of builds of format 1, as patterns of scenario files. */
const FORMAT_1: readonly (readonly [name: RegExp, before: string])[] = [
  [/(?<=[{,] ?)coverage: /g, "mark: "],
  [/(?<=[{,] ?)responded: /g, "answered: "],
  [/(?<=[{,] ?)repeat: /g, "again: "],
  [/(?<=[{,] ?)mode: /g, "lie: "],
  [/(?<=[{,] ?)faulty: /g, "blame: "],
  [/(?<=kinds: \[[^\]]*)recovery\b/g, "shown"],
  [/\breason disclosed unsigned\b/g, "reason shown unsigned"],
  [/\bmessage from a later epoch\b/g, "epoch behind"],
  [/\breported: (?=(double|hidden|invalid|unjustified|malformed|false|wrong) )/g, "noticed: "],
  [/\bstate requested\b/g, "state asked for"],
  [/\bstate installed\b/g, "state taken over"],
];

/** Returns a file in the words of builds of format 1. */
export function toFormat1(text: string): string {
  return FORMAT_1.reduce((so, [name, before]) => so.replace(name, before), text);
}

/**
 * Runs a file, in the words of format 1 if the build knows no others. Expectations unknown to the build are removed one
 * by one, in a copy in `folder`: coverage points and members often come with the fix.
 */
export function attempt(main: string, file: string, folder: string): Attempt {
  const without: string[] = [];
  const copy = join(folder, basename(file));
  let result = runInBestFormat(main, file, copy, folder);
  for (;;) {
    if (result.type === "run") return attemptOf(result, without);
    const left = removeExpectation(copy, result);
    if (left === undefined) {
      return { type: "refused", why: result.problems.map(({ message }) => message).join("; ") };
    }
    without.push(left);
    result = runResult(main, copy, folder);
  }
}

/** Copies a file in the words of today, or in those of format 1 if the build refuses less of them, and runs the copy. */
function runInBestFormat(main: string, file: string, copy: string, folder: string): RunResult {
  const text = readFileSync(file, "utf8");
  writeFileSync(copy, text);
  const result = runResult(main, copy, folder);
  if (result.type === "run") return result;
  writeFileSync(copy, toFormat1(text));
  const translated = runResult(main, copy, folder);
  if (translated.type === "run" || translated.problems.length < result.problems.length) return translated;
  writeFileSync(copy, text);
  return result;
}

function attemptOf({ verdict, reason, violations, unmet }: RanFile, without: readonly string[]): Attempt {
  if (verdict === "pass") return { type: "passed", without };
  const first = violations[0];
  // The lines after the first are a stack, whose paths are those of one machine.
  const [words = verdict] = (first?.detail ?? unmet?.[0] ?? reason ?? verdict).split("\n");
  const detail = words.length > DETAIL_LENGTH ? `${words.slice(0, DETAIL_LENGTH - 1)}…` : words;
  const as = { verdict, invariant: first?.invariant ?? null, detail };
  return { type: "shown", as: without.length > 0 ? { ...as, without: [...without] } : as };
}

/** Removes the expectation of the first problem from a file and returns it; `undefined` if the problem is elsewhere. */
function removeExpectation(file: string, { problems }: RefusedFile): string | undefined {
  const text = readFileSync(file, "utf8");
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const expected = document.get("expect");
  const line = problems[0]?.line;
  if (!isSeq(expected) || line === undefined) return undefined;
  for (const [at, item] of expected.items.entries()) {
    if (!isNode(item) || !item.range) continue;
    const [start, end] = item.range;
    if (line < lineCounter.linePos(start).line || line > lineCounter.linePos(end).line) continue;
    expected.items.splice(at, 1);
    writeFileSync(file, document.toString({ lineWidth: 0 }));
    return text.slice(start, end).trim();
  }
  return undefined;
}

/** The run line, a contract with users' programs and so equal in every build. */
interface RanFile {
  readonly type: "run";
  readonly verdict: "pass" | Reproduction["verdict"];
  readonly reason?: string;
  readonly violations: readonly { readonly invariant: string; readonly detail: string }[];
  readonly unmet?: readonly string[];
}

/** The build rejects the file. */
interface RefusedFile {
  readonly type: "refused";
  /** Lines count from 1. */
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

type RunResult = RanFile | RefusedFile;

/** Runs a file with seed 1. @throws Error if the build prints neither a run nor a problem */
function runResult(main: string, file: string, folder: string): RunResult {
  const words = [main, "run", file, "--seed", "1", "--json"];
  const { stdout, stderr, error } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8", ...LIMITS });
  if (error !== undefined) throw new Error(`${words.join(" ")}: ${error.message}`, { cause: error });
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  const results = lines.map((line) => JSON.parse(line) as RunResult | { readonly type: "summary" });
  for (const result of results) if (result.type !== "summary") return result;
  throw new Error(`${words.join(" ")} printed no result: ${(stderr + stdout).trim()}`);
}
