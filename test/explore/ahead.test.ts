/**
 * Goal: a search ends with the same numbers, path and saved rows however many replicas expand states ahead of it, and
 * however far ahead.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBug } from "../../src/bugs/catalogue.ts";
import { variantOf } from "../../src/bugs/variant.ts";
import type { AheadOptions, Helper } from "../../src/explore/ahead.ts";
import type { LivenessMode } from "../../src/explore/liveness.ts";
import { type Expanded, Replica } from "../../src/explore/replica.ts";
import { type SearchOptions, type SearchResult, search } from "../../src/explore/search.ts";
import type { Bounds } from "../../src/explore/system.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { finished, scenarioOf } from "./support.ts";

const NONE = { rounds: 0, crashes: 0 };
const TWO_ROUNDS = { rounds: 1, crashes: 0 };
const ONE_CRASH = { rounds: 0, crashes: 1 };

/** Replicas in this thread; each is ready after it was asked `delay` times, and expands a job when its result is due. */
function inThisThread(scenario: Scenario, options: SearchOptions, count: number, delay: number): AheadOptions["start"] {
  const helper = (): Helper => {
    const replica = new Replica(scenario, options);
    const jobs: (() => Expanded)[] = [];
    let asked = 0;
    return {
      isReady: () => asked++ >= delay,
      post: (job) => void jobs.push(() => replica.expand(job)),
      take: () => jobs.shift()?.() ?? new Int32Array(0),
      end: () => undefined,
    };
  };
  return () => Array.from({ length: count }, helper);
}

/** The result, with the rows of a search that was stopped. */
function ended({ left, ...result }: SearchResult): object {
  const rows = left?.keep().map((row) => row.join());
  return { ...result, left: left && { ...left, keep: rows } };
}

const CASES: readonly (readonly [string, readonly string[], Bounds, LivenessMode, string])[] = [
  ["the real program", ["x", "y", "c"], NONE, "every", ""],
  ["the real program in two rounds", ["x", "c"], TWO_ROUNDS, "resting", ""],
  ["the real program that crashes", ["x", "y"], ONE_CRASH, "off", ""],
  ["the real program that pauses", ["p", "x"], NONE, "resting", ""],
  ["the real program that closes an epoch", ["x", "g"], NONE, "off", ""],
  ["one that commits late", ["x", "c"], TWO_ROUNDS, "off", "late-commit"],
  ["one that skips without a reason", ["x", "c"], TWO_ROUNDS, "off", "unjustified-skip"],
  ["one that stalls", ["x"], NONE, "resting", "waits-for-all"],
  ["one whose closing is not durable", ["x", "g"], ONE_CRASH, "off", "close-not-durable"],
];

describe("a search with replicas ahead", () => {
  it.each(CASES)("ends as without them: %s", (_, names, bounds, liveness, bug) => {
    const scenario = scenarioOf(names);
    const asked: SearchOptions = { bounds, liveness, variant: variantOf(findBug(bug)), states: 1_500 };
    const alone = ended(finished(search(scenario, asked)));
    const sizes = fc.record({
      count: fc.integer({ min: 1, max: 3 }),
      delay: fc.nat(20),
      frontier: fc.integer({ min: 1, max: 20 }),
      batch: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(sizes, ({ count, delay, frontier, batch }) => {
        const ahead: AheadOptions = { frontier, batch, start: inThisThread(scenario, asked, count, delay) };
        expect(ended(finished(search(scenario, { ...asked, ahead })))).toEqual(alone);
      }),
      { numRuns: 3 },
    );
  });

  it("is resumed from one without, and one without from it", () => {
    const scenario = scenarioOf(["x", "c"]);
    const asked: SearchOptions = { bounds: TWO_ROUNDS, liveness: "resting", states: 100_000 };
    const whole = ended(finished(search(scenario, asked)));
    const ahead = (): AheadOptions => ({ frontier: 1, batch: 7, start: inThisThread(scenario, asked, 2, 0) });
    for (const [first, second] of [
      [ahead(), undefined],
      [undefined, ahead()],
    ] as const) {
      const { left } = finished(search(scenario, { ...asked, states: 700, ahead: first }));
      const saved = left?.keep().map((row) => row.slice());
      expect(ended(finished(search(scenario, { ...asked, saved, ahead: second })))).toEqual(whole);
    }
  });

  it("leaves little to the search once the model is known", () => {
    const scenario = scenarioOf(["x", "y", "c"]);
    const asked: SearchOptions = { bounds: TWO_ROUNDS, states: 100_000 };
    const [replica] = inThisThread(scenario, asked, 1, 0)();
    if (replica === undefined) throw new Error("expected a replica");
    let [unknown, all] = [0, 0];
    const counted: Helper = {
      ...replica,
      take: () => {
        const expanded = replica.take();
        for (let at = 1; at < expanded.length; ) {
          const [found = 0, , trials = 0, successors = 0] = expanded.subarray(at);
          all += 1;
          if (found === 0) unknown += 1;
          at += 4 + trials + successors;
        }
        return expanded;
      },
    };
    finished(search(scenario, { ...asked, ahead: { frontier: 10, batch: 8, start: () => [counted] } }));
    expect(all).toBeGreaterThan(5_000);
    expect(unknown).toBeLessThan(all / 5);
  });

  it("rejects a replica of another program", () => {
    const scenario = scenarioOf(["x", "c"]);
    const asked: SearchOptions = { bounds: TWO_ROUNDS, states: 100_000 };
    const other = { ...asked, variant: variantOf(findBug("late-commit")) };
    const ahead: AheadOptions = { frontier: 10, batch: 8, start: inThisThread(scenario, other, 1, 0) };
    expect(() => finished(search(scenario, { ...asked, ahead }))).toThrow(RangeError);
  });
});
