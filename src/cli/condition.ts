/** Conditions on measured values, as options name them: `p99<=200`. */
import { UsageError } from "./command.ts";

/** Condition that a measurement must meet. */
export interface Condition<T> {
  readonly text: string;
  readonly isMet: (found: T) => boolean;
  readonly valueIn: (found: T) => number;
}

const COMPARISONS: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  "<=": (value, bound) => value <= bound,
  ">=": (value, bound) => value >= bound,
  "<": (value, bound) => value < bound,
  ">": (value, bound) => value > bound,
};

/** Returns the condition that `--threshold` states on one of the metrics. @throws UsageError for another form. */
export function conditionOf<T>(
  text: string,
  metrics: Readonly<Record<string, (found: T) => number>>,
  examples: string,
): Condition<T> {
  const [, name = "", sign = "", number = ""] = /^\s*([a-z0-9_]+)\s*(<=|>=|<|>)\s*(\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  const valueIn = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
  const compare = COMPARISONS[sign];
  if (valueIn === undefined || compare === undefined)
    throw new UsageError(
      `--threshold: expected a condition such as ${examples}, of ${Object.keys(metrics).join(", ")}; got "${text}"`,
    );
  return { text: text.replace(/\s+/g, ""), valueIn, isMet: (found) => compare(valueIn(found), Number(number)) };
}
