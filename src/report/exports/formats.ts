/** Formats in which `report` writes a run for other tools. */
import type { RunData } from "../run-data.ts";
import { type FinalityMeasure, measuresOf } from "../timeline/measures.ts";
import { modelOf, type TimelineModel } from "../timeline/model.ts";
import { itfText } from "./itf.ts";
import { mermaidText } from "./mermaid.ts";
import { perfettoText } from "./perfetto.ts";

/** By name: text of a run. */
const FORMATS = {
  perfetto: perfettoText,
  mermaid: mermaidText,
  csv: latencyCsv,
  ndjson: latencyLines,
  itf: itfText,
} as const satisfies Record<string, (model: TimelineModel) => string>;

export type ExportFormat = keyof typeof FORMATS;

export const EXPORT_FORMATS = Object.keys(FORMATS) as readonly ExportFormat[];

/** Returns the text of a run in a format. */
export function exportText(data: RunData, format: ExportFormat): string {
  return FORMATS[format](modelOf(data));
}

/** Columns of the latency of each final operation, in order; times are virtual milliseconds. */
const COLUMNS = ["operation", "kind", "submitted_ms", "final_ms", "latency_ms"] as const;

type LatencyRow = Readonly<Record<(typeof COLUMNS)[number], string | number>>;

/** Returns a header and a row for each final operation (RFC 4180). */
function latencyCsv(model: TimelineModel): string {
  const rows = measuresOf(model).finals.map((measure) => Object.values(rowOf(measure)).map(cell).join(","));
  return [COLUMNS.join(","), ...rows].map((line) => `${line}\r\n`).join("");
}

/** Returns an object a line for each final operation. */
function latencyLines(model: TimelineModel): string {
  return measuresOf(model)
    .finals.map((measure) => `${JSON.stringify(rowOf(measure))}\n`)
    .join("");
}

function rowOf({ operation, kind, submittedAt, ms }: FinalityMeasure): LatencyRow {
  return { operation, kind, submitted_ms: submittedAt, final_ms: submittedAt + ms, latency_ms: ms };
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
