/** Data of the report of a bench (docs/guides/read-a-report.md), as `npm run bench` writes it to `reports/bench.json`. */

export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export interface BenchFigure {
  readonly figure: string;
  readonly state: string;
  /** Program that it is compared with, or `absolute`. */
  readonly reference: string;
  /** `floor`: that much or more; `ceiling`: that much or less. */
  readonly goal: { readonly kind: "floor" | "ceiling"; readonly value: number };
  /** Null where it could not be measured. */
  readonly here: Spread | null;
  /** As a multiple of the goal: 1 and more is reached. */
  readonly ofGoal: Spread | null;
  readonly absolute: string;
}

/** Costs by a size: medians. */
export interface BenchCurve {
  readonly title: string;
  /** Names of size and cost with their units. */
  readonly x: string;
  readonly y: string;
  readonly series: readonly {
    readonly name: string;
    /** Power of the size with which the cost grows; null for fewer than two sizes. */
    readonly exponent: number | null;
    readonly points: readonly { readonly x: number; readonly y: number }[];
  }[];
}

export interface BenchData {
  readonly type: "quorumlab bench";
  readonly format: 1;
  readonly title: string;
  readonly command: string;
  readonly day: string;
  readonly minutes: number;
  readonly commit?: string;
  readonly machine: string;
  /** Load of the machine before the first measurement. */
  readonly loadBefore: number;
  /** Shortened: its spreads are wide. */
  readonly isQuick: boolean;
  readonly figures: readonly BenchFigure[];
  readonly curves: readonly BenchCurve[];
}
