/** The real validator as a native node, as a module and as a process, and scenario files that it runs. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NodeSettings, programsOf, unfitParts } from "../../src/external/nodes.ts";
import { runScenario } from "../../src/run/run.ts";
import type { RunResult } from "../../src/run/verdict.ts";
import { findScenarios } from "../../src/scenario/files.ts";
import { type Scenario, seedOf } from "../../src/scenario/scenario.ts";
import { buildNativeNode } from "../../tools/native-node/build.mjs";
import { scenarioIn } from "../run/support.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "native-node-"));
buildNativeNode(FOLDER);

export const MODULE = `native:${join(FOLDER, "node.cjs")}`;
export const PROCESS = `native:'${process.execPath}' ${join(FOLDER, "process.cjs")}`;

/** Returns a module whose node changes the outputs of the real one: `change` is the text of a function. */
export function changedModule(name: string, change: string): string {
  const path = join(FOLDER, `${name.replaceAll(" ", "-")}.cjs`);
  const code = `const { createNode } = require("./node.cjs");
const change = ${change};
exports.createNode = () => { const node = createNode(); return (input) => node(input).flatMap(change); };
`;
  writeFileSync(path, code);
  return `native:${path}`;
}

export function nativeNodes(command: string, name = ""): NodeSettings {
  return { commands: { [name]: command }, silentMs: 60_000 };
}

/** Runs a scenario, with nodes in place of validators. */
export function runNative(scenario: Scenario, nodes?: NodeSettings): RunResult {
  return runScenario(scenario, { seed: seedOf(scenario, undefined), programs: programsOf(nodes) });
}

/** Returns the files that native nodes can take part in. */
export function fittingFiles(...patterns: readonly string[]): readonly (readonly [path: string, Scenario])[] {
  return findScenarios(patterns).files.flatMap(({ path }) => {
    const scenario = scenarioIn(path);
    return unfitParts(scenario, nativeNodes(MODULE)).length === 0 ? [[path, scenario] as const] : [];
  });
}
