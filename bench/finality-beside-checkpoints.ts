/** Does finality wait for checkpoints? Virtual time from submission to the final receipt, with them and without. */

import type { CheckpointPolicy } from "../src/core/base/epoch.ts";
import { everySlots } from "./support/genesis.ts";
import { title } from "./support/measure.ts";
import { Traffic } from "./support/traffic.ts";

const PAYMENTS = 4_000;
const EVERY_MS = 5;
const LINK = { delayMs: { from: 5, to: 20 } };

const RUNS: readonly (readonly [string, CheckpointPolicy | undefined])[] = [
  ["no checkpoints", undefined],
  ["one a second", everySlots(65_536, 1_000)],
  ["one after 20 slots", everySlots(20, 1_000)],
  ["one after each slot", everySlots(1, 1_000)],
];

function run(checkpoints: CheckpointPolicy | undefined): { readonly latencies: number[]; readonly formed: number } {
  const latencies: number[] = [];
  const plan = { link: LINK, clientLink: LINK };
  const onFinal = (latency: number): void => void latencies.push(latency);
  const traffic = new Traffic({ validators: 4, accounts: 64, checkpoints, plan, onFinal });
  traffic.steady(PAYMENTS, EVERY_MS);
  return { latencies: latencies.sort((a, b) => a - b), formed: traffic.checkpoints };
}

/** The smallest latency that so many of a hundred payments do not exceed. */
function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.ceil((sorted.length * part) / 100) - 1] as number;
}

title(`Finality of ${PAYMENTS} payments, one every ${EVERY_MS} ms, in virtual ms: 4 validators, links of 5 to 20 ms`);
const columns = [50, 95, 99, 100];
console.log(`  ${"".padEnd(34)}${["median", "95 %", "99 %", "max"].map((name) => name.padStart(8)).join("")}`);
let bare: readonly number[] | undefined;
for (const [name, policy] of RUNS) {
  const { latencies, formed } = run(policy);
  const found = columns.map((part) => percentile(latencies, part));
  bare ??= found;
  const ratio = (found[0] as number) / (bare[0] as number);
  const label = policy === undefined ? name : `${name}: ${formed} formed`;
  const cells = found.map((latency) => String(latency).padStart(8)).join("");
  console.log(`  ${label.padEnd(34)}${cells}${ratio.toFixed(2).padStart(9)} x the median without`);
}
