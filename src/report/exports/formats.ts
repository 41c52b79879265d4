/** Formats in which `report` writes a run for other tools. */
import type { RunData } from "../run-data.ts";
import { type Model, modelOf } from "../timeline/model.ts";
import { itfText } from "./itf.ts";
import { latencyCsv, latencyLines } from "./latencies.ts";
import { mermaidText } from "./mermaid.ts";
import { otlpText } from "./otlp.ts";
import { perfettoText } from "./perfetto.ts";
import { shivizText } from "./shiviz.ts";

/** By name: text of a run. */
const FORMATS = {
  perfetto: perfettoText,
  shiviz: shivizText,
  mermaid: mermaidText,
  csv: latencyCsv,
  ndjson: latencyLines,
  itf: itfText,
  otlp: otlpText,
} as const satisfies Record<string, (model: Model, operation?: string) => string>;

export type ExportFormat = keyof typeof FORMATS;

export const EXPORT_FORMATS = Object.keys(FORMATS) as readonly ExportFormat[];

/** Returns the text of a run in a format. `operation`: of which `otlp` tells. */
export function exportText(data: RunData, format: ExportFormat, operation?: string): string {
  return FORMATS[format](modelOf(data), operation);
}
