/** Rows of the page: a figure, its reference, its goal and what was measured here. */
import { digits, type Spread, spreadText } from "./statistics.ts";

/** `floor`: that much or more; `ceiling`: that much or less. */
export interface Goal {
  readonly kind: "floor" | "ceiling";
  readonly value: number;
}

/** Cold: a fresh process, compiled code and caches from nothing. Warm: after the same work in the same process. */
export type State = "cold" | "warm" | "any";

export interface Row {
  readonly figure: string;
  readonly state: State;
  /** `absolute`, where the figure is no ratio. */
  readonly reference: string;
  readonly goal: Goal;
  /** `undefined`: the reference is not here. */
  readonly here: Spread | undefined;
  /** Absolute rates or costs of both sides, with their units. */
  readonly absolute: string;
}

export type Outcome = "reached" | "not reached" | "not here";

export function outcomeOf({ goal, here }: Row): Outcome {
  if (here === undefined) return "not here";
  const isReached = goal.kind === "floor" ? here.median >= goal.value : here.median <= goal.value;
  return isReached ? "reached" : "not reached";
}

export function goalText({ kind, value }: Goal): string {
  return `${kind === "floor" ? "≥" : "≤"} ${digits(value)}`;
}

/** Nearness to the goal: 1 and more is reached, 0.5 is half of the way. */
export function nearness({ goal }: Row, value: number): number {
  return goal.kind === "floor" ? value / goal.value : goal.value / value;
}

const COLUMNS = ["figure", "state", "reference", "goal", "here: min / **median** / max", "absolute", "outcome"];

/** A table of Markdown. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellText).join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

/** A line break or a bar would end the cell. */
function cellText(text: string): string {
  return text.replaceAll("\n", " ").replaceAll("|", "\\|");
}

export function figureTable(rows: readonly Row[]): string {
  return table(
    COLUMNS,
    rows.map((row) => [
      row.figure,
      row.state === "any" ? "–" : row.state,
      row.reference,
      goalText(row.goal),
      row.here === undefined ? "not here" : spreadText(row.here),
      row.absolute,
      outcomeOf(row),
    ]),
  );
}
