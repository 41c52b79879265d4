/** Cost of the oracles: without any, of what they read, of each alone, of all. */
import { CATALOGUE } from "../../src/invariants/catalogue.ts";
import type { Oracle } from "../../src/invariants/fold.ts";
import { judge } from "../../src/invariants/judge.ts";
import type { RunSetting } from "../../src/invariants/observation.ts";
import { createCheckpointChain } from "../../src/run/checkpoint-chain.ts";
import { createTranslator } from "../../src/run/translate.ts";
import type { Compiled } from "../../src/scenario/compile/compile.ts";
import type { WorldListener } from "../../src/simulator/listener.ts";
import { type Effort, interleaved, type Target, valuesOf } from "../page/rounds.ts";
import type { Section } from "../page/section.ts";
import { digits, spreadOf } from "../page/statistics.ts";
import { barChart } from "../page/svg.ts";
import { table } from "../page/table.ts";
import { cpuMsEach } from "../support/cpu.ts";
import { payments, runJudged, runWatched } from "../support/payments.ts";

const PAYMENTS = 400;
const OFF = "oracles off";
const ALL = "all oracles, and the rest of `run`";

export async function oraclesCurve({ rounds, ms }: Effort): Promise<Section> {
  const work = payments({ count: PAYMENTS });
  const target = (name: string, run: () => void): Target => {
    const once = (): number => {
      run();
      return PAYMENTS;
    };
    return { name, measure: (part) => cpuMsEach(once, part), warmUp: once };
  };
  const watched = (name: string, oracles: (setting: RunSetting) => readonly Oracle[]): Target =>
    target(name, () => runWatched(work, (compiled) => observing(compiled, oracles(compiled.setting))));
  const targets = [
    target(OFF, () => runWatched(work)),
    watched("records that they read", () => []),
    ...CATALOGUE.map(({ name, oracle }) => watched(`${name} alone`, (setting) => [oracle(setting)])),
    target(ALL, () => runJudged(work)),
  ];
  const costs = await interleaved(targets, { rounds, ms: ms / 4 });
  const found = targets.map(({ name }) => ({ name, cost: spreadOf(valuesOf(costs, name)) }));
  const off = found[0]?.cost.median ?? Number.NaN;
  const rows = found.map(({ name, cost }) => [name, digits(cost.median), `${digits(cost.median / off)} x`]);
  const title = "Cost of the oracles, four validators";
  const bars = found.map(({ name, cost }, at) => ({
    name: name.replaceAll("`", ""),
    value: cost.median,
    from: cost.min,
    to: cost.max,
    isReference: at === 0,
  }));
  return {
    title,
    text: [table(["oracles", "CPU ms per payment", "of the run without"], rows)],
    plots: [
      {
        file: "oracles",
        alt: "CPU milliseconds per payment without oracles, with each alone and with all",
        svg: barChart({ title, x: "CPU ms per payment (whiskers: least and most of the rounds)", bars }),
      },
    ],
  };
}

/** The translator with chosen oracles behind it. @throws Error for a violation: there is none in such a run */
function observing(compiled: Compiled, oracles: readonly Oracle[]): WorldListener {
  const { shared, plain } = compiled.commons;
  const judged = judge(compiled.setting, oracles);
  return createTranslator(compiled, createCheckpointChain(shared.genesis, plain.ledger), (record) => {
    if (judged.observe(record).length > 0) throw new Error("an oracle found a violation in payments without faults");
  });
}
