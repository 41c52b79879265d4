/** Goal: the faults that act in a world are told as long as they act, each by what was done, and no longer. */
import { expect, test } from "vitest";
import type { Action, MessagePattern } from "../../src/simulator/plan.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";
import { addressOf, inputLog, ms, nodesOf, ping, planOf } from "./support.ts";

const ALL: MessagePattern = {};
const SLOW = { writeMs: { from: 0, to: 40 } };

/** Two nodes, of which v1 sends to v2 when it starts; the second action is done 10 ms after the first. */
function worldAfter(first: Action, second?: Action): World {
  const program = (name: string) =>
    inputLog(({ type }) =>
      type === "start" && name === "v1" ? [{ type: "send", to: [addressOf("v2")], message: ping(1) }] : [],
    );
  const actions = [{ at: ms(0), action: first }, ...(second === undefined ? [] : [{ at: ms(10), action: second }])];
  const world = createWorld(planOf(nodesOf(["v1", "v2"], program), { actions, link: { delayMs: { from: 1, to: 1 } } }));
  world.run({ at: ms(20), quiet: false });
  return world;
}

test.each<[string, Action, Action | undefined, readonly string[]]>([
  ["a crash", { do: "crash", node: "v1" }, undefined, ["v1 is down"]],
  ["a restart", { do: "crash", node: "v1" }, { do: "restart", node: "v1" }, []],
  ["a suspension", { do: "suspend", node: "v1" }, undefined, ["v1 is suspended"]],
  ["its end", { do: "suspend", node: "v1" }, { do: "resume", node: "v1" }, []],
  ["a crash to come", { do: "crash", node: "v1", outputs: 9 }, undefined, ["v1 is about to crash"]],
  ["a slow disk", { do: "disk", node: "v1", settings: SLOW }, undefined, ["the disk of v1 takes up to 40 ms"]],
  ["a losing disk", { do: "disk", node: "v1", settings: { losesLast: 1 } }, undefined, ["the disk of v1 loses writes"]],
  [
    "a disk as before",
    { do: "disk", node: "v1", settings: SLOW },
    { do: "disk", node: "v1", settings: { writeMs: { from: 0, to: 0 } } },
    [],
  ],
  ["a clock", { do: "clock", node: "v2", aheadMs: 30 }, undefined, ["the clocks of v1 and v2 are 30 ms apart"]],
  ["equal clocks", { do: "clock", node: "v2", aheadMs: 30 }, { do: "clock", node: "v1", aheadMs: 30 }, []],
  ["a hold", { do: "hold", rule: "h", messages: ALL }, undefined, ["rule h holds messages", "1 messages are held"]],
  ["a release", { do: "hold", rule: "h", messages: ALL }, { do: "release", rule: "h" }, []],
  ["a drop", { do: "drop", rule: "d", messages: ALL }, undefined, ["rule d drops messages"]],
  ["a drop that is over", { do: "drop", rule: "d", messages: ALL, count: 1 }, undefined, []],
  ["a cut", { do: "cut", from: ["v1"], to: ["v2"] }, undefined, ["the link from v1 to v2 is cut"]],
  ["a healing", { do: "cut", from: ["v1"], to: ["v2"] }, { do: "heal" }, []],
])("%s", (_what, first, second, inForce) => {
  const { inForce: found, correct, excluded } = worldAfter(first, second).faults();
  expect([found, correct, excluded]).toEqual([inForce, ["v1", "v2"], []]);
});

test("a validator that lost its disk counts as no correct one, also once it runs again", () => {
  const { inForce, correct, excluded } = worldAfter({ do: "wipe", node: "v1" }, { do: "restart", node: "v1" }).faults();
  expect([inForce, correct, excluded]).toEqual([[], ["v2"], ["v1 has lost its disk"]]);
});
