/** Goal: what became of a run's operations is counted once each, by kind. Method: small scenarios, and sums over drawn ones. */
import { describe, expect, test } from "vitest";
import { runScenario } from "../../src/run/run.ts";
import { COUNTED, type CountsByKind, totalOf } from "../../src/run/run-record.ts";
import { drawWorld } from "../../src/search/fuzz/draw.ts";
import { ran } from "./support.ts";

function countsOf(steps: string): CountsByKind {
  return ran(`
name: "operations are counted"
genesis: { tokens: { USD: { decimals: 2, master: issuer } }, balances: { alice: { USD: "10" } } }
clients: { alice: { behaviour: scripted } }
allow_idle: true
expect: [ { epoch: { at_least: 0 } } ]
steps:
${steps}`).operationCounts;
}

const pay = (id: string, nonce: number, value: string): string =>
  `submit: { id: ${id}, payment: { from: alice, to: bob, token: USD, value: "${value}" }, nonce: ${nonce} }`;

describe("operations of a run", () => {
  test("are admitted and final, or refused", () => {
    const counts = countsOf(`  - { at: 0, ${pay("x", 0, "1")} }\n  - { at: 500, ${pay("y", 1, "100")} }`);
    expect([...counts]).toEqual([["payment", { submitted: 2, admitted: 1, final: 1, contended: 0, disturbed: 0 }]]);
  });

  test("count once however often they are submitted", () => {
    const counts = countsOf(`  - { at: 0, ${pay("x", 0, "1")} }\n  - { at: 50, submit: { repeat: x } }`);
    expect(totalOf(counts)).toEqual({ submitted: 1, admitted: 1, final: 1, contended: 0, disturbed: 0 });
  });

  test("have a rival where another one has their nonce, of whatever kind", () => {
    const counts = countsOf(
      `  - { at: 0, ${pay("x", 0, "1")} }\n  - { at: 0, submit: { id: c, cancellation: { from: alice }, nonce: 0 } }`,
    );
    expect([...counts].map(([kind, { contended }]) => [kind, contended])).toEqual([
      ["payment", 1],
      ["cancellation", 1],
    ]);
  });

  test("meet a fault that takes effect between their submission and their finality, and no other", () => {
    const crash = "crash: { node: v4, restart_after_ms: 200 }";
    const counts = countsOf(
      `  - { at: 0, ${pay("x", 0, "1")} }\n  - { at: 900, ${crash} }\n  - { at: 2000, ${pay("y", 1, "1")} }\n  - { at: 2001, ${crash} }`,
    );
    expect(totalOf(counts)).toMatchObject({ final: 2, disturbed: 1 });
  });

  test("are at most as many as were submitted, and all of those that the run says", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { operationCounts, operations, finals } = runScenario(drawWorld(`${seed}`, "quick").scenario, {
        seed: `${seed}`,
      });
      const total = totalOf(operationCounts);
      expect(total.submitted).toBe(operations);
      expect(total.final).toBeLessThanOrEqual(finals.length);
      expect(total.final).toBeLessThanOrEqual(total.admitted);
      for (const name of COUNTED) expect(total[name]).toBeLessThanOrEqual(operations);
    }
  });
});
