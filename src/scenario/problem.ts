/** Problems of input files with their positions. */

/** A path into a document: keys and indices from its root. */
export type Path = readonly (string | number)[];

/** A problem in parsed data, without a position in the text. */
export interface Issue {
  readonly path: Path;
  readonly message: string;
  /** Points at the key that ends the path, not at its value. */
  readonly atKey?: boolean;
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
  const shown = problem.source.slice(start, start + LINE_SHOWN).replace(/[\t\p{Cc}]/gu, " ");
  return `${head}\n  ${shown}\n  ${" ".repeat(Math.max(0, problem.column - 1 - start))}^`;
}

/** Line and column of an offset, and the line's text. */
export function positionIn(text: string, offset: number): Pick<Problem, "line" | "column" | "source"> {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const lineEnd = text.indexOf("\n", offset);
  const source = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd).replace(/\r$/, "");
  return { line: before.split("\n").length, column: offset - lineStart + 1, source };
}
