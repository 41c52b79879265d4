/** What `quorumlab fuzz` is asked for, read from its arguments. */
import { availableParallelism } from "node:os";
import { BUGS } from "../../bugs/catalogue.ts";
import { PROFILES, type ProfileName } from "../../harness/fuzz/profile.ts";
import type { Worlds } from "../../harness/fuzz/seed-run.ts";
import { seedsOf } from "../../harness/fuzz/seeds.ts";
import { textOf } from "../command.ts";
import { UsageError } from "../exit-code.ts";
import { shardOf, wholeOf } from "../whole.ts";
import { SEEDS_MAX, THREADS_DEFAULT, THREADS_MAX } from "./limits.ts";

export interface FuzzOptions {
  readonly worlds: Worlds;
  /** In the order in which a campaign that is not steered runs them. */
  readonly seeds: readonly string[];
  /** Whether rare marks decide which worlds come next. */
  readonly steers: boolean;
  /** Failing runs after which it ends. */
  readonly stopAfter: number | undefined;
  /** After which nothing new begins. */
  readonly milliseconds: number | undefined;
  readonly threads: number;
  readonly out: string;
}

type Args = Readonly<Record<string, unknown>>;

/** @throws UsageError for what no campaign can be. */
export function fuzzOptions(args: Args): FuzzOptions {
  const bug = textOf(args, "bug");
  if (bug !== undefined && !BUGS.some(({ name }) => name === bug))
    throw new UsageError(`--bug: no known-bad variant is called "${bug}"; src/bugs has ${BUGS.length} of them`);
  const profile = PROFILES.find((name) => name === textOf(args, "profile")) ?? ("default" satisfies ProfileName);
  const seconds = wholeOf(args, "time", 1, 1_000_000);
  return {
    worlds: { profile, bug },
    seeds: seedsIn(args),
    steers: args["steer"] === true,
    stopAfter: wholeOf(args, "stop-after", 1, SEEDS_MAX),
    milliseconds: seconds === undefined ? undefined : seconds * 1_000,
    threads: wholeOf(args, "workers", 1, THREADS_MAX) ?? Math.min(THREADS_DEFAULT, availableParallelism()),
    out: textOf(args, "out") ?? "reports/fuzz",
  };
}

function seedsIn(args: Args): readonly string[] {
  const first = textOf(args, "seed") ?? "1";
  const count = wholeOf(args, "seeds", 1, SEEDS_MAX) ?? 1;
  if (!/^\d{1,30}(~\d{1,9})*$/.test(first))
    throw new UsageError(`--seed: expected the number of the first seed, got "${first}"`);
  if (!first.includes("~")) return seedsOf(BigInt(first), count, shardOf(textOf(args, "shard")));
  if (count > 1) throw new UsageError(`--seed: ${first} is a mutation, and no other seed follows it: --seeds 1`);
  return [first];
}
