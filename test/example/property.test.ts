import fc from "fast-check";
import { type SimulationResult, simulate } from "quorumlab";
import { scenarios } from "quorumlab/fast-check";
import { expect, test } from "vitest";

/** The total of all accounts and the fee pool, in the token's smallest unit. */
function total({ balances, pools }: SimulationResult, token: string): bigint {
  return Object.values(balances).reduce((sum, held) => sum + (held[token] ?? 0n), pools[token] ?? 0n);
}

test("payments conserve money under any clients, links and one Byzantine validator of four", () => {
  const drawn = scenarios({ validators: [4], checkpoints: false, committees: false });
  const property = fc.property(drawn, fc.nat(), (scenario, seed) => {
    fc.pre(!/"(mint|burn)"/.test(JSON.stringify(scenario.steps)));
    const run = simulate(scenario, { seed });
    expect(run.violations).toEqual([]); // of the fifteen invariants, which are judged in every run
    const start = Object.values(scenario.genesis?.balances ?? {}).map(({ USD = "0" }) => BigInt(USD) * 100n);
    expect(total(run, "USD")).toBe(start.reduce((sum, amount) => sum + amount, 0n));
  });
  fc.assert(property, { numRuns: 20, seed: 1 });
});
