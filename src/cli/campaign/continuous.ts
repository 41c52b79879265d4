/** `quorumlab campaign continuous`: rounds of campaigns at the newest commit of a checkout (docs/guides/campaigns.md). */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { replaceFile } from "../../campaign/embedded.ts";
import {
  FIRST_ROUND,
  firstSeedIn,
  hasEnd,
  nameOf,
  nextRound,
  type RoundState,
  SLICE_SEEDS,
  type SliceKind,
  secondsOf,
  slicesOf,
} from "../../campaign/rounds.ts";
import { type Args, EXIT, type ExitCode, type Subcommand, textOf, UsageError } from "../command.ts";
import { type Members, objectIn } from "../http.ts";
import type { Io } from "../io.ts";
import { firstSeedOf, flagOption, JSON_OPTION, textOption, threadsOf, wholeNumber } from "../options.ts";
import { jsonLine } from "../output.ts";
import { Checkout, ended } from "./checkout.ts";
import { appendRow, logRow } from "./log.ts";

const SECONDS_MAX = 100_000_000;
const ROUND_SECONDS = 3_600;
/** First seed, far from those that people choose by hand. */
const FIRST_SEED = "10000000000";
/** Seeds of one job: those of an interrupted one are lost. */
const RANGE = 10;
/** Milliseconds between two looks for a newer commit after one that could not be built. */
const LOOK_MS = 1_000;
const MS = 1_000;

export const continuousAction: Subcommand = {
  usage: "continuous",
  description: "search for bugs in the newest commit of a checkout, round after round, and log each campaign",
  examples: [
    ["$0 campaign continuous --pull", "in rounds of an hour, until it is interrupted"],
    ["$0 campaign continuous --checkout ../quorumlab --rounds 2 --round-seconds 600", "twenty minutes"],
  ],
  options: {
    checkout: textOption("clone whose commit is taken at the begin of each round", "."),
    pull: flagOption("git pull --ff-only in the checkout before each round"),
    build: textOption("command that makes the program of a new commit in a worktree of its own", "npm ci"),
    "round-seconds": textOption("seconds of a round", ROUND_SECONDS),
    rounds: textOption("rounds after which it ends; default: none"),
    for: textOption("seconds after which it begins no round; default: none"),
    seed: textOption("the number of the first seed; each slice takes a million, and none twice", FIRST_SEED),
    "slice-seeds": textOption("most seeds of a slice", SLICE_SEEDS),
    workers: textOption("threads; they do not affect verdicts"),
    out: textOption("folder of plans, results, findings, the worktree and the state", "reports/campaign"),
    log: textOption("file whose table gets a row for each slice", "reports/campaigns.md"),
    json: JSON_OPTION,
  },
  run: continuous,
};

interface Continuing {
  readonly checkout: Checkout;
  readonly out: string;
  readonly log: string;
  readonly first: bigint;
  readonly seeds: number;
  readonly threads: number;
  readonly roundSeconds: number;
}

async function continuous(args: Args, io: Io): Promise<ExitCode> {
  const out = resolve(textOf(args, "out") ?? "");
  const checkout = new Checkout(
    resolve(textOf(args, "checkout") ?? "."),
    join(out, "program"),
    textOf(args, "build") ?? "",
  );
  const rounds = wholeNumber(args, "rounds", 1, SECONDS_MAX) ?? Number.POSITIVE_INFINITY;
  const end = io.now() + (wholeNumber(args, "for", 1, SECONDS_MAX) ?? Number.POSITIVE_INFINITY) * MS;
  const continuing: Continuing = {
    checkout,
    out,
    log: textOf(args, "log") ?? "",
    first: firstSeedOf(args),
    seeds: wholeNumber(args, "slice-seeds", 1, SLICE_SEEDS) ?? SLICE_SEEDS,
    threads: threadsOf(args),
    roundSeconds: wholeNumber(args, "round-seconds", 1, SECONDS_MAX) ?? ROUND_SECONDS,
  };
  mkdirSync(out, { recursive: true });
  let isClean = true;
  for (let round = 0; round < rounds && io.now() < end; round++) {
    if (await io.interrupted()) return EXIT.interrupted;
    if (args["pull"] === true) await saysProblem(checkout.pull(), io);
    const code = await oneRound(continuing, args["json"] === true, io);
    if (code === EXIT.interrupted) return code;
    isClean &&= code === EXIT.expected;
  }
  return isClean ? EXIT.expected : EXIT.failed;
}

/** Awaits what may fail for a while: a server that is away, a log that is not committed. */
async function saysProblem(work: Promise<void>, io: Io): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.err(`${error.message}\n`);
  }
}

/** Works for a round. A commit that cannot be built costs its round no more than the wait for the next one. */
async function oneRound(continuing: Continuing, isJson: boolean, io: Io): Promise<ExitCode> {
  const { checkout, out, roundSeconds } = continuing;
  const stateFile = join(out, "continuous.json");
  const kept = existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, "utf8")) as RoundState) : FIRST_ROUND;
  const end = io.now() + roundSeconds * MS;
  const commit = await checkout.newest();
  let state = nextRound(kept, commit);
  replaceFile(stateFile, `${JSON.stringify(state)}\n`);
  let program: string;
  try {
    program = await checkout.program(commit);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.err(`${error.message}\n`);
    while (io.now() < end && (await checkout.newest()) === commit && !(await io.interrupted()))
      await setTimeout(LOOK_MS);
    return (await io.interrupted()) ? EXIT.interrupted : EXIT.failed;
  }
  let code: ExitCode = EXIT.expected;
  for (const kind of slicesOf(state)) {
    const seconds = secondsOf(kind, roundSeconds, (end - io.now()) / MS);
    const slice = await oneSlice({ continuing, program, state, kind, seconds }, io);
    if (slice === undefined) return EXIT.interrupted;
    if (slice.isFinished) {
      state = { ...state, finished: [...state.finished, kind] };
      replaceFile(stateFile, `${JSON.stringify(state)}\n`);
    }
    appendRow(continuing.log, slice.row);
    io.out(isJson ? jsonLine({ type: "slice", round: state.rounds, kind, commit, ...slice.summary }) : slice.row);
    if (slice.code === EXIT.interrupted || (await io.interrupted())) return EXIT.interrupted;
    if (slice.code !== EXIT.expected) code = EXIT.failed;
  }
  return code;
}

interface SlicePlan {
  readonly continuing: Continuing;
  readonly program: string;
  readonly state: RoundState;
  readonly kind: SliceKind;
  readonly seconds: number;
}

interface Slice {
  readonly code: number;
  readonly isFinished: boolean;
  readonly row: string;
  readonly summary: Members;
}

/**
 * Runs the program of the commit on a slice; returns `undefined` if it was interrupted before its first result. @throws
 * Error if it prints none for another reason: that is a defect of the program.
 */
async function oneSlice({ continuing, program, state, kind, seconds }: SlicePlan, io: Io): Promise<Slice | undefined> {
  const { out, threads, first, seeds } = continuing;
  const covers = coversOf(kind, firstSeedIn(kind, state, first), seeds);
  const command = ["campaign", "start", ...covers, "--time", String(seconds), "--workers", String(threads)];
  const where = ["--name", nameOf(kind, state), "--out", out, "--keep", "failures", "--json", "--progress", "none"];
  const main = join(program, "dist/cli/main.js");
  const {
    code = EXIT.internal,
    out: text,
    err,
  } = await ended(process.execPath, [main, ...command, ...where], {
    cwd: program,
    // Slices work in threads of their own process.
    env: { ...process.env, QUORUMLAB_REDIS: undefined },
    interrupted: () => io.interrupted(),
  });
  io.err(err);
  const lines: readonly Members[] = text.split("\n").flatMap((line) => {
    const members = objectIn(line);
    return members === undefined ? [] : [members];
  });
  const summary = lines.find(({ type }) => type === "summary");
  if (summary === undefined && (await io.interrupted())) return undefined;
  if (summary === undefined) throw new Error(`${command.join(" ")} ended with ${code} and no summary`);
  const date = new Date().toISOString().slice(0, 10);
  const row = logRow({ date, commit: state.commit ?? "", command: command.join(" "), lines });
  const isFinished = hasEnd(kind) && Number(summary["waiting"]) + Number(summary["active"]) === 0;
  return { code, isFinished, row, summary };
}

/** Returns the options that say what a slice covers. */
function coversOf(kind: SliceKind, first: bigint, count: number): readonly string[] {
  const seeds = ["--seed", String(first), "--seeds", String(count), "--range", String(RANGE)];
  switch (kind) {
    case "kept":
      return ["--seeds", "0", "--scenarios", "scenarios/regressions"];
    case "explore":
      return ["--seeds", "0", "--explore", "scenarios/explore", "--rounds", "1", "--crashes", "0"];
    case "guided":
      return [...seeds, "--guided"];
    case "fresh":
      return seeds;
  }
}
