/** Payments from so many connections at once, each of which waits for its receipt before the next. */
import { performance } from "node:perf_hooks";
import type { ReadyAccount } from "../../src/server/setup/accounts.ts";
import type { Target } from "./target.ts";
import { openWire } from "./wire.ts";

/** Milliseconds. */
export interface Times {
  readonly p50: number;
  readonly p99: number;
}

export interface Load {
  /** Payments with their receipts, a second. */
  readonly rate: number;
  /** Until the answer to the request that hands it in. */
  readonly answer: Times;
  /** From submission until the receipt. */
  readonly receipt: Times;
  /** CPU milliseconds of the server for one payment; `undefined` where the system does not tell. */
  readonly cpu: number | undefined;
}

/** Makes so many payments in all; every connection has an account of its own. */
export async function load(target: Target, accounts: readonly ReadyAccount[], payments: number): Promise<Load> {
  const each = Math.ceil(payments / accounts.length);
  const [answers, receipts]: [number[], number[]] = [[], []];
  const clients = accounts.map((account) => ({
    wire: openWire(target.child.url),
    signed: Array.from({ length: each }, () => target.sign(account)),
  }));
  const cpuBefore = target.child.cpuMs();
  const start = performance.now();
  await Promise.all(
    clients.map(async ({ wire, signed }) => {
      for (const payment of signed) {
        const sent = performance.now();
        const hash = await target.submit(wire, payment);
        answers.push(performance.now() - sent);
        await target.receipt(wire, hash);
        receipts.push(performance.now() - sent);
      }
    }),
  );
  const ms = performance.now() - start;
  const cpuAfter = target.child.cpuMs();
  for (const { wire } of clients) wire.close();
  const { length } = receipts;
  return {
    rate: (1_000 * length) / ms,
    answer: timesOf(answers),
    receipt: timesOf(receipts),
    cpu: cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / length,
  };
}

function timesOf(all: number[]): Times {
  const sorted = all.sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.ceil((sorted.length * part) / 100) - 1] ?? Number.NaN;
  return { p50: at(50), p99: at(99) };
}
