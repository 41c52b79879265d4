import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SchedulePlan, WorldPlan } from "../../../src/simulator/plan.ts";
import { Choices } from "../../../src/simulator/random.ts";
import { pct, threadsOf } from "../../../src/simulator/schedule/methods.ts";
import { guaranteeText, seedsPerOrder } from "../../../src/simulator/schedule/schedule.ts";
import { createWorld, type World } from "../../../src/simulator/world.ts";
import { addressOf, copyOf, echo, inputLog, nodesOf, numbersAt, ping, planOf } from "../support.ts";

const NAMES = ["v1", "v2", "v3"];
const WINDOW = 15;
const PCT = { method: "pct", depth: 3, steps: 6, windowMs: WINDOW } as const;
const DELAY_BOUNDED = { method: "delay-bounded", deviations: 3, steps: 6, windowMs: WINDOW } as const;
const METHODS: readonly SchedulePlan[] = [PCT, DELAY_BOUNDED];
const LOSSY = { loss: { of: 1, in: 20 }, duplicate: { of: 1, in: 20 }, reorder: { of: 1, in: 3 } };

function plan(schedule: SchedulePlan, more: Partial<WorldPlan> = {}): WorldPlan {
  return planOf(nodesOf(NAMES, echo(NAMES, 20)), { schedule, ...more });
}

function ended(world: World): World {
  world.run({});
  return world;
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

  test("ends with the healing: from then on the order is that of time", () => {
    const world = createWorld(plan(schedule));
    world.run({ steps: 30 });
    world.act({ do: "endFaults", healing: { core: NAMES, atLeast: 3 } });
    const waiting = () => world.capture().queue;
    for (let [first] = waiting(); first !== undefined; [first] = waiting()) {
      const { sequence } = first;
      world.step();
      expect(waiting().some((entry) => entry.sequence === sequence)).toBe(false);
    }
  });
});

test.each([{ method: "random" }, ...METHODS] as const)(
  "$method gives the same run for the same seed, also in a copy",
  (schedule) => {
    const run = ended(createWorld(plan(schedule, { link: LOSSY })));
    expect(ended(createWorld(plan(schedule, { link: LOSSY }))).hash).toBe(run.hash);
    expect(ended(createWorld(plan(schedule, { link: LOSSY, seed: "2" }))).hash).not.toBe(run.hash);
    const lossy = plan(schedule, { link: LOSSY });
    const original = createWorld(lossy);
    original.run({ steps: 40 });
    const copy = copyOf(original, lossy);
    const diverged = copyOf(original, lossy);
    diverged.act({ do: "cut", from: NAMES, to: NAMES });
    ended(diverged);
    expect(ended(copy).hash).toBe(run.hash);
    expect(ended(original).hash).toBe(run.hash);
  },
);

test("priorities stay as they are beside one more client", () => {
  const order = (seed: number, threads: readonly string[]): readonly string[] => {
    const { memory, pick } = pct(new Choices(`${seed}`), threads, 1, 6);
    return NAMES.flatMap((one, at) => NAMES.slice(at + 1).map((other) => pick([one, other], memory).thread));
  };
  fc.assert(
    fc.property(fc.nat(1_000_000), (seed) => {
      expect(order(seed, [...NAMES, "dora"])).toEqual(order(seed, NAMES));
    }),
    { numRuns: 25 },
  );
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
      if (numbersAt(world, "v3").join(" ") === order) count += 1;
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
    const oneIn = seedsPerOrder({ ...say, depth }, threadsOf(planOf(nodes)).length);
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
    expect(seedsPerOrder({ ...PCT, depth: 1 }, 10)).toBe(10n);
    expect(seedsPerOrder({ ...PCT, depth: 3 }, 10)).toBe(36_000n);
    expect(seedsPerOrder(DELAY_BOUNDED, 10)).toBe(216_000n);
    expect(guaranteeText({ method: "random" }, 10)).toBe("random");
    expect(guaranteeText({ ...PCT, depth: 2 }, 10)).toBe(
      "pct: an order of depth 2 occurs in at least 1 of 600 seeds (10 threads, 60 positions)",
    );
  });
});
