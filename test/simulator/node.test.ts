import { expect, test } from "vitest";
import type { Output } from "../../src/core/validator/output.ts";
import type { Input } from "../../src/core/validator/step.ts";
import type { WorldListener } from "../../src/simulator/listener.ts";
import type { Action, PlannedAction, Program, WorldPlan } from "../../src/simulator/plan.ts";
import type { DiskSettings } from "../../src/simulator/settings.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";
import { addressOf, type InputLog, inputLog, ms, nodesOf, numbersAt, persist, ping, planOf, vote } from "./support.ts";

const TO = [addressOf("v2")];

/** v1 writes and sends 1 to 5 in one step; v2 keeps what it receives. `restart` sends the number of records. */
function writer(actions: readonly PlannedAction[], disk: Partial<DiskSettings> = {}): World {
  const busy = inputLog((input) => {
    if (input.type === "restart") return [{ type: "send", to: TO, message: ping(100 + input.records.length) }];
    if (input.type !== "start") return [];
    return [1, 2, 3, 4, 5].flatMap((number): Output[] => [
      persist(number),
      { type: "send", to: TO, message: ping(number) },
    ]);
  });
  const nodes = nodesOf(["v1", "v2"], (name) => (name === "v1" ? busy : inputLog(() => [])));
  const world = createWorld(planOf(nodes, { actions, disk, link: { delayMs: { from: 1, to: 1 } } }));
  world.run({});
  return world;
}

function seen(world: World): readonly number[] {
  return numbersAt(world, "v2");
}

/** Runs a network of one node. */
function alone(program: Program, plan: Partial<WorldPlan> = {}, listener: WorldListener = {}): World {
  const world = createWorld(
    planOf(
      nodesOf(["v1"], () => program),
      plan,
    ),
    listener,
  );
  expect(world.run({})).toBe("quiet");
  return world;
}

function inputsOf(world: World, name = "v1"): readonly Input[] {
  return (world.node(name).state as InputLog).inputs;
}

function timer(name: string, at: number, background = false): Output {
  return { type: "setTimer", name, at: ms(at), background };
}

function onStart(action: Action): PlannedAction {
  return { when: { on: "persisted", node: "v1" }, action };
}

test("outputs are carried out in order, writes that take time included", () => {
  expect(seen(writer([]))).toEqual([1, 2, 3, 4, 5]);
  expect(seen(writer([], { writeMs: { from: 3, to: 9 } }))).toEqual([1, 2, 3, 4, 5]);
});

test("a write takes its time once for all records that wait when it begins, and again for later ones", () => {
  const program = inputLog((input) => {
    if (input.type === "start") return [persist(1), persist(2), timer("t", 2)];
    return input.type === "timer" ? [persist(3)] : [];
  });
  const persisted: number[] = [];
  let now = 0;
  alone(
    program,
    { disk: { writeMs: { from: 5, to: 5 } } },
    {
      eventBegins: (_step, at) => {
        now = at;
      },
      carriedOut: (_, { type }) => void (type === "persist" && persisted.push(now)),
    },
  );
  expect(persisted).toEqual([5, 5, 10]);
});

test("a timer that is due already fires at once, and the time never runs back", () => {
  const program = inputLog((input) => {
    if (input.type === "start") return [timer("late", 9)];
    if (input.type !== "timer" || input.name !== "late") return [];
    return [timer("past", 3)];
  });
  const world = alone(program);
  const fired = inputsOf(world).map(({ type, at }) => `${type} ${at}`);
  expect(fired).toEqual(["start 0", "timer 9", "timer 9"]);
});

test("an input shows the clock of its node, and the time of the world", () => {
  const program = inputLog((input) => (input.type === "start" ? [timer("t", 10)] : []));
  const actions: PlannedAction[] = [{ at: ms(5), action: { do: "clock", node: "v1", aheadMs: 40 } }];
  const world = alone(program, { actions });
  expect(inputsOf(world)).toEqual([
    { type: "start", at: 0 },
    { type: "timer", at: 10, name: "t", clock: 50 },
  ]);
});

test("a crash between any two outputs loses exactly what comes after it", () => {
  for (let outputs = 1; outputs <= 10; outputs++) {
    const world = writer([onStart({ do: "crash", node: "v1", outputs, restartAfterMs: 10 })]);
    const sent = Math.floor(outputs / 2);
    const records = Math.ceil(outputs / 2);
    const first = [1, 2, 3, 4, 5].slice(0, sent);
    expect(seen(world)).toEqual([...first, 100 + records]);
  }
});

test("whatever was sent was durable before, wherever the crash strikes and however slow the disk is", () => {
  for (let time = 0; time < 12; time++) {
    const crash: PlannedAction = { at: ms(time), action: { do: "crash", node: "v1", restartAfterMs: 50 } };
    const numbers = seen(writer([crash], { writeMs: { from: 2, to: 8 } }));
    const sent = numbers.filter((number) => number < 100);
    const records = numbers.filter((number) => number >= 100).map((number) => number - 100);
    for (const count of records) expect(count).toBeGreaterThanOrEqual(sent.length);
  }
});

test("a crash can wait for an output that a pattern chooses", () => {
  const action: Action = { do: "crash", node: "v1", output: { type: "send" }, restartAfterMs: 5 };
  expect(seen(writer([onStart(action)]))).toEqual([1, 101]);
});

test("a trigger's crash strikes in the midst of the output that set it off", () => {
  const when = { on: "persisted", node: "v1", times: 3 } as const;
  const world = writer([{ when, action: { do: "crash", node: "v1", restartAfterMs: 5 } }]);
  expect(seen(world)).toEqual([1, 2, 103]);
});

test("a disk that acknowledges falsely loses the last records that it acknowledged", () => {
  const action: Action = { do: "crash", node: "v1", outputs: 7, restartAfterMs: 5 };
  expect(seen(writer([onStart(action)], { losesLast: 2 }))).toEqual([1, 2, 3, 102]);
});

test("a wipe leaves nothing", () => {
  const actions: PlannedAction[] = [
    { at: ms(5), action: { do: "wipe", node: "v1" } },
    { at: ms(9), action: { do: "restart", node: "v1" } },
  ];
  expect(seen(writer(actions))).toEqual([1, 2, 3, 4, 5, 100]);
});

test("what strikes a node at time 0 strikes it once it has started, in the order of the plan", () => {
  const at0 = (...actions: Action[]): PlannedAction[] => actions.map((action) => ({ at: ms(0), action }));
  const slow = { writeMs: { from: 5, to: 5 } };
  expect(seen(writer(at0({ do: "crash", node: "v1" }), slow))).toEqual([]);
  expect(seen(writer(at0({ do: "crash", node: "v1", restartAfterMs: 3 }), slow))).toEqual([100]);
  expect(seen(writer(at0({ do: "wipe", node: "v1" }), slow))).toEqual([]);
  expect(seen(writer(at0({ do: "crash", node: "v1" }, { do: "restart", node: "v1" }), slow))).toEqual([100]);
  expect(seen(writer(at0({ do: "restart", node: "v1" }), slow))).toEqual([1, 2, 3, 4, 5]);
  expect(writer(at0({ do: "crash", node: "v1" })).node("v1").running).toBe(false);
});

test("a crashed node gets no message and no timer", () => {
  const program = inputLog((input) => {
    if (input.type !== "start") return [];
    return [timer("t", 20), { type: "send", to: [addressOf("v1")], message: ping(1) }];
  });
  const actions: PlannedAction[] = [
    { at: ms(1), action: { do: "crash", node: "v1" } },
    { at: ms(10), action: { do: "restart", node: "v1" } },
  ];
  const world = alone(program, { actions });
  expect(inputsOf(world).map(({ type }) => type)).toEqual(["restart"]);
});

test("a timer set again replaces the first, and background timers keep no world awake", () => {
  const program = inputLog((input) => {
    if (input.type === "timer" && input.name === "tick") {
      return [timer("tick", input.at + 5, true)];
    }
    if (input.type !== "start") return [];
    return [timer("tick", 5, true), timer("a", 3), timer("a", 12), timer("b", 1), { type: "cancelTimer", name: "b" }];
  });
  const world = alone(program);
  const fired = inputsOf(world).flatMap((input) => (input.type === "timer" ? [`${input.name} ${input.at}`] : []));
  expect(fired).toEqual(["tick 5", "tick 10", "a 12"]);
  expect(world.run({ at: ms(20), quiet: false })).toBe("at");
  expect(world.now).toBe(20);
});

test("signatures are reported when they are made, delivered or not, and loop back at once", () => {
  const program = inputLog((input) =>
    input.type === "start" ? [vote(1, "aa", [addressOf("v1")]), vote(2, "bb", [])] : [],
  );
  const made: string[] = [];
  const signed: WorldListener["signed"] = ({ name }, { type, slot }) => void made.push(`${name} ${type} ${slot.kind}`);
  const world = alone(program, {}, { signed });
  expect(made).toEqual(["v1 vote account", "v1 vote account"]);
  expect(world.now).toBe(0);
  expect(inputsOf(world).map((input) => input.type)).toEqual(["start", "message"]);
});

test("a run ends at its time even where a cancelled timer stands before the next event", () => {
  const program = inputLog((input) =>
    input.type !== "start"
      ? []
      : [timer("cancelled", 10), timer("late", 50), { type: "cancelTimer", name: "cancelled" }],
  );
  const world = createWorld(planOf(nodesOf(["v1"], () => program)));
  expect(world.run({ at: ms(20), quiet: false })).toBe("at");
  expect([world.now, world.nextAt()]).toEqual([20, 50]);
});
