import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SchedulePlan, WorldPlan } from "../../../src/simulator/plan.ts";
import {
  DEPTH_MAX,
  DEVIATIONS_MAX,
  STEPS_MAX,
  THREADS_MAX,
  threadsOf,
  WINDOW_MAX_MS,
} from "../../../src/simulator/schedule/methods.ts";
import { guaranteeOf, guaranteeText } from "../../../src/simulator/schedule/schedule.ts";
import { createWorld, type World } from "../../../src/simulator/world.ts";
import { addressOf, copyOf, echo, inputLog, ms, nodesOf, numberOf, payment, ping, planOf } from "../support.ts";

const NAMES = ["v1", "v2", "v3"];
const WINDOW = 15;
const PCT: SchedulePlan = { method: "pct", depth: 3, steps: 6, windowMs: WINDOW };
const DELAY_BOUNDED: SchedulePlan = { method: "delay-bounded", deviations: 3, steps: 6, windowMs: WINDOW };
const METHODS = [PCT, DELAY_BOUNDED];
const LOSSY = { loss: { of: 1, in: 20 }, duplicate: { of: 1, in: 20 }, reorder: { of: 1, in: 3 } };

function plan(schedule: SchedulePlan, more: Partial<WorldPlan> = {}): WorldPlan {
  return planOf(nodesOf(NAMES, echo(NAMES, 20)), { schedule, ...more });
}

function ended(world: World): World {
  world.run({});
  return world;
}

/** Received numbers of each node, in order. */
function received(world: World): readonly string[] {
  return world.nodes.map(({ name, state }) => {
    const { inputs } = state as { inputs: Parameters<typeof numberOf>[0][] };
    return `${name} ${inputs.map(numberOf).join(" ")}`;
  });
}

describe.each(METHODS)("$method", (schedule) => {
  test("lets nothing happen before its time, nor later than the window after it, and links keep their order", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (seed) => {
        const due = new Map<string, number>();
        const last = new Map<string, number>();
        let moved = 0;
        let latest = 0;
        const world = createWorld(plan(schedule, { seed: `${seed}` }), {
          sent: (from, to, _parcel, number, at) => void due.set(`${from}>${to} ${number}`, at),
          eventBegins: (_step, at, event) => {
            if (event.type !== "arrival" || event.from === event.to) return;
            const link = `${event.from}>${event.to}`;
            const time = due.get(`${link} ${event.number}`) as number;
            expect(at).toBeGreaterThanOrEqual(time);
            expect(at).toBeLessThanOrEqual(time + WINDOW);
            expect(event.number).toBe((last.get(link) ?? 0) + 1);
            last.set(link, event.number);
            if (time < latest) moved += 1;
            latest = Math.max(latest, time);
          },
        });
        ended(world);
        expect(due.size).toBeGreaterThan(20);
        expect(moved).toBeGreaterThan(0);
      }),
      { numRuns: 30 },
    );
  });

  test("gives the same run for the same seed, also from its recorded choices and in a copy", () => {
    const run = ended(createWorld(plan(schedule, { link: LOSSY, record: true })));
    expect(ended(createWorld(plan(schedule, { link: LOSSY }))).hash).toBe(run.hash);
    expect(ended(createWorld(plan(schedule, { link: LOSSY, seed: "2" }))).hash).not.toBe(run.hash);
    const forced = new Map(run.choices().map(({ label, value }) => [label, value]));
    expect(ended(createWorld(plan(schedule, { link: LOSSY, seed: "other", forced }))).hash).toBe(run.hash);
    const lossy = plan(schedule, { link: LOSSY });
    const original = createWorld(lossy);
    original.run({ steps: 40 });
    const copy = copyOf(original, lossy);
    const diverged = copyOf(original, lossy);
    diverged.act({ do: "cut", from: NAMES, to: NAMES });
    ended(diverged);
    expect(ended(copy).hash).toBe(run.hash);
    expect(ended(original).hash).toBe(run.hash);
  });

  test("ends with the healing: from then on the order is that of time", () => {
    const world = createWorld(plan(schedule));
    world.run({ steps: 30 });
    world.act({ do: "endFaults", healing: { core: NAMES, atLeast: 3 } });
    for (let first = world.pending()[0]; first !== undefined; first = world.pending()[0]) {
      world.step();
      expect(world.pending().some(({ sequence }) => sequence === first.sequence)).toBe(false);
    }
  });

  test("has choices that one operation more does not move", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 0, max: 40 }), (seed, at) => {
        const alice = { name: "alice", behaviour: "scripted", home: "v1" } as const;
        const dora = { name: "dora", behaviour: "scripted", home: "v2" } as const;
        const order = { do: "submit", client: "dora", submission: payment(0, 5n), to: ["v2", "v3"] } as const;
        const settings = { seed: `${seed}`, record: true };
        const base = ended(createWorld(plan(schedule, { ...settings, clients: [alice] })));
        const actions = [{ at: ms(at), action: order }];
        const more = ended(createWorld(plan(schedule, { ...settings, clients: [alice, dora], actions })));
        const values = new Map(more.choices().map(({ label, value }) => [label, value]));
        const own = base.choices().filter(({ label }) => values.has(label));
        expect(own.map(({ label, value }) => [label, value])).toEqual(
          own.map(({ label }) => [label, values.get(label)]),
        );
        // Priorities and change points are labelled by threads: all of them recur.
        const drawn = base.choices().filter(({ label }) => /^(priority|change|deviation) /.test(label));
        expect(drawn.every(({ label }) => values.has(label))).toBe(true);
        expect(drawn.length).toBeGreaterThan(10);
        // A run saved before the additional operation remains valid: its choices apply where their labels occur.
        const forced = new Map(base.choices().map(({ label, value }) => [label, value]));
        const again = createWorld(plan(schedule, { seed: "other", clients: [alice, dora], actions, forced }));
        expect(ended(again).steps).toBeGreaterThan(base.steps);
      }),
      { numRuns: 25 },
    );
  });
});

test("without a schedule, and with the one called random, the run is the same", () => {
  const bare = ended(createWorld(planOf(nodesOf(NAMES, echo(NAMES, 20)), { link: LOSSY })));
  expect(ended(createWorld(plan({ method: "random" }, { link: LOSSY }))).hash).toBe(bare.hash);
});

describe("the probability that is promised", () => {
  const say = { method: "pct", steps: 3, windowMs: 50 } as const;
  /** v1 and v2 send v3 two numbers each, all due at once. */
  const nodes = nodesOf(NAMES, (name) =>
    inputLog((input) => {
      if (input.type !== "start" || name === "v3") return [];
      const base = name === "v1" ? 10 : 20;
      return [1, 2].map((number) => ({ type: "send", to: [addressOf("v3")], message: ping(base + number) }) as const);
    }),
  );
  const link = { delayMs: { from: 5, to: 5 } };

  function countOf(schedule: SchedulePlan, order: string, seeds: number): number {
    let count = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const world = ended(createWorld(planOf(nodes, { seed: `${seed}`, schedule, link })));
      if (received(world)[2]?.replace("v3  ", "") === order) count += 1;
    }
    return count;
  }

  test.each([
    [1, "11 12 21 22"],
    [1, "21 22 11 12"],
    [2, "11 21 22 12"],
    [2, "21 11 12 22"],
  ] as const)("of depth %i is kept for the order %s", (depth, order) => {
    const seeds = 500;
    const { oneIn } = guaranteeOf({ ...say, depth }, threadsOf(planOf(nodes)).length) as { oneIn: bigint };
    const found = countOf({ ...say, depth }, order, seeds);
    expect(found).toBeGreaterThan(0);
    expect(BigInt(found) * oneIn).toBeGreaterThanOrEqual(BigInt(seeds));
  });

  test("needs its depth: fixed priorities never bring one link between two messages of another", () => {
    for (const order of ["11 21 22 12", "21 11 12 22"]) expect(countOf({ ...say, depth: 1 }, order, 100)).toBe(0);
  });

  test("with equal delays the order of time knows one order only, and departures bring others", () => {
    expect(countOf({ method: "random" }, "11 12 21 22", 20)).toBe(20);
    const bounded = { method: "delay-bounded", steps: 3, windowMs: 50 } as const;
    expect(countOf({ ...bounded, deviations: 0 }, "11 21 12 22", 20)).toBe(20);
    expect(countOf({ ...bounded, deviations: 2 }, "11 21 12 22", 200)).toBeLessThan(200);
  });

  test("is 1 / (n k^(d-1)), and 1 / k^D", () => {
    expect(guaranteeOf({ ...PCT, depth: 1 }, 10)).toEqual({ threads: 10, places: 60, oneIn: 10n });
    expect(guaranteeOf({ ...PCT, depth: 3 }, 10)).toEqual({ threads: 10, places: 60, oneIn: 36_000n });
    expect(guaranteeOf(DELAY_BOUNDED, 10)).toEqual({ threads: 10, places: 60, oneIn: 216_000n });
    expect(guaranteeOf({ method: "random" }, 10)).toBeUndefined();
    expect(guaranteeText({ ...PCT, depth: 2 }, 10)).toBe(
      "pct: an order of depth 2 occurs in at least 1 of 600 seeds (10 threads, 60 positions)",
    );
  });
});

test("bounds of a schedule are kept, and one past them is refused", () => {
  const begin = (schedule: SchedulePlan): World => createWorld(plan(schedule));
  begin({ method: "pct", depth: DEPTH_MAX, steps: STEPS_MAX, windowMs: WINDOW_MAX_MS });
  begin({ method: "delay-bounded", deviations: DEVIATIONS_MAX, steps: 1, windowMs: 0 });
  const wide = (count: number): World => {
    const names = Array.from({ length: count }, (_, at) => `n${at}`);
    return createWorld(planOf(nodesOf(names, echo(names, 0)), { schedule: { ...PCT, depth: 1 } }));
  };
  expect(wide(255).nodes).toHaveLength(255);
  expect(() => wide(256)).toThrow(`expected number of threads from 1 to ${THREADS_MAX}, got 65537`);
  expect(() => begin({ ...PCT, depth: DEPTH_MAX + 1 })).toThrow("expected depth from 1 to 8, got 9");
  expect(() => begin({ ...PCT, depth: 0 })).toThrow("expected depth from 1");
  expect(() => begin({ ...PCT, steps: STEPS_MAX + 1 })).toThrow("expected steps from 1 to 100000");
  expect(() => begin({ ...PCT, windowMs: WINDOW_MAX_MS + 1 })).toThrow("expected windowMs from 0 to 10000");
  expect(() => begin({ ...DELAY_BOUNDED, deviations: DEVIATIONS_MAX + 1 })).toThrow("expected deviations from 0 to 64");
});
