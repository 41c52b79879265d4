/** A corpus as a folder of scenario files: its members, and what goes and comes. */
import { rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { findScenarios } from "../../scenario/files.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Member } from "../../search/corpus/corpus.ts";
import { memberOf } from "../../search/corpus/gather.ts";
import { scenarioText } from "../../search/fuzz/scenario-text.ts";
import type { Attended } from "../attended.ts";
import type { Io } from "../io.ts";
import { scenarioIn } from "../saved-run.ts";

/** What is in a folder. */
export interface Found {
  readonly members: readonly Member[];
  /** Files that do not pass, or are no scenarios: they stay, for somebody to look at. */
  readonly failed: readonly string[];
}

/** Runs every file of a folder; why one is no scenario is told. */
export async function membersIn(folder: string, parser: ScenarioParser, attended: Attended, io: Io): Promise<Found> {
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

/** Takes away the files of members that went, and writes those that came. */
export function saveMembers(folder: string, before: readonly Member[], after: readonly Member[]): void {
  for (const { name } of without(before, after)) rmSync(join(folder, `${name}.yaml`), { force: true });
  for (const { name, scenario, reached } of without(after, before)) {
    const head = [`reaches ${reached.size} marks, alone and beside kinds of faults`, "kept by: quorumlab corpus"];
    writeFileSync(join(folder, `${name}.yaml`), scenarioText(scenario, head));
  }
}

/** Those whose name no other one has. */
export function without(members: readonly Member[], others: readonly Member[]): readonly Member[] {
  return members.filter(({ name }) => !others.some((other) => other.name === name));
}
