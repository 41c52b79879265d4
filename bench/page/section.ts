/** A question and its answer: rows of the table of figures, further tables and plots. */
import type { Effort } from "./rounds.ts";
import { type Lines, lineChart } from "./svg.ts";
import type { Row } from "./table.ts";

export interface Plot {
  /** Name of the file, without its ending. */
  readonly file: string;
  /** Read in place of the picture. */
  readonly alt: string;
  readonly svg: string;
}

/** Returns a plot of lines. */
export function linesPlot(file: string, alt: string, lines: Lines): Plot {
  return { file, alt, svg: lineChart(lines) };
}

export interface Section {
  readonly title: string;
  /** Rows of the table of figures. */
  readonly rows?: readonly Row[];
  /** Paragraphs and tables of Markdown. */
  readonly text?: readonly string[];
  readonly plots?: readonly Plot[];
}

export type Question = (effort: Effort) => Promise<Section>;
