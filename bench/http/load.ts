/** Payments from so many connections at once, each of which waits for its answer before the next. */
import { performance } from "node:perf_hooks";
import { percentile } from "../../src/report/timeline/measures.ts";
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

export interface LoadSetup {
  /** Every connection has one of its own. */
  readonly accounts: readonly ReadyAccount[];
  /** In all. */
  readonly payments: number;
  /** False: a connection goes on once a payment is admitted, and waits for no receipt. */
  readonly receipts?: boolean;
}

/** Makes payments, which are signed before the clock starts. */
export async function load(target: Target, { accounts, payments, receipts: waits = true }: LoadSetup): Promise<Load> {
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
        if (waits) await target.receipt(wire, hash);
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

/** The same for about `ms` milliseconds. `rate`: payments a second of an earlier load. */
export function loadFor(target: Target, setup: Omit<LoadSetup, "payments">, ms: number, rate: number): Promise<Load> {
  return load(target, { ...setup, payments: Math.max(setup.accounts.length, Math.ceil((rate * ms) / 1_000)) });
}

/** Loads of twice the length each, until one takes `ms` milliseconds: code is compiled, and the rate is known. */
export async function warmedUp(target: Target, setup: Omit<LoadSetup, "payments">, ms: number): Promise<Load> {
  for (let payments = 4 * setup.accounts.length; ; payments *= 2) {
    const found = await load(target, { ...setup, payments });
    if ((1_000 * payments) / found.rate >= ms) return found;
  }
}

function timesOf(all: number[]): Times {
  const sorted = all.sort((a, b) => a - b);
  return { p50: percentile(sorted, 50), p99: percentile(sorted, 99) };
}
