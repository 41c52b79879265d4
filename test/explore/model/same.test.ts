/**
 * Goal: memories with one fingerprint behave alike and sign the same, and a transition's effect is independent of the
 * signers in its inputs.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Fingerprints, normalize } from "../../../src/explore/model/fingerprint.ts";
import type { LocalState } from "../../../src/explore/model/local-state.ts";
import { Model } from "../../../src/explore/model/model.ts";
import { scenarioOf, takeSteps } from "../support.ts";

function normalForm(localState: LocalState): LocalState {
  return { ...localState, state: normalize(localState.state) };
}

it("has equal outputs for equal fingerprints, independent of earlier messages and their signers", () => {
  const model = new Model(scenarioOf(["x", "y", "c"]), { bounds: { rounds: 1, crashes: 0 } });
  const fingerprints = new Fingerprints(false);
  const answers = new Map<string, string>();
  let compared = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat()), { minLength: 10, maxLength: 20 }), (choices) => {
      takeSteps(model, choices, ({ transition, before, after, statements }) => {
        const next = normalForm(after);
        const question = `${fingerprints.of(normalForm(before))} ${transition.label}`;
        const kinds = statements.map((number) => model.statements.get(number).kind);
        const answer = `${fingerprints.of(next)} signs ${kinds.join()}`;
        if (answers.has(question)) compared++;
        expect(answers.get(question) ?? answer).toBe(answer);
        answers.set(question, answer);
        return next;
      });
    }),
    { numRuns: 300 },
  );
  expect(compared).toBeGreaterThan(500);
});
