/** Payments between some accounts, without faults: the work that most figures are about. */
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { scenario } from "../../src/library/scenario.ts";
import { runToEnd } from "../../src/run/interruptible.ts";
import { runPhases } from "../../src/run/phases.ts";
import { runScenario } from "../../src/run/run.ts";
import { compile } from "../../src/scenario/compile/compile.ts";
import { RUN_EVENTS } from "../../src/scenario/limits.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import type { WorldEvent, WorldListener } from "../../src/simulator/listener.ts";
import { createWorld } from "../../src/simulator/world.ts";

export interface PaymentsSetup {
  readonly count: number;
  readonly validators?: number;
  readonly accounts?: number;
  /** Virtual milliseconds between two of them. */
  readonly everyMs?: number;
  /** Payments that begin at once, each of another workload. */
  readonly atOnce?: number;
  /** Virtual milliseconds of a message between two validators; default: 10. */
  readonly delayMs?: number | string;
}

export function payments(setup: PaymentsSetup): Scenario {
  const { count, validators = 4, accounts = 10, everyMs = 5, atOnce = 1, delayMs = 10 } = setup;
  const payers = Array.from({ length: accounts }, (_, at) => `payer${at}`);
  const share = accounts / atOnce;
  if (!Number.isSafeInteger(share) || count % atOnce !== 0)
    throw new RangeError(`payments: expected accounts and count to be multiples of ${atOnce}`);
  return scenario({
    name: "payments without faults",
    network: { validators, delay_ms: delayMs },
    genesis: {
      tokens: { USD: { decimals: 2, master: "issuer" } },
      balances: Object.fromEntries(payers.map((payer) => [payer, { USD: "100000" }])),
    },
    steps: Array.from({ length: atOnce }, (_, group) => ({
      at: 0,
      workload: {
        accounts: payers.slice(group * share, (group + 1) * share),
        count: count / atOnce,
        every_ms: everyMs,
        mix: [{ payment: { token: "USD", value: "1" } }],
      },
    })),
    expect: [{ violation: "none" }],
  });
}

/** Counts delivered messages; give it to `watch` of a run. */
export class MessageCount {
  delivered = 0;
  readonly listener: WorldListener = {
    eventBegins: (_step: number, _at: unknown, { type }: WorldEvent): void => {
      if (type === "arrival") this.delivered++;
    },
  };
}

/** Messages that a run delivers. @throws Error unless so many payments become final and nothing is violated */
export function messagesOf(work: Scenario, count: number): number {
  const messages = new MessageCount();
  const { finals, verdict, reason } = runScenario(work, { seed: "1", watch: () => messages.listener });
  if (verdict !== "pass" || finals.length !== count)
    throw new Error(`${finals.length} of ${count} payments are final: ${verdict} ${reason}`);
  return messages.delivered;
}

/** The run of a user: all oracles, coverage, the last events. */
export function runJudged(work: Scenario): void {
  runScenario(work, { seed: "1" });
}

/** The same events without oracles. */
export function runBare(work: Scenario): void {
  const compiled = compile(work, { seed: "1", scheme: keyedHash });
  const world = createWorld(compiled.plan, {});
  const end = runToEnd(
    runPhases(world, compiled, { onTime: () => undefined, lastProgress: () => world.now, events: RUN_EVENTS }),
  );
  if (end !== "quiescent") throw new Error(`a run without oracles ended with ${end}`);
}
