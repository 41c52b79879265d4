/** Random faults of a chaos: drawn from the seed, ended in time, and beside the written steps. */
import { expect, test } from "vitest";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { compile } from "../../src/scenario/compile/compile.ts";
import type { PlannedAction } from "../../src/simulator/plan.ts";
import { GENESIS, PAYMENT, parsed, ran } from "../run/support.ts";

const CHAOS = "chaos: { for_ms: 2000, every_ms: 20..60, lasting_ms: 10..900 }";
const file = (step: string): string => `name: n\n${GENESIS}${PAYMENT}  - ${step}\nexpect: [{ final: x }]\n`;

function planned(step: string, seed: string): readonly PlannedAction[] {
  return compile(parsed(file(step)), { seed, scheme: keyedHash }).planned[1] ?? [];
}

/** Times of an action and of the end that it brings itself, from the beginning of the chaos. */
function timesOf(one: PlannedAction, begun: number): readonly number[] {
  const at = ("at" in one ? one.at : (one.afterMs ?? 0)) - begun;
  const { action } = one;
  if (action.do === "crash") return [at, at + (action.restartAfterMs ?? Number.NaN)];
  return action.do === "suspend" ? [at, at + (action.resumeAfterMs ?? Number.NaN)] : [at];
}

test.each([
  ["a time", `{ at: 300, ${CHAOS} }`, 300],
  ["an event", `{ after: { decided: x, plus_ms: 40 }, ${CHAOS} }`, 40],
])("begins at %s, and everything that it begins ends within its time", (_what, step, begun) => {
  for (const seed of ["1", "2", "3"]) {
    const all = planned(step, seed);
    expect(all.length).toBeGreaterThan(40);
    for (const time of all.flatMap((one) => timesOf(one, begun))) {
      expect(time).toBeGreaterThan(0);
      expect(time).toBeLessThanOrEqual(2000);
    }
    const rules = (verbs: readonly string[]): readonly string[] =>
      [
        ...new Set(
          all.flatMap(({ action }) => (verbs.includes(action.do) && "rule" in action ? [action.rule ?? ""] : [])),
        ),
      ].sort();
    expect(rules(["undrop", "release"])).toEqual(rules(["drop", "hold"]));
    expect(new Set(all.map(({ action }) => action.do))).toEqual(
      new Set(["crash", "suspend", "drop", "undrop", "hold", "release"]),
    );
  }
});

test("is drawn from the seed and the kinds and validators that it names", () => {
  const step = `{ at: 0, ${CHAOS.replace(" }", ", kinds: [crash], nodes: [v2] }")} }`;
  expect(planned(step, "1")).toEqual(planned(step, "1"));
  expect(planned(step, "1")).not.toEqual(planned(step, "2"));
  for (const { action } of planned(step, "1")) expect(action).toMatchObject({ do: "crash", node: "v2" });
});

test("has an effect if one of its faults has one", () => {
  expect(ran(file(`{ at: 0, ${CHAOS} }`))).toMatchObject({ verdict: "pass", idle: [] });
  const early = {
    verdict: "unmet",
    idle: [{ step: 2, reason: expect.stringMatching(/^rule chaos 2\.\d+ dropped no message$/) }],
  };
  expect(ran(file("{ at: 9000, chaos: { for_ms: 50, every_ms: 20..30, kinds: [loss] } }"))).toMatchObject(early);
});
