/** Jobs of a hunt for threads: plain data in, plain data out. */
import { findBug } from "../../bugs/catalogue.ts";
import { present, unreachable } from "../../core/base/assert.ts";
import type { Sliced } from "../../run/sliced.ts";
import type { ScenarioParser } from "../../scenario/parse.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import { drawScenario } from "../fuzz/draw.ts";
import type { Place } from "../fuzz/place.ts";
import { shrink } from "../shrink/shrink.ts";
import { type Searched, search } from "./search.ts";
import type { Range, Strategy } from "./strategy.ts";

export type Job =
  | {
      readonly kind: "search";
      readonly bug: string;
      readonly strategy: Strategy;
      readonly range: Range;
      readonly toEnd: boolean;
    }
  /** Minimizes a detection with at most `runs` runs. */
  | {
      readonly kind: "shrink";
      readonly bug: string;
      readonly strategy: Strategy;
      readonly seed: string;
      readonly place: Place;
      readonly runs: number;
    };

export type Answer =
  | { readonly kind: "searched"; readonly searched: Searched }
  | { readonly kind: "shrunk"; readonly small: Small | undefined };

/** Minimized scenario: it violates the same invariant in the same kind of slot under this seed. */
export interface Small {
  readonly scenario: Scenario;
  readonly seed: string;
  /** True if it is 1-minimal; false if the run limit was reached. */
  readonly isSmallest: boolean;
}

/**
 * Runs a job in slices of a few events; calls `firstFound` at the first detection. @throws AssertionError for an
 * unknown variant.
 */
export function* doJob(job: Job, parser: ScenarioParser, firstFound?: () => void): Sliced<Answer> {
  const bug = present(findBug(job.bug), `known-bad variant ${job.bug}`);
  switch (job.kind) {
    case "search": {
      const { strategy, range, toEnd } = job;
      return {
        kind: "searched",
        searched: yield* search({ bug, strategy, range, toEnd, ...(firstFound === undefined ? {} : { firstFound }) }),
      };
    }
    case "shrink": {
      const { seed, place, runs, strategy } = job;
      const scenario = drawScenario(seed, strategy.profile, bug.name);
      const small = yield* shrink({ scenario, seed }, { parser, runs, place });
      return { kind: "shrunk", small: small === undefined ? undefined : onlySmall(small) };
    }
    default:
      return unreachable(job);
  }
}

function onlySmall({ scenario, seed, isSmallest }: Small): Small {
  return { scenario, seed, isSmallest };
}
