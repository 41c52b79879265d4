import fc from "fast-check";
import { type Rules, scenarioText, simulate } from "quorumlab";
import { scenarios } from "quorumlab/fast-check";
import { expect, test } from "vitest";

/** Half of four validators instead of two thirds: two quorums need not share an honest one. */
const half = (real: Rules): Rules => ({
  ...real,
  consensus: { ...real.consensus, quorumOf: (n) => 2 * real.consensus.faultyOf(n) },
});

test("with a quorum of 2f finality is reverted, and fast-check finds a minimal scenario", () => {
  const drawn = scenarios({ validators: [4], checkpoints: false, committees: false });
  const property = fc.property(drawn, (scenario) =>
    simulate(scenario, { rules: half }).violations.every(({ invariant }) => invariant !== "irreversibility"),
  );
  const { counterexample } = fc.check(property, { seed: 1 });
  const smallest = counterexample?.[0];
  expect(smallest?.steps?.length).toBeLessThanOrEqual(4);
  if (smallest !== undefined) process.stdout.write(scenarioText(smallest));
});
