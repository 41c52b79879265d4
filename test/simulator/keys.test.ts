/** Nodes with several keys: all of them reach the node, and it signs with the one of its epoch. */
import { describe, expect, test } from "vitest";
import type { SignedProposal } from "../../src/core/base/epoch.ts";
import type { Address, Epoch, Signature } from "../../src/core/base/ids.ts";
import type { Output } from "../../src/core/validator/output.ts";
import type { Input } from "../../src/core/validator/step.ts";
import type { ActiveKey, NodePlan, PlannedAction, Program, WorldPlan } from "../../src/simulator/plan.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";
import { addressOf, copyOf, keyOf, ms, numberOf, numbersAt, persist, ping, planOf, vote } from "./support.ts";

const [FIRST, SECOND, OTHER] = ["v1", "v1/2", "v2"].map(addressOf) as [Address, Address, Address];
const ALL = [FIRST, SECOND, OTHER];

interface Notes {
  standing: ActiveKey;
  readonly inputs: Input[];
}

/** Program that keeps its inputs; `react` sets its key and epoch. */
function notes(self: Address, react: (input: Input, state: Notes) => readonly Output[] = () => []): Program {
  const program: Program<Notes> = {
    start: () => ({ standing: { self, epoch: 0 as Epoch }, inputs: [] }),
    step: (state, input) => {
      state.inputs.push(input);
      return react(input, state);
    },
    fork: ({ standing, inputs }) => ({ standing, inputs: [...inputs] }),
    activeKeyOf: ({ standing }) => standing,
  };
  return program as Program;
}

/** Changes its key on receipt of the number 1, and answers each number with a vote. */
function changing(input: Input, state: Notes): readonly Output[] {
  const number = numberOf(input);
  if (number === undefined) return [];
  const outputs = [vote(number, "aa", [OTHER])];
  if (number === 1) state.standing = { self: SECOND, epoch: 1 as Epoch };
  return outputs;
}

function nodes(first: Program, second: Program, more: Partial<NodePlan> = {}): NodePlan[] {
  return [
    { name: "v1", key: keyOf("v1"), otherKeys: [keyOf("v1/2")], program: first },
    { name: "v2", key: keyOf("v2"), program: second, ...more },
  ];
}

/** Sends these numbers to these keys at its start. */
function sender(...messages: readonly (readonly [to: Address, number: number])[]): Program {
  return notes(OTHER, (input) =>
    input.type === "start" ? messages.map(([to, number]) => ({ type: "send", to: [to], message: ping(number) })) : [],
  );
}

function run(plan: readonly NodePlan[], more: Partial<WorldPlan> = {}): { world: World; signed: string[] } {
  const signed: string[] = [];
  const world = createWorld(planOf(plan, { link: { delayMs: { from: 5, to: 5 } }, ...more }), {
    signed: (node) => signed.push(`${node.name} ${nameOf(node.key)}`),
  });
  world.run({});
  return { world, signed };
}

function nameOf(address: Address): string {
  return ["v1", "v1/2", "v2", "v3"].find((name) => addressOf(name) === address) ?? "nobody";
}

function received(world: World, name: string): string[] {
  const { inputs } = world.node(name).state as Notes;
  return inputs.flatMap((input) => (input.type === "message" ? [`${nameOf(input.from)} ${input.message.type}`] : []));
}

test("messages to any of its keys reach a node", () => {
  const { world } = run(nodes(notes(FIRST), sender([FIRST, 1], [SECOND, 2], [FIRST, 3])));
  expect(numbersAt(world, "v1")).toEqual([1, 2, 3]);
});

test("a node's messages to either of its own keys reach it at once, and no other node", () => {
  const talker = notes(FIRST, (input) =>
    input.type === "start" ? [{ type: "send", to: [FIRST, SECOND], message: ping(7) }] : [],
  );
  const { world } = run(nodes(talker, notes(OTHER)));
  expect(numbersAt(world, "v1")).toEqual([7, 7]);
  expect(numbersAt(world, "v2")).toEqual([]);
  expect(world.now).toBe(0);
});

test("it signs and sends with the key of its standing, from the step after the change on", () => {
  const { world, signed } = run(nodes(notes(FIRST, changing), sender([FIRST, 0], [FIRST, 1], [FIRST, 2])));
  expect(signed).toEqual(["v1 v1", "v1 v1", "v1 v1/2"]);
  expect(received(world, "v2")).toEqual(["v1 consensus", "v1 consensus", "v1/2 consensus"]);
});

test("signatures name the key that made them", () => {
  const { world } = run(nodes(notes(FIRST, changing), sender([FIRST, 1], [FIRST, 2])));
  const { inputs } = world.node("v2").state as Notes;
  const signers = inputs.flatMap((input) =>
    input.type === "message" && input.message.type === "consensus" && input.message.body.type === "vote"
      ? [nameOf(input.message.body.signer)]
      : [],
  );
  expect(signers).toEqual(["v1", "v1/2"]);
});

test("what is under way keeps the sender that it was sent with", () => {
  const late: PlannedAction[] = [
    { at: ms(0), action: { do: "hold", rule: "r", messages: { kinds: ["vote"], to: ["v2"] } } },
    { at: ms(50), action: { do: "release", rule: "r" } },
  ];
  const { world } = run(nodes(notes(FIRST, changing), sender([FIRST, 0], [FIRST, 1])), { actions: late });
  expect(world.node("v1").key).toBe(SECOND);
  expect(received(world, "v2")).toEqual(["v1 consensus", "v1 consensus"]);
});

test("a node that starts again stands where its program says", () => {
  const crash: PlannedAction = { at: ms(20), action: { do: "crash", node: "v1", restartAfterMs: 10 } };
  const { world } = run(nodes(notes(FIRST, changing), sender([FIRST, 1])), { actions: [crash] });
  expect(world.node("v1").key).toBe(FIRST);
  expect(world.node("v1").keys).toEqual([FIRST, SECOND]);
});

test("a copy stands where its original stood", () => {
  const plan = nodes(notes(FIRST, changing), sender([FIRST, 1]));
  expect(copyOf(run(plan).world, planOf(plan)).node("v1").key).toBe(SECOND);
});

test("twins share all keys, and a route chooses one of them whichever key is named", () => {
  const twin: NodePlan = { name: "v1'", key: keyOf("v1"), otherKeys: [keyOf("v1/2")], program: notes(FIRST) };
  const plan = [...nodes(notes(FIRST), sender([FIRST, 1], [SECOND, 2])), twin];
  const both = run(plan).world;
  expect([numbersAt(both, "v1"), numbersAt(both, "v1'")]).toEqual([
    [1, 2],
    [1, 2],
  ]);
  const routes = [{ from: ["v2"], to: "v1'" }];
  const world = run(plan, { actions: [{ at: ms(0), action: { do: "twins", routes } }] }).world;
  expect([numbersAt(world, "v1"), numbersAt(world, "v1'")]).toEqual([[], [1, 2]]);
  expect(world.node("v1").honest).toBe(false);
});

test("a strategy knows each peer once, by the key of its epoch, and targets a node by any of its keys", () => {
  const talker = notes(OTHER, (input) =>
    input.type === "start"
      ? [vote(1, "aa", ALL)]
      : input.type === "timer"
        ? []
        : [{ type: "setTimer", name: "t", at: ms(1), background: true }],
  );
  const byzantine: PlannedAction = {
    at: ms(0),
    action: { do: "byzantine", node: "v2", strategy: { name: "selective-silence", towards: ["v1"] } },
  };
  const { world } = run(nodes(notes(FIRST), talker), { actions: [byzantine] });
  expect(received(world, "v1")).toEqual([]);
});

test("the operator's proposal reaches each node that is addressed and runs, in an event of its own", () => {
  const parameters = { validators: [], fees: { default: undefined, tokens: new Map() } };
  const proposal = { chainId: 7, epoch: 0, next: { ...parameters, checkpoints: undefined, epochLength: undefined } };
  const signed = { proposal, signature: "0x" as Signature } as unknown as SignedProposal;
  const actions: PlannedAction[] = [
    { at: ms(1), action: { do: "govern", to: ["v1", "v2"], signed } },
    { at: ms(2), action: { do: "crash", node: "v2" } },
    { at: ms(3), action: { do: "govern", to: ["v1", "v2"], signed } },
    // While v1 carries out outputs: v1 receives it only afterwards.
    { when: { on: "signed", node: "v1" }, action: { do: "govern", to: ["v1"], signed } },
  ];
  const order: string[] = [];
  const voter = notes(FIRST, (input) => {
    order.push(input.type);
    return input.type === "start" ? [vote(1, "aa", []), { type: "send", to: [FIRST], message: ping(1) }] : [];
  });
  const { world } = run(nodes(voter, notes(OTHER)), { actions });
  expect(order).toEqual(["start", "govern", "message", "govern", "govern"]);
  expect(world.node("v2").running).toBe(false);
});

/** Program that signs for each number that it gets, with the first of the keys that it was started with. */
function withKeysOf(all: readonly Address[]): Program {
  const react = (input: Input): readonly Output[] => {
    const number = numberOf(input);
    return number === undefined ? [] : [vote(number, "aa", [OTHER])];
  };
  const start = (keys = all): Notes => ({ standing: { self: keys[0] as Address, epoch: 0 as Epoch }, inputs: [] });
  return { ...notes(FIRST, react), start };
}

describe("a node that loses its disk", () => {
  const lost = (at: number): PlannedAction[] => [
    { at: ms(at), action: { do: "wipe", node: "v1" } },
    { at: ms(at), action: { do: "restart", node: "v1" } },
  ];
  /** Sends these numbers to these keys each 10 ms. */
  const repeating = (...messages: readonly (readonly [to: Address, number: number])[]): Program =>
    notes(OTHER, (input) =>
      input.type === "start" || input.type === "timer"
        ? [
            ...messages.map(([to, number]): Output => ({ type: "send", to: [to], message: ping(number) })),
            ...(input.at < 50
              ? [{ type: "setTimer", name: "t", at: ms(input.at + 10), background: false } as const]
              : []),
          ]
        : [],
    );

  /** Its disk is lost at this time, while it gets these numbers to these keys. */
  const losing = (at: number, ...messages: readonly (readonly [to: Address, number: number])[]) => {
    const plan = nodes(withKeysOf([FIRST, SECOND]), repeating(...messages));
    const { world, signed } = run(plan, { actions: lost(at) });
    return { plan, world, signed, keys: world.node("v1").keys, excluded: world.faults().excluded };
  };

  test("loses each key that has signed, and keeps the others: no message reaches a lost one", () => {
    const { world, signed, keys } = losing(7, [FIRST, 1], [SECOND, 2]);
    expect([world.node("v1").key, keys]).toEqual([SECOND, [SECOND]]);
    expect(new Set(signed)).toEqual(new Set(["v1 v1", "v1 v1/2"]));
    expect(signed.lastIndexOf("v1 v1")).toBeLessThan(signed.indexOf("v1 v1/2"));
    expect(new Set(numbersAt(world, "v1"))).toEqual(new Set([2]));
  });

  test("keeps a key that has signed nothing", () => {
    const { world, keys } = losing(2, [FIRST, 1]);
    expect([world.node("v1").key, keys]).toEqual([FIRST, [FIRST, SECOND]]);
  });

  test("counts as a correct one again once it has signed", () => {
    expect(losing(7, [FIRST, 1]).excluded).toEqual(["v1 has lost its disk"]);
    expect(losing(7, [FIRST, 1], [SECOND, 2]).excluded).toEqual([]);
  });

  test("has lost the same keys in a copy", () => {
    const { world, plan } = losing(7, [FIRST, 1]);
    expect(copyOf(world, planOf(plan)).node("v1").keys).toEqual([SECOND]);
  });
});

/** Event that an epoch was closed, with the first state of the next one. */
function closed(member: Address): Output {
  const state = { epoch: 1, parameters: { validators: [{ key: member, reward: member }] } };
  const certificate = { slot: { kind: "epoch", epoch: 0 } };
  return { type: "event", event: { type: "closed", certificate, content: undefined, state } } as unknown as Output;
}

test("what a step wants signed before a closing is signed with the key of the epoch that ends, however slow the disk", () => {
  const ending = notes(FIRST, (input, state) => {
    if (input.type !== "start") return [];
    state.standing = { self: SECOND, epoch: 1 as Epoch };
    return [persist(1), vote(1, "aa", [OTHER]), persist(2), closed(SECOND), persist(3), vote(2, "bb", [OTHER])];
  });
  for (const writeMs of [0, 3]) {
    const { signed } = run(nodes(ending, notes(OTHER)), { disk: { writeMs: { from: writeMs, to: writeMs } } });
    expect(signed).toEqual(["v1 v1", "v1 v1/2"]);
  }
});

test("a node that is in no committee of an epoch speaks with its first key", () => {
  const leaving = notes(SECOND, (input) =>
    input.type === "start" ? [closed(OTHER), { type: "send", to: [OTHER], message: ping(1) }] : [],
  );
  const { world } = run(nodes(leaving, notes(OTHER)));
  expect(received(world, "v2")).toEqual(["v1 status"]);
});
