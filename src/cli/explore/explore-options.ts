/** What `quorumlab explore` is asked for, read from its arguments. */
import { BUGS } from "../../bugs/catalogue.ts";
import type { Bounds } from "../../harness/explore/arena.ts";
import { CRASHES_MAX, ROUNDS_MAX, STATES_DEFAULT, STATES_MAX } from "../../harness/explore/limits.ts";
import { textOf } from "../command.ts";
import { UsageError } from "../exit-code.ts";

export interface ExploreOptions {
  readonly bounds: Bounds;
  readonly byzantine: string | undefined;
  readonly bug: string | undefined;
  /** States of one level after which it gives up. */
  readonly states: number;
  readonly out: string;
  /** Where the levels that are done stand. */
  readonly resume: string | undefined;
}

type Args = Readonly<Record<string, unknown>>;

/** @throws UsageError for what no exploration can be. */
export function exploreOptions(args: Args): ExploreOptions {
  const bug = textOf(args, "bug");
  if (bug !== undefined && !BUGS.some(({ name }) => name === bug))
    throw new UsageError(`--bug: no known-bad variant is called "${bug}"; src/bugs has ${BUGS.length} of them`);
  return {
    bounds: { rounds: wholeOf(args, "rounds", 0, ROUNDS_MAX, 1), crashes: wholeOf(args, "crashes", 0, CRASHES_MAX, 0) },
    byzantine: textOf(args, "byzantine"),
    bug,
    states: wholeOf(args, "states", 1, STATES_MAX, STATES_DEFAULT),
    out: textOf(args, "out") ?? "reports/explore",
    resume: textOf(args, "resume"),
  };
}

function wholeOf(args: Args, name: string, least: number, most: number, otherwise: number): number {
  const text = textOf(args, name);
  if (text === undefined) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${name}: expected a whole number from ${least} to ${most}, got "${text}"`);
}
