/** Runs of scenarios with nodes of the tests. */
import { programsOf } from "../../src/external/nodes.ts";
import { runScenario } from "../../src/run/run.ts";
import type { RunResult } from "../../src/run/verdict.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { parsed } from "../run/support.ts";

/** A module, which as a program speaks over pipes. */
export const TRUSTING = "test/external/trusting-node.cjs";

/** The command that runs it as a process; `mistake`: what it does wrong. */
export const trustingCommand = (mistake = ""): string => `'${process.execPath}' ${TRUSTING} '${mistake}'`;

const HEAD = `
genesis:
  tokens: { USD: { decimals: 2, master: issuer } }
  balances: { alice: { USD: "100" }, bob: { USD: "5" } }
  fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" }
steps:
  - { at: 0, submit: { id: a, nonce: 0, payment: { from: alice, to: bob, token: USD, value: "10" } } }
  - { at: 50, submit: { id: b, nonce: 0, payment: { from: bob, to: carol, token: USD, value: "12" } } }
  - { at: 80, submit: { id: c, nonce: 1, payment: { from: alice, to: carol, token: USD, value: "3" } } }
`;

export const PAYMENTS: Scenario = parsed(`name: three payments\n${HEAD}expect: [{ final: [a, b, c] }]\n`);

export const FAULTS: Scenario = parsed(`name: three payments under faults
network: { loss: 1/10, duplicate: 1/5 }
${HEAD}  - { at: 60, crash: { node: v2, restart_after_ms: 500 } }
  - { at: 70, partition: [[v1, v2], [v3, v4]] }
expect: [{ final: [a, b, c] }, { balance: { carol: { USD: "15" } } }]
`);

/** Runs a scenario with nodes of a command. */
export function runWith(command: string, scenario = PAYMENTS, seed = "1", silentMs = 60_000): RunResult {
  return runScenario(scenario, { seed, programs: programsOf({ commands: { "": command }, silentMs }) });
}
