/** Memory that a network of four validators keeps for each payment: without checkpoints, with them, and served. */
import type { CheckpointPolicy } from "../../src/core/base/epoch.ts";
import { Table } from "../../src/core/base/table.ts";
import type { ValidatorState } from "../../src/core/validator/state.ts";
import { servedMemoryAt } from "../curves/served-memory.ts";
import { type Effort, interleaved, valuesOf } from "../page/rounds.ts";
import { linesPlot, type Section } from "../page/section.ts";
import { digits, growthExponent, type Point, spreadOf } from "../page/statistics.ts";
import { table } from "../page/table.ts";
import { everySlots } from "../support/genesis.ts";
import { heapBytes } from "../support/heap.ts";
import { Traffic } from "../support/traffic.ts";

const VALIDATORS = 4;
const ACCOUNTS = 20;
const SAMPLES = 8;
const PAYMENTS = 16_000;
const PAYMENTS_QUICK = 4_000;
const WITHOUT = "without checkpoints";
const WITH = "a checkpoint after 100 slots";
const SERVED = "served, with oracles and archive, and a state file";

interface Kept {
  /** Bytes kept by all validators together, by the number of payments. */
  readonly points: readonly Point[];
  /** Entries of the collections of the validator that has most; of a served network not counted. */
  readonly entries: number | undefined;
}

export async function memoryFigures({ rounds, quick }: Effort): Promise<Section> {
  const payments = quick ? PAYMENTS_QUICK : PAYMENTS;
  const targets = [
    { name: WITHOUT, measure: () => kept(payments, undefined) },
    { name: WITH, measure: () => kept(payments, everySlots(100, 1_000)) },
    { name: SERVED, measure: () => keptServed(payments) },
  ];
  const runs = await interleaved<Kept>(targets, { rounds, ms: 0 });
  const each = valuesOf(runs, WITHOUT).map(({ points }) => slope(points) / 1_000);
  const here = spreadOf(each);
  const served = spreadOf(valuesOf(runs, SERVED).map(({ points }) => slope(points.slice(SAMPLES / 2)) / 1_000));
  return {
    title: "Memory",
    rows: [
      {
        figure: "memory kept per payment without checkpoints, all 4 validators together",
        state: "warm",
        reference: "absolute",
        goal: { kind: "ceiling", value: 3 },
        here,
        absolute: `${digits(here.median)} kB, ${digits(here.median / VALIDATORS)} kB a validator`,
      },
      {
        figure: "memory kept per payment by a served network, once old decisions are forgotten",
        state: "warm",
        reference: "absolute",
        goal: { kind: "ceiling", value: 0.1 },
        here: served,
        absolute: `${digits(served.median)} kB`,
      },
    ],
    text: [curveText(targets.map(({ name }) => [name, valuesOf(runs, name)]))],
    plots: [
      linesPlot("memory", "heap that four validators keep, by the number of payments", {
        ...{ title: "Heap kept by four validators", x: "payments", y: "MB" },
        series: targets.map(({ name }) => ({ name, points: inMegabytes(valuesOf(runs, name).at(-1)?.points ?? []) })),
      }),
    ],
  };
}

function kept(payments: number, checkpoints: CheckpointPolicy | undefined): Kept {
  const before = heapBytes();
  const traffic = new Traffic({ validators: VALIDATORS, accounts: ACCOUNTS, checkpoints });
  const points: Point[] = [];
  for (let number = 1; number <= SAMPLES; number++) {
    while (traffic.payments < (payments * number) / SAMPLES) traffic.burst(ACCOUNTS);
    // At the same place between two checkpoints, or the curve would show where the run happened to stand.
    if (checkpoints !== undefined)
      for (const reached = traffic.checkpoints; traffic.checkpoints === reached; ) traffic.burst(ACCOUNTS);
    points.push({ x: traffic.payments, y: heapBytes() - before });
  }
  return { points, entries: Math.max(...traffic.states.map(entriesOf)) };
}

/** Without HTTP, with a state file. */
function keptServed(payments: number): Kept {
  const sizes = Array.from({ length: SAMPLES }, (_, at) => (payments * (at + 1)) / SAMPLES);
  return { points: servedMemoryAt(sizes).map(({ payments: x, heap: y }) => ({ x, y })), entries: undefined };
}

/** Entries of whatever a validator holds in tables, in any of its rooms. */
function entriesOf(state: ValidatorState): number {
  let entries = 0;
  for (const room of [state, ...Object.values(state)]) {
    if (typeof room !== "object" || room === null) continue;
    for (const part of Object.values(room)) if (part instanceof Table) entries += part.size;
  }
  return entries;
}

/** Bytes for one payment more: the slope of the best line. */
function slope(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const variance = mean(({ x }) => (x - meanX) ** 2);
  return mean(({ x, y }) => (x - meanX) * (y - meanY)) / variance;
}

function inMegabytes(points: readonly Point[]): readonly Point[] {
  return points.map(({ x, y }) => ({ x, y: y / 1e6 }));
}

function curveText(runs: readonly (readonly [string, readonly Kept[]])[]): string {
  const rows = runs.map(([name, all]) => {
    const points = all.at(-1)?.points ?? [];
    const [first, last] = [points[0], points.at(-1)];
    return [
      name,
      `${digits((first?.y ?? 0) / 1e6)} MB after ${digits(first?.x ?? 0)}`,
      `${digits((last?.y ?? 0) / 1e6)} MB after ${digits(last?.x ?? 0)}`,
      `${digits(slope(points))} bytes`,
      digits(growthExponent(points) ?? Number.NaN),
      all.at(-1)?.entries === undefined ? "-" : digits(all.at(-1)?.entries ?? 0),
    ];
  });
  const columns = [
    "network",
    "kept",
    "kept",
    "a payment more",
    "growth exponent",
    "entries of one validator at the end",
  ];
  return `Heap after garbage collection, of all four validators, without oracles but for the served one:\n\n${table(columns, rows)}`;
}
