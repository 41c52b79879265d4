/** Memory of a served network that lives long, with a state file: its heap and its files by the payments that it has made. */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linesPlot, type Question } from "../page/section.ts";
import { digits, growthExponent } from "../page/statistics.ts";
import { table } from "../page/table.ts";
import { cpuMsOf } from "../support/cpu.ts";
import { heapBytes } from "../support/heap.ts";
import { ServedWorld } from "../support/served-world.ts";

const ACCOUNTS = 20;
const SIZES = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];
const QUICK_MOST = 3_000;

/** A served network after some payments. */
export interface ServedMemory {
  readonly payments: number;
  /** Bytes of the heap after garbage collection, of the whole network. */
  readonly heap: number;
  /** Bytes of its files. */
  readonly disk: number;
  /** CPU milliseconds of one payment since the size before, checkpoints included. */
  readonly cpuMs: number;
}

/** Runs one network without HTTP through all sizes, in their order: what grows is its own. */
export function servedMemoryAt(sizes: readonly number[]): readonly ServedMemory[] {
  const folder = mkdtempSync(join(tmpdir(), "served-"));
  try {
    const before = heapBytes();
    const world = new ServedWorld(ACCOUNTS, ACCOUNTS, folder);
    return sizes.map((size) => {
      const paid = world.payments;
      const cpuMs = cpuMsOf(() => {
        while (world.payments < size) world.burst();
        // At the same place between two checkpoints, or the curve would show where the run happened to stand.
        for (const reached = world.checkpoints; world.checkpoints === reached; ) world.burst();
      });
      const { payments } = world;
      return { payments, heap: heapBytes() - before, disk: bytesIn(folder), cpuMs: cpuMs / (payments - paid) };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `most`: payments of the last point. */
export function servedMemoryCurve(most: number): Question {
  return async ({ quick }) => {
    const sizes = SIZES.filter((size) => size <= (quick ? QUICK_MOST : most));
    const found = servedMemoryAt(sizes);
    const rows = found.map(({ payments, heap, disk, cpuMs }, at) => {
      const last = found[at - 1];
      const more = last === undefined ? "-" : digits((heap - last.heap) / (payments - last.payments));
      return [digits(payments), digits(heap / 1e6), more, digits(disk / 1e6), digits(cpuMs)];
    });
    const columns = ["payments", "heap, MB", "bytes of it a payment more", "files, MB", "CPU ms a payment"];
    const exponent = growthExponent(found.map(({ payments, heap }) => ({ x: payments, y: heap })))?.toFixed(2) ?? "-";
    const about = `One network of four validators with a state file, oracles and archive, without HTTP and with stand-in signatures; ${ACCOUNTS} accounts pay in bursts, the heap is read after garbage collection. Growth exponent of the heap by the payments: ${exponent}. The table that finds old records has eight bytes a place, three places a payment, and is at most three quarters full; what else grows is not told apart here.`;
    const title = "Memory of a served network by its payments";
    const points = found.map(({ payments, heap }) => ({ x: payments, y: heap / 1e6 }));
    const series = [{ name: "heap", points }];
    return {
      title,
      text: [about, table(columns, rows)],
      plots: [
        linesPlot("served-memory", "heap of a served network, by the payments that it has made", {
          ...{ title, x: "payments", y: "MB", series },
        }),
      ],
    };
  };
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((bytes, file) => bytes + statSync(join(folder, file)).size, 0);
}
