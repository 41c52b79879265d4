/**
 * Batches of signatures change nothing that a run decides: the same verdicts, final operations and state roots with them
 * and without, for every rule and attack of the scenario files.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { stateRoot } from "../../src/core/ledger/roots.ts";
import { runScenario } from "../../src/run/run.ts";
import { findScenarios } from "../../src/scenario/files.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { parsed } from "../run/support.ts";

/** Files whose runs take another course: a message leaves after another one of its moment, and a race ends otherwise. */
const OTHER_COURSE: ReadonlySet<string> = new Set(["epoch-owner-equivocates-before-it-closes.yaml"]);

interface Outcome {
  readonly verdict: string;
  readonly reason: string;
  readonly finals: readonly string[];
  readonly roots: readonly string[];
}

function outcomeOf(scenario: Scenario, batched: boolean): Outcome {
  let roots: readonly string[] = [];
  const { verdict, reason, finals } = runScenario(
    { ...scenario, network: { ...scenario.network, batched_signatures: batched } },
    { seed: "1", ended: (_, ledgers) => (roots = ledgers.map(({ node, ledger }) => `${node} ${stateRoot(ledger)}`)) },
  );
  return { verdict, reason, finals: finals.map(({ id }) => id).sort(), roots };
}

describe.each(["scenarios/rules", "scenarios/attacks"])("the files of %s", (folder) => {
  const all = findScenarios([folder]).files.map(
    ({ path }) => [basename(path), parsed(readFileSync(path, "utf8"))] as const,
  );
  // A file that says so itself is about batches.
  const files = all.filter(([, { network }]) => network?.batched_signatures === undefined);

  test.each(files)("%s", (name, scenario) => {
    const [batched, alone] = [outcomeOf(scenario, true), outcomeOf(scenario, false)];
    if (OTHER_COURSE.has(name)) expect(batched.verdict).toBe(alone.verdict);
    else expect(batched).toEqual(alone);
  });
});
