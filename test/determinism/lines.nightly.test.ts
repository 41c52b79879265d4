/**
 * Goal: the JSON lines of commands are equal byte for byte in every environment, and a seed of `fuzz`
 * gives one hash here, in another process and in a thread. Method: two processes of the built command, others with more threads
 * under other versions of Node, in another time zone and locale, a thread of a campaign, and the sources in this process.
 * Only times and the version of Node may differ.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { workersInThreads } from "../../src/cli/jobs/workers.ts";
import { type GeneratorOptions, runSeed } from "../../src/search/fuzz/seed-run.ts";
import { AWAY, type Environment, nodeOf } from "./elsewhere.ts";

const FILES = ["scenarios/rules/payments/payment.yaml", "scenarios/bugs/hidden-locks.yaml"];
const BUG = "hasty-refusal";
const WORLDS: GeneratorOptions = { profile: "quick", bug: BUG };
const SEEDS = ["1", "2", "3"];

const HERE: Environment = { node: process.execPath, env: {} };

/** Lines of another process, without durations. */
function lines(...argv: readonly string[]): string {
  return linesOf(HERE, argv);
}

function linesOf({ node, env }: Environment, argv: readonly string[]): string {
  const out = join(mkdtempSync(join(tmpdir(), "quorumlab-")), "found");
  const words = ["dist/cli/main.js", ...argv, "--json"].map((word) => (word === "OUT" ? out : word));
  try {
    return plain(execFileSync(node, words, { encoding: "utf8", env: { ...process.env, ...env } }), out);
  } catch (error) {
    const { status, stdout } = error as { readonly status: number; readonly stdout: string };
    expect(status).toBe(1);
    return plain(stdout, out);
  }
}

function plain(text: string, out: string): string {
  return (
    text
      .replaceAll(out, "OUT")
      // Which runs are slow is a matter of the clock.
      .replace(/^\{"type":"slow".*\n/gm, "")
      .replace(/"node":"[\d.]+"/g, '"node":""')
      .replace(/"(wall_ms|cpu_ms)":[\d.]+/g, '"$1":0')
  );
}

function hashesIn(text: string): readonly unknown[] {
  const all = text.trim().split("\n");
  const runs = all.map((line) => JSON.parse(line) as { readonly type: string; readonly hash?: string });
  return runs.filter(({ type }) => type === "run").map(({ hash }) => hash);
}

/** The hash of a seed's run, and true if it failed: the command prints failures only. */
function seedHere(seed: string): { readonly hash: string; readonly fails: boolean } {
  const run = runSeed(seed, WORLDS);
  let slice = run.next();
  while (slice.done !== true) slice = run.next(false);
  return { hash: slice.value.result.hash, fails: slice.value.signature !== undefined };
}

async function hashesInThread(): Promise<readonly (string | undefined)[]> {
  const file = new URL("../../dist/cli/jobs/worker.js", import.meta.url);
  const isStopped = async (): Promise<boolean> => false;
  const workers = workersInThreads({ kind: "fuzz", settings: WORLDS, threads: 1, isStopped, file });
  const hashes: (string | undefined)[] = [];
  for (const seed of SEEDS) hashes.push((await workers.all[0]?.(seed))?.counts.hash);
  await workers.close();
  return hashes;
}

describe("two processes print the same", () => {
  test("of scenarios", () => {
    const text = lines("run", ...FILES, "--seed", "5");
    expect(hashesIn(text)).toHaveLength(FILES.length);
    expect(lines("run", ...FILES, "--seed", "5")).toBe(text);
  });

  test("of seeds, which have the same hashes here and in a thread", async () => {
    const argv = ["fuzz", "--seeds", String(SEEDS.length), "--profile", "quick", "--bug", BUG, "--out", "OUT"];
    const text = lines(...argv, "--workers", "1");
    expect(lines(...argv, "--workers", "1")).toBe(text);
    expect(linesOf({ ...HERE, env: AWAY }, [...argv, "--workers", "2"])).toBe(text);
    for (const [at, age] of (["oldest", "newest"] as const).entries()) {
      const node = nodeOf(age);
      if (node !== undefined) expect(linesOf({ node, env: AWAY }, [...argv, "--workers", `${3 - at}`])).toBe(text);
    }
    const here = SEEDS.map(seedHere);
    const failed = here.filter(({ fails }) => fails).map(({ hash }) => hash);
    expect(failed.length).toBeGreaterThan(0);
    expect(hashesIn(text)).toEqual(failed);
    expect(await hashesInThread()).toEqual(here.map(({ hash }) => hash));
  });
});
