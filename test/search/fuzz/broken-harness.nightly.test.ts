/**
 * Goal: a campaign in which something is switched off is no pass. Method: each generator, kind of fault, order of
 * workloads and strategy is not drawn, the healing and each fault are left out by the simulator, and each excuse covers
 * everything, in turn; the campaign, or a known-bad variant that passes, names it.
 */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { INVARIANTS } from "../../../src/invariants/catalogue.ts";
import { runToEnd } from "../../../src/run/interruptible.ts";
import { runScenario } from "../../../src/run/run.ts";
import { createParser } from "../../../src/scenario/parse.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import type { Step } from "../../../src/scenario/schema/step.ts";
import { type DrawnWorld, drawWorld } from "../../../src/search/fuzz/draw.ts";
import { GENERATOR_NAMES, ORDER_KINDS } from "../../../src/search/fuzz/generators.ts";
import { seedsOf } from "../../../src/search/fuzz/guided-seeds.ts";
import {
  countsOfCategory,
  FAULT_KINDS,
  type FaultKind,
  leastRunsOf,
  type Occurrence,
  occurrencesIn,
  shortcomingsOf,
} from "../../../src/search/fuzz/occurrences.ts";
import { runSeed } from "../../../src/search/fuzz/seed-run.ts";
import { StepBuilder } from "../../../src/search/fuzz/step-builder.ts";
import { countsOf } from "../../../src/search/fuzz/tally.ts";

/** Parts that the replaced modules leave out: an action of the simulator, or the limits of an excuse. */
const off = vi.hoisted(() => ({ action: "", excuse: "" }));

vi.mock("../../../src/simulator/faults.ts", async (load) => {
  const faults = await load<typeof import("../../../src/simulator/faults.ts")>();
  const performAction: typeof faults.performAction = (engine, action) => {
    if (action.do !== off.action) faults.performAction(engine, action);
  };
  return { ...faults, performAction };
});
vi.mock("../../../src/invariants/history/epochs.ts", async (load) => {
  const epochs = await load<typeof import("../../../src/invariants/history/epochs.ts")>();
  const committeeDirectory: typeof epochs.committeeDirectory = (setting) => {
    const directory = epochs.committeeDirectory(setting);
    return {
      ...directory,
      isHonestKey: (key) => off.excuse !== "keys" && directory.isHonestKey(key),
      committeeOf: (validators) => {
        const committee = directory.committeeOf(validators);
        const isExcused = off.excuse === "bound" && committee.byzantine > 0;
        return isExcused ? { ...committee, byzantine: validators.length } : committee;
      },
    };
  };
  return { ...epochs, committeeDirectory };
});
vi.mock("../../../src/invariants/judge.ts", async (load) => {
  const judge = await load<typeof import("../../../src/invariants/judge.ts")>();
  const createJudge: typeof judge.createJudge = (...args) => {
    const judged = judge.createJudge(...args);
    const { observe } = judged;
    judged.observe = (record) =>
      observe(off.excuse === "validators" && "honest" in record ? { ...record, honest: false } : record);
    return judged;
  };
  return { ...judge, createJudge };
});
vi.mock("../../../src/invariants/oracles/liveness/stall-explanation.ts", async (load) => {
  const stalls = await load<typeof import("../../../src/invariants/oracles/liveness/stall-explanation.ts")>();
  const isExcused: typeof stalls.isExcused = (...args) => off.excuse === "stalls" || stalls.isExcused(...args);
  return { ...stalls, isExcused };
});

const PROFILE = "quick";
const RUN = seedsOf(1n, 200);
/** Enough for some worlds with each of the rarest names, whose absence counts from more runs on. */
const DRAWN = seedsOf(1n, 2_000);

type Occurrences = ReadonlySet<Occurrence>;

/** Returns what a campaign says that has these runs, and so many in all. */
function saidOf(worlds: Iterable<Occurrences>, runs: number): string {
  const occurrences = new Map<Occurrence, number>();
  for (const names of worlds) for (const name of names) occurrences.set(name, (occurrences.get(name) ?? 0) + 1);
  return shortcomingsOf({ runs, operations: runs, finals: runs, occurrences }).join("; ");
}

describe("what is not drawn", () => {
  const drawn = new Map<string, Occurrences>();

  /** Returns what a world would have if each step had its effect, and every run were judged. */
  function occurrencesOf(world: DrawnWorld): Occurrences {
    return occurrencesIn(world, { healed: true, judged: INVARIANTS, excused: [], idle: [] });
  }

  /** Returns what the campaign says where the worlds that have it are drawn without it. */
  function saidWithout(name: Occurrence, draw: (seed: string) => DrawnWorld): string {
    const runs = leastRunsOf(name);
    const worlds = [...drawn].slice(0, runs);
    const affected = worlds.filter(([, names]) => names.has(name));
    expect(affected.length, name).toBeGreaterThan(0);
    return saidOf(
      worlds.map(([seed, names]) => (names.has(name) ? occurrencesOf(draw(seed)) : names)),
      runs,
    );
  }

  beforeAll(() => {
    for (const seed of DRAWN) drawn.set(seed, occurrencesOf(drawWorld(seed, PROFILE)));
  });

  test("is nothing in the campaigns as they are", () => {
    expect([saidOf([...drawn.values()].slice(0, 200), 200), saidOf(drawn.values(), 2_000)]).toEqual(["", ""]);
  });

  test.each(GENERATOR_NAMES)("generator: %s", (off) => {
    const { draw } = StepBuilder.prototype;
    const drawing = vi.spyOn(StepBuilder.prototype, "draw").mockImplementation(function (this: StepBuilder, name, add) {
      draw.call(this, name, name === off ? () => undefined : add);
    });
    const said = saidWithout(`generator ${off}`, (seed) => drawWorld(seed, PROFILE));
    drawing.mockRestore();
    expect(said).toMatch(new RegExp(`no run drew [^;]*${off}`));
  });

  test.each(FAULT_KINDS)("fault: %s", (kind) => {
    const said = saidWithout(`fault ${kind}`, (seed) => {
      const { scenario, drawn: names } = drawWorld(seed, PROFILE);
      return { scenario: withoutFault(scenario, kind), drawn: names };
    });
    expect(said).toMatch(new RegExp(`no run had [^;]*${kind}`));
  });

  const strategies = countsOfCategory(new Map(), "strategy").map(([name]) => name);
  test.each(strategies)("strategy: %s", (off) => {
    const { addAt } = StepBuilder.prototype;
    const adding = vi.spyOn(StepBuilder.prototype, "addAt").mockImplementation(function (this: StepBuilder, at, body) {
      if (body.byzantine?.strategy !== off) addAt.call(this, at, body);
    });
    const said = saidWithout(`strategy ${off}`, (seed) => drawWorld(seed, PROFILE));
    adding.mockRestore();
    expect(said).toMatch(new RegExp(`no validator was Byzantine by [^;]*${off}`));
  });

  test.each(ORDER_KINDS)("order of a workload: %s", (kind) => {
    const said = saidWithout(`order ${kind}`, (seed) => {
      const { scenario, drawn: names } = drawWorld(seed, PROFILE);
      const steps = (scenario.steps ?? []).map(({ workload, ...step }): Step => {
        if (workload === undefined) return step;
        return { ...step, workload: { ...workload, mix: workload.mix.filter((entry) => entry[kind] === undefined) } };
      });
      return { scenario: { ...scenario, steps }, drawn: names };
    });
    expect(said).toMatch(new RegExp(`no workload had [^;]*${kind}`));
  });
});

/** Returns the scenario without a kind of fault. */
function withoutFault(scenario: Scenario, kind: FaultKind): Scenario {
  const { network = {}, clients, genesis, steps = [] } = scenario;
  const verb = kind === "closing" ? "govern" : kind;
  return {
    ...scenario,
    network: Object.fromEntries(Object.entries(network).filter(([key]) => key !== kind && key !== `${kind}s`)),
    ...(kind === "conflict" ? { clients: {} } : { clients }),
    genesis: kind === "closing" ? { ...genesis, epochs: undefined } : genesis,
    steps: steps.filter((step) => !(verb in step)),
  } as Scenario;
}

describe("what the simulator or an oracle leaves out", () => {
  const runs = new Map<string, Occurrences>();

  function run(seed: string): Occurrences {
    return countsOf(runToEnd(runSeed(seed, { profile: PROFILE, bug: undefined }))).occurrences;
  }

  /** Returns a fifth of the campaign, five times: what every run lacks is lacking there, too. */
  function sampled(): readonly Occurrences[] {
    return RUN.slice(0, RUN.length / 5).flatMap((seed) => Array<Occurrences>(5).fill(run(seed)));
  }

  beforeAll(() => {
    for (const seed of RUN) runs.set(seed, run(seed));
  });

  test("is nothing in the campaign as it is", () => {
    expect(saidOf(runs.values(), RUN.length)).toBe("");
  });

  test("the healing", () => {
    off.action = "endFaults";
    const said = saidOf(sampled(), RUN.length);
    off.action = "";
    expect(said).toContain("faults ended in 0 of 200 runs");
  });

  const actions = ["crash", "suspend", "wipe", "hold", "drop", "partition", "cut", "clock", "byzantine"] as const;
  test.each(actions)("fault: %s", (kind) => {
    off.action = kind;
    const worlds = [...runs].map(([seed, names]) => (names.has(`fault ${kind}`) ? run(seed) : names));
    off.action = "";
    expect(saidOf(worlds, RUN.length)).toMatch(new RegExp(`no run had [^;]*${kind}`));
  });

  test.each([
    ["keys", /amnesia was judged in 0 of 200 runs.*accountability was judged in 0 of 200 runs/],
    ["bound", /agreement was excused in \d\d % of the runs; irreversibility was excused/],
    ["validators", /conservation was judged in 0 of 200 runs; accounts was judged in 0 of 200 runs/],
  ])("excuse: all %s", (excuse, words) => {
    off.excuse = excuse;
    const said = saidOf(sampled(), RUN.length);
    off.excuse = "";
    expect(said).toMatch(words);
  });

  test.each([
    ["stalls", "gives-up"],
    ["keys", "undurable-lock"],
    ["keys", "recovery-of-nothing"],
    ["validators", "lost-fee"],
  ])("excuse: all %s, which hides the known-bad variant %s", (excuse, bug) => {
    const parsed = createParser().parse(readFileSync(`scenarios/bugs/${bug}.yaml`, "utf8"));
    if (!parsed.ok) throw new Error(bug);
    const verdict = (): string => runScenario(parsed.value, { seed: "1" }).verdict;
    expect(verdict()).toBe("pass");
    off.excuse = excuse;
    const hidden = verdict();
    off.excuse = "";
    expect(hidden).not.toBe("pass");
  });
});
