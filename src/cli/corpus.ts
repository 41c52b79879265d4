/** `quorumlab corpus`: maintains a folder of small scenarios with the coverage of many generated ones. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { countText } from "../invariants/text.ts";
import { findScenarios } from "../scenario/files.ts";
import { createParser, type ScenarioParser } from "../scenario/parse.ts";
import { collectScenarios, corpusScenarioOf } from "../search/corpus/collect.ts";
import type { CorpusScenario } from "../search/corpus/corpus.ts";
import { seedsOf } from "../search/fuzz/guided.ts";
import { scenarioText } from "../search/fuzz/scenario-text.ts";
import { type Args, type Command, EXIT, type ExitCode, textOf } from "./command.ts";
import { scenarioIn } from "./files.ts";
import { InterruptibleWork, type Io } from "./io.ts";
import {
  FIRST_SEED_OPTION,
  firstSeedOf,
  OUTPUT_OPTIONS,
  profileIn,
  profileOption,
  SEEDS_MAX,
  textArgument,
  textOption,
  wholeNumber,
} from "./options.ts";
import { type CommandOutput, jsonLine, outputOf } from "./output.ts";

const SEEDS = 200;

export const corpusCommand: Command = {
  examples: [
    ["$0 corpus scenarios/corpus --seeds 500", "run five hundred seeds, and keep scenarios with new coverage"],
    ["$0 corpus scenarios/corpus --seeds 2000 --seed 501", "continue with the next seeds"],
  ],
  positionals: { folder: textArgument("folder of scenario files") },
  options: {
    seeds: textOption("number of seeds", SEEDS),
    seed: FIRST_SEED_OPTION,
    profile: profileOption("quick"),
    ...OUTPUT_OPTIONS,
  },
  run: keepScenarios,
};

async function keepScenarios(args: Args, io: Io): Promise<ExitCode> {
  const folder = textOf(args, "folder") ?? "";
  const count = wholeNumber(args, "seeds", 1, SEEDS_MAX) ?? SEEDS;
  const seeds = seedsOf(firstSeedOf(args), count);
  const profile = profileIn(args, "quick");
  const output = outputOf(args, io);
  const parser = createParser();
  const work = new InterruptibleWork(io);
  mkdirSync(folder, { recursive: true });
  const { scenarios: before, failed } = await corpusScenariosIn(folder, parser, work, io);
  let done = 0;
  const onProgress = (_seed: string, members: readonly CorpusScenario[]): void => {
    done += 1;
    output.progress.at(done, count, `${members.length} scenarios`);
  };
  const members = await work.finish(collectScenarios(before, { seeds, profile, parser, onProgress }));
  output.progress.done();
  saveCorpusScenarios(folder, before, members);
  const kept = { folder, before, scenarios: members, failed, seeds: done };
  io.out(output.json ? corpusLine(kept) : corpusText(kept, output));
  if (work.isInterrupted) return EXIT.interrupted;
  return failed.length > 0 ? EXIT.failed : EXIT.expected;
}

/** Contents of a folder. */
interface CorpusFolder {
  readonly scenarios: readonly CorpusScenario[];
  /** Files that do not pass or are invalid; they stay for manual inspection. */
  readonly failed: readonly string[];
}

/** Runs every file of a folder; reports why a file is invalid. */
async function corpusScenariosIn(
  folder: string,
  parser: ScenarioParser,
  work: InterruptibleWork,
  io: Io,
): Promise<CorpusFolder> {
  const members: CorpusScenario[] = [];
  const failed: string[] = [];
  for (const { path } of findScenarios([folder]).files) {
    const scenario = scenarioIn(path, parser, io);
    const name = basename(path).replace(/\.ya?ml$/i, "");
    const member = scenario && (await work.finish(corpusScenarioOf(name, scenario, parser)));
    if (member === undefined) failed.push(path);
    else members.push(member);
  }
  return { scenarios: members, failed };
}

/** Removes the files of removed scenarios, and writes those of new ones. */
function saveCorpusScenarios(
  folder: string,
  before: readonly CorpusScenario[],
  after: readonly CorpusScenario[],
): void {
  for (const { name } of scenariosMissingFrom(before, after)) rmSync(join(folder, `${name}.yaml`), { force: true });
  for (const { name, scenario, coverage: reached } of scenariosMissingFrom(after, before)) {
    const head = [`reaches ${reached.size} coverage items`, "kept by: quorumlab corpus"];
    writeFileSync(join(folder, `${name}.yaml`), scenarioText(scenario, head));
  }
}

/** Returns the scenarios whose name is not in the other list. */
function scenariosMissingFrom(
  members: readonly CorpusScenario[],
  excluded: readonly CorpusScenario[],
): readonly CorpusScenario[] {
  return members.filter(({ name }) => !excluded.some((scenario) => scenario.name === name));
}

/** Result of the command. */
interface CorpusReport {
  readonly folder: string;
  readonly before: readonly CorpusScenario[];
  readonly scenarios: readonly CorpusScenario[];
  /** Files that do not pass. */
  readonly failed: readonly string[];
  /** Number of seeds that were run. */
  readonly seeds: number;
}

/** Returns the JSON line. */
function corpusLine(kept: CorpusReport): string {
  const { folder, before, scenarios: members, failed, seeds } = kept;
  const [added, removed] = [
    namesOf(scenariosMissingFrom(members, before)),
    namesOf(scenariosMissingFrom(before, members)),
  ];
  const facts = { seeds, runs: members.length, reached: countCoverage(members), added, removed, failed };
  return jsonLine({ type: "corpus", folder, ...facts });
}

/** Returns the whole output, or with `quiet` only files that do not pass. */
function corpusText(
  { before, scenarios: members, failed, seeds }: CorpusReport,
  { quiet, paint }: Pick<CommandOutput, "quiet" | "paint">,
): string {
  const fails = failed.map((path) => `${paint("bad", "fails")}    ${path}\n`);
  if (quiet) return fails.join("");
  return [
    ...namesOf(scenariosMissingFrom(members, before)).map((name) => `${paint("good", "added")}    ${name}\n`),
    ...namesOf(scenariosMissingFrom(before, members)).map((name) => `${paint("dim", "removed")}  ${name}\n`),
    ...fails,
    `\n${countText(members.length, "scenario")} ${members.length === 1 ? "reaches" : "reach"} ${countText(countCoverage(members), "coverage item")} after ${countText(seeds, "seed")}\n`,
  ].join("");
}

function namesOf(members: readonly CorpusScenario[]): readonly string[] {
  return members.map(({ name }) => name);
}

/** Returns the number of their coverage items together. */
function countCoverage(members: readonly CorpusScenario[]): number {
  return new Set(members.flatMap(({ coverage: reached }) => [...reached])).size;
}
