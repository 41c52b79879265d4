/** Results of StrykerJS, from its JSON (schema of mutation-testing-elements, version 1 or 2). */

/** A place in a file: lines and columns from 1, the end not included. */
interface Position {
  readonly line: number;
  readonly column: number;
}

export interface RawMutant {
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

export interface RawResult {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly RawMutant[] }>>;
}

/** Number of mutants of a file by outcome. */
export interface Tally {
  readonly killed: number;
  readonly timedOut: number;
  readonly survived: number;
  readonly uncovered: number;
  /** It broke the test run itself, so it says nothing. */
  readonly broken: number;
  /** Left out by a rule of `ignored.mjs`. */
  readonly ignored: number;
}

/** A mutant that no judge noticed, named by its text, so that edits elsewhere do not rename it. */
export interface Survivor {
  readonly file: string;
  /** Where it is now. */
  readonly line: number;
  /** The line that it begins in. */
  readonly at: string;
  readonly from: string;
  readonly to: string;
  /** True if any test runs the place at all. */
  readonly covered: boolean;
}

export interface FileResult {
  readonly file: string;
  readonly tally: Tally;
  /** In the order of the text. */
  readonly survivors: readonly Survivor[];
}

/** Longer texts are cut: a block is known by how it begins. */
const TEXT_MAX = 90;

const COLUMNS: Readonly<Record<string, keyof Tally>> = {
  Killed: "killed",
  Timeout: "timedOut",
  Survived: "survived",
  NoCoverage: "uncovered",
  RuntimeError: "broken",
  CompileError: "broken",
  Ignored: "ignored",
};

/** File by file, by name. @throws Error for a mutant that was not run: the run broke off. */
export function readResults({ files }: RawResult): readonly FileResult[] {
  return Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, { source, mutants }]) => readFile(file, source, mutants));
}

function readFile(file: string, source: string, mutants: readonly RawMutant[]): FileResult {
  const tally = { killed: 0, timedOut: 0, survived: 0, uncovered: 0, broken: 0, ignored: 0 };
  const survivors: Survivor[] = [];
  const lines = source.split(/\r?\n/);
  for (const mutant of [...mutants].sort(inOrder)) {
    const column = COLUMNS[mutant.status];
    if (column === undefined) throw new Error(`${file}:${mutant.location.start.line}: not run (${mutant.status})`);
    tally[column]++;
    if (column === "survived" || column === "uncovered") survivors.push(survivorOf(file, lines, mutant));
  }
  return { file, tally, survivors };
}

function inOrder(a: RawMutant, b: RawMutant): number {
  const [one, other] = [a.location, b.location];
  return (
    one.start.line - other.start.line ||
    one.start.column - other.start.column ||
    one.end.line - other.end.line ||
    one.end.column - other.end.column ||
    ((a.replacement ?? "") < (b.replacement ?? "") ? -1 : 1)
  );
}

function survivorOf(file: string, lines: readonly string[], { status, replacement, location }: RawMutant): Survivor {
  const { start, end } = location;
  const covered = lines.slice(start.line - 1, end.line);
  const last = covered.length - 1;
  covered[last] = (covered[last] ?? "").slice(0, end.column - 1);
  covered[0] = (covered[0] ?? "").slice(start.column - 1);
  return {
    file,
    line: start.line,
    at: short(lines[start.line - 1] ?? ""),
    from: short(covered.join("\n")),
    to: short(replacement ?? ""),
    covered: status === "Survived",
  };
}

/** On one line, and cut where it is long. */
export function short(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= TEXT_MAX ? flat : `${flat.slice(0, TEXT_MAX - 1)}…`;
}
