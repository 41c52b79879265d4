/** Goal: stalls are found and confirmed without normalization, and no live state is reported as one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBug } from "../../../src/bugs/catalogue.ts";
import { variantOf } from "../../../src/bugs/known-bad-variant.ts";
import { LIVENESS_MODES, type LivenessMode } from "../../../src/explore/liveness/liveness.ts";
import { isSatisfied, NEVER } from "../../../src/explore/model/guard.ts";
import type { PathStep } from "../../../src/explore/model/local-state.ts";
import { emptyBits, Model } from "../../../src/explore/model/model.ts";
import type { ExplorationBounds } from "../../../src/explore/model/system.ts";
import { Expansion, StateSet, searchStates } from "../../../src/explore/search/search.ts";
import { validatePath } from "../../../src/explore/search/validate-path.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { scenarioIn } from "../../run/support.ts";
import { finished, scenarioOf, takeSteps } from "../support.ts";

const NONE = { rounds: 0, crashes: 0 };
const TWO_ROUNDS = { rounds: 1, crashes: 0 };
const ONE_CRASH = { rounds: 0, crashes: 1 };
const ENOUGH = 100_000;

const inFile = (name: string): Scenario => scenarioIn(`scenarios/explore/${name}.yaml`);

describe("lock holders that ignore an equivocation proof", () => {
  const scenario = inFile("equivocation-and-recovery");
  const options = {
    bounds: TWO_ROUNDS,
    liveness: "resting",
    variant: variantOf(findBug("lock-holders-stay")),
  } as const;

  it("deadlock with one validator that left round 0 without the lock, while the Byzantine one is silent", () => {
    const { counterexample, exhausted } = finished(searchStates(scenario, { ...options, states: 2_000 }));
    expect([exhausted, counterexample?.check]).toEqual([false, "liveness"]);
    expect(counterexample?.text).toMatch(
      /^no decision on nonce 0 of alice \(requested by r\) in slot 0 of alice within \d+ ms/,
    );
    expect(counterexample?.text).toMatch(
      /with v4 silent: v1 in round 1 .*(; v\d in round 0 with the lock on x of round 0 and a commit.*){2}/,
    );
    const path = counterexample?.path ?? [];
    // Each votes, the first leaves, and the others commit.
    expect(path.map(({ who }) => who).sort()).toEqual(["v1", "v1", "v2", "v2", "v3", "v3"]);
    const { impossible, stall, violations } = validatePath(scenario, options, path, counterexample?.check);
    expect([impossible, violations, stall]).toEqual([undefined, [], counterexample?.text]);
  });

  it("leave round 0 after a longer wait under the real rules, and all is decided on the same path", () => {
    const { counterexample, exhausted } = finished(
      searchStates(scenario, { bounds: NONE, liveness: "every", states: ENOUGH }),
    );
    expect([exhausted, counterexample]).toEqual([true, undefined]);
    const { counterexample: found } = finished(searchStates(scenario, { ...options, states: 2_000 }));
    const { impossible, stall } = validatePath(scenario, { bounds: TWO_ROUNDS }, found?.path ?? [], "liveness");
    expect([impossible, stall]).toEqual([undefined, undefined]);
  });

  it("do not deadlock if the owner submits a cancellation, too", () => {
    const found = finished(
      searchStates(scenarioOf(["x", "y", "r", "c"]), { bounds: NONE, liveness: "every", states: ENOUGH }),
    );
    expect(found).toMatchObject({ exhausted: true, counterexample: undefined });
  });
});

describe("the real program", () => {
  const CASES: readonly (readonly [LivenessMode, readonly string[], ExplorationBounds])[] = [
    ["every", ["x", "y", "c"], NONE],
    ["every", ["x", "y", "c"], ONE_CRASH],
    ["every", ["x", "c"], TWO_ROUNDS],
    ["every", ["p"], ONE_CRASH],
    ["resting", ["x", "g"], NONE],
    ["resting", ["p", "x"], NONE],
  ];

  it.each(CASES)("decides what is owed, checking states in mode %s: %j", (liveness, names, bounds) => {
    const asked = { bounds, states: 3_000 };
    const checked = finished(searchStates(scenarioOf(names), { ...asked, liveness }));
    expect(checked.counterexample).toBeUndefined();
    const { states, transitions, exhausted } = finished(searchStates(scenarioOf(names), asked));
    expect(checked).toMatchObject({ states, transitions, exhausted });
  });

  it("passes a closing on, although a crash came between its snapshot and the record of its content", () => {
    const [proposal, decision] = ["the operator's proposal in step 2", "for the closing with no slots"];
    const inRound = "in round 0 of the closing of epoch 0, without its content";
    const proposed =
      "v2's proposal of the closing with no slots for round 0, without a lock, in the closing of epoch 0";
    const lock = `the lock on the closing with no slots ${inRound}`;
    const path: readonly PathStep[] = [
      ["v1", proposal],
      ["v2", proposal],
      ["v2", `a quorum's closes ${decision}`],
      ["v1", proposed],
      ["v2", proposed],
      ["v1", lock],
      ["v2", lock],
      ["v3", `the decision ${decision} ${inRound}`],
      ["v3", proposed],
    ].map(([who = "", what = ""], at) => ({ who, what, cut: at === 8 ? { input: 0, outputs: 2 } : undefined }));
    const { violations, impossible, stall } = validatePath(
      inFile("closing-and-payment"),
      { bounds: ONE_CRASH },
      path,
      "liveness",
    );
    expect([impossible, violations, stall]).toEqual([undefined, [], undefined]);
  });

  it("meets all demands after any run without normalization", () => {
    const scenario = scenarioOf(["x", "y", "c"]);
    let [steps, possible, runs] = [0, 0, 0];
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 4, maxLength: 12 }), (choices) => {
        const path = pathAlong(scenario, choices);
        steps += path.length;
        const { impossible, stall } = validatePath(scenario, { bounds: TWO_ROUNDS }, path, "liveness");
        expect(stall).toBeUndefined();
        runs += 1;
        if (impossible === undefined) possible += 1;
      }),
      { numRuns: 40 },
    );
    expect(steps).toBeGreaterThan(100);
    // A remembered message may prevent a step: the first proposal of a round a second one, say.
    expect(possible).toBeGreaterThan(runs / 2);
  });
});

describe("known-bad variants", () => {
  const CASES = [
    ["waits-for-all", ["x"], NONE, "resting", /v4 silent/],
    ["pulled-by-one", ["x", "c"], TWO_ROUNDS, "resting", /within 8 more rounds, with v4 correct: v1 in round \d+/],
    ["private-reasons", ["x", "c"], TWO_ROUNDS, "every", /v4 silent/],
    ["private-cause", ["x", "g"], NONE, "every", /v4 silent/],
  ] as const;

  it.each(CASES)(
    "%s stalls within 200 states, and the real program decides on the same path",
    (name, names, ...rest) => {
      const [bounds, liveness, words] = rest;
      const scenario = scenarioOf(names);
      const options = { bounds, variant: variantOf(findBug(name)) };
      const { counterexample } = finished(searchStates(scenario, { ...options, liveness, states: 200 }));
      expect([counterexample?.check, words.test(counterexample?.text ?? "")]).toEqual(["liveness", true]);
      const path = counterexample?.path ?? [];
      expect(validatePath(scenario, options, path, counterexample?.check).stall).toBeDefined();
      expect(validatePath(scenario, { bounds }, path, counterexample?.check).stall).toBeUndefined();
    },
  );

  it("pass if no state is continued", () => {
    const options = { bounds: NONE, variant: variantOf(findBug("waits-for-all")), states: ENOUGH };
    for (const liveness of LIVENESS_MODES) {
      const { counterexample } = finished(searchStates(scenarioOf(["x"]), { ...options, liveness }));
      expect([liveness, counterexample?.check]).toEqual([liveness, liveness === "off" ? undefined : "liveness"]);
    }
  });
});

describe("resting states", () => {
  it("depend on no signature of the Byzantine validator: its silence enables no further transition", () => {
    const scenario = scenarioOf(["x", "y", "c"]);
    const options = { bounds: TWO_ROUNDS };
    const model = new Model(scenario, options);
    const set = new StateSet((state) => model.canonical(state));
    const walk = new Expansion(
      model,
      set,
      ({ path, check }) => validatePath(scenario, options, path, check),
      "resting",
    );
    set.add(model.first(), -1);
    const signed = emptyBits();
    let fewer = 0;
    for (let done = 0; done < 400 && done < set.size; done++) {
      walk.expand(done);
      model.signedIn(set.at(done), signed);
      const { all, silentGuards } = model.transitionTable;
      expect(silentGuards.length).toBe(all.length);
      for (const [number, { guard }] of all.entries()) {
        const isPossible = isSatisfied(guard, signed);
        if (isSatisfied(silentGuards[number] ?? NEVER, signed)) expect([number, isPossible]).toEqual([number, true]);
        else if (isPossible) fewer++;
      }
    }
    expect(fewer).toBeGreaterThan(6_000);
  });
});

/** Returns the path of one run: each choice selects a validator and an enabled transition. */
function pathAlong(scenario: Scenario, choices: readonly number[]): readonly PathStep[] {
  const model = new Model(scenario, { bounds: TWO_ROUNDS });
  const count = model.system.honest.length;
  const pairs = choices.map((choice) => [choice % count, Math.floor(choice / count)] as const);
  const path: PathStep[] = [];
  takeSteps(model, pairs, ({ participant, transition, after }) => {
    path.push({ who: participant.name, what: transition.label, cut: undefined });
    return after;
  });
  return path;
}
