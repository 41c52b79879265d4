/** `quorumlab why`: the causes of a failure, found by leaving them out. */
import { definedMembers } from "../core/base/defined-members.ts";
import { readLines } from "../report/search-data.ts";
import { whyText } from "../report/why.ts";
import type { Why } from "../run/events/causes.ts";
import { readText } from "../scenario/files.ts";
import type { FailingRun } from "../search/shrink/attempts.ts";
import { withoutExpectedViolation } from "../search/shrink/shrink.ts";
import { type EarlierWhy, why } from "../search/why/why.ts";
import { type Args, type Command, EXIT, textOf, UsageError } from "./command.ts";
import { scenarioRunIn } from "./files.ts";
import { InterruptibleWork, type Io } from "./io.ts";
import {
  ALLOW_COMMANDS_OPTION,
  BUG_OPTION,
  FILE_SEED_OPTION,
  NODE_OPTION,
  nodesOption,
  OUTPUT_OPTIONS,
  reportOption,
  reportRun,
  textArgument,
  textOption,
  variantOption,
  wholeNumber,
} from "./options.ts";
import { jsonLine, outputOf } from "./output.ts";

const SECONDS = 10;
const SECONDS_MAX = 86_400;
/** Default number of causes that are listed. */
const LINES = 12;
const LINES_MAX = 1_000_000;

export const whyCommand: Command = {
  examples: [
    ["$0 why found/agreement-account-1.yaml", "the messages and faults without which it does not fail"],
    ["$0 why small.yaml --seed 7 --time 60", "of the run of seed 7, for a minute"],
    ["$0 why small.yaml --json > why.json", "as JSON, from which a later call goes on: --resume why.json"],
    ["$0 why small.yaml --report small.html", "the same as a page: its diagram with the causes"],
    ["$0 why mine.yaml --bug hidden-locks", "under a known-bad variant, with its first deviation"],
  ],
  positionals: { file: textArgument("a scenario file that fails, or expects a violation") },
  options: {
    seed: FILE_SEED_OPTION,
    time: textOption("seconds after which it ends, and says what was not tried", SECONDS),
    lines: textOption("number of the last causes that are listed", LINES),
    resume: textOption("file with what an earlier call printed by --json: it goes on from there"),
    bug: BUG_OPTION,
    node: NODE_OPTION,
    "allow-commands": ALLOW_COMMANDS_OPTION,
    report: reportOption("the run with its causes"),
    ...OUTPUT_OPTIONS,
  },
  run: async (args, io) => {
    const path = textOf(args, "file") ?? "";
    const given = nodesOption(args);
    const read = scenarioRunIn(path, textOf(args, "seed"), given, io);
    if (read === undefined) return EXIT.usage;
    const { seed, programs } = read;
    const bug = variantOption(args) ?? read.scenario.bug;
    const seconds = wholeNumber(args, "time", 1, SECONDS_MAX) ?? SECONDS;
    const { json, paint } = outputOf(args, io);
    const scenario = { ...withoutExpectedViolation(read.scenario), ...definedMembers({ bug }) };
    const { found, end } = await searchWhy({ scenario, seed, programs }, earlierIn(args, seed), seconds, io);
    if (found !== undefined) {
      const most = wholeNumber(args, "lines", 1, LINES_MAX) ?? LINES;
      io.out(json ? jsonLine({ type: "why", file: path, seed, ...found }) : whyText(found, most, paint));
    } else if (end === "complete") io.err(`${path}: no violation, stall or abort under seed ${seed}\n`);
    else if (end === "late") io.err(`${path}: no violation in the first ${seconds} s: a larger --time may show one\n`);
    await reportRun(args, found && { path, seed, nodes: given, bug, why: found }, io);
    if (end === "interrupted") return EXIT.interrupted;
    return found === undefined ? EXIT.failed : EXIT.expected;
  },
};

interface SearchEnd {
  /** `undefined` if the run does not fail, or the search ended before that was known. */
  readonly found: Why | undefined;
  readonly end: "complete" | "late" | "interrupted";
}

/** Returns what `--resume` names; `undefined` without it. @throws UsageError for a file that no earlier call printed, of this seed */
function earlierIn(args: Args, seed: string): EarlierWhy | undefined {
  const path = textOf(args, "resume");
  if (path === undefined) return undefined;
  const text = readText(path);
  if (!text.ok) throw new UsageError(`--resume ${path}: ${text.error.message}`);
  const lines = readLines(text.value);
  const [line] = lines.ok ? lines.value : [];
  const outcomes = line?.["outcomes"];
  if (line?.["type"] !== "why" || typeof outcomes !== "string" || !/^[fp]*$/.test(outcomes))
    throw new UsageError(`--resume ${path}: expected the line that \`why --json\` printed`);
  if (line["seed"] !== seed)
    throw new UsageError(`--resume ${path}: expected the causes of seed ${seed}, got those of seed ${line["seed"]}`);
  return line as unknown as EarlierWhy;
}

/** @throws UsageError if `earlier` is about another failure. */
async function searchWhy(
  failing: FailingRun,
  earlier: EarlierWhy | undefined,
  seconds: number,
  io: Io,
): Promise<SearchEnd> {
  const last = io.now() + seconds * 1_000;
  let end: SearchEnd["end"] = "complete";
  const interrupted = async (): Promise<boolean> => {
    if (await io.interrupted()) end = "interrupted";
    else if (end === "complete" && io.now() > last) end = "late";
    return end !== "complete";
  };
  try {
    const found = await new InterruptibleWork({ ...io, interrupted }).finish(why(failing, earlier));
    return { found, end };
  } catch (error) {
    throw earlier !== undefined && error instanceof RangeError ? new UsageError(`--resume: ${error.message}`) : error;
  }
}
