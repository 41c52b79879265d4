/**
 * Goal: the real program keeps all invariants in every state of small configurations, and known-bad variants are
 * detected in few.
 */
import { describe, expect, it } from "vitest";
import { findBug } from "../../../src/bugs/catalogue.ts";
import { type Variant, variantOf } from "../../../src/bugs/known-bad-variant.ts";
import type { Round } from "../../../src/core/base/ids.ts";
import { slotKey } from "../../../src/core/base/slot.ts";
import type { ValidatorState } from "../../../src/core/validator/state.ts";
import { emptyBits, Model, type SearchCoverage } from "../../../src/explore/model/model.ts";
import { gapsIn } from "../../../src/explore/search/deepen.ts";
import { type Counterexample, searchStates } from "../../../src/explore/search/search.ts";
import { validatePath } from "../../../src/explore/search/validate-path.ts";
import { finished, scenarioOf } from "../support.ts";

const NONE = { rounds: 0, crashes: 0 };
const TWO_ROUNDS = { rounds: 1, crashes: 0 };
const ONE_CRASH = { rounds: 0, crashes: 1 };

describe("the real program", () => {
  it("breaks no invariant with two payments and a cancellation in round 0 and with one crash", () => {
    for (const bounds of [NONE, ONE_CRASH]) {
      const found = finished(searchStates(scenarioOf(["x", "y", "c"]), { bounds, states: 100_000 }));
      expect(found).toMatchObject({ exhausted: true, counterexample: undefined });
      expect(found.states).toBeGreaterThan(30);
    }
  });

  it("breaks no invariant in two rounds of one payment and its cancellation", () => {
    const found = finished(searchStates(scenarioOf(["x", "c"]), { bounds: TWO_ROUNDS, states: 100_000 }));
    expect(found).toMatchObject({ exhausted: true, counterexample: undefined });
    expect(found.states).toBe(1_796);
  });

  it("is not reported as exhausted when the limit of states is reached", () => {
    const found = finished(searchStates(scenarioOf(["x", "y", "c"]), { bounds: NONE, states: 20 }));
    expect(found).toMatchObject({ exhausted: false, counterexample: undefined });
  });
});

describe("known-bad variants", () => {
  /** Variant, operations, bounds, and the states within which it must be detected. */
  const CASES = [
    ["quorum-off-by-one", ["x", "y", "c"], TWO_ROUNDS, 200],
    ["single-round-finality", ["x", "y", "c"], TWO_ROUNDS, 200],
    ["hidden-locks", ["x", "y", "c"], TWO_ROUNDS, 500],
    ["late-commit", ["x", "y", "c"], TWO_ROUNDS, 500],
    ["unjustified-skip", ["x", "c"], TWO_ROUNDS, 20_000],
    ["counted-reports", ["x", "c"], TWO_ROUNDS, 20_000],
    ["vote-before-persist", ["x", "y"], ONE_CRASH, 200],
    ["unapplied-left-out", ["x", "g"], NONE, 500],
    ["close-not-durable", ["x", "g"], ONE_CRASH, 2_000],
  ] as const;

  it.each(CASES)(
    "%s is found within a number of states, and the ordinary oracles say so too",
    (name, names, bounds, states) => {
      const scenario = scenarioOf(names);
      const bug = findBug(name);
      const options = { bounds, variant: variantOf(bug) };
      const { counterexample } = finished(searchStates(scenario, { ...options, states }));
      if (counterexample === undefined) throw new Error(`${name} was not found within ${states} states`);
      const { violations, impossible } = validatePath(scenario, options, counterexample.path);
      expect(impossible).toBeUndefined();
      expect(violations.some(({ invariant }) => bug?.caughtBy.includes(invariant))).toBe(true);
      expectConnected(counterexample);
      const undelayed = finished(searchStates(scenario, { ...options, states: 20_000, delays: false }));
      expect(undelayed.counterexample?.check).toBe(counterexample.check);
      // The real program survives the same path.
      expect(validatePath(scenario, { bounds }, counterexample.path).violations).toEqual([]);
    },
  );
});

/** The states on a path are each behind a step of the one before, and these steps make the path. */
function expectConnected({ states, path }: Counterexample): void {
  expect(states[0]).toMatchObject({ state: 0, depth: 0 });
  for (const [index, { depth, steps }] of states.entries()) {
    const next = states[index + 1];
    if (next === undefined) continue;
    expect(steps).toContainEqual({ to: next.state, path: path.slice(depth, next.depth) });
  }
  expect(states.at(-1)?.depth).toBeLessThan(path.length);
}

describe("what a search reached", () => {
  it("names the decisions, and says so if there were none", () => {
    const withoutCommits: Variant["program"] = (real) => ({
      ...real,
      step: (state, input) =>
        real
          .step(state, input)
          .filter((output) => output.type !== "sign" || (output.message.body as { type: string }).type !== "commit"),
    });
    const reached = (variant?: Variant): SearchCoverage =>
      finished(searchStates(scenarioOf(["x"]), { bounds: NONE, states: 1_000, ...(variant && { variant }) })).reached;
    expect(reached()).toMatchObject({ round: 0, decided: ["x"] });
    expect(gapsIn(NONE, reached())).toEqual([]);
    const nothing = reached({ name: "no commits", program: withoutCommits });
    expect(gapsIn(NONE, nothing)).toEqual(["nothing was decided: the result says nothing about decisions"]);
  });
});

describe("two payments for one nonce alone", () => {
  it("are a proof with which validators leave round 0", () => {
    const { reached } = finished(searchStates(scenarioOf(["x", "y"]), { bounds: TWO_ROUNDS, states: 300 }));
    expect(reached.round).toBe(1);
    expect(reached.coverage).toContain("round change by equivocation proof");
  });
});

describe("a mistake", () => {
  const found = (variant: Variant, names: Parameters<typeof scenarioOf>[0], bounds = NONE): string | undefined =>
    finished(searchStates(scenarioOf(names), { bounds, variant, states: 20_000 })).counterexample?.check;

  it("that a certificate with a signature too few shows is found in round 0", () => {
    const rules: Variant["rules"] = (real) => {
      const certificateFault: typeof real.consensus.certificateFault = (committee, authenticator, certificate) =>
        real.consensus.certificateFault({ ...committee, quorum: committee.quorum - 1 }, authenticator, certificate);
      return { ...real, consensus: { ...real.consensus, certificateFault } };
    };
    expect(found({ name: "weak certificates", rules }, ["x"])).toBe("certificate");
  });

  it("that shows in the order of two signatures is found in two rounds", () => {
    const program: Variant["program"] = (real) => ({
      ...real,
      step: (state, input) => {
        const outputs = real.step(state, input);
        const { records } = (state as ValidatorState).slots;
        if (input.type !== "message" || input.message.type !== "offer") return outputs;
        const { slot, content } = input.message;
        const record = records.get(slotKey(slot));
        if (record === undefined || record.round === 0 || record.votes.length > 0) return outputs;
        const { hashes } = (state as ValidatorState).environment;
        const vote = { round: 0 as Round, value: hashes.value(content.value) };
        records.set(slotKey(slot), { ...record, votes: [vote] });
        const body = { type: "vote", epoch: record.epoch, slot, ...vote } as const;
        return [
          ...outputs,
          { type: "sign", to: [], message: { type: "consensus", body, contents: [], reason: undefined } },
        ];
      },
    });
    expect(found({ name: "late votes", program }, ["x", "c"], TWO_ROUNDS)).toBe("amnesia");
  });
});

describe("interchangeable validators", () => {
  it("count once: the states without symmetry reduction are the permutations of the counted ones", () => {
    const scenario = scenarioOf(["x", "y"]);
    const all = finished(searchStates(scenario, { bounds: NONE, states: 100_000, symmetric: false, delays: false }));
    const model = new Model(scenario, { bounds: NONE });
    const seen = new Map<string, number>();
    const todo = [model.first()];
    const signed = emptyBits();
    for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
      const key = model.canonical(state);
      if (seen.has(key)) continue;
      seen.set(key, orderings(key.split(",").slice(0, 3)));
      model.signedIn(state, signed);
      for (let by = 0; by <= model.localStates.length; by++) {
        const now = state;
        model.forEachEdge(by, now[by] as number, signed, (edge) => todo.push(now.with(by, edge.state)));
      }
    }
    expect(seen.size).toBeLessThan(all.states);
    expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(all.states);
  });
});

/** Number of permutations of three elements, of which some are equal. */
function orderings(three: readonly string[]): number {
  return [1, 3, 6][new Set(three).size - 1] as number;
}
