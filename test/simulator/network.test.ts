import { expect, test } from "vitest";
import type { Action, MessagePattern, PlannedAction, WorldPlan } from "../../src/simulator/plan.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";
import { addressOf, type InputLog, inputLog, keyOf, ms, nodesOf, numbersAt, ping, planOf } from "./support.ts";

const NAMES = ["v1", "v2", "v3"];

/** v1 sends 0 to `count` - 1 to the others, one each 10 ms; they keep what they receive. */
function burst(count: number, more: Partial<WorldPlan> = {}): World {
  const to = [addressOf("v2"), addressOf("v3")];
  const sender = inputLog((input, seen) => {
    if (input.type !== "start" && input.type !== "timer") return [];
    const number = seen.length - 1;
    if (number >= count) return [];
    const timer = { type: "setTimer", name: "next", at: ms(input.at + 10), background: false } as const;
    return [{ type: "send", to, message: ping(number) }, timer];
  });
  const nodes = nodesOf(NAMES, (name) => (name === "v1" ? sender : inputLog(() => [])));
  const world = createWorld(planOf(nodes, { link: { delayMs: { from: 5, to: 5 } }, ...more }));
  world.run({});
  return world;
}

function at(time: number, action: Action): PlannedAction {
  return { at: ms(time), action };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

test("messages of one link arrive in the order of sending", () => {
  expect(numbersAt(burst(50, { link: { delayMs: { from: 0, to: 100 } } }), "v2")).toEqual(upTo(50));
});

test("reordering lets messages overtake each other and loses none", () => {
  const world = burst(50, { link: { delayMs: { from: 0, to: 100 }, reorder: { of: 1, in: 2 } } });
  expect(numbersAt(world, "v2")).not.toEqual(upTo(50));
  expect(numbersAt(world, "v2").toSorted((a, b) => a - b)).toEqual(upTo(50));
});

test("loss loses some, and each link its own", () => {
  const world = burst(100, { link: { delayMs: { from: 1, to: 1 }, loss: { of: 1, in: 2 } } });
  expect(numbersAt(world, "v2").length).toBe(57);
  expect(numbersAt(world, "v2").length).toBeLessThan(70);
  expect(numbersAt(world, "v2")).not.toEqual(numbersAt(world, "v3"));
});

test("duplication delivers some twice", () => {
  const world = burst(20, { link: { delayMs: { from: 1, to: 1 }, duplicate: { of: 1, in: 2 } } });
  expect(numbersAt(world, "v2").length).toBe(32);
  expect([...new Set(numbersAt(world, "v2"))]).toEqual(upTo(20));
});

test("a partition cuts both ways and what was under way; healing restores it", () => {
  const partition = at(12, { do: "partition", groups: [["v1"], ["v2"]] });
  const world = burst(6, { actions: [partition, at(35, { do: "heal" })] });
  // 1 was sent at 10 and would have arrived at 15; 2 and 3 met the partition; 4 was sent at 40.
  expect(numbersAt(world, "v2")).toEqual([0, 4, 5]);
  expect(numbersAt(world, "v3")).toEqual(upTo(6));
});

test("a cut is one-way", () => {
  const talk = nodesOf(["v1", "v2"], (name) =>
    inputLog((input) =>
      input.type === "start" ? [{ type: "send", to: [addressOf(name === "v1" ? "v2" : "v1")], message: ping(1) }] : [],
    ),
  );
  const world = createWorld(planOf(talk, { actions: [at(0, { do: "cut", from: ["v1"], to: ["v2"] })] }));
  world.run({});
  expect(numbersAt(world, "v2")).toEqual([]);
  expect(numbersAt(world, "v1")).toEqual([1]);
});

test("healing between some parties leaves the other partitions", () => {
  const actions = [
    at(0, { do: "partition", groups: [["v1"], ["v2", "v3"]] }),
    at(25, { do: "heal", parties: ["v1", "v3"] }),
  ];
  const world = burst(5, { actions });
  expect(numbersAt(world, "v2")).toEqual([]);
  expect(numbersAt(world, "v3")).toEqual([3, 4]);
});

test("held messages wait, others pass, and release delivers them in the order of sending", () => {
  const messages: MessagePattern = { to: ["v2"], kinds: ["status"] };
  const actions = [at(0, { do: "hold", rule: "h", messages }), at(28, { do: "release", rule: "h" })];
  const world = burst(5, { actions });
  expect(numbersAt(world, "v2")).toEqual(upTo(5));
  expect((world.node("v2").state as InputLog).inputs.map((input) => input.at)).toEqual([0, 28, 28, 28, 35, 45]);
  expect((world.node("v3").state as InputLog).inputs.map((input) => input.at)).toEqual([0, 5, 15, 25, 35, 45]);
});

test("held messages that overtook each other are released in the order of sending all the same", () => {
  const link = { delayMs: { from: 0, to: 90 }, reorder: { of: 1, in: 1 } };
  expect(numbersAt(burst(9, { link }), "v2")).not.toEqual(upTo(9));
  const messages: MessagePattern = { to: ["v2"] };
  const actions = [at(0, { do: "hold", rule: "h", messages }), at(500, { do: "release", rule: "h" })];
  expect(numbersAt(burst(9, { link, actions }), "v2")).toEqual(upTo(9));
});

test("a drop rule loses what it chooses, so many times and no more", () => {
  const messages: MessagePattern = { to: ["v2"] };
  const world = burst(5, { actions: [at(0, { do: "drop", rule: "d", messages, count: 2 })] });
  expect(numbersAt(world, "v2")).toEqual([2, 3, 4]);
  expect(numbersAt(world, "v3")).toEqual(upTo(5));
});

test("a link can be changed alone", () => {
  const settings = { delayMs: { from: 50, to: 50 } };
  const world = burst(2, { actions: [at(0, { do: "link", from: ["v1"], to: ["v3"], settings })] });
  expect((world.node("v3").state as InputLog).inputs.map((input) => input.at)).toEqual([0, 50, 60]);
  expect((world.node("v2").state as InputLog).inputs.map((input) => input.at)).toEqual([0, 5, 15]);
});

test("messages to a key reach all its twins, or the one that a route names", () => {
  const sender = inputLog((input) => {
    if (input.type !== "start" && input.type !== "timer") return [];
    const timer = { type: "setTimer", name: "t", at: ms(20), background: false } as const;
    const send = { type: "send", to: [addressOf("v2")], message: ping(input.at) } as const;
    return input.type === "start" ? [send, timer] : [send];
  });
  const twin = { name: "v2'", key: keyOf("v2"), program: inputLog(() => []) };
  const nodes = [...nodesOf(["v1", "v2"], (name) => (name === "v1" ? sender : inputLog(() => []))), twin];
  const routes = [{ from: ["v1"], to: "v2'" }];
  const world = createWorld(planOf(nodes, { actions: [at(15, { do: "twins", routes })] }));
  expect(world.nodes.map(({ honest }) => honest)).toEqual([true, false, false]);
  world.run({});
  expect(numbersAt(world, "v2")).toEqual([0]);
  expect(numbersAt(world, "v2'")).toEqual([0, 20]);
});

test("after the healing no fault strikes the core, whatever the plan still has", () => {
  const actions = [
    at(0, { do: "partition", groups: [["v1"], ["v2", "v3"]] }),
    at(5, { do: "crash", node: "v2" }),
    at(15, { do: "endFaults", healing: { atLeast: 2, core: ["v1", "v2"] } }),
    at(22, { do: "crash", node: "v2" }),
    at(22, { do: "partition", groups: [["v1"], ["v2", "v3"]] }),
  ];
  const world = burst(5, { actions });
  expect(world.core).toEqual(["v1", "v2"]);
  expect(numbersAt(world, "v2")).toEqual([2, 3, 4]);
  expect(numbersAt(world, "v3")).toEqual([]);
});

test("the core is drawn from the seed among the correct", () => {
  const cores = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    const byzantine = at(0, { do: "byzantine", node: "v3", strategy: { name: "silence" } });
    const nodes = nodesOf(["v1", "v2", "v3", "v4"], () => inputLog(() => []));
    const actions = [byzantine, at(1, { do: "endFaults", healing: { atLeast: 2 } })];
    const world = createWorld(planOf(nodes, { seed: `${seed}`, actions }));
    world.run({});
    cores.add(world.core!.join(" "));
  }
  expect([...cores].sort()).toEqual(["v1 v2", "v1 v2 v4", "v1 v4", "v2 v4"]);
});
