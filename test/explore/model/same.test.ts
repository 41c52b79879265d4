/**
 * Goal: memories with one fingerprint behave alike and sign the same, and a transition's effect is independent of the
 * signers in its inputs.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Fingerprints, normalize } from "../../../src/explore/model/fingerprint.ts";
import { applyInputs, initialState, type LocalState } from "../../../src/explore/model/local-state.ts";
import { Model } from "../../../src/explore/model/model.ts";
import { scenarioOf } from "../support.ts";

it("has equal outputs for equal fingerprints, independent of earlier messages and their signers", () => {
  const model = new Model(scenarioOf(["x", "y", "c"]), { bounds: { rounds: 1, crashes: 0 } });
  const fingerprints = new Fingerprints(false);
  const answers = new Map<string, string>();
  let compared = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat()), { minLength: 10, maxLength: 20 }), (choices) => {
      const localStates: LocalState[] = model.system.honest.map((one, by) =>
        initialState(one, (message, sign) => model.statements.numberOf(by, message, sign)),
      );
      for (const [by, choice] of choices) {
        model.updateKnowledge();
        const signed = new Set(localStates.flatMap((localState) => localState.signed));
        const has = (statement: number): boolean => signed.has(statement);
        const possible = model.transitionTable.all.filter(({ guard }) => guard.some((one) => one.every(has)));
        const transition = possible[choice % possible.length];
        const participant = model.system.honest[by];
        const localState = localStates[by];
        if (transition === undefined || participant === undefined || localState === undefined) continue;
        const { state: after, statements } = applyInputs(
          participant,
          (message, sign) => model.statements.numberOf(by, message, sign),
          localState,
          transition.makeInputs(has),
        );
        const next = { ...after, state: normalize(after.state) };
        const question = `${fingerprints.of({ ...localState, state: normalize(localState.state) })} ${transition.label}`;
        const kinds = statements.map((number) => model.statements.get(number).kind);
        const answer = `${fingerprints.of(next)} signs ${kinds.join()}`;
        if (answers.has(question)) compared++;
        expect(answers.get(question) ?? answer).toBe(answer);
        answers.set(question, answer);
        localStates[by] = next;
      }
    }),
    { numRuns: 300 },
  );
  expect(compared).toBeGreaterThan(500);
});
