/** A suspended validator stands still with its memory, and then meets everything that reached it, in order. */
import { expect, test } from "vitest";
import type { Output } from "../../src/core/validator/output.ts";
import type { LossCause } from "../../src/simulator/listener.ts";
import type { PlannedAction, WorldPlan } from "../../src/simulator/plan.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";
import { addressOf, copyOf, type InputLog, inputLog, ms, nodesOf, numberOf, persist, ping, planOf } from "./support.ts";

const TICKS = [1, 2, 3, 4, 5];
const lost: LossCause[] = [];

/** v2 sends v1 a message at each of the times 10, 20, … 50 ms; v1 writes at its start and has a timer at 15 and at 25 ms. */
function planWith(actions: readonly PlannedAction[], more: Partial<WorldPlan> = {}): WorldPlan {
  const timer = (name: string, at: number): Output => ({ type: "setTimer", name, at: ms(at), background: false });
  const program = (name: string) =>
    inputLog((input) => {
      if (input.type === "timer" && name === "v2")
        return [{ type: "send", to: [addressOf("v1")], message: ping(Number(input.name)) }];
      if (input.type !== "start") return [];
      return name === "v1"
        ? [persist(1), timer("a", 15), timer("b", 25), persist(2)]
        : TICKS.map((tick) => timer(`${tick}`, 10 * tick - 1));
    });
  return planOf(nodesOf(["v1", "v2"], program), { actions, link: { delayMs: { from: 1, to: 1 } }, ...more });
}

function ranWith(actions: readonly PlannedAction[], more: Partial<WorldPlan> = {}): World {
  lost.length = 0;
  const world = createWorld(planWith(actions, more), {
    lost: (_from, _to, _parcel, _number, cause) => lost.push(cause),
  });
  expect(world.run({})).toBe("quiet");
  return world;
}

/** Inputs of v1 with their times. */
function inputsOf(world: World): readonly string[] {
  return (world.node("v1").state as InputLog).inputs.map(
    (input) => `${input.at} ${input.type === "timer" ? input.name : (numberOf(input) ?? input.type)}`,
  );
}

const suspend = (at: number, resumeAfterMs?: number): PlannedAction => ({
  at: ms(at),
  action: { do: "suspend", node: "v1", ...(resumeAfterMs === undefined ? {} : { resumeAfterMs }) },
});
const EVERYTHING = ["0 start", "10 1", "15 a", "20 2", "25 b", "30 3", "40 4", "50 5"];

test.each<[string, readonly PlannedAction[], readonly string[]]>([
  ["never", [], EVERYTHING],
  ["for a time", [suspend(12, 20)], ["0 start", "10 1", "32 a", "32 2", "32 b", "32 3", "40 4", "50 5"]],
  [
    "until it is resumed, also where its link is cut meanwhile",
    [
      suspend(12),
      { at: ms(31), action: { do: "cut", from: ["v2"], to: ["v1"] } },
      { at: ms(45), action: { do: "resume", node: "v1" } },
    ],
    ["0 start", "10 1", "45 a", "45 2", "45 b", "45 3"],
  ],
  [
    "until the healing",
    [suspend(12), { at: ms(32), action: { do: "endFaults", healing: { core: ["v1", "v2"], atLeast: 1 } } }],
    ["0 start", "10 1", "32 a", "32 2", "32 b", "32 3", "40 4", "50 5"],
  ],
])("suspended %s", (_what, actions, inputs) => expect(inputsOf(ranWith(actions))).toEqual(inputs));

test("a crash ends a suspension, and what waited is lost", () => {
  const world = ranWith([suspend(12), { at: ms(32), action: { do: "crash", node: "v1", restartAfterMs: 1 } }]);
  expect(inputsOf(world)).toEqual(["33 restart", "40 4", "50 5"]);
  expect(lost).toEqual(["receiver down", "receiver down"]);
});

test("a suspension between two outputs leaves the later ones, and a write that ends, for the time after it", () => {
  const persisted: number[] = [];
  const when = { on: "persisted", node: "v1" } as const;
  const world = createWorld(
    planWith([{ when, action: { do: "suspend", node: "v1", resumeAfterMs: 18 } }, suspend(1, 6)], {
      disk: { writeMs: { from: 3, to: 3 } },
    }),
    {
      carriedOut: ({ name }, { type }) => void (name === "v1" && type === "persist" && persisted.push(world.now)),
    },
  );
  world.run({});
  // The write ends at 3 ms and is noticed at 7 ms.
  expect(persisted).toEqual([7, 25]);
  expect(inputsOf(world)).toEqual(["0 start", "25 1", "25 2", "25 a", "25 b", "30 3", "40 4", "50 5"]);
});

test("a copy of the world in the middle of a suspension goes on like the original", () => {
  const plan = planWith([suspend(12, 20)], { disk: { writeMs: { from: 11, to: 14 } } });
  const world = createWorld(plan);
  world.run({ at: ms(28), quiet: false });
  const copy = copyOf(world, plan);
  for (const one of [world, copy]) one.run({});
  expect(copy.hash).toBe(world.hash);
  expect(inputsOf(copy)).toEqual(inputsOf(world));
});
