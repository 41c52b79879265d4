/** Options that say where a campaign is kept, and the queue that they name. */
import { join } from "node:path";
import { EmbeddedQueue } from "../../campaign/embedded.ts";
import type { CampaignProgram, Plan } from "../../campaign/job.ts";
import { type JobQueue, PlanMismatch } from "../../campaign/queue.ts";
import { MalformedCampaign } from "../../campaign/read.ts";
import { type Args, type CommandOptions, textOf, UsageError } from "../command.ts";
import type { Io } from "../io.ts";
import { textOption, wholeNumber } from "../options.ts";
import { versions } from "../reproduce.ts";

const NAME = "campaign";
const OUT = "reports/campaign";
/** Bounds and default of the time after which a silent worker's job is taken over, in seconds. */
const TAKEOVER_MAX = 3_600;
const TAKEOVER = 30;
/** Bounds and default of the time without a server after which a command ends, in seconds. */
const SILENCE_MAX = 86_400;
const SILENCE = 30;

/** Options of every action. */
export const TARGET_OPTIONS: CommandOptions = {
  redis: textOption("redis://… of the queue; default: the campaign is kept in a folder, and worked on by this process"),
  "redis-seconds": textOption("time without an answer of the server after which the command ends with 2", SILENCE),
  name: { ...textOption("name of the campaign: letters, digits, - and _", NAME), env: "campaign" },
  out: textOption("folder of plans, results and findings", OUT),
};

/** The option of everything that talks to workers in Redis. */
export const TAKEOVER_OPTION: CommandOptions = {
  "takeover-seconds": textOption("silence after which a worker counts as dead, and its jobs are taken over", TAKEOVER),
};

export interface CampaignTarget {
  readonly name: string;
  /** Folder of the plan and the results of this campaign. */
  readonly folder: string;
  /** Folder of the findings of all campaigns. */
  readonly findings: string;
  readonly redis: string | undefined;
}

/** @throws UsageError for a name that cannot be part of a file's name, and for a URL of another kind. */
export function targetOf(args: Args): CampaignTarget {
  const name = textOf(args, "name") ?? NAME;
  if (!/^[A-Za-z0-9][\w-]{0,59}$/.test(name))
    throw new UsageError(`--name: expected up to 60 letters, digits, - and _, got "${name}"`);
  const out = textOf(args, "out") ?? OUT;
  const redis = textOf(args, "redis");
  if (redis !== undefined && !/^rediss?:\/\/./.test(redis))
    throw new UsageError(`--redis: expected redis://host:port, got "${redis}"`);
  return { name, folder: join(out, name), findings: join(out, "findings"), redis };
}

/** Returns the queue of a target. It loads BullMQ only if one is in Redis. */
export async function queueOf(args: Args, io: Io): Promise<JobQueue> {
  const { name, folder, redis: url } = targetOf(args);
  if (url === undefined) return new EmbeddedQueue(folder);
  const RedisQueue = await redisQueue();
  const silenceMs = (wholeNumber(args, "redis-seconds", 1, SILENCE_MAX) ?? SILENCE) * 1_000;
  const takeoverMs = (wholeNumber(args, "takeover-seconds", 1, TAKEOVER_MAX) ?? TAKEOVER) * 1_000;
  let said = "";
  const onProblem = ({ message }: Error): void => {
    // A server that is away is said once, not with each attempt.
    if (message !== said) io.err(`redis: ${message}\n`);
    said = message;
  };
  return new RedisQueue({ url, name, takeoverMs, silenceMs, onProblem });
}

/** @throws UsageError where the packages are not installed, which only these campaigns need. */
async function redisQueue(): Promise<typeof import("../../campaign/redis.ts").RedisQueue> {
  try {
    return (await import("../../campaign/redis.ts")).RedisQueue;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new UsageError("--redis: two packages are not installed; npm install bullmq ioredis");
  }
}

/** Lets an action use the queue of its target, and closes it. @throws UsageError for a campaign of another plan. */
export async function withQueue<T>(args: Args, io: Io, use: (queue: JobQueue) => Promise<T>): Promise<T> {
  const queue = await queueOf(args, io);
  try {
    return await use(queue);
  } catch (error) {
    if (error instanceof MalformedCampaign || error instanceof PlanMismatch) throw new UsageError(error.message);
    // The client's words for a connection that it has given up, and for a server that is connected and silent.
    if (error instanceof Error && /Connection is closed|Command timed out/.test(error.message))
      throw new UsageError(`--redis: ${textOf(args, "redis")} does not answer, and --redis-seconds are over`);
    throw error;
  } finally {
    await queue.close();
  }
}

/** Returns this program. An image without a clone names its commit in QUORUMLAB_COMMIT. */
export function ownProgram(io: Io): CampaignProgram {
  const { quorumlab, commit = io.env["QUORUMLAB_COMMIT"] } = versions();
  return { quorumlab, commit };
}

/** @throws UsageError if there is no campaign. */
export async function planIn(queue: JobQueue, args: Args): Promise<Plan> {
  const plan = await queue.plan();
  if (plan !== undefined) return plan;
  const { name, folder, redis } = targetOf(args);
  throw new UsageError(`there is no campaign ${name} in ${redis ?? folder}; quorumlab campaign start begins one`);
}
