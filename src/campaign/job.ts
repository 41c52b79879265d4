/** Jobs of a campaign, plain data that any process of the same commit can carry out, and the plan that they come from. */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { NodeSettings } from "../external/nodes.ts";
import { type FailureSignature, failureSignatureKey } from "../search/fuzz/failure-signature.ts";
import type { GeneratorOptions } from "../search/fuzz/seed-run.ts";

/** Source of the worlds of a campaign. Commands of validators are no part of a job: a queue starts no program. */
export type DrawOptions = Pick<GeneratorOptions, "profile" | "bug">;

/** A range of seeds, each drawn and run as `fuzz` does. */
export interface FuzzWork extends DrawOptions {
  readonly kind: "fuzz";
  readonly first: string;
  readonly count: number;
}

/** A long range, which becomes jobs of `range` seeds when no other job waits. */
export interface SplitWork extends Omit<FuzzWork, "kind"> {
  readonly kind: "split";
  readonly range: number;
}

/** Minimization of the first failure with a signature. */
export interface ShrinkWork extends DrawOptions {
  readonly kind: "shrink";
  readonly seed: string;
  readonly signature: FailureSignature;
  readonly runs: number;
}

/** A kept finding under today's program. */
export interface ReplayWork {
  readonly kind: "replay";
  readonly key: string;
  readonly text: string;
  readonly seed: string;
  readonly signature: FailureSignature;
}

/** Causes of a minimized failure. */
export interface WhyWork extends Pick<ReplayWork, "key" | "text" | "seed"> {
  readonly kind: "why";
}

export type JobWork = FuzzWork | SplitWork | ShrinkWork | ReplayWork | WhyWork;
export type JobKind = JobWork["kind"];

export interface Job {
  /** Unique in a campaign, and a function of the work: the same work is never queued twice. */
  readonly id: string;
  readonly work: JobWork;
}

/** Order in which kinds are taken: the lowest number first. A split comes last, so that a queue stays short. */
export const PRIORITIES: Readonly<Record<JobKind, number>> = {
  replay: 1,
  shrink: 2,
  why: 3,
  fuzz: 4,
  split: 5,
};

/** Jobs that one split becomes. */
export const SPLIT_JOBS = 1_000;

/** Returns the job of a work. */
export function jobOf(work: JobWork): Job {
  return { id: idOf(work), work };
}

function idOf(work: JobWork): string {
  switch (work.kind) {
    case "fuzz":
      return `fuzz-${work.first}-${work.count}`;
    case "split":
      return `split-${work.first}-${work.count}`;
    case "shrink":
      return `shrink-${digest(failureSignatureKey(work.signature))}`;
    case "replay":
      return `replay-${digest(work.key)}`;
    case "why":
      return `why-${digest(work.key)}`;
  }
}

/** Returns 16 hexadecimal digits that stand for a text. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Returns the jobs of a split; each covers at most `range` seeds, together all. */
export function partsOf({ kind: _split, range, ...work }: SplitWork): readonly Job[] {
  const parts: Job[] = [];
  for (let at = 0; at < work.count; at += range) {
    const first = String(BigInt(work.first) + BigInt(at));
    parts.push(jobOf({ ...work, kind: "fuzz", first, count: Math.min(range, work.count - at) }));
  }
  return parts;
}

export interface Plan {
  readonly generator: DrawOptions;
  /** Commands of `--node` by validator: each worker must be given the same ones, and none is started from here. */
  readonly nodes?: NodeSettings["commands"] | undefined;
  /** First seed in decimal, and number of seeds. */
  readonly first: string;
  readonly seeds: number;
  /** Seeds of one job. */
  readonly range: number;
  readonly replay: readonly Omit<ReplayWork, "kind">[];
  /** Milliseconds after which a world is stopped between two events, and becomes a finding. */
  readonly worldMs: number;
  /** Runs that the minimization of one finding may take. */
  readonly shrinkRuns: number;
  /** Rows of worlds that results keep. */
  readonly keep: "all" | "failures";
  readonly program: CampaignProgram;
}

/** Program of a campaign. */
export interface CampaignProgram {
  readonly quorumlab: string;
  /** `undefined` if neither a git clone nor the environment tells it. */
  readonly commit: string | undefined;
}

/** Returns the jobs of a plan. A plan of many jobs begins with splits, so that no queue holds them all at once. */
export function* jobsOf(plan: Plan): Generator<Job> {
  for (const recording of plan.replay) yield jobOf({ kind: "replay", ...recording });
  const { generator, first, seeds, range } = plan;
  const whole = { ...generator, kind: "split", first, count: seeds, range } as const;
  if (seeds <= range * SPLIT_JOBS) yield* partsOf(whole);
  else
    for (const { work } of partsOf({ ...whole, range: range * SPLIT_JOBS }))
      if (work.kind === "fuzz") yield jobOf({ ...work, kind: "split", range });
}

/** Returns why a program with these validators may not work on a plan; `undefined` if it may. */
export function programFault(
  plan: Plan,
  own: CampaignProgram,
  nodes: NodeSettings["commands"] | undefined,
): string | undefined {
  if (!isDeepStrictEqual(plan.nodes, nodes))
    return `the campaign runs ${validatorsText(plan.nodes)}, this is ${validatorsText(nodes)}`;
  const { quorumlab, commit } = plan.program;
  if (quorumlab !== own.quorumlab) return `the campaign runs version ${quorumlab}, this is ${own.quorumlab}`;
  if (commit === own.commit) return undefined;
  return `the campaign runs commit ${commit ?? "unknown"}, this is ${own.commit ?? "unknown"}`;
}

function validatorsText(nodes: NodeSettings["commands"] | undefined): string {
  return nodes === undefined ? "no --node" : `--node ${JSON.stringify(nodes)}`;
}
