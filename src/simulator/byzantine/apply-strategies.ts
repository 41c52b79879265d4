/** Application of a node's strategies to the outputs of its honest program. */
import type { Address } from "../../core/base/ids.ts";
import { isWellFormed } from "../../core/validator/message-form.ts";
import type { Output } from "../../core/validator/output.ts";
import type { Input } from "../../core/validator/step.ts";
import type { Engine } from "../engine.ts";
import { type ActiveStrategy, activeKeyNow, type Node } from "../nodes/node.ts";
import { type StrategyName, type StrategyPlan, strategyOf } from "./registry.ts";

/** Returns the final outputs: each strategy changes those of the one before it. */
export function applyStrategies(
  engine: Engine,
  node: Node,
  input: Input,
  wanted: readonly Output[],
): readonly Output[] {
  // Strategies make bytes of the parts of a message, and a malformed one has parts of which nobody can.
  if (input.type === "message" && !isWellFormed(input.message)) return wanted;
  let outputs = wanted;
  const { self, epoch } = activeKeyNow(node);
  const peers = peersOf(engine, self);
  node.strategies = node.strategies.map((active) => {
    let { draws } = active;
    const choose = (bound: number): number => {
      draws += 1;
      return engine.choices.choose(active.stream, draws, bound);
    };
    const step = { now: engine.now, self, epoch, peers, input, outputs, choose };
    const result = active.strategy.intercept(step, active.memory);
    outputs = result.outputs;
    return { ...active, memory: result.memory, draws };
  });
  return outputs;
}

/**
 * Switches a strategy on, with a new state if it was on already. The node counts as dishonest for the rest of the run.
 */
export function switchOn(engine: Engine, node: Node, plan: StrategyPlan): void {
  switchOff(node, plan.name);
  node.strategies = [...node.strategies, activated(engine, node, plan)];
  node.honest = false;
}

/** Returns a strategy of a node as it is when it is switched on. */
export function activated(engine: Engine, node: Node, plan: StrategyPlan): ActiveStrategy {
  const strategy = strategyOf(plan, (name) => addressesOf(engine, name));
  const stream = engine.choices.stream(`byzantine ${node.name} ${plan.name}`);
  return { name: plan.name, plan, strategy, memory: strategy.memory, stream, draws: 0 };
}

/** Switches one strategy off, or all. */
export function switchOff(node: Node, name: StrategyName | undefined): void {
  node.strategies = node.strategies.filter((active) => name !== undefined && active.name !== name);
}

/** Returns each other key once: twins share one. */
function peersOf(engine: Engine, self: Address): readonly Address[] {
  const peers: Address[] = [];
  for (const { key } of engine.nodes) if (key !== self && !peers.includes(key)) peers.push(key);
  return peers;
}

/** All keys of a node; the name of a client unchanged. */
function addressesOf(engine: Engine, name: string): readonly string[] {
  return engine.isNode(engine.index(name)) ? engine.node(name).config.keys : [name];
}
