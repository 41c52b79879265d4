/** Texts in columns. */

/**
 * Returns the rows as lines: columns as wide as their widest text, two spaces apart. `isNumber`: by column, true where
 * texts stand to the right.
 */
export function inColumns(rows: readonly (readonly string[])[], isNumber: readonly boolean[] = []): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const padded = (cell: string, at: number): string =>
    isNumber[at] === true ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0);
  return rows.map((row) => row.map(padded).join("  ").trimEnd());
}
