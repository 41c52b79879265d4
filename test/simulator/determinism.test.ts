import { expect, test } from "vitest";
import type { WorldPlan } from "../../src/simulator/plan.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";
import { copyOf, echo, ms, nodesOf, planOf } from "./support.ts";

const NAMES = ["v1", "v2", "v3", "v4"];

function plan(more: Partial<WorldPlan> = {}): WorldPlan {
  return planOf(nodesOf(NAMES, echo(NAMES, 30)), more);
}

function ended(world: World): World {
  world.run({});
  return world;
}

const LOSSY = { loss: { of: 1, in: 20 }, duplicate: { of: 1, in: 20 }, reorder: { of: 1, in: 3 } };

test("the hash of this run is the same on every machine and Node version", () => {
  expect(ended(createWorld(plan({ link: LOSSY }))).hash).toMatchInlineSnapshot(`"0xbaea9a95e6f54b00edd2044685fd7ff5"`);
});

test("recording changes nothing", () => {
  const recorded = ended(createWorld(plan({ link: LOSSY, record: true })));
  expect(recorded.hash).toBe(ended(createWorld(plan({ link: LOSSY }))).hash);
  expect(recorded.choices().length).toBeGreaterThan(100);
});

test("all choices of a run, forced, give the run again under another seed", () => {
  const run = ended(createWorld(plan({ link: LOSSY, record: true })));
  const forced = new Map(run.choices().map(({ label, value }) => [label, value]));
  expect(ended(createWorld(plan({ link: LOSSY, seed: "other", forced }))).hash).toBe(run.hash);
});

test("a new kind of draw on one link moves nothing on another", () => {
  const delays = (world: World): readonly string[] =>
    ended(world)
      .choices()
      .filter(({ label }) => label.startsWith("delay v1>v3 "))
      .map(({ label, value }) => `${label} ${value}`);
  const settings = { duplicate: { of: 1, in: 2 } };
  const action = { do: "link", from: ["v1"], to: ["v2"], settings } as const;
  const plain = delays(createWorld(plan({ record: true })));
  const changed = delays(createWorld(plan({ record: true, actions: [{ at: ms(0), action }] })));
  const shared = Math.min(plain.length, changed.length);
  expect(shared).toBeGreaterThan(5);
  expect(changed.slice(0, shared)).toEqual(plain.slice(0, shared));
});

test("a copy goes on exactly as its original, and neither notices the other", () => {
  const recorded = plan({ link: LOSSY, record: true });
  const original = createWorld(recorded);
  original.run({ steps: 60 });
  const before = original.hash;
  const choices = original.choices().length;
  const copy = copyOf(original, recorded);
  const diverged = copyOf(original, recorded);
  diverged.act({ do: "crash", node: "v1" });
  diverged.act({ do: "cut", from: NAMES, to: NAMES });
  ended(diverged);
  ended(copy);
  expect(original.hash).toBe(before);
  expect(ended(original).hash).toBe(copy.hash);
  expect(original.choices().slice(choices)).toEqual(copy.choices());
  expect(diverged.hash).not.toBe(copy.hash);
  expect(copy.hash).toBe(ended(createWorld(plan({ link: LOSSY }))).hash);
});

test("a chosen event is next, whatever its time, and the clock never runs back", () => {
  const world = createWorld(plan());
  world.run({ steps: 8 });
  const last = world.pending().at(-1)!;
  world.stepChosen(last.sequence);
  expect(world.now).toBe(last.at);
  const times: number[] = [];
  while (world.step()) times.push(world.now);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(() => world.stepChosen(last.sequence)).toThrow(`no event ${last.sequence} is pending`);
});
