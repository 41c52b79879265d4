/** Rows of the ledger of found bugs: one JSON line for each file in scenarios/regressions. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Static, Type } from "typebox";

/** The ledger, below the root of the project. */
export const LEDGER = "reports/found-bugs.ndjson";
/** The files that it has rows of, below the root of the project. */
export const REGRESSIONS = "scenarios/regressions";

const text = Type.String({ minLength: 1 });
const commit = Type.String({ pattern: "^[0-9a-f]{7,40}$" });

const reproduction = Type.Object(
  {
    /** Commit of the last reproduction. */
    commit,
    /** The day of that run, UTC. */
    on: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" }),
    verdict: Type.Enum(["violation", "stalled", "unmet", "error"]),
    /** The first that was violated, where any was. */
    invariant: Type.Union([text, Type.Null()]),
    /** The first violation or unmet expectation, as a sentence. */
    detail: text,
    /** Expectations that were removed because the commit does not know them. */
    without: Type.Optional(Type.Array(text, { minItems: 1 })),
  },
  { additionalProperties: false },
);

const known = {
  /** The scenario's name. */
  bug: text,
  file: Type.String({ pattern: `^${REGRESSIONS}/[a-z0-9-]+\\.yaml$` }),
  /**
   * The commit of the fix; null until it is committed. For a bug that is not reproduced: the commit that added the file,
   * unless another one is written by hand.
   */
  fixed: Type.Union([commit, Type.Null()]),
  /** Command that renews the row. */
  command: text,
};

const row = Type.Union([
  Type.Object({ ...known, reproduced: reproduction }, { additionalProperties: false }),
  /** Reason why it is not reproducible. */
  Type.Object({ ...known, reproduced: Type.Null(), why: text }, { additionalProperties: false }),
]);

export type Reproduction = Static<typeof reproduction>;
export type Row = Static<typeof row>;

const isRow = new Ajv2020({ allErrors: true }).compile<Row>(row);

/** The rows of a ledger's text; throws where a line is none, with the line and what was expected. */
export function rowsOf(ledger: string): readonly Row[] {
  const lines = ledger.split("\n");
  if (lines.pop() !== "") throw new RangeError(`${LEDGER}: expected a line end after the last row`);
  return lines.map((line, at) => {
    const parsed = parseLine(line, at + 1);
    if (isRow(parsed)) return parsed;
    const faults = (isRow.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`.trim());
    throw new RangeError(`${LEDGER}:${at + 1}: expected a row of the ledger: ${faults.join("; ")}`);
  });
}

/** The text of a ledger: its rows by file. */
export function ledgerOf(rows: readonly Row[]): string {
  const sorted = [...rows].sort((a, b) => (a.file < b.file ? -1 : 1));
  return sorted.map((one) => `${JSON.stringify(one)}\n`).join("");
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new RangeError(`${LEDGER}:${number}: expected JSON: ${(error as Error).message}`);
  }
}
