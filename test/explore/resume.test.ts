/**
 * Goal: a search that is stopped anywhere, any number of times, ends like an uninterrupted one; foreign saved searches
 * are rejected.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBug } from "../../src/bugs/catalogue.ts";
import { variantOf } from "../../src/bugs/variant.ts";
import {
  NotResumable,
  type SavedSearch,
  type SearchOptions,
  type SearchResult,
  search,
} from "../../src/explore/search.ts";
import type { Bounds } from "../../src/explore/system.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { finished, scenarioOf } from "./support.ts";

const NONE = { rounds: 0, crashes: 0 };
const TWO_ROUNDS = { rounds: 1, crashes: 0 };
const ONE_CRASH = { rounds: 0, crashes: 1 };
const ENOUGH = 100_000;

type Asked = Omit<SearchOptions, "states" | "saved">;

function searched(scenario: Scenario, asked: Asked, states: number, kept?: SavedSearch): SearchResult {
  return finished(search(scenario, { ...asked, states, saved: kept }));
}

/** Stops whenever one of these numbers of states is exceeded, and resumes from copies of the saved search. */
function inPieces(scenario: Scenario, asked: Asked, stops: readonly number[]): SearchResult {
  let kept: SavedSearch | undefined;
  for (const states of stops) {
    const { left, ...ended } = searched(scenario, asked, states, kept);
    if (left === undefined) return { ...ended, left };
    kept = left.keep().map((row) => row.slice());
  }
  return searched(scenario, asked, ENOUGH, kept);
}

function keptAt(scenario: Scenario, asked: Asked, states: number): SavedSearch {
  const { left } = searched(scenario, asked, states);
  if (left === undefined) throw new Error("nothing is left");
  return left.keep();
}

describe("a search that is stopped", () => {
  const CASES: readonly (readonly [string, readonly string[], Bounds, string])[] = [
    ["the real program", ["x", "y", "c"], NONE, ""],
    ["the real program that crashes", ["x", "y"], ONE_CRASH, ""],
    ["one that commits late", ["x", "c"], TWO_ROUNDS, "late-commit"],
    ["one whose closing is not durable", ["x", "g"], ONE_CRASH, "close-not-durable"],
  ];

  it.each(CASES)("ends with the same numbers and the same path: %s", (_, names, bounds, bug) => {
    const scenario = scenarioOf(names);
    const asked: Asked = { bounds, variant: variantOf(findBug(bug)) };
    const whole = searched(scenario, asked, ENOUGH);
    expect(whole.exhausted).toBe(bug === "");
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: whole.states }), { minLength: 1, maxLength: 4 }), (some) => {
        const stops = some.toSorted((a, b) => a - b);
        expect(inPieces(scenario, asked, stops)).toEqual(whole);
      }),
      { numRuns: 5 },
    );
  });

  it("reports its frontier and depth", () => {
    const { left, states, exhausted } = searched(scenarioOf(["x", "y", "c"]), { bounds: NONE }, 20);
    expect([exhausted, (left?.depth ?? 0) > 0]).toEqual([false, true]);
    expect(left?.frontier).toBeGreaterThan(0);
    expect(left?.frontier).toBeLessThan(states);
  });
});

describe("a saved search", () => {
  const scenario = scenarioOf(["x", "y", "c"]);
  const kept = keptAt(scenario, { bounds: TWO_ROUNDS }, 200);
  const refused = (rows: SavedSearch, of = scenario, bug = ""): void => {
    const asked: Asked = { bounds: TWO_ROUNDS, variant: variantOf(findBug(bug)) };
    expect(() => searched(of, asked, ENOUGH, rows)).toThrow(NotResumable);
  };

  it("is rejected if a row is missing or truncated", () => {
    for (const [place, row] of kept.entries()) {
      refused(kept.toSpliced(place, 1));
      refused(kept.with(place, row.subarray(0, row.length - 1)));
    }
  });

  it("is rejected by another program and for another scenario", () => {
    refused(kept, scenarioOf(["x", "c"]));
    refused(kept, scenario, "late-commit");
  });
});
