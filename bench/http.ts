/** Payments per second of the served network over HTTP, and the latency of each. */

import { readyAccounts, TEST_MNEMONIC } from "../src/server/setup/accounts.ts";
import { bareFramework } from "./http/bare.ts";
import { type Load, load } from "./http/load.ts";
import { otherChains } from "./http/other-chains.ts";
import { servedNetwork } from "./http/served.ts";
import type { Target } from "./http/target.ts";
import { title } from "./support/measure.ts";

const PAYMENTS = 200;
const CONNECTIONS = [1, 10, 50];
/** Runs of each, in turn with the others: what slows a shared machine down meets them all. */
const ROUNDS = 3;
const MOST = Math.max(...CONNECTIONS);
const WIDTHS = [12, 18, 12, 9, 13, 9, 9];

/** Makes so many payments in each run, and prints rates, latencies and ratios. */
export async function measureHttp(payments: number = PAYMENTS): Promise<void> {
  const accounts = readyAccounts({ mnemonic: TEST_MNEMONIC, count: MOST });
  title(
    `${payments} payments over HTTP, each with its receipt; 4 validators, real signatures: medians of ${ROUNDS} runs`,
  );
  const targets: Target[] = [];
  try {
    // The first one is compared with the references; the second has the links that it has when nobody chooses.
    for (const delay of ["0", "0..2"]) targets.push(await servedNetwork(accounts, delay));
    targets.push(await bareFramework(accounts), ...(await otherChains(accounts)));
    // The first requests are slower than all that follow: code is compiled.
    for (const target of targets) await load(target, accounts, 2 * MOST);
    for (const connections of CONNECTIONS) {
      const loads = new Map<Target, Load[]>(targets.map((target) => [target, []]));
      for (let round = 0; round < ROUNDS; round++)
        for (const [target, all] of loads) all.push(await load(target, accounts.slice(0, connections), payments));
      print(connections, loads);
    }
  } finally {
    for (const { child } of targets) child.stop();
  }
}

function print(connections: number, loads: ReadonlyMap<Target, readonly Load[]>): void {
  const columns = ["payments/s", "(least to most)", "answer p50", "p99", "receipt p50", "p99 ms", "CPU ms"];
  const head = connections === 1 ? "1 connection" : `${connections} connections`;
  console.log(`\n  ${head.padEnd(28)}${columns.map((name, at) => name.padStart(WIDTHS[at] ?? 0)).join("")}`);
  for (const [{ name }, all] of loads) {
    const rates = all.map(({ rate }) => rate);
    const times = [
      all.map(({ answer }) => answer.p50),
      all.map(({ answer }) => answer.p99),
      all.map(({ receipt }) => receipt.p50),
      all.map(({ receipt }) => receipt.p99),
      all.flatMap(({ cpu }) => (cpu === undefined ? [] : [cpu])),
    ];
    const cells = [digits(median(rates)), `(${spread(rates)})`, ...times.map((of) => digits(median(of)))];
    console.log(`  ${name.padEnd(28)}${cells.map((cell, at) => cell.padStart(WIDTHS[at] ?? 0)).join("")}`);
  }
  const [[served, own] = [], , ...references] = loads;
  for (const [{ name }, all] of references) {
    // Paired: each run with the other one's run beside it.
    const ratios = all.map(({ rate }, round) => (own?.[round]?.rate ?? Number.NaN) / rate);
    const ratio = digits(median(ratios)).padStart(9);
    console.log(`  ${served?.name.padEnd(28)}${ratio} x the payments/s of ${name} (${spread(ratios)})`);
  }
}

function median(all: readonly number[]): number {
  const sorted = [...all].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function spread(all: readonly number[]): string {
  return `${digits(Math.min(...all))} to ${digits(Math.max(...all))}`;
}

/** Three digits that count, and no more than three after the point. */
function digits(value: number): string {
  if (Number.isNaN(value)) return "-";
  return value.toFixed(Math.max(0, Math.min(3, 2 - Math.floor(Math.log10(Math.abs(value))))));
}
