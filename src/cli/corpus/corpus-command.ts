/** `quorumlab corpus`: keeps a folder of small runs that together reach what many drawn ones reached. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Member } from "../../harness/corpus/corpus.ts";
import { gather, memberOf } from "../../harness/corpus/gather.ts";
import { findScenarios } from "../../harness/files.ts";
import { PROFILES, type ProfileName } from "../../harness/fuzz/profile.ts";
import { scenarioText } from "../../harness/fuzz/scenario-text.ts";
import { seedsOf, WHOLE } from "../../harness/fuzz/seeds.ts";
import { createParser, type ScenarioParser } from "../../harness/parse.ts";
import { painter } from "../../report/paint.ts";
import { Attended } from "../attended.ts";
import { type Command, textOf } from "../command.ts";
import { EXIT, type ExitCode, UsageError } from "../exit-code.ts";
import { type Io, wantsColours } from "../io.ts";
import { fromEnv, JSON_OPTION, PROGRESS_OPTION, QUIET_OPTION, SEED_OPTION } from "../options.ts";
import { createProgress } from "../progress.ts";
import { scenarioIn } from "../saved-run.ts";

export const corpusCommand: Command = {
  usage: "corpus <folder>",
  description: "keep a folder of small runs that together reach what drawn ones reach",
  examples: [
    ["$0 corpus scenarios/corpus --seeds 500", "draw five hundred worlds; keep what reaches something new"],
    ["$0 corpus scenarios/corpus --seeds 2000 --seed 501", "go on where that ended"],
  ],
  build: (yargs, env) =>
    yargs
      .positional("folder", { type: "string", demandOption: true, description: "where its scenario files stand" })
      .option(
        "seeds",
        fromEnv(env, "seeds", { type: "string", requiresArg: true, default: "200", description: "how many seeds" }),
      )
      .option("seed", fromEnv(env, "seed", { ...SEED_OPTION, description: "the number of the first seed" }))
      .option(
        "profile",
        fromEnv(env, "profile", {
          type: "string",
          choices: PROFILES,
          default: "quick",
          description: "how large the worlds are",
        }),
      )
      .option("json", fromEnv(env, "json", JSON_OPTION))
      .option("quiet", fromEnv(env, "quiet", QUIET_OPTION))
      .option("progress", fromEnv(env, "progress", PROGRESS_OPTION)),
  run: keep,
};

type Args = Readonly<Record<string, unknown>>;

async function keep(args: Args, io: Io): Promise<ExitCode> {
  const folder = textOf(args, "folder") ?? "";
  const count = wholeOf(args, "seeds");
  const seeds = seedsOf(BigInt(wholeOf(args, "seed")), count, WHOLE);
  const profile = PROFILES.find((name) => name === textOf(args, "profile")) ?? ("quick" satisfies ProfileName);
  const progress = createProgress(io, args["quiet"] === true ? "none" : (textOf(args, "progress") ?? "auto"));
  const parser = createParser();
  const attended = new Attended(io);
  mkdirSync(folder, { recursive: true });
  const { members: before, failed } = await membersIn(folder, parser, attended, io);
  let done = 0;
  const heard = (_seed: string, members: readonly Member[]): void => {
    done += 1;
    progress.at(done, count, `${members.length} runs`);
  };
  const members = await attended.finish(gather(before, { seeds, profile, parser, heard }));
  progress.done();
  save(folder, before, members);
  tell(folder, { before, members, failed, seeds: done }, args, io);
  if (attended.isInterrupted) return EXIT.interrupted;
  return failed.length > 0 ? EXIT.failed : EXIT.expected;
}

/** Those of the folder that pass, and the files that do not: they stay, for somebody to look at. */
async function membersIn(
  folder: string,
  parser: ScenarioParser,
  attended: Attended,
  io: Io,
): Promise<{ readonly members: readonly Member[]; readonly failed: readonly string[] }> {
  const members: Member[] = [];
  const failed: string[] = [];
  for (const { path } of findScenarios([folder]).files) {
    const scenario = scenarioIn(path, parser, io);
    const name = basename(path).replace(/\.ya?ml$/i, "");
    const member = scenario && (await attended.finish(memberOf(name, scenario, parser)));
    if (member === undefined) failed.push(path);
    else members.push(member);
  }
  return { members, failed };
}

function save(folder: string, before: readonly Member[], after: readonly Member[]): void {
  for (const { name } of before) if (!has(after, name)) rmSync(join(folder, `${name}.yaml`), { force: true });
  for (const { name, scenario, reached } of after) {
    if (has(before, name)) continue;
    const head = [`reaches ${reached.size} marks, alone and beside kinds of faults`, "kept by: quorumlab corpus"];
    writeFileSync(join(folder, `${name}.yaml`), scenarioText(scenario, head));
  }
}

interface Kept {
  readonly before: readonly Member[];
  readonly members: readonly Member[];
  readonly failed: readonly string[];
  readonly seeds: number;
}

function tell(folder: string, { before, members, failed, seeds }: Kept, args: Args, io: Io): void {
  const added = members.filter(({ name }) => !has(before, name)).map(({ name }) => name);
  const removed = before.filter(({ name }) => !has(members, name)).map(({ name }) => name);
  const reached = new Set(members.flatMap((member) => [...member.reached])).size;
  if (args["json"] === true) {
    const facts = { seeds, runs: members.length, reached, added, removed, failed };
    io.out(`${JSON.stringify({ type: "corpus", folder, ...facts })}\n`);
    return;
  }
  const paint = painter(wantsColours(io));
  if (args["quiet"] !== true) {
    for (const name of added) io.out(`${paint("good", "added")}    ${name}\n`);
    for (const name of removed) io.out(`${paint("dim", "removed")}  ${name}\n`);
  }
  for (const path of failed) io.out(`${paint("bad", "fails")}    ${path}\n`);
  if (args["quiet"] === true) return;
  io.out(`\n${members.length} runs reach ${reached} marks, alone and beside faults, after ${seeds} seeds\n`);
}

function has(members: readonly Member[], name: string): boolean {
  return members.some((one) => one.name === name);
}

function wholeOf(args: Args, name: string): number {
  const text = textOf(args, name);
  if (text !== undefined && /^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--${name}: expected a whole number from 1 to 999999999, got "${text ?? ""}"`);
}
