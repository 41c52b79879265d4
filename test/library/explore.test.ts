/** Goal: `explore` returns what the command reports. Method: one small scenario, real and custom rules, few states. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type ExploreOptions, explore, NotExplorable, ScenarioError } from "../../src/index.ts";

const TEXT = readFileSync("scenarios/explore/conflict-and-cancellation.yaml", "utf8");

test("the exploration of the real rules is exhausted, and the bounds are reported", () => {
  const { exhausted, states, counterexample, bounds } = explore(TEXT, { rounds: 0 });
  expect({ exhausted, breach: counterexample }).toEqual({ exhausted: true, counterexample: undefined });
  expect(states).toBeGreaterThan(30);
  expect(bounds).toMatchObject({ validators: 4, byzantine: ["v4"], rounds: 0, crashes: 0 });
});

test("a quorum of two of four has a short counterexample, which the oracles confirm", () => {
  const { exhausted, counterexample } = explore(TEXT, {
    rules: (real) => ({ ...real, consensus: { ...real.consensus, quorumOf: (n) => Math.ceil(n / 2) } }),
  });
  expect(exhausted).toBe(false);
  expect(counterexample?.path.length).toBeGreaterThan(0);
  expect(counterexample?.violations.map(({ invariant }) => invariant)).toContain("agreement");
});

test("a quorum of all four violates liveness while one is silent, unless liveness is off", () => {
  const changed = {
    rounds: 0,
    rules: (real) => ({ ...real, consensus: { ...real.consensus, quorumOf: (n) => n } }),
  } satisfies ExploreOptions;
  const { counterexample, bounds } = explore(TEXT, changed);
  expect([counterexample?.check, counterexample?.stall]).toEqual(["liveness", counterexample?.detail]);
  expect(bounds).toMatchObject({ liveness: "resting", owed: ["nonce 0 of alice (requested by c)"] });
  expect(explore(TEXT, { ...changed, liveness: "off" })).toMatchObject({ exhausted: true, counterexample: undefined });
});

test("an exploration with too few states is not exhausted, and unsupported scenarios are rejected", () => {
  expect(explore(TEXT, { states: 50 })).toMatchObject({ exhausted: false, counterexample: undefined });
  expect(() => explore(TEXT.replace("delay_ms: 10", "validators: 40"))).toThrow(NotExplorable);
  expect(() => explore("stpes: []")).toThrow(ScenarioError);
});
