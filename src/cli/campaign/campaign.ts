/** `quorumlab campaign`: fuzzing over many threads, processes and machines. */

import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { type AttemptOptions, attemptJob } from "../../campaign/attempt.ts";
import { replaysOf } from "../../campaign/findings.ts";
import { type Plan, programFault } from "../../campaign/job.ts";
import type { JobQueue, JobRunner, WorkOptions } from "../../campaign/queue.ts";
import { RANGE_MAX, SEEDS_MAX } from "../../campaign/read.ts";
import { type JobResult, jobRowOf } from "../../campaign/rows.ts";
import { countText } from "../../invariants/text.ts";
import {
  type Args,
  type CommandGroup,
  type CommandOptions,
  EXIT,
  type ExitCode,
  type Subcommand,
  UsageError,
} from "../command.ts";
import { InterruptibleWork, type Io } from "../io.ts";
import { SilentThread, workersFor } from "../jobs/workers.ts";
import {
  BUG_OPTION,
  FIRST_SEED_OPTION,
  firstSeedOf,
  flagOption,
  JSON_OPTION,
  NODE_OPTION,
  nodesOption,
  OUTPUT_OPTIONS,
  PROFILE_OPTION,
  profileIn,
  textOption,
  threadsOf,
  variantOption,
  wholeNumber,
} from "../options.ts";
import { jsonLine, outputOf, type Progress } from "../output.ts";
import { nodesText } from "../reproduce.ts";
import { dashboardAction } from "./dashboard.ts";
import { collectReport, printResults, REPORTS_OPTION, resultsAction } from "./report.ts";
import { ownProgram, planIn, TAKEOVER_OPTION, TARGET_OPTIONS, targetOf, withQueue } from "./target.ts";

const SECONDS_MAX = 1_000_000;
const WORKERS_OPTION = textOption("threads of this process; they affect no verdict");
const TIME_OPTION = textOption("seconds after which it stops; started again, it goes on where it was");
/** Milliseconds between two looks of `watch` and of a worker that waits for a campaign. */
const LOOK_MS = 1_000;

const RANGE = 50;
/** Seconds of one world by default: five hundred times the slowest one that was measured. */
const WORLD_SECONDS = 300;
/** Runs of one minimization: most end before. */
const SHRINK_RUNS = 400;

/** Options in the order of the help text. */
const PLAN_OPTIONS: CommandOptions = {
  seeds: textOption("number of seeds; 0: none", 200),
  seed: FIRST_SEED_OPTION,
  profile: PROFILE_OPTION,
  bug: BUG_OPTION,
  range: textOption("seeds of one job: what a lost worker repeats at most", RANGE),
  "world-seconds": textOption(
    "time after which a world is stopped between two events, and is a finding",
    WORLD_SECONDS,
  ),
  "shrink-runs": textOption("most runs to minimize one finding", SHRINK_RUNS),
  keep: {
    ...textOption("worlds that results list; sums and coverage are of all", "all"),
    choices: ["all", "failures"],
  },
};

const startAction: Subcommand = {
  usage: "start",
  description: "start a campaign, or go on with it; without --redis this process does all the work",
  examples: [
    ["$0 campaign start --seeds 2000", "two thousand worlds on this machine; an interrupted call goes on where it was"],
    [
      "$0 campaign start --seeds 1000000 --redis redis://queue:6379",
      "fill a queue for workers on any number of machines",
    ],
  ],
  options: {
    ...PLAN_OPTIONS,
    workers: WORKERS_OPTION,
    time: TIME_OPTION,
    ...TARGET_OPTIONS,
    ...REPORTS_OPTION,
    ...OUTPUT_OPTIONS,
  },
  run: startCampaign,
};

const workAction: Subcommand = {
  usage: "work",
  description: "work on a campaign in Redis until it is finished or stopped",
  examples: [["$0 campaign work --redis redis://queue:6379 --workers 16", "sixteen threads of this machine"]],
  options: {
    node: NODE_OPTION,
    workers: WORKERS_OPTION,
    time: TIME_OPTION,
    stay: flagOption("wait for the first job, and for more after the last one"),
    ...TARGET_OPTIONS,
    ...TAKEOVER_OPTION,
    json: JSON_OPTION,
  },
  run: work,
};

const statusAction: Subcommand = {
  usage: "status",
  description: "print how many jobs wait, are active, done and lost",
  examples: [["$0 campaign status --redis redis://queue:6379 --json", "for a program"]],
  options: { ...TARGET_OPTIONS, json: JSON_OPTION },
  run: status,
};

const watchAction: Subcommand = {
  usage: "watch",
  description: "show the progress of a campaign until it ends, then its results",
  examples: [["$0 campaign watch --redis redis://queue:6379 --progress plain", "a line each second"]],
  options: { ...TARGET_OPTIONS, ...REPORTS_OPTION, ...OUTPUT_OPTIONS },
  run: watch,
};

const stopAction: Subcommand = {
  usage: "stop",
  description: "let no worker begin another job; `start` with the same options goes on",
  examples: [["$0 campaign stop --redis redis://queue:6379", "jobs at work come to their end"]],
  options: TARGET_OPTIONS,
  run: async (args, io) =>
    withQueue(args, io, async (queue) => {
      await planIn(queue, args);
      await queue.stop();
      return EXIT.expected;
    }),
};

/** @throws UsageError for invalid options. */
function planOf(args: Args, io: Io): Plan {
  const program = ownProgram(io);
  const nodes = nodesOption(args);
  return {
    generator: { profile: profileIn(args), bug: variantOption(args) },
    ...(nodes === undefined ? {} : { nodes: nodes.commands }),
    first: String(firstSeedOf(args)),
    seeds: wholeNumber(args, "seeds", 0, SEEDS_MAX) ?? 0,
    range: wholeNumber(args, "range", 1, RANGE_MAX) ?? RANGE,
    replay: replaysOf(targetOf(args).findings, program.commit),
    worldMs: (wholeNumber(args, "world-seconds", 1, RANGE_MAX) ?? WORLD_SECONDS) * 1_000,
    shrinkRuns: wholeNumber(args, "shrink-runs", 1, RANGE_MAX) ?? SHRINK_RUNS,
    keep: args["keep"] === "failures" ? "failures" : "all",
    program,
  };
}

async function startCampaign(args: Args, io: Io): Promise<ExitCode> {
  const plan = planOf(args, io);
  const { name, redis } = targetOf(args);
  return withQueue(args, io, async (queue) => {
    await queue.begin(plan);
    if (redis === undefined) return workInProcess(queue, plan, args, io);
    const { waiting } = await queue.counts();
    io.out(
      args["json"] === true
        ? jsonLine({ type: "started", name, waiting, ...plan.program })
        : `campaign ${name}: ${countText(waiting, "job")} wait\n  work on it: quorumlab campaign work --redis ${redis} --name ${name}${nodesText(nodesOption(args))}\n`,
    );
    return EXIT.expected;
  });
}

/** Does all the work of a campaign in this process, and prints the results. */
async function workInProcess(queue: JobQueue, plan: Plan, args: Args, io: Io): Promise<ExitCode> {
  const { progress } = outputOf(args, io);
  const show = progressReporter(plan, progress);
  for (const result of await queue.results()) show(result);
  const isInterrupted = await workOnPlan(queue, plan, { args, io, staysAfterEnd: false, onResult: show });
  progress.clear();
  const code = await printResults(await collectReport(queue, plan, args, io), args, io);
  return isInterrupted ? EXIT.interrupted : code;
}

interface WorkContext extends Pick<WorkOptions, "staysAfterEnd" | "onResult"> {
  readonly args: Args;
  readonly io: Io;
}

/** Works with the threads of this process; returns true after an interrupt. */
async function workOnPlan(
  queue: JobQueue,
  plan: Plan,
  { args, io, staysAfterEnd, onResult }: WorkContext,
): Promise<boolean> {
  const seconds = wholeNumber(args, "time", 1, SECONDS_MAX);
  const end = seconds === undefined ? Number.POSITIVE_INFINITY : io.now() + seconds * 1_000;
  const interruptible = new InterruptibleWork(io);
  const isStopped = async (): Promise<boolean> => (await interruptible.isStopped()) || io.now() >= end;
  const now = (): number => io.now();
  const { worldMs, shrinkRuns, keep } = plan;
  const settings = { worldMs, shrinkRuns, nodes: nodesOption(args) };
  // A thread that is caught inside one event is ended; the sources bound a world between two events only.
  const bounds = { threads: threadsOf(args), silentMs: 2 * worldMs + SILENT_MS };
  const workers = workersFor({ kind: "campaign", settings, isStopped, now, ...bounds });
  const isSilence = (error: unknown): boolean => error instanceof SilentThread;
  const options: AttemptOptions = { keep, worker: WORKER, now, isSilence };
  const attempts = workers.all.map(
    (carryOut): JobRunner =>
      (job) =>
        attemptJob(job, carryOut, options),
  );
  try {
    await queue.work({
      name: WORKER,
      workers: attempts,
      mayContinue: async () => !(await isStopped()),
      onResult,
      staysAfterEnd,
    });
  } finally {
    await workers.close();
  }
  return interruptible.isInterrupted;
}

async function work(args: Args, io: Io): Promise<ExitCode> {
  const { name, redis } = targetOf(args);
  if (redis === undefined) throw new UsageError("work needs --redis; without it `start` does the work");
  const staysAfterEnd = args["stay"] === true;
  return withQueue(args, io, async (queue) => {
    const plan = await awaitPlan(queue, staysAfterEnd, args, io);
    if (plan === undefined) return EXIT.expected;
    const mismatch = programFault(plan, ownProgram(io), nodesOption(args)?.commands);
    if (mismatch !== undefined) throw new UsageError(`${mismatch}: every worker of a campaign runs one program`);
    let [jobs, worlds] = [0, 0];
    const onResult = (result: JobResult): void => {
      jobs += 1;
      worlds += jobRowOf(result).worlds;
    };
    // An interrupt is how a worker that serves a queue ends: its jobs went back.
    await workOnPlan(queue, plan, { args, io, staysAfterEnd, onResult });
    io.out(
      args["json"] === true
        ? jsonLine({ type: "worked", name, jobs, worlds })
        : `campaign ${name}: ${countText(jobs, "job")} done here, ${countText(worlds, "world")}\n`,
    );
    return EXIT.expected;
  });
}

/** Returns the plan; waits for it where the worker stays, up to an interrupt. */
async function awaitPlan(queue: JobQueue, staysAfterEnd: boolean, args: Args, io: Io): Promise<Plan | undefined> {
  if (!staysAfterEnd) return planIn(queue, args);
  for (;;) {
    const plan = await queue.plan();
    if (plan !== undefined || (await io.interrupted())) return plan;
    await setTimeout(LOOK_MS);
  }
}

async function status(args: Args, io: Io): Promise<ExitCode> {
  return withQueue(args, io, async (queue) => {
    const { program, seeds } = await planIn(queue, args);
    const { name } = targetOf(args);
    const { waiting, active, done, lost, isStopped } = await queue.counts();
    io.out(
      args["json"] === true
        ? jsonLine({ type: "status", name, waiting, active, done, lost, stopped: isStopped, seeds, ...program })
        : `campaign ${name}${isStopped ? " (stopped)" : ""}: ${waiting} waiting, ${active} active, ${done} done, ${lost} lost\n`,
    );
    return lost > 0 ? EXIT.failed : EXIT.expected;
  });
}

async function watch(args: Args, io: Io): Promise<ExitCode> {
  return withQueue(args, io, async (queue) => {
    const plan = await planIn(queue, args);
    const { progress } = outputOf(args, io);
    const show = progressReporter(plan, progress);
    for (;;) {
      const [found, counts] = [await queue.newResults(), await queue.counts()];
      for (const result of found) show(result);
      if (counts.isStopped || counts.waiting + counts.active === 0) break;
      if (await io.interrupted()) return EXIT.interrupted;
      await setTimeout(LOOK_MS);
    }
    progress.clear();
    return printResults(await collectReport(queue, plan, args, io), args, io);
  });
}

/** Returns what shows the progress of a campaign, in worlds, after each result. */
function progressReporter({ seeds }: Plan, progress: Progress): (result: JobResult) => void {
  let [done, failures] = [0, 0];
  return (result) => {
    const { worlds, failed, kind, job } = jobRowOf(result);
    done += worlds;
    failures += failed;
    progress.at(done, seeds, `worlds, ${failures} failed, ${kind} ${job}`);
  };
}

export const campaignCommand: CommandGroup = {
  examples: [
    ["$0 campaign start --seeds 2000", "on this machine; an interrupted call goes on where it was"],
    ["$0 campaign start --seeds 1000000 --redis redis://queue:6379", "fill a queue"],
    ["$0 campaign work --redis redis://queue:6379 --workers 16", "work on it, on any number of machines"],
    ["$0 campaign results --redis redis://queue:6379", "worlds, findings, coverage"],
    ["$0 campaign dashboard --redis redis://queue:6379", "the same as a page, while it runs"],
  ],
  subcommands: [startAction, workAction, statusAction, watchAction, stopAction, resultsAction, dashboardAction],
};

/** Milliseconds of silence that count for nothing: the machine is busy. */
const SILENT_MS = 30_000;

/** Machine and process. */
const WORKER = `${hostname()}:${process.pid}`;
