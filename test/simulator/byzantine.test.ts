import { expect, test } from "vitest";
import type { Output } from "../../src/core/validator/output.ts";
import type { Input } from "../../src/core/validator/step.ts";
import type { StrategyPlan } from "../../src/simulator/byzantine/registry.ts";
import type { PlannedAction } from "../../src/simulator/plan.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";
import { addressOf, type InputLog, inputLog, ms, nodesOf, ping, planOf, vote } from "./support.ts";

const NAMES = ["v1", "v2", "v3", "v4"];
const ALL = NAMES.map(addressOf);

/** v1 and v2 vote differently at once; v4, which has the strategy, votes for the first value that it receives. */
function run(strategy: StrategyPlan, more: readonly PlannedAction[] = []): { world: World; made: string[] } {
  const program = (name: string): ReturnType<typeof inputLog> =>
    inputLog((input, seen): Output[] => {
      if (input.type === "start" && name === "v1") return [vote(1, "aa", ALL)];
      if (input.type === "start" && name === "v2") return [vote(1, "bb", ALL)];
      const isFirst = seen.filter(({ type }) => type === "message").length === 1;
      const isVote = input.type === "message" && input.message.type === "consensus";
      if (name !== "v4" || !isFirst || !isVote) return [];
      const { body } = input.message as Extract<typeof input.message, { type: "consensus" }>;
      return [vote(1, (body as { value: string }).value.slice(-2), ALL), { type: "send", to: ALL, message: ping(1) }];
    });
  const actions: PlannedAction[] = [{ at: ms(0), action: { do: "byzantine", node: "v4", strategy } }, ...more];
  const made: string[] = [];
  const world = createWorld(planOf(nodesOf(NAMES, program), { actions }), {
    signed: (node, body) => made.push(`${node.name} ${body.type} ${(body as { value: string }).value.slice(-2)}`),
  });
  world.run({});
  return { world, made };
}

function messagesAt(world: World, name: string, from: string): Extract<Input, { type: "message" }>[] {
  const { inputs } = world.node(name).state as InputLog;
  return inputs.filter((input) => input.type === "message").filter((input) => input.from === addressOf(from));
}

test("a double voter signs each value that it receives, once, and its own program does not receive these votes", () => {
  const { world, made } = run({ name: "double-vote" });
  expect(made.filter((line) => line.startsWith("v4")).sort()).toEqual(["v4 vote aa", "v4 vote bb"]);
  expect(messagesAt(world, "v4", "v4").filter(({ message }) => message.type === "consensus")).toHaveLength(1);
  expect(messagesAt(world, "v1", "v4")).toHaveLength(3);
});

test("a double committer commits to every received value, locked or not", () => {
  const { made } = run({ name: "double-commit" });
  expect(made.filter((line) => line.startsWith("v4 commit")).sort()).toEqual(["v4 commit aa", "v4 commit bb"]);
});

test("withheld votes are signed and sent to no peer, or not to some", () => {
  const { world, made } = run({ name: "withhold-votes", towards: ["v1", "v2"] });
  expect(made.filter((line) => line.startsWith("v4"))).toHaveLength(1);
  expect(messagesAt(world, "v1", "v4")).toHaveLength(1);
  expect(messagesAt(world, "v3", "v4")).toHaveLength(2);
});

test("silence is towards some, or all, and never towards itself", () => {
  const some = run({ name: "selective-silence", towards: ["v1"] }).world;
  expect(messagesAt(some, "v1", "v4")).toHaveLength(0);
  expect(messagesAt(some, "v2", "v4")).toHaveLength(2);
  const all = run({ name: "silence" }).world;
  expect(messagesAt(all, "v2", "v4")).toHaveLength(0);
  expect(messagesAt(all, "v4", "v4")).toHaveLength(2);
});

test("a strategy that is switched off leaves an honest program, and the node stays dishonest in the books", () => {
  const off: PlannedAction = { at: ms(0), action: { do: "behave", node: "v4" } };
  const { world, made } = run({ name: "double-vote" }, [off]);
  expect(made.filter((line) => line.startsWith("v4"))).toHaveLength(1);
  expect(world.node("v4").honest).toBe(false);
});
