/** Goal: continuations that share the steps of others end as those that take each step themselves. */
import { expect, it } from "vitest";
import { findBug } from "../../../src/bugs/catalogue.ts";
import { variantOf } from "../../../src/bugs/known-bad-variant.ts";
import { Liveness } from "../../../src/explore/liveness/liveness.ts";
import { Model } from "../../../src/explore/model/model.ts";
import { Expansion, StateSet } from "../../../src/explore/search/search.ts";
import { validatePath } from "../../../src/explore/search/validate-path.ts";
import { scenarioOf } from "../support.ts";

/** Every so many states one is continued. */
const EACH = 9;

it.each([
  ["lock-holders-stay", ["x", "y", "r"]],
  ["pulled-by-one", ["x", "c"]],
] as const)("stall in the same states for the same reasons: %s", (bug, names) => {
  const variant = variantOf(findBug(bug));
  const scenario = scenarioOf(names);
  const options = { bounds: { rounds: 1, crashes: 0 }, variant };
  const model = new Model(scenario, options);
  const set = new StateSet((state) => model.canonical(state));
  const walk = new Expansion(model, set, ({ path, check }) => validatePath(scenario, options, path, check));
  set.add(model.first(), -1);
  const shared = new Liveness(model.system);
  const found = new Set<string | undefined>();
  for (let done = 0; done < 400 && done < set.size; done++) {
    walk.expand(done);
    if (done % EACH !== 0) continue;
    const localStates = model.localStatesIn(set.at(done));
    const stall = shared.stallOf(localStates, new Map());
    expect(stall).toBe(new Liveness(model.system).stallOf(localStates, new Map()));
    found.add(stall);
  }
  expect(found.has(undefined)).toBe(true);
  expect(found.size).toBeGreaterThan(1);
});
