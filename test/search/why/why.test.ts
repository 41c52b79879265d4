/**
 * Goal: each statement about causes is true of the run that it speaks of. Method: the runs are made again from known-bad
 * variants' own scenarios: without each essential cause, with nothing but those that suffice, and with the steps of the
 * file edited by hand.
 */
import { describe, expect, test } from "vitest";
import type { Cause, Why } from "../../../src/run/events/causes.ts";
import { type Interruptible, runToEnd } from "../../../src/run/interruptible.ts";
import { runScenario } from "../../../src/run/run.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { recordCauses } from "../../../src/search/why/causes.ts";
import { firstDeviation } from "../../../src/search/why/deviation.ts";
import { type Change, Trials } from "../../../src/search/why/trials.ts";
import { why } from "../../../src/search/why/why.ts";
import { scenarioIn } from "../../run/support.ts";

/** Scenario of a variant without the violation that it expects. */
function failing(name: string): Scenario {
  return { ...scenarioIn(`scenarios/bugs/${name}.yaml`), expect: [{ violation: "none" }] };
}

function answered(work: Interruptible<Why | undefined>): Why {
  const found = runToEnd(work);
  if (found === undefined) throw new Error("the run passes");
  return found;
}

/** Returns what a search has found that is interrupted after some slices. */
function interrupted(work: Interruptible<Why | undefined>, most: number): Why {
  let slice = work.next();
  for (let slices = 0; slice.done !== true; slices++) slice = work.next(slices > most);
  return slice.value as Why;
}

/** Returns whether the violation of a scenario comes with a change. */
function judgeOf(scenario: Scenario): (change: Change) => boolean {
  const run = { scenario, seed: "1" };
  const recorded = runToEnd(recordCauses(run));
  if (recorded === undefined) throw new Error("the run passes");
  const trials = new Trials(run, recorded);
  return (change) => runToEnd(trials.fails(change));
}

const keysOf = (causes: readonly Cause[]): ReadonlySet<string> => new Set(causes.map(({ key }) => key));

describe.each(["vote-before-persist", "all-signers-reported", "hidden-locks", "never-asks-again"])("%s", (name) => {
  const scenario = failing(name);
  const found = answered(why({ scenario, seed: "1" }));
  const isViolated = judgeOf(scenario);

  test("all is tried, and the answer is the same each time", () => {
    expect(found.untried).toEqual([]);
    expect(answered(why({ scenario, seed: "1" }))).toEqual(found);
  });

  test("without an essential cause the violation does not come", () => {
    expect(found.essential.length).toBeGreaterThan(0);
    for (const cause of found.essential) expect(isViolated({ omits: keysOf([cause]) })).toBe(false);
  });

  test("the causes that suffice bring it, and no smaller part of them does", () => {
    const { sufficient } = found;
    expect(sufficient.length).toBeLessThan(found.causes);
    expect(isViolated({ keeps: keysOf(sufficient) })).toBe(true);
    for (const left of sufficient)
      expect(isViolated({ keeps: keysOf(sufficient.filter((cause) => cause !== left)) })).toBe(false);
  });

  test("in another order of an essential pair it does not come", () => {
    const keeps = keysOf(found.sufficient);
    for (const [first, second] of found.orders)
      expect(isViolated({ keeps, swaps: [first.key, second.key] })).toBe(false);
  });
});

describe("a vote that is not durable", () => {
  const scenario = failing("vote-before-persist");
  const found = answered(why({ scenario, seed: "1" }));

  test("needs the crash and both submissions, each a step of the file", () => {
    expect(found.essential.map(({ event }) => event.kind)).toEqual(["action", "delivered", "delivered"]);
    expect(found.sufficient).toEqual(found.essential);
    const { steps = [] } = scenario;
    expect(steps.length).toBe(found.essential.length);
    for (const left of steps) {
      const rest = { ...scenario, steps: steps.filter((step) => step !== left) };
      expect(runScenario(rest, { seed: "1" }).verdict).not.toBe("violation");
    }
  });

  test("needs the submissions in their order, which chance does not decide", () => {
    expect(found.orders).toEqual([found.essential.slice(1)]);
    expect(found.chance).toEqual({ reseeds: 8, failing: 8, from: null });
  });

  test("departs from the real program where the vote leaves too early", () => {
    const [, first] = found.essential;
    expect(found.deviation).toMatchObject({ step: first?.event.step, party: "v2" });
  });
});

test("from the event on that is named, other chance prevents it less often than before", () => {
  const scenario = failing("all-signers-reported");
  const isViolated = judgeOf(scenario);
  const { chance } = answered(why({ scenario, seed: "1" }));
  const share = (after: number): number =>
    [1, 2, 3, 4, 5, 6, 7, 8].filter((seed) => isViolated({ reseed: { after, seed: `another chance ${seed}` } })).length;
  const { step = 0, failing: from = 0, before = 0 } = chance?.from ?? {};
  expect(chance?.failing).toBe(share(0));
  expect([share(step), share(step - 1)]).toEqual([from, before]);
  expect(from).toBeGreaterThan(before);
});

test("a run that passes has no causes, and the real program no deviation", () => {
  const { bug: _bug, ...scenario } = failing("vote-before-persist");
  expect(runToEnd(why({ scenario, seed: "1" }))).toBeUndefined();
  expect(runToEnd(firstDeviation({ scenario, seed: "1" }, 1_000))).toBeUndefined();
});

test("a search that goes on from an interrupted one finds the same, and runs nothing again", () => {
  const failingRun = { scenario: failing("hidden-locks"), seed: "1" };
  const whole = answered(why(failingRun));
  let earlier: Why | undefined;
  let runs = 0;
  do {
    const found = interrupted(why(failingRun, earlier), 100 * (runs + 1));
    expect(whole.outcomes.startsWith(found.outcomes)).toBe(true);
    expect(found.outcomes.length).toBeGreaterThanOrEqual(earlier?.outcomes.length ?? 0);
    earlier = found;
    runs += 1;
  } while (earlier.untried.length > 0);
  expect(earlier).toEqual(whole);
  expect(runs).toBeGreaterThan(1);
  const other = { scenario: failing("vote-before-persist"), seed: "1" };
  expect(() => runToEnd(why(other, whole))).toThrow("expected amnesia at step 12 (200 ms) with 4 causes, got ");
});

test("an interruption keeps what was found, and says what was not tried", () => {
  const work = why({ scenario: failing("hidden-locks"), seed: "1" });
  const { untried, sufficient, causes, essential } = interrupted(work, 100);
  expect(untried.length).toBeGreaterThan(0);
  expect(untried).toContain("other orders of deliveries");
  expect(sufficient.length).toBeLessThanOrEqual(causes);
  const isViolated = judgeOf(failing("hidden-locks"));
  expect(isViolated({ keeps: keysOf(sufficient) })).toBe(true);
  for (const cause of essential) expect(isViolated({ omits: keysOf([cause]) })).toBe(false);
});
