import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConsensusRules, consensusRules } from "../../../src/core/consensus/rules.ts";
import { roundValueIn } from "../../../src/core/consensus/slot-state.ts";
import { Kit } from "./support/kit.ts";
import { type Choice, SlotModel } from "./support/slot-model.ts";

const kits = new Map([4, 5, 6, 7].map((n) => [n, new Kit(n)]));

const choice: fc.Arbitrary<Choice> = fc.record({
  act: fc.oneof(
    { weight: 6, arbitrary: fc.constant("spread" as const) },
    { weight: 2, arbitrary: fc.constantFrom("assemble" as const, "lie" as const) },
    { weight: 2, arbitrary: fc.constantFrom("vote" as const, "leave" as const, "propose" as const) },
  ),
  a: fc.nat(255),
  b: fc.nat(4095),
  c: fc.nat(255),
});

const choices = fc.array(choice, { minLength: 60, maxLength: 240, size: "max" });

/** Runs the choices in a slot model and returns it. */
function run(n: number, rules: ConsensusRules, made: readonly Choice[]): SlotModel {
  const model = new SlotModel(kits.get(n) as Kit, rules);
  for (const one of made) model.step(one);
  return model;
}

function breaks(n: number, rules: ConsensusRules, numRuns: number): boolean {
  const property = fc.property(choices, (made) => {
    const model = run(n, rules, made);
    return model.finals().size <= 1 && model.doubleLocks().length === 0;
  });
  return fc.check(property, { numRuns, seed: 7, endOnFailure: true }).failed;
}

describe("one slot with f Byzantine members, any order of delivery and rounds 0 to 3", () => {
  for (const n of kits.keys()) {
    // holds: 76
    it(`never has certificates of finality for two values, N = ${n}`, () => {
      const property = fc.property(choices, (made) => {
        const model = run(n, consensusRules, made);
        expect(model.finals().size).toBeLessThanOrEqual(1);
        expect(model.doubleLocks()).toEqual([]);
      });
      fc.assert(property, { numRuns: 500 });
    });
  }

  it("is exercised: some runs decide above round 0, and some stay undecided", () => {
    const seen = { decided: 0, undecided: 0, late: 0 };
    const property = fc.property(choices, (made) => {
      const model = run(4, consensusRules, made);
      seen[model.finals().size > 0 ? "decided" : "undecided"]++;
      if (model.finals().size > 0 && model.highestRound() > 1) seen.late++;
    });
    fc.assert(property, { numRuns: 200, seed: 3 });
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
  });
});

describe("the same runs find what is wrong with", () => {
  const broken: readonly (readonly [name: string, rules: Partial<ConsensusRules>])[] = [
    ["round changes that carry no lock", { carriedLock: () => undefined }],
    ["proposals that no lock forces", { forcedValue: () => undefined }],
    [
      "commits below the round that one has left for",
      { mayCommit: (state, lock) => roundValueIn(state.commits, lock.round) === undefined },
    ],
    ["votes that are given twice", { mayVote: (state, round) => state.round === round }],
    [
      "certificates that are never checked",
      { certificateFault: () => undefined, forcedValue: (changes) => changes[0]?.lock?.value },
    ],
  ];
  for (const [name, rules] of broken) {
    it(name, () => expect(breaks(4, { ...consensusRules, ...rules }, 4_000)).toBe(true));
  }
});
