/** Helpers for tests of runs: parsed scenarios, compiled errors, records of the translator. */
import { readFileSync } from "node:fs";
import type { Millis } from "../../src/core/base/ids.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { Event, EventOf, ObservedEvent } from "../../src/invariants/observation.ts";
import { observersOf } from "../../src/run/observers.ts";
import { type RunOptions, runScenario } from "../../src/run/run.ts";
import type { RunResult } from "../../src/run/verdict.ts";
import { compile } from "../../src/scenario/compile/compile.ts";
import { createParser } from "../../src/scenario/parse.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { problemText } from "../../src/schema/problem.ts";
import { createWorld } from "../../src/simulator/world.ts";

const parser = createParser();

/** The usual genesis: alice has 100 USD. */
export const GENESIS = `genesis:
  tokens: { USD: { decimals: 6, master: issuer } }
  balances: { alice: { USD: "100" } }
  fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" }
`;

/** One payment, which becomes final. */
export const PAYMENT = `steps:
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
`;

export function parsed(text: string): Scenario {
  const result = parser.parse(text);
  if (!result.ok) throw new Error(result.error.map((problem) => problemText("test.yaml", problem)).join("\n"));
  return result.value;
}

/** The scenario of a file, by its path from the root. */
export function scenarioIn(path: string): Scenario {
  return parsed(readFileSync(path, "utf8"));
}

/** The problems of an invalid scenario text. */
export function refused(text: string): readonly string[] {
  const result = parser.parse(text);
  return result.ok ? [] : result.error.map((problem) => problemText("f.yaml", problem));
}

export function ran(text: string, options: Partial<RunOptions> = {}): RunResult {
  return runScenario(parsed(text), { seed: "1", ...options });
}

/** Virtual time after the traffic of every test, in milliseconds. */
const END_MS = 120_000;

/** All records of a scenario up to `END_MS`. */
export function recordsOf(text: string, seed = "1"): readonly ObservedEvent[] {
  const compiled = compile(parsed(text), { seed, scheme: keyedHash });
  const records: ObservedEvent[] = [];
  const { translator } = observersOf(compiled, { observed: (record) => void records.push(record) });
  // A relay retries a blocked operation until its owner cancels it, so a run may never become quiescent.
  createWorld(compiled.plan, translator).run({ at: END_MS as Millis });
  return records;
}

/** The records of one type. */
export function only<K extends Event["type"]>(records: readonly ObservedEvent[], type: K): readonly EventOf<K>[] {
  return records.filter((record): record is EventOf<K> => record.type === type);
}
