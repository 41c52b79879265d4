/** Memory that a node keeps under steady traffic with checkpoints: it should not grow with the length of the run. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Trie } from "../src/core/base/trie.ts";
import { UndoMap } from "../src/core/base/undo-map.ts";
import type { ValidatorState } from "../src/core/validator/state.ts";
import { everySlots } from "./support/genesis.ts";
import { title } from "./support/measure.ts";
import { Traffic } from "./support/traffic.ts";

const OPERATIONS = 50_000;
const SAMPLES = 10;
const ACCOUNTS = 20;
const VALIDATORS = 4;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

interface Sample {
  readonly operations: number;
  /** Entries of each collection, of the node that has most of them. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly entries: number;
  readonly megabytes: number;
}

/** The collections of a validator by name: whatever it holds in tries, its disk's records aside. */
function sizesOf(state: ValidatorState): readonly (readonly [string, number])[] {
  return Object.entries(state).flatMap(([name, part]) =>
    part instanceof Trie || part instanceof UndoMap ? [[name, part.size] as const] : [],
  );
}

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

function sample(traffic: Traffic, before: number): Sample {
  const sizes = new Map<string, number>();
  for (const [name, size] of traffic.states.flatMap(sizesOf)) sizes.set(name, Math.max(sizes.get(name) ?? 0, size));
  const entries = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  return { operations: traffic.payments, sizes, entries, megabytes: (heap() - before) / VALIDATORS };
}

/** The largest of the second half beside the largest of the first half. */
function growth(samples: readonly Sample[], of: (one: Sample) => number): number {
  const half = samples.length / 2;
  return Math.max(...samples.slice(half).map(of)) / Math.max(...samples.slice(0, half).map(of));
}

/** Runs so many operations, and prints the curve. */
export function measureMemory(operations: number = OPERATIONS): void {
  const before = heap();
  const traffic = new Traffic({ validators: VALIDATORS, accounts: ACCOUNTS, checkpoints: everySlots(100, 1_000) });
  const samples: Sample[] = [];
  title(`What one of ${VALIDATORS} nodes keeps while ${operations} operations pass`);
  console.log(
    `  ${"operations".padStart(12)}${"checkpoints".padStart(13)}${"entries".padStart(9)}${"heap MB".padStart(9)}`,
  );
  for (let number = 1; number <= SAMPLES; number++) {
    while (traffic.payments < (operations * number) / SAMPLES) traffic.burst(ACCOUNTS);
    // At the same place between two checkpoints, or the curve would show where the run happened to stand.
    for (const reached = traffic.checkpoints; traffic.checkpoints === reached; ) traffic.burst(ACCOUNTS);
    const one = sample(traffic, before);
    samples.push(one);
    const cells = [String(one.operations).padStart(12), String(traffic.checkpoints).padStart(13)];
    console.log(`  ${cells.join("")}${String(one.entries).padStart(9)}${one.megabytes.toFixed(2).padStart(9)}`);
  }
  const [entries, megabytes] = [growth(samples, (one) => one.entries), growth(samples, (one) => one.megabytes)];
  console.log(`  second half / first half: ${entries.toFixed(3)} x the entries, ${megabytes.toFixed(3)} x the heap`);
  const last = [...(samples.at(-1)?.sizes ?? [])].filter(([, size]) => size > 0);
  console.log(`  at the end: ${last.map(([name, size]) => `${name} ${size}`).join(", ")}`);
  const leaks = last.filter(([name]) => growth(samples, ({ sizes }) => sizes.get(name) ?? 0) > 1);
  if (leaks.length > 0) console.log(`  larger in the second half: ${leaks.map(([name]) => name).join(", ")}`);
}
