/** Load on a simulated network: a workload without clients outside, judged by all oracles, in virtual time. */
import type { OperationId } from "../../core/base/operation.ts";
import { type RunOptions, runInSlices } from "../../run/run.ts";
import { createParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { UsageError } from "../command.ts";
import { InterruptibleWork, type Io } from "../io.ts";
import { countCode, latencyOf, type Measurement } from "./measurement.ts";

/** Load on the simulated network. */
export interface SimulatedLoad {
  readonly validators: number;
  /** Accounts that pay. */
  readonly accounts: number;
  /** Payments in each virtual second. */
  readonly rate: number;
  /** Virtual seconds. */
  readonly seconds: number;
  /** Steps of the scenario language that take effect at the start. */
  readonly faults: readonly object[];
  readonly delay: string | undefined;
  readonly seed: string;
}

/** Most orders that one workload makes in a virtual second: their distance is a whole number of milliseconds. */
const PER_WORKLOAD = 100;

/** Runs the load, to its end or an interrupt. @throws UsageError for a fault that the scenario language does not know. */
export async function simulatedLoad(load: SimulatedLoad, io: Io): Promise<Measurement> {
  const scenario = scenarioOf(load);
  const watch = new Latencies();
  const work = new InterruptibleWork(io);
  const before = io.cpu();
  const { verdict, reason } = await work.finish(
    runInSlices(scenario, { seed: load.seed, watch: () => watch.listener }),
  );
  const cpuMs = io.cpu() - before;
  const { open, final, failed, refused, samples, first, last } = watch;
  const ended = samples.length;
  return {
    network: `simulated network, ${load.validators} validators, ${load.rate} payments each virtual second`,
    clock: "virtual",
    seconds: ended === 0 ? 0 : (last - first) / 1_000,
    missed: 0,
    final,
    failed: Object.fromEntries(failed),
    refused: Object.fromEntries(refused),
    unanswered: open.size,
    finality: latencyOf(samples),
    admission: undefined,
    perCpuSecond: cpuMs === 0 ? undefined : (1_000 * ended) / cpuMs,
    isInterrupted: work.isInterrupted,
    violations: verdict === "pass" || work.isInterrupted ? [] : [`${verdict} ${reason}`],
  };
}

function scenarioOf({ validators, accounts, rate, seconds, faults, delay }: SimulatedLoad): Scenario {
  const payers = Array.from({ length: accounts }, (_, at) => `payer${at + 1}`);
  const groups = Math.ceil(rate / PER_WORKLOAD);
  const workload = {
    accounts: payers,
    count: Math.ceil((rate * seconds) / groups),
    every_ms: Math.round((1_000 * groups) / rate),
    mix: [{ payment: { token: "USDX", value: "0.01" } }],
  };
  const text = JSON.stringify({
    name: "load",
    network: { validators, ...(delay === undefined ? {} : { delay_ms: delay }) },
    genesis: {
      tokens: { USDX: { decimals: 6, master: "issuer" } },
      balances: Object.fromEntries(payers.map((payer) => [payer, { USDX: "1000000" }])),
    },
    steps: [
      ...faults.map((fault) => ({ at: 0, ...fault })),
      ...Array.from({ length: groups }, () => ({ at: 0, workload })),
    ],
    expect: [{ violation: "none" }],
  });
  const parsed = createParser().parse(text);
  if (parsed.ok) return parsed.value;
  throw new UsageError(parsed.error.map(({ message }) => `--in-memory: ${message}`).join("\n"));
}

/** Follows each operation from its submission to the first final reply. */
class Latencies {
  readonly open = new Map<OperationId, number>();
  readonly samples: number[] = [];
  readonly failed = new Map<string, number>();
  readonly refused = new Map<string, number>();
  final = 0;
  first = Number.POSITIVE_INFINITY;
  last = 0;
  #now = 0;

  readonly listener: ReturnType<NonNullable<RunOptions["watch"]>> = {
    eventBegins: (_step, at) => {
      this.#now = at;
    },
    submitted: (_client, id) => {
      if (!this.open.has(id)) this.open.set(id, this.#now);
      this.first = Math.min(this.first, this.#now);
    },
    replyReceived: (_client, id, _from, reply) => {
      const since = this.open.get(id);
      if (since === undefined || (reply.status !== "final" && reply.status !== "refused")) return;
      this.open.delete(id);
      this.last = this.#now;
      if (reply.status === "refused") countCode(this.refused, reply.refusal.code);
      else {
        this.samples.push(this.#now - since);
        if (reply.receipt.success) this.final += 1;
        else countCode(this.failed, reply.receipt.error?.code ?? "without a code");
      }
    },
  };
}
