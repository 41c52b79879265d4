/** Corpus as a folder of scenario files. */
import { rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findScenarios } from "../../scenario/files.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import { corpusScenarioOf } from "../../search/corpus/collect.ts";
import type { CorpusScenario } from "../../search/corpus/corpus.ts";
import { scenarioText } from "../../search/fuzz/scenario-text.ts";
import type { InterruptibleWork } from "../interruptible.ts";
import type { Io } from "../io.ts";
import { scenarioIn } from "../saved-run.ts";

/** Contents of a folder. */
export interface Found {
  readonly scenarios: readonly CorpusScenario[];
  /** Files that do not pass or are invalid; they stay for manual inspection. */
  readonly failed: readonly string[];
}

/** Runs every file of a folder; reports why a file is invalid. */
export async function corpusScenariosIn(
  folder: string,
  parser: ScenarioParser,
  work: InterruptibleWork,
  io: Io,
): Promise<Found> {
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
export function saveCorpusScenarios(
  folder: string,
  before: readonly CorpusScenario[],
  after: readonly CorpusScenario[],
): void {
  for (const { name } of without(before, after)) rmSync(join(folder, `${name}.yaml`), { force: true });
  for (const { name, scenario, coverage: reached } of without(after, before)) {
    const head = [`reaches ${reached.size} coverage items`, "kept by: quorumlab corpus"];
    writeFileSync(join(folder, `${name}.yaml`), scenarioText(scenario, head));
  }
}

/** Returns the scenarios whose name is not in the other list. */
export function without(
  members: readonly CorpusScenario[],
  others: readonly CorpusScenario[],
): readonly CorpusScenario[] {
  return members.filter(({ name }) => !others.some((other) => other.name === name));
}
