/** Cases, and their results in this process, in other processes and in workers. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type SimulateOptions, simulate } from "../../src/library/simulate.ts";
import { drawWorld } from "../../src/search/fuzz/draw.ts";
import type { ProfileName } from "../../src/search/fuzz/swarm.ts";

/** A scenario file or generated scenario with its options. */
export interface Case {
  readonly file?: string;
  readonly drawn?: { readonly seed: string; readonly profile: ProfileName };
  readonly options: Pick<SimulateOptions, "seed" | "crypto">;
}

const FILES = [
  "scenarios/rules/committees/committee-of-7.yaml",
  "scenarios/rules/recovery/nonces-conflict-and-block.yaml",
  "scenarios/rules/burns/burn-races-a-payment.yaml",
  "scenarios/rules/checkpoints/checkpoints-of-4.yaml",
  "scenarios/rules/fees/fees-shared-among-7.yaml",
  "scenarios/attacks/twins/twins-within-the-bound.yaml",
  "scenarios/bugs/hidden-locks.yaml",
];
/** Scenario files and generated scenarios. */
export const CASES: readonly Case[] = [
  ...FILES.flatMap((file) => ["1", "2"].map((seed): Case => ({ file, options: { seed } }))),
  ...["3", "4", "736~2"].map((seed): Case => ({ drawn: { seed, profile: "default" }, options: { seed } })),
  { drawn: { seed: "3", profile: "deep" }, options: { seed: "3" } },
  { file: "scenarios/rules/payments/payment.yaml", options: { seed: "1", crypto: "real" } },
];

/** The results of all cases as text, and the environment in which they were made. */
export interface RunHashes {
  readonly node: string;
  readonly timeZone: string;
  readonly locale: string;
  readonly results: readonly string[];
}

/** A Node and the environment in which it runs the built program. */
export interface Environment {
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A time zone far from UTC and off by quarters of an hour; a locale with other case mappings. */
export const AWAY = { TZ: "Pacific/Chatham", LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8" };

/** The versions in `nodes/package.json`; the oldest is the first that package.json supports. */
export const VERSIONS = { oldest: "20.19.0", newest: "26.10.0" };

/** The binary of a version; `undefined` without one for this platform. @throws Error if it is not installed */
export function nodeOf(age: keyof typeof VERSIONS): string | undefined {
  const { platform, arch } = process;
  if (platform !== "linux" || (arch !== "x64" && arch !== "arm64")) return undefined;
  const path = fileURLToPath(new URL(`nodes/node_modules/${age}-${platform}-${arch}/bin/node`, import.meta.url));
  if (existsSync(path)) return path;
  throw new Error(`${path} is missing: "npm run nodes" installs it`);
}

/** Results of this process and the sources: verdict, hash, state roots, certificates, coverage. */
export function resultsHere(cases: readonly Case[]): readonly string[] {
  return cases.map(({ file, drawn, options }) => {
    const scenario =
      drawn === undefined ? readFileSync(file ?? "", "utf8") : drawWorld(drawn.seed, drawn.profile).scenario;
    return JSON.stringify(simulate(scenario, options), plain);
  });
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Results of another process or worker with the built program. */
const PROGRAM = `
const { isMainThread, parentPort, workerData } = require("node:worker_threads");
const { readFileSync } = require("node:fs");
const { root, cases } = isMainThread ? JSON.parse(process.argv[1]) : workerData;
const plain = (_key, value) => (typeof value === "bigint" ? String(value) : value);
import(root + "/index.js").then(({ simulate }) => {
  const results = cases.map(({ file, scenario, options }) =>
    JSON.stringify(simulate(scenario ?? readFileSync(file, "utf8"), options), plain),
  );
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  const found = { node: process.versions.node, timeZone, locale, results };
  if (isMainThread) process.stdout.write(JSON.stringify(found));
  else parentPort.postMessage(found);
});
`;

const ROOT = new URL("../../dist", import.meta.url).href;
/** The cases with drawn scenarios as data; drawing elsewhere is compared by the lines of `fuzz`. */
function casesAsData(cases: readonly Case[]): readonly object[] {
  return cases.map(({ file, drawn, options }) => ({
    options,
    ...(drawn === undefined ? { file } : { scenario: drawWorld(drawn.seed, drawn.profile).scenario }),
  }));
}

/** Most output of a process, in bytes. */
const OUTPUT_BYTES = 67_108_864;

/** The results of another process. @throws Error if it fails */
export function hashesIn({ node, env }: Environment, cases: readonly Case[]): RunHashes {
  const text = execFileSync(node, ["-e", PROGRAM, JSON.stringify({ root: ROOT, cases: casesAsData(cases) })], {
    encoding: "utf8",
    env: { ...process.env, ...env },
    maxBuffer: OUTPUT_BYTES,
  });
  return JSON.parse(text) as RunHashes;
}

/** The results of a worker of this process. */
export function hashesInWorker(cases: readonly Case[]): Promise<RunHashes> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, { eval: true, workerData: { root: ROOT, cases: casesAsData(cases) } });
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}
