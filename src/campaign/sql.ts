/** Queries over results by DuckDB, an optional package. Loaded with `--sql` only. */
import { COLUMNS } from "./rows.ts";

/** A query that cannot be answered; the message is for the user. */
export class QueryError extends Error {
  override readonly name = "QueryError";
}

/** Tables of a query: the plural of the type of their rows. */
export const TABLES: Readonly<Record<keyof typeof COLUMNS, string>> = {
  world: "worlds",
  coverage: "coverage",
  parent: "parents",
  shrunk: "shrunk",
  replay: "replays",
  detection: "detections",
  level: "levels",
  scenario: "scenarios",
  bench: "benches",
  job: "jobs",
};

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Returns the answer to one query over a file of results. Costs a pass over the file for each table that it names.
 * @throws QueryError without the package, and for a query that DuckDB refuses.
 */
export async function answerTo(sql: string, file: string): Promise<Answer> {
  const { DuckDBInstance } = await duckdb();
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    for (const statement of viewsOf(file)) await connection.run(statement);
    const reader = await connection.runAndReadAll(sql);
    const isWhole = reader
      .columnTypes()
      .map((type) => /^(U?(BIG|SMALL|TINY)INT|U?INTEGER|HUGEINT)$/.test(type.toString()));
    const rows = reader.getRowsJson().map((row) => row.map((cell, at) => (isWhole[at] === true ? plain(cell) : cell)));
    return { columns: reader.columnNames(), rows };
  } catch (error) {
    throw new QueryError(error instanceof Error ? error.message : String(error));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** DuckDB gives 64-bit numbers as text; those of campaigns fit in a number. */
function plain(value: unknown): unknown {
  return typeof value === "string" && Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

async function duckdb(): Promise<typeof import("@duckdb/node-api")> {
  try {
    return await import("@duckdb/node-api");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw new QueryError("DuckDB is not installed; npm install @duckdb/node-api");
  }
}

/** Returns the statements that make a table of each type of row, with the documented columns. */
function viewsOf(file: string): readonly string[] {
  const quoted = `'${file.replaceAll("'", "''")}'`;
  return Object.entries(COLUMNS).map(([type, columns]) => {
    const named = Object.entries(columns).map(([name, [sql]]) => [name, sql] as const);
    const types = [...named, ["type", "VARCHAR"] as const].map(([name, sql]) => `"${name}": '${sql}'`).join(", ");
    const from = `read_json(${quoted}, format = 'newline_delimited', columns = {${types}})`;
    const list = named.map(([name]) => `"${name}"`).join(", ");
    return `create view ${TABLES[type as keyof typeof COLUMNS]} as select ${list} from ${from} where "type" = '${type}'`;
  });
}
