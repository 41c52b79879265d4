/** Runs for the tests of the page. */
import { type RunData, runDataOf } from "../../src/report/run-data.ts";
import type { RunEvent } from "../../src/run/events/run-event.ts";
import { parsed } from "../run/support.ts";

const HEAD = `name: a run for the page
genesis:
  tokens: { USD: { decimals: 6, master: issuer } }
  balances: { alice: { USD: "100" }, bob: { USD: "100" } }
  fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" }
`;

/** A crash, a partition, lost and doubled messages, and a dozen payments. */
export const FAULTS = `${HEAD}network: { validators: 4, delay_ms: 5..20, loss: "1/10", duplicate: "1/5" }
steps:
  - { at: 0, workload: { accounts: [alice, bob], count: 12, every_ms: 20..40, mix: [{ payment: { token: USD, value: "1..3" } }] } }
  - { at: 60, crash: { node: v2, restart_after_ms: 200 } }
  - { at: 150, partition: [[v1, v3], [v4]] }
expect:
  - { violation: none }
`;

/** Faults of links that last at the same time. */
export const CHAOS = `${HEAD}network: { validators: 4, delay_ms: 5..9 }
steps:
  - { at: 0, workload: { accounts: [alice, bob], count: 4, every_ms: 20..40, mix: [{ payment: { token: USD, value: "1" } }] } }
  - { at: 10, hold: { rule: late, from: [v1], to: [v2] } }
  - { at: 20, partition: [[v1, v2, v3], [v4]] }
  - { at: 60, heal: true }
  - { at: 80, release: late }
`;

/** Two votes of four finalize two payments for one nonce. */
export const VIOLATION = `${HEAD}bug: quorum-off-by-one
network: { validators: 4, delay_ms: 5..9 }
steps:
  - { at: 0, partition: [[v1, v2], [v3, v4]] }
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 }, only: [v1, v2] }
  - { at: 0, submit: { id: y, payment: { from: alice, to: carol, token: USD, value: "10" }, nonce: 0 }, only: [v3, v4] }
expect:
  - { violation: agreement }
`;

/** The same by the correct program. */
export const PASSING: string = VIOLATION.replace("bug: quorum-off-by-one\n", "").replace("agreement }", "none }");

export function dataOf(text: string, seed = "1", most = 200_000): RunData {
  return runDataOf(parsed(text), {
    seed,
    text,
    commands: ["quorumlab run x.yaml"],
    versions: { quorumlab: "0" },
    most,
  });
}

/** The data with its events again and again, up to so many, as a longer run would have them. */
export function lengthened(data: RunData, count: number): RunData {
  const [last] = data.events.slice(-1);
  if (last === undefined) throw new RangeError("events: expected one at least");
  const again = (event: RunEvent, times: number): RunEvent => ({
    ...event,
    ...{ step: event.step + times * last.step, at: event.at + times * last.at },
    ...("number" in event && "from" in event ? { number: event.number + times * count } : {}),
  });
  const events = Array.from({ length: count }, (_, at) =>
    again(data.events[at % data.events.length] as RunEvent, Math.floor(at / data.events.length)),
  );
  return { ...data, events };
}
