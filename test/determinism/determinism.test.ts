/**
 * Goal: one scenario and one seed give one hash, wherever they run. Method: the same files twice in this process, in
 * two other processes, in a worker, and, where CI is set, under other Node versions; the hashes must be equal. The
 * other processes run the built program, this one the sources.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { createParser } from "../../src/harness/parse.ts";
import { runScenario } from "../../src/harness/run.ts";

const BUILT = "dist/cli/main.js";
const FILES = [
  "scenarios/rules/committee-of-7.yaml",
  "scenarios/rules/nonces-conflict-and-block.yaml",
  "scenarios/rules/burn-races-a-payment.yaml",
  "scenarios/rules/checkpoints-of-4.yaml",
  "scenarios/attacks/twins-within-the-bound.yaml",
];
const SEEDS = ["1", "2"];
const NODES = process.env["CI"] === undefined ? [] : ["22", "24"];

/** The hashes of all files and seeds, in this process. */
function hashesHere(): readonly string[] {
  const parser = createParser();
  return SEEDS.flatMap((seed) =>
    FILES.map((file) => {
      const parsed = parser.parse(readFileSync(file, "utf8"));
      if (!parsed.ok) throw new Error(`${file}: ${JSON.stringify(parsed.error)}`);
      return runScenario(parsed.value, { seed }).hash;
    }),
  );
}

/** The same from another process: `command` is what runs Node. */
function hashesElsewhere(command: string, ...before: readonly string[]): readonly string[] {
  return SEEDS.flatMap((seed) => {
    const words = [...before, BUILT, "run", ...FILES, "--seed", seed, "--json"];
    const lines = execFileSync(command, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .trim()
      .split("\n");
    const results = lines.map((line) => JSON.parse(line) as { readonly type: string; readonly hash: string });
    return results.filter(({ type }) => type === "run").map(({ hash }) => hash);
  });
}

const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const { readFileSync } = require("node:fs");
Promise.all([import(workerData.root + "/harness/parse.js"), import(workerData.root + "/harness/run.js")]).then(
  ([{ createParser }, { runScenario }]) => {
    const parser = createParser();
    parentPort.postMessage(workerData.seeds.flatMap((seed) =>
      workerData.files.map((file) => runScenario(parser.parse(readFileSync(file, "utf8")).value, { seed }).hash)));
  });
`;

function hashesInWorker(): Promise<readonly string[]> {
  const workerData = { root: new URL("../../dist", import.meta.url).href, files: FILES, seeds: SEEDS };
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { eval: true, workerData });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

describe("one scenario and one seed", () => {
  const here = hashesHere();

  test("give different hashes for different files and seeds", () => {
    expect(here).toHaveLength(FILES.length * SEEDS.length);
    expect(new Set(here).size).toBe(here.length);
  });

  test("give one hash again in the same process", () => expect(hashesHere()).toEqual(here));

  test("give one hash in two other processes", () => {
    expect(hashesElsewhere(process.execPath)).toEqual(here);
    expect(hashesElsewhere(process.execPath)).toEqual(here);
  });

  test("give one hash in a worker", async () => expect(await hashesInWorker()).toEqual(here));

  test.each(NODES)("give one hash under Node %s", (version) => {
    expect(hashesElsewhere("npx", "-y", "-p", `node@${version}`, "--", "node")).toEqual(here);
  });
});
