/**
 * Goal: partial-order reduction preserves all signatures and decisions, and all known-bad variants are still detected.
 */
import { describe, expect, it } from "vitest";
import { findBug } from "../../../src/bugs/catalogue.ts";
import { variantOf } from "../../../src/bugs/known-bad-variant.ts";
import { decisionsOf } from "../../../src/explore/model/local-state.ts";
import { emptyBits, type GlobalState, Model } from "../../../src/explore/model/model.ts";
import type { ExplorationBounds } from "../../../src/explore/model/system.ts";
import { searchStates } from "../../../src/explore/search/search.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { finished, scenarioOf } from "../support.ts";

const NONE = { rounds: 0, crashes: 0 };
const TWO_ROUNDS = { rounds: 1, crashes: 0 };
const ONE_CRASH = { rounds: 0, crashes: 1 };

/** Returns all states that a model reaches. */
function statesOf(model: Model): readonly GlobalState[] {
  const seen = new Map<string, GlobalState>();
  const todo = [model.first()];
  for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
    if (seen.has(state.join())) continue;
    seen.set(state.join(), state);
    const mayCrash = model.crashesIn(state) < model.system.bounds.crashes;
    for (let by = 0; by <= model.localStates.length; by++) {
      model.select(state);
      const { steps: turns, failure: failed } = model.successors(by, state[by] as number);
      expect(failed).toBeUndefined();
      for (const { state: localState, isCrash } of turns)
        if (mayCrash || !isCrash) todo.push(state.with(by, localState));
    }
  }
  return [...seen.values()];
}

/**
 * Returns each set of signatures, with the decisions and barriers that each validator may have before more is signed.
 */
function outcomesOf(model: Model): readonly string[] {
  const outcomes = new Set<string>();
  for (const state of statesOf(model)) {
    const signed = emptyBits();
    model.signedIn(state, signed);
    const signatures = model.localStates
      .map((localStates, by) => textOf(model, localStates.localState(state[by] as number).signed))
      .join("\n");
    const clients = state.at(-1);
    for (const [by, localStates] of model.localStates.entries()) {
      const reached = new Set([state[by] as number]);
      for (const at of reached) {
        const { state: memory } = localStates.localState(at);
        const bars = [...memory.slots.barriers.entries()].map(([key]) => key);
        outcomes.add(
          `${signatures} ${clients} ${by} ${JSON.stringify([decisionsOf(localStates.localState(at)), bars])}`,
        );
        model.forEachEdge(by, at, signed, (edge) => {
          if (edge.crashPoint === undefined && localStates.haveEqualSignatures(at, edge.state)) reached.add(edge.state);
        });
      }
    }
  }
  return [...outcomes].sort();
}

function textOf(model: Model, signed: readonly number[]): string {
  return signed
    .map((number) => {
      const { type, slot, epoch, round, ...rest } = model.statements.get(number).message.body;
      const value = "value" in rest ? rest.value : "lock" in rest ? `${rest.lock?.round} ${rest.lock?.value}` : "";
      return JSON.stringify([type, slot, epoch, round, value]);
    })
    .sort()
    .join(" ");
}

describe("an exploration that delays invisible steps", () => {
  const SMALL: readonly (readonly [readonly string[], number, ExplorationBounds])[] = [
    [["x", "y", "c"], 4, NONE],
    [["x", "y", "r"], 4, NONE],
    [["x", "y"], 4, ONE_CRASH],
    [["x", "c"], 3, TWO_ROUNDS],
    [["p", "x"], 2, NONE],
    [["x", "g"], 2, NONE],
  ];
  it.each(SMALL)("comes to the same signatures and decisions for %j of %i validators", (names, validators, bounds) => {
    const scenario = scenarioOf(names, validators);
    const model = (delays: boolean): Model => new Model(scenario, { bounds, symmetric: false, delays });
    const [all, fewer] = [model(false), model(true)];
    expect(outcomesOf(fewer)).toEqual(outcomesOf(all));
    expect(statesOf(fewer).length).toBeLessThan(statesOf(all).length);
  });
});

describe("known-bad variants", () => {
  const CASES: readonly (readonly [string, readonly string[], ExplorationBounds])[] = [
    ["quorum-off-by-one", ["x", "y", "c"], TWO_ROUNDS],
    ["single-round-finality", ["x", "y", "c"], TWO_ROUNDS],
    ["hidden-locks", ["x", "y", "c"], TWO_ROUNDS],
    ["late-commit", ["x", "y", "c"], TWO_ROUNDS],
    ["vote-before-persist", ["x", "y"], ONE_CRASH],
    ["unapplied-left-out", ["x", "g"], NONE],
    ["close-not-durable", ["x", "g"], ONE_CRASH],
  ];
  const found = (
    scenario: Scenario,
    bounds: ExplorationBounds,
    bug: string,
    delays: boolean,
  ): ReturnType<typeof searchStates> =>
    searchStates(scenario, { bounds, variant: variantOf(findBug(bug)), states: 20_000, delays });

  it.each(CASES)("%s breaks the same check", (bug, names, bounds) => {
    const scenario = scenarioOf(names);
    const [all, fewer] = [false, true].map(
      (delays) => finished(found(scenario, bounds, bug, delays)).counterexample?.check,
    );
    expect(all).toBeDefined();
    expect(fewer).toBe(all);
  });
});
