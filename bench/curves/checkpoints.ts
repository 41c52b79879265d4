/** Checkpoints: their cost by their interval, and the finality of payments beside them, which does not wait for them. */

import type { CheckpointPolicy } from "../../src/core/base/epoch.ts";
import { percentile } from "../../src/report/timeline/measures.ts";
import { type Effort, interleaved, type Target, valuesOf } from "../page/rounds.ts";
import { linesPlot, type Section } from "../page/section.ts";
import { digits, growthExponent, spreadOf } from "../page/statistics.ts";
import { table } from "../page/table.ts";
import { cpuMsEach } from "../support/cpu.ts";
import { everySlots } from "../support/genesis.ts";
import { Traffic } from "../support/traffic.ts";

const INTERVALS = [1, 4, 16, 64, 256, 1_024];
const INTERVALS_QUICK = [1, 16, 256];
const NONE = "none";
const ACCOUNTS = 16;
const TIMED_PAYMENTS = 2_000;
const EVERY_MS = 5;
const LINK = { delayMs: { from: 5, to: 20 } };

export async function checkpointsCurve({ rounds, ms, quick }: Effort): Promise<Section> {
  const intervals = quick ? INTERVALS_QUICK : INTERVALS;
  const targets: Target[] = [
    ...intervals.map((slots) => costTarget(String(slots), policyOf(slots))),
    costTarget(NONE, undefined),
  ];
  const costs = await interleaved(targets, { rounds, ms: ms / 3 });
  const cost = (name: string): number => spreadOf(valuesOf(costs, name)).median;
  const points = intervals.map((slots) => ({ x: slots, y: cost(String(slots)) }));
  const rows = [...intervals, undefined].map((slots) => {
    const { latencies, formed } = finality(slots === undefined ? undefined : policyOf(slots));
    const name = slots === undefined ? NONE : slots.toLocaleString("en");
    const virtual = [50, 99, 100].map((part) => digits(percentile(latencies, part)));
    return [name, digits(cost(slots === undefined ? NONE : String(slots))), ...virtual, digits(formed)];
  });
  const columns = [
    "slots between checkpoints",
    "CPU ms per payment",
    "finality p50, virtual ms",
    "p99",
    "most",
    "checkpoints formed",
  ];
  const title = "Cost of a payment by the checkpoint interval";
  const exponent = growthExponent(points)?.toFixed(2) ?? "-";
  const about = `Four validators; finality of ${digits(TIMED_PAYMENTS)} payments, one every ${EVERY_MS} ms, links of 5 to 20 ms, in virtual time. Growth exponent of the cost by the interval: ${exponent}.`;
  return {
    title,
    text: [about, table(columns, rows)],
    plots: [
      linesPlot("checkpoints", "CPU milliseconds per payment, by the slots between checkpoints", {
        ...{ title, x: "slots between checkpoints", y: "CPU ms per payment" },
        series: [
          { name: "with checkpoints", points },
          { name: "without", points: intervals.map((x) => ({ x, y: cost(NONE) })) },
        ],
      }),
    ],
  };
}

function policyOf(slots: number): CheckpointPolicy {
  return everySlots(slots, 60_000);
}

function costTarget(name: string, checkpoints: CheckpointPolicy | undefined): Target {
  const traffic = new Traffic({ validators: 4, accounts: ACCOUNTS, checkpoints });
  const once = (): number => {
    traffic.burst(ACCOUNTS);
    return ACCOUNTS;
  };
  return { name, measure: (ms) => cpuMsEach(once, ms), warmUp: once };
}

function finality(checkpoints: CheckpointPolicy | undefined): {
  readonly latencies: number[];
  readonly formed: number;
} {
  const latencies: number[] = [];
  const plan = { link: LINK, clientLink: LINK };
  const onFinal = (latency: number): void => void latencies.push(latency);
  const traffic = new Traffic({ validators: 4, accounts: 64, checkpoints, plan, onFinal });
  traffic.steady(TIMED_PAYMENTS, EVERY_MS);
  return { latencies: latencies.sort((a, b) => a - b), formed: traffic.checkpoints };
}
