/** What `quorumlab hunt` is asked for, read from its arguments. */
import { availableParallelism } from "node:os";
import type { Bug } from "../../bugs/bug.ts";
import { BUGS } from "../../bugs/catalogue.ts";
import { PROFILES, type ProfileName } from "../../harness/fuzz/profile.ts";
import { REPEATS, SEEDS_BUDGET, SHRINK_BUDGET } from "../../harness/hunt/limits.ts";
import { type Range, rangesFrom, type Strategy } from "../../harness/hunt/strategy.ts";
import { textOf, texts } from "../command.ts";
import { UsageError } from "../exit-code.ts";
import { SEEDS_MAX, THREADS_DEFAULT, THREADS_MAX } from "../fuzz/limits.ts";

export interface HuntOptions {
  readonly bugs: readonly Bug[];
  readonly strategies: readonly Strategy[];
  readonly ranges: readonly Range[];
  /** Whether ranges are looked at to their ends, to say how many clean runs a bug takes. */
  readonly confidence: boolean;
  /** Runs that making a finding smaller may take; 0: nothing is made smaller. */
  readonly shrinkRuns: number;
  readonly threads: number;
  readonly out: string;
}

type Args = Readonly<Record<string, unknown>>;

/** @throws UsageError for what no hunt can be. */
export function huntOptions(args: Args): HuntOptions {
  const budget = wholeOf(args, "seeds", 1, SEEDS_MAX) ?? SEEDS_BUDGET;
  const repeats = wholeOf(args, "repeats", 1, 1_000) ?? REPEATS;
  const profile = PROFILES.find((name) => name === textOf(args, "profile")) ?? ("default" satisfies ProfileName);
  return {
    bugs: bugsOf(texts(args, "bugs")),
    strategies: [{ kind: "fuzz", profile }],
    ranges: rangesFrom(firstSeed(textOf(args, "seed") ?? "1"), budget, repeats),
    confidence: args["confidence"] === true,
    shrinkRuns: wholeOf(args, "shrink-runs", 0, 1_000_000) ?? SHRINK_BUDGET,
    threads: wholeOf(args, "workers", 1, THREADS_MAX) ?? Math.min(THREADS_DEFAULT, availableParallelism()),
    out: textOf(args, "out") ?? "reports",
  };
}

function bugsOf(names: readonly string[]): readonly Bug[] {
  if (names.length === 0) return BUGS;
  return [...new Set(names)].map((name) => {
    const bug = BUGS.find((one) => one.name === name);
    if (bug === undefined)
      throw new UsageError(`no known-bad variant is called "${name}"; src/bugs has ${BUGS.length} of them`);
    return bug;
  });
}

function firstSeed(text: string): bigint {
  if (!/^\d{1,30}$/.test(text)) throw new UsageError(`--seed: expected the number of the first seed, got "${text}"`);
  return BigInt(text);
}

function wholeOf(args: Args, name: string, least: number, most: number): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${name}: expected a whole number from ${least} to ${most}, got "${text}"`);
}
