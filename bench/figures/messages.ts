/** Messages delivered per CPU second, and the CPU time of a payment: the simulator without a network. */
import { fileURLToPath } from "node:url";
import { type Effort, interleaved, type Target, valuesOf } from "../page/rounds.ts";
import type { Section } from "../page/section.ts";
import { digits, spreadOf } from "../page/statistics.ts";
import type { Goal, Row, State } from "../page/table.ts";
import { cpuMsEach, runNode } from "../support/cpu.ts";
import { messagesOf, payments, runBare, runJudged } from "../support/payments.ts";

const FRESH = fileURLToPath(new URL("../support/fresh-run.js", import.meta.url));
const PAYMENTS = 400;
const FRESH_PAYMENTS = 300;
const FLOOR = (value: number): Goal => ({ kind: "floor", value });
const CEILING = (value: number): Goal => ({ kind: "ceiling", value });

/** Payments of one run by the number of validators, and the goal in CPU milliseconds of a payment. */
const SIZES = [
  { validators: 4, count: 400, goal: 0.07 },
  { validators: 20, count: 100, goal: 0.4 },
  { validators: 100, count: 30, goal: 3 },
] as const;

interface Fresh {
  readonly messages: number;
  readonly runMs: number;
  readonly processMs: number;
}

export async function messageFigures(effort: Effort): Promise<Section> {
  const work = payments({ count: PAYMENTS });
  const messages = messagesOf(work, PAYMENTS);
  const rate = (run: () => void) => (ms: number) =>
    1_000 /
    cpuMsEach(() => {
      run();
      return messages;
    }, ms);
  const [off, on] = [rate(() => runBare(work)), rate(() => runJudged(work))];
  const rates = await interleaved(
    [
      { name: "off", measure: off, warmUp: off },
      { name: "on", measure: on, warmUp: on },
    ],
    effort,
  );
  const row = (name: string, oracles: string, goal: number): Row =>
    figure(
      `messages delivered per CPU second, N = 4, oracles ${oracles}`,
      "warm",
      FLOOR(goal),
      valuesOf(rates, name),
      "messages/s",
    );
  return {
    title: "Messages and CPU time",
    rows: [row("off", "off", 300_000), row("on", "on", 150_000), await freshRow(effort), ...(await costRows(effort))],
  };
}

async function freshRow({ rounds, ms }: Effort): Promise<Row> {
  const [rates, whole]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const runs: Fresh[] = [];
    for (let taken = 0; taken < ms; taken += runs.at(-1)?.processMs ?? ms)
      runs.push(JSON.parse(runNode(FRESH, String(FRESH_PAYMENTS)).output) as Fresh);
    const messages = runs.reduce((sum, one) => sum + one.messages, 0);
    rates.push((1_000 * messages) / runs.reduce((sum, { runMs }) => sum + runMs, 0));
    whole.push(runs.reduce((sum, { processMs }) => sum + processMs, 0) / runs.length);
  }
  const name = `messages delivered per CPU second, N = 4, oracles on, ${FRESH_PAYMENTS} payments in a fresh process`;
  const found = figure(name, "cold", FLOOR(40_000), rates, "messages/s");
  return {
    ...found,
    absolute: `${found.absolute}; the process with its start ${digits(spreadOf(whole).median)} ms CPU`,
  };
}

async function costRows(effort: Effort): Promise<readonly Row[]> {
  const targets: Target[] = SIZES.map(({ validators, count }) => {
    const work = payments({ count, validators });
    messagesOf(work, count);
    const measure = (ms: number): number =>
      cpuMsEach(() => {
        runBare(work);
        return count;
      }, ms);
    return { name: String(validators), measure, warmUp: (ms) => measure(ms / 3) };
  });
  const costs = await interleaved(targets, effort);
  return SIZES.map(({ validators, goal }) =>
    figure(
      `CPU per payment, N = ${validators}, oracles off`,
      "warm",
      CEILING(goal),
      valuesOf(costs, String(validators)),
      "ms",
    ),
  );
}

/** A figure that is no ratio. */
function figure(name: string, state: State, goal: Goal, values: readonly number[], unit: string): Row {
  const here = spreadOf(values);
  return { figure: name, state, reference: "absolute", goal, here, absolute: `${digits(here.median)} ${unit}` };
}
