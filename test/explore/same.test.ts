/**
 * Goal: local states with one fingerprint behave alike, and a transition's effect is independent of the signers in its
 * inputs.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Fingerprints } from "../../src/explore/fingerprint.ts";
import { forget } from "../../src/explore/forget.ts";
import { born, type Life, live } from "../../src/explore/life.ts";
import { Model } from "../../src/explore/model.ts";
import { scenarioOf } from "./support.ts";

it("has equal outputs for equal fingerprints, independent of earlier messages and their signers", () => {
  const model = new Model(scenarioOf(["x", "y", "c"]), { bounds: { rounds: 1, crashes: 0 } });
  const fingerprints = new Fingerprints(model.sayings, false);
  const answers = new Map<string, string>();
  let compared = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat()), { minLength: 10, maxLength: 20 }), (choices) => {
      const lives: Life[] = model.arena.honest.map((one, by) =>
        born(one, (message) => model.sayings.numberOf(by, message)),
      );
      for (const [by, choice] of choices) {
        model.learn();
        const said = new Set(lives.flatMap((life) => life.said));
        const has = (saying: number): boolean => said.has(saying);
        const possible = model.stimuli.all.filter(({ need }) => need.some((one) => one.every(has)));
        const stimulus = possible[choice % possible.length];
        const participant = model.arena.honest[by];
        const life = lives[by];
        if (stimulus === undefined || participant === undefined || life === undefined) continue;
        const { life: after } = live(
          participant,
          (message) => model.sayings.numberOf(by, message),
          life,
          stimulus.build(has),
        );
        const next = { ...after, state: forget(after.state) };
        const question = `${fingerprints.of({ ...life, state: forget(life.state) })} ${stimulus.label}`;
        const answer = fingerprints.of(next);
        if (answers.has(question)) compared++;
        expect(answers.get(question) ?? answer).toBe(answer);
        answers.set(question, answer);
        lives[by] = next;
      }
    }),
    { numRuns: 300 },
  );
  expect(compared).toBeGreaterThan(500);
});
