/** Goal: the reduced exploration reaches exactly what an exact one reaches, and breaks where that one breaks. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBug } from "../../src/bugs/catalogue.ts";
import { type Variant, variantOf } from "../../src/bugs/known-bad-variant.ts";
import { searchStates } from "../../src/explore/search/search.ts";
import { type ExactState, ExactWorld, exploreExactly } from "./exact.ts";
import { PLANTED } from "./planted.ts";
import { finished, reducedOutcomes, scenarioOf } from "./support.ts";

const NONE = { rounds: 0, crashes: 0 };
const TWO_ROUNDS = { rounds: 1, crashes: 0 };

/** Takes one step for each choice of a validator and an input; returns the last state. */
function walk(world: ExactWorld, choices: readonly number[], visit: (state: ExactState) => void): ExactState {
  let state = world.first();
  for (const choice of choices) {
    const by = choice % state.length;
    const inputs = world.inputs(state, by);
    state = world.step(state, by, inputs[Math.floor(choice / state.length) % inputs.length] as number);
    visit(state);
  }
  return state;
}

describe("the reduced exploration", () => {
  it.each([
    [["x"], 2, 50],
    [["x"], 3, 10_000],
    [["x", "y"], 2, 20_000],
  ] as const)("comes to the same signatures and decisions for %j and %i validators", (names, validators, least) => {
    const scenario = scenarioOf(names, validators);
    const exact = exploreExactly(scenario, { bounds: NONE }, 200_000);
    expect(exact.states).toBeGreaterThan(least);
    expect([...exact.failures]).toEqual([]);
    expect([...reducedOutcomes(scenario, { bounds: NONE })].sort()).toEqual([...exact.outcomes].sort());
  });

  const WALKS = [
    [["x"], 4, NONE, undefined],
    [["x", "y"], 4, NONE, undefined],
    [["x", "c"], 3, TWO_ROUNDS, undefined],
    [["x", "c"], 3, TWO_ROUNDS, "v1"],
  ] as const;
  it.each(WALKS)("reaches what random walks of %j reach with %i validators", (names, validators, bounds, byzantine) => {
    const scenario = scenarioOf(names, validators);
    const reduced = reducedOutcomes(scenario, { bounds, byzantine });
    const world = new ExactWorld(scenario, { bounds, byzantine });
    const reached = new Set<string>();
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 30, maxLength: 40 }), (choices) => {
        walk(world, choices, (state) => {
          for (const outcome of world.outcomes(state)) reached.add(outcome);
        });
      }),
      { numRuns: 40 },
    );
    expect([...reached].filter((outcome) => !reduced.has(outcome))).toEqual([]);
    expect(reached.size).toBeGreaterThan(10);
  });
});

describe("a mistake", () => {
  const planted = (name: string): Variant => {
    const found = PLANTED.find((mistake) => mistake.name === name);
    if (found === undefined) throw new Error(`no mistake is called ${name}`);
    return { name, ...found.variant };
  };
  const CASES = [
    ["a quorum one too low", ["x"], 3, "certificate"],
    ["the second retry forgets the vote of round 0", ["x", "y"], 2, "amnesia"],
  ] as const;
  it.each(CASES)("breaks the same check: %s", (name, names, validators, check) => {
    const bounds = NONE;
    const variant = name === "a quorum one too low" ? variantOf(findBug("quorum-off-by-one")) : planted(name);
    const scenario = scenarioOf(names, validators);
    const reduced = finished(searchStates(scenario, { bounds, variant, states: 20_000 }));
    expect(reduced.counterexample?.check).toBe(check);
    expect([...exploreExactly(scenario, { bounds, variant }, 100_000).failures]).toContain(check);
  });

  it("stalls the first state in both, and no state of a random walk of the real program stalls", () => {
    const scenario = scenarioOf(["x"]);
    const options = { bounds: NONE, variant: variantOf(findBug("waits-for-all")) };
    const { counterexample } = finished(searchStates(scenario, { ...options, states: 200, liveness: "resting" }));
    expect(counterexample?.check).toBe("liveness");
    const world = new ExactWorld(scenario, options);
    expect(world.isLive(world.first())).toBe(false);
    const real = new ExactWorld(scenario, { bounds: NONE });
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), (choices) => {
        expect(real.isLive(walk(real, choices, () => {}))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});
