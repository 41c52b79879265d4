/**
 * Goal: every generated scenario is valid, and deterministic in its seed. Method: many seeds of each profile, with and
 * without a variant, through the text of a file and the parser.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BUGS } from "../../../src/bugs/catalogue.ts";
import { bounds } from "../../../src/invariants/history/quorum.ts";
import { byzantineValidators } from "../../../src/scenario/compile/compile.ts";
import { validatorNames } from "../../../src/scenario/declarations.ts";
import { createParser } from "../../../src/scenario/parse.ts";
import { Rng } from "../../../src/scenario/rng.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import type { Step } from "../../../src/scenario/schema/step.ts";
import { SUBMIT_KINDS } from "../../../src/scenario/schema/submit.ts";
import { type OperationVerb, VERBS } from "../../../src/scenario/verbs.ts";
import { problemText } from "../../../src/schema/problem.ts";
import { drawWorld } from "../../../src/search/fuzz/draw.ts";
import { CHAIN_LINKS, drawField } from "../../../src/search/fuzz/draw-byzantine.ts";
import { scenarioText } from "../../../src/search/fuzz/scenario-text.ts";
import { PROFILES } from "../../../src/search/fuzz/swarm.ts";
import { mutationsAt } from "../../../src/simulator/byzantine/field-mutations.ts";
import { MESSAGE_KINDS } from "../../../src/simulator/byzantine/message-fields.ts";

const parser = createParser();
const seed = fc.nat(1_000_000_000).map(String);
const profile = fc.constantFrom(...PROFILES);
const bug = fc.option(fc.constantFrom(...BUGS.map(({ name }) => name)), { nil: undefined });

/** Returns the scenario as the parser reads it from a file. */
function read(scenario: Scenario): Scenario {
  const parsed = parser.parse(scenarioText(scenario, ["a comment"]));
  if (!parsed.ok) throw new Error(parsed.error.map((problem) => problemText("drawn", problem)).join("\n"));
  return parsed.value;
}

/** Returns the first committee and each that a proposal names. */
function committees(scenario: Scenario): readonly (readonly string[])[] {
  const proposed = (scenario.steps ?? []).flatMap(({ govern }) => (govern?.validators ? [govern.validators] : []));
  return [validatorNames(scenario), ...proposed];
}

const nodeOf = (key: string): string => key.replace(/\/\d+$/, "");

test("a drawn field is one of some message, and its mutation is possible there", () => {
  const rng = new Rng("1", "fields");
  for (let draw = 0; draw < 3_000; draw++) {
    const { field, mutation } = drawField(rng, [...MESSAGE_KINDS, ...CHAIN_LINKS]);
    expect(mutationsAt(field), field).toContain(mutation);
  }
});

describe("a generated scenario", () => {
  test("is valid, and equals its file", () => {
    fc.assert(
      fc.property(seed, profile, bug, (number, size, variant) => {
        const scenario = drawWorld(number, size, variant).scenario;
        expect(JSON.parse(JSON.stringify(read(scenario)))).toEqual(JSON.parse(JSON.stringify(scenario)));
      }),
      // Two malformed issues had one symbol and two masters.
      { numRuns: 150, examples: [["904745993", "deep", undefined]] },
    );
  });

  test("fills each optional member of each verb: what no world fills, no forgotten field can show", () => {
    const filled = new Set<string>();
    for (let at = 0; at < 1_200; at++)
      for (const { submit } of drawWorld(String(at), "default").scenario.steps ?? [])
        for (const verb of Object.keys(VERBS) as OperationVerb[])
          for (const member of Object.keys(submit?.[verb] ?? {})) filled.add(`${verb}.${member}`);
    const optional = Object.entries(VERBS).flatMap(([verb, { form }]) =>
      Object.entries(form).flatMap(([member, { optional: may }]) => (may === true ? [`${verb}.${member}`] : [])),
    );
    expect(optional.filter((member) => !filled.has(member))).toEqual([]);
  });

  test("names its event limit, which grows with the square of its committee", () => {
    const bounded = Array.from({ length: 60 }, (_, at) => drawWorld(String(at), "default").scenario);
    for (const { network, events } of bounded) {
      const more = Math.max(1, (network?.validators ?? 0) / 4);
      // A world with a meeting has twice the limit: the meeting may be a flood.
      expect([100_000, 200_000].map((limit) => Math.ceil(limit * more * more))).toContain(events);
    }
    expect(new Set(bounded.map(({ events }) => events)).size).toBeGreaterThan(1);
  });

  test("is equal for equal seeds, and mostly different for others", () => {
    fc.assert(
      fc.property(seed, profile, (number, size) => {
        expect(drawWorld(number, size).scenario).toEqual(drawWorld(number, size).scenario);
      }),
    );
    const worlds = Array.from({ length: 100 }, (_, at) => ({ ...drawWorld(String(at), "default").scenario, name: "" }));
    expect(new Set(worlds.map((world) => JSON.stringify(world))).size).toBe(100);
  });

  test("has no committee with more than f Byzantine members, unless nothing is demanded that needs that", () => {
    fc.assert(
      fc.property(seed, profile, (number, size) => {
        const scenario = drawWorld(number, size).scenario;
        const byzantine = byzantineValidators(scenario);
        const isBeyond = committees(scenario).some(
          (members) => members.filter((key) => byzantine.has(nodeOf(key))).length > bounds(members.length).faults,
        );
        const isFree = scenario.healing?.none ?? false;
        expect([isFree || !isBeyond, scenario.expect]).toEqual([
          true,
          [isFree ? { epoch: { at_least: 0 } } : { violation: "none" }],
        ]);
      }),
      { numRuns: 300 },
    );
  });

  test("differs only by the variant's name if the variant has no attack", () => {
    const plain = BUGS.filter(({ attack }) => attack === undefined).map(({ name }) => name);
    fc.assert(
      fc.property(seed, profile, fc.constantFrom(...plain), (number, size, variant) => {
        expect(drawWorld(number, size, variant).scenario).toEqual({
          ...drawWorld(number, size).scenario,
          bug: variant,
        });
      }),
    );
  });

  test("makes the last validator Byzantine, and keeps it last, if the variant has an attack", () => {
    const attacking = BUGS.filter(({ attack }) => attack !== undefined).map(({ name }) => name);
    fc.assert(
      fc.property(seed, profile, fc.constantFrom(...attacking), (number, size, variant) => {
        const scenario = drawWorld(number, size, variant).scenario;
        const last = validatorNames(scenario).at(-1) ?? "";
        expect(byzantineValidators(scenario)).toContain(last);
        expect(committees(scenario).map((members) => members.at(-1))).toEqual(committees(scenario).map(() => last));
      }),
    );
  });

  test("has each kind of fault and operation for some seeds and not for others", () => {
    const verbs = new Map<string, number>();
    const worlds = 300;
    for (let at = 1; at <= worlds; at++) {
      const steps = drawWorld(String(at), "default").scenario.steps ?? [];
      const seen = new Set(steps.flatMap(({ at: _at, after: _after, only: _only, ...verb }) => kindsIn(verb)));
      for (const kind of seen) verbs.set(kind, (verbs.get(kind) ?? 0) + 1);
    }
    const kinds =
      "byzantine crash suspend resume wipe backup restore restart clock disk partition cut heal delay loss drop hold release workload govern";
    for (const kind of [...`${kinds} twin`.split(" "), ...SUBMIT_KINDS]) {
      expect([kind, verbs.get(kind) ?? 0]).not.toEqual([kind, 0]);
      expect([kind, verbs.get(kind) ?? 0]).not.toEqual([kind, worlds]);
    }
  });

  test("has a state of 20,000 accounts for a few seeds, and for some a validator that joins over slow links", () => {
    const drawn = Array.from({ length: 600 }, (_, at) => drawWorld(String(at + 1), "default").scenario);
    const large = drawn.filter(({ genesis }) => genesis?.filler_accounts !== undefined);
    expect(large.length).toBeGreaterThan(0);
    expect(large.length).toBeLessThan(drawn.length / 50);
    const joined = large.filter(({ network, genesis }) => network?.spares && genesis?.checkpoints !== "none");
    const delayed = (steps: Scenario["steps"] = []) => steps.filter(({ at, delay }) => at === 0 && delay !== undefined);
    expect(joined.some(({ steps }) => delayed(steps).length === 2)).toBe(true);
  });
});

function kindsIn({ submit, ...verb }: Step): readonly string[] {
  return [verb, submit ?? {}, ...(verb.workload?.mix ?? [])].flatMap(Object.keys);
}
