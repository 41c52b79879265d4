/** The page reports/limits.md: what runs, states and campaigns of some sizes take, each in a process of its own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getHeapStatistics } from "node:v8";
import { RUN_EVENTS } from "../src/scenario/limits.ts";
import { machineLine } from "./page/page.ts";
import { digits } from "./page/statistics.ts";
import { table } from "./page/table.ts";
import { COMMAND, runProgram } from "./support/cpu.ts";

const LOAD = "scenarios/workloads/a-thousand-payments.yaml";
const STATE = "scenarios/rules/checkpoints/large-state-under-payments.yaml";
/** Payments of a run: as many to each size, so that large committees do not take minutes. */
const PAYMENTS = 200;
const COMMITTEES = [4, 20, 50, 100];
const ACCOUNTS = [1_000, 10_000, 100_000];
/** Seeds of a campaign of one job. */
const SEEDS = 50;
/** Worlds of the campaign that is extrapolated to, and of its jobs if failing worlds alone are kept. */
const [WORLDS, LONG_RANGE] = [1e9, 5_000];

/** A process that has ended. */
interface Measured {
  readonly peakMB: number;
  /** The JSON lines that it printed. */
  readonly lines: readonly Readonly<Record<string, number | string>>[];
}

/** Returns the page, without times, which depend on what else the machine does. `head`: the command, day and commit. */
export function limitsPage(head: string): string {
  const folder = mkdtempSync(join(tmpdir(), "limits-"));
  try {
    return `${[
      "# What some sizes take",
      `${head}; the same command renews it. Machine: ${machineLine()}, with a heap of at most ${digits(heapMB())} MB.`,
      ...validatorsPart(folder),
      ...accountsPart(folder),
      ...worldsPart(folder),
    ].join("\n\n")}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function validatorsPart(folder: string): readonly string[] {
  const columns = ["validators", "events", "peak memory, MB", "events a payment", "payments until the event limit"];
  const rows = COMMITTEES.map((validators) => {
    const changes = { "validators: 4": `validators: ${validators}`, "count: 1000": `count: ${PAYMENTS}` };
    const { peakMB, lines } = run(folder, LOAD, changes);
    const events = Number(lines[0]?.["steps"]);
    const each = events / PAYMENTS;
    return [`${validators}`, events.toLocaleString("en"), digits(peakMB), digits(each), digits(RUN_EVENTS / each)];
  });
  return [`## ${PAYMENTS} payments, by the number of validators`, table(columns, rows)];
}

function accountsPart(folder: string): readonly string[] {
  const rows = ACCOUNTS.map((count) => {
    const { peakMB } = run(folder, STATE, { "count: 20000": `count: ${count}` });
    return [count.toLocaleString("en"), digits(peakMB)];
  });
  return ["## A run with payments, by the number of accounts", table(["filler accounts", "peak memory, MB"], rows)];
}

function worldsPart(folder: string): readonly string[] {
  measured(folder, "campaign", "start", "--seeds", `${SEEDS}`, "--workers", "1", "--out", folder, "--json");
  const rows = readFileSync(join(folder, "campaign", "results.ndjson"), "utf8")
    .trim()
    .split("\n");
  const bytes = (type: RegExp): number =>
    rows.filter((row) => type.test(row)).reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 0);
  const [all, coverage] = [bytes(/./) / SEEDS, bytes(/"type":"coverage"/)];
  const long = coverage / LONG_RANGE;
  const figures: readonly (readonly [string, number])[] = [
    [`bytes of results for a world, \`--keep all --range ${SEEDS}\``, all],
    ["bytes of results for the coverage of a job", coverage],
    [`GB of results for 10^9 worlds, \`--keep all --range ${SEEDS}\``, (all * WORLDS) / 1e9],
    [`GB of results for 10^9 worlds, \`--keep failures --range ${LONG_RANGE}\`, if none fails`, (long * WORLDS) / 1e9],
    ["worlds whose results are as large as the heap, the former", (heapMB() * 1e6) / all],
    ["worlds whose results are as large as the heap, the latter", (heapMB() * 1e6) / long],
  ];
  const cells = figures.map(([name, value]) => [name, digits(value)]);
  return ["## Worlds of a campaign", table(["figure", "value"], cells)];
}

function heapMB(): number {
  return getHeapStatistics().heap_size_limit / 1e6;
}

/** Runs a scenario file with texts in it replaced. */
function run(folder: string, file: string, changes: Readonly<Record<string, string>>): Measured {
  let text = readFileSync(file, "utf8");
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`${file} has no text "${from}"`);
    text = text.replace(from, to);
  }
  const changed = join(folder, "changed.yaml");
  writeFileSync(changed, text);
  return measured(folder, "run", changed, "--json");
}

/** Runs the built command to its end. */
function measured(folder: string, ...words: readonly string[]): Measured {
  const times = join(folder, "times");
  const { output } = runProgram("time", "-f", "%M", "-o", times, process.execPath, COMMAND, ...words);
  const lines = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { peakMB: (Number(readFileSync(times, "utf8")) * 1_024) / 1e6, lines };
}
