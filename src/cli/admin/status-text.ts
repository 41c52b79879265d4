/** Status of a network as text: a line, a table of its validators, and violations. */
import type { Paint } from "../../report/paint.ts";
import type { AdminStatus } from "../../server/admin/status.ts";

/** Returns several lines, each with a line break. */
export function statusText(status: AdminStatus, paint: Paint): string {
  const { virtual_ms, rate, steps, final, pending, nodes, violations } = status;
  const pace = rate === 1 ? "" : rate === 0 ? ", time stopped" : `, rate ${rate}`;
  const rows = nodes.map(({ node, running, epoch, checkpoint }) => [
    node,
    running ? "running" : "down",
    ...[epoch, checkpoint].map((number) => (number === null ? "-" : String(number))),
  ]);
  const lines = [
    `${virtual_ms} ms virtual${pace}, ${steps} events, ${final} final, ${pending} pending`,
    ...table([["node", "state", "epoch", "checkpoint"], ...rows]).map((line, at) => tinted(line, at, rows, paint)),
    ...violations.map((one) => `${paint("bad", one.invariant)} at ${one.virtual_ms} ms: ${one.detail}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function tinted(line: string, at: number, rows: readonly (readonly string[])[], paint: Paint): string {
  if (at === 0) return paint("dim", line);
  return rows[at - 1]?.[1] === "down" ? paint("bad", line) : line;
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
