/** Problems of a file with their places, and suggestions for misspelt words. */
import { distance } from "fastest-levenshtein";

/** A path into a document: keys and indices from its root. */
export type Path = readonly (string | number)[];

/** A problem in parsed data, without a position in the text. */
export interface ScenarioIssue {
  readonly path: Path;
  readonly message: string;
  /** Points at the key that ends the path, not at its value. */
  readonly atKey?: boolean;
}

/** Problems of which a place is looked for: the first ones of the check, whose order is not that of the file. */
export const ISSUES_PLACED = 200;

/** An issue at the key of a member of the value at a path. */
export function issueAtKey(path: Path, key: Path[number], message: string): ScenarioIssue {
  return { path: [...path, key], atKey: true, message };
}

/** An issue whose message is made when it is read: a file may have very many, of which few are shown. */
export function lazyIssue(path: Path, message: () => string, atKey = false): ScenarioIssue {
  return {
    path,
    atKey,
    get message() {
      return message();
    },
  };
}

/** A problem with its position; lines and columns count from 1. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The line of the file, if there is one. */
  readonly source: string | undefined;
}

const LINE_SHOWN = 160;

/** `file:line:column: message`, then the source line and a caret under the position. */
export function problemText(file: string, problem: Problem): string {
  const head = `${file}:${problem.line}:${problem.column}: ${problem.message}`;
  if (problem.source === undefined || problem.source.trim() === "") return head;
  const start = problem.column > LINE_SHOWN ? problem.column - LINE_SHOWN / 2 : 0;
  const excerpt = problem.source.slice(start, start + LINE_SHOWN).replace(/[\t\p{Cc}]/gu, " ");
  return `${head}\n  ${excerpt}\n  ${" ".repeat(Math.max(0, problem.column - 1 - start))}^`;
}

/** Line and column of an offset, and the line's text. */
export function positionIn(text: string, offset: number): Pick<Problem, "line" | "column" | "source"> {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineEnd = text.indexOf("\n", offset);
  const source = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).replace(/\r$/, "");
  return { line: before.split("\n").length, column: offset - lineStart + 1, source };
}

/** ` (did you mean "x"?)`, or an empty text without a close word. */
export function suggestion(got: string, known: readonly string[]): string {
  const best = closestWord(got, known);
  return best === undefined ? "" : ` (did you mean "${best}"?)`;
}

/** The known word with the lowest edit distance, or `undefined` if none is close. */
export function closestWord(got: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  const wanted = got.slice(0, 64).toLowerCase();
  for (const word of known) {
    const lower = word.toLowerCase();
    const isPart = lower.length > 2 && wanted.length > 2 && (lower.startsWith(wanted) || wanted.startsWith(lower));
    const away = isPart ? 1 : distance(wanted, lower);
    if (away < bestDistance && (isPart || isClose(away, Math.min(lower.length, wanted.length)))) {
      best = word;
      bestDistance = away;
    }
  }
  return best;
}

/** Accepts two edits in a word of four letters, one in a shorter word. */
function isClose(away: number, length: number): boolean {
  return away < length && away <= (length <= 3 ? 1 : Math.max(2, Math.floor(length / 3)));
}

/** The first words of a list, with the number of further ones. */
export function listFirst(words: readonly string[], limit = 12): string {
  const listed = words.slice(0, limit).join(", ");
  return words.length > limit ? `${listed} and ${words.length - limit} more` : listed;
}
