/** Goal: partial-order reduction preserves all signatures, decisions and barriers. */
import { expect, it } from "vitest";
import { decisionsOf } from "../../../src/explore/model/local-state.ts";
import { Model } from "../../../src/explore/model/model.ts";
import type { ExplorationBounds } from "../../../src/explore/model/system.ts";
import { outcomesOf, scenarioOf, statesOf } from "../support.ts";

const NONE = { rounds: 0, crashes: 0 };

/**
 * Returns each set of signatures, with the decisions and barriers that each validator may have before more is signed.
 */
function textsOf(model: Model): readonly string[] {
  const outcomes = outcomesOf(model, (signed, by, localState, state) => {
    const bars = [...localState.state.slots.barriers.entries()].map(([key]) => key);
    return `${signed} ${state.at(-1)} ${by} ${JSON.stringify([decisionsOf(localState), bars])}`;
  });
  return [...outcomes].sort();
}

const SMALL: readonly (readonly [readonly string[], number, ExplorationBounds])[] = [
  [["x", "y", "c"], 4, NONE],
  [["x", "y", "r"], 4, NONE],
  [["x", "y"], 4, { rounds: 0, crashes: 1 }],
  [["x", "c"], 3, { rounds: 1, crashes: 0 }],
  [["p", "x"], 2, NONE],
  [["x", "g"], 2, NONE],
];
it.each(SMALL)("delays invisible steps to the same signatures and decisions: %j, %i validators", (names, ...rest) => {
  const [validators, bounds] = rest;
  const scenario = scenarioOf(names, validators);
  const model = (delays: boolean): Model => new Model(scenario, { bounds, symmetric: false, delays });
  const [all, fewer] = [model(false), model(true)];
  expect(textsOf(fewer)).toEqual(textsOf(all));
  expect(statesOf(fewer).length).toBeLessThan(statesOf(all).length);
});
