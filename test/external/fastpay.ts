/** The payment network in examples/fastpay, as it is and with each of its planted mistakes, in drawn worlds. */
import { spawnSync } from "node:child_process";
import { type NodeSettings, programsOf } from "../../src/external/nodes.ts";
import { runToEnd } from "../../src/run/interruptible.ts";
import { createParser } from "../../src/scenario/parse.ts";
import { runSeed, type SeedRun } from "../../src/search/fuzz/seed-run.ts";
import { SHRINK_RUNS, type ShrinkResult, shrink } from "../../src/search/shrink/shrink.ts";

export const HAS_PYTHON = spawnSync("python3", ["--version"]).status === 0;

/** Says in the title of tests why they are skipped. */
export const SKIPPED = HAS_PYTHON ? "" : " (skipped: there is no python3)";

const FOLDER = "examples/fastpay";

/** Names of the mistakes, as mistakes.py prints them. */
export function mistakeNames(): readonly string[] {
  const { stderr } = spawnSync("python3", [`${FOLDER}/mistakes.py`], { encoding: "utf8" });
  return stderr.trim().split("\n").slice(1);
}

const PYTHON = `python3 ${FOLDER}/node.py`;
/** The network as a module of WebAssembly. */
export const COMPILED = `${FOLDER}/node.wasm`;

/** Returns the nodes with a mistake, or without one. */
export function fastpayNodes(mistake?: string): NodeSettings {
  return nodesOf({ "": mistake === undefined ? PYTHON : `python3 ${FOLDER}/mistakes.py ${mistake}` });
}

/** The network as WebAssembly. */
export const COMPILED_NODES = nodesOf({ "": COMPILED });

/** Two validators of each kind. */
export const MIXED_NODES = nodesOf({ "": PYTHON, v2: COMPILED, v4: COMPILED });

function nodesOf(commands: NodeSettings["commands"]): NodeSettings {
  return { commands, silentMs: 60_000 };
}

/** Returns the hash of the run of a drawn world. */
export function hashOf(nodes: NodeSettings, seed: number): string {
  return runToEnd(runSeed(String(seed), { profile: "quick", bug: undefined, nodes })).result.hash;
}

/** Returns the first run of the seeds from `first` to `last` that fails. */
export function firstFailure(nodes: NodeSettings, first: number, last: number): SeedRun | undefined {
  for (let seed = first; seed <= last; seed++) {
    const run = runToEnd(runSeed(String(seed), { profile: "quick", bug: undefined, nodes }));
    if (run.signature !== undefined) return run;
  }
  return undefined;
}

export function shrunk({ seed, scenario }: SeedRun, nodes: NodeSettings): ShrinkResult | undefined {
  return runToEnd(
    shrink({ scenario, seed, programs: programsOf(nodes) }, { parser: createParser(), runs: SHRINK_RUNS }),
  );
}
