/** Latency of each final operation, as CSV and NDJSON. */
import { type Finality, measuresOf } from "../timeline/measures.ts";
import type { Model } from "../timeline/model.ts";

/** Columns in order; times are virtual milliseconds. */
const COLUMNS = ["operation", "kind", "submitted_ms", "final_ms", "latency_ms"] as const;

/** Returns a header and a row for each final operation (RFC 4180). */
export function latencyCsv(model: Model): string {
  const rows = measuresOf(model).finals.map((one) => Object.values(rowOf(one)).map(cell).join(","));
  return [COLUMNS.join(","), ...rows].map((line) => `${line}\r\n`).join("");
}

/** Returns an object a line for each final operation. */
export function latencyLines(model: Model): string {
  return measuresOf(model)
    .finals.map((one) => `${JSON.stringify(rowOf(one))}\n`)
    .join("");
}

function rowOf({
  operation,
  kind,
  submittedAt,
  ms,
}: Finality): Readonly<Record<(typeof COLUMNS)[number], string | number>> {
  return { operation, kind, submitted_ms: submittedAt, final_ms: submittedAt + ms, latency_ms: ms };
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
