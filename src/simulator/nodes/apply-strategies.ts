/** Application of a node's strategies to the outputs of its honest program. They read no malformed message, of anybody. */
import type { Address } from "../../core/base/ids.ts";
import { isWellFormed } from "../../core/validator/message-form.ts";
import type { Output } from "../../core/validator/output.ts";
import type { Input } from "../../core/validator/step.ts";
import { type StrategyName, type StrategyPlan, strategyOf } from "../byzantine/registry.ts";
import type { Engine } from "../engine.ts";
import { type ActiveStrategy, activeKeyNow, type Node } from "./node.ts";

/** Returns the final outputs: each strategy changes those of the one before it. */
export function applyStrategies(
  engine: Engine,
  node: Node,
  input: Input,
  wanted: readonly Output[],
): readonly Output[] {
  if (input.type === "message" && !isWellFormed(input.message)) return wanted;
  let outputs = wanted;
  const malformed: Output[] = [];
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
    if (engine.listener.intercepted !== undefined && !isSame(outputs, result.outputs))
      engine.listener.intercepted(node.name, active.plan);
    outputs = result.outputs.filter((output) => !isMalformed(output));
    malformed.push(...result.outputs.filter(isMalformed));
    return { ...active, memory: result.memory, draws };
  });
  return malformed.length === 0 ? outputs : [...outputs, ...malformed];
}

function isSame(before: readonly Output[], after: readonly Output[]): boolean {
  return before.length === after.length && before.every((output, index) => output === after[index]);
}

/** Returns true of a message of which nobody can make bytes: no strategy reads it, and it is sent after the others. */
function isMalformed(output: Output): boolean {
  return output.type === "send" && !isWellFormed(output.message);
}

/**
 * Switches a strategy on, with a new state if it was on already; mutations of several fields act together. The node counts
 * as dishonest for the rest of the run.
 */
export function switchOn(engine: Engine, node: Node, plan: StrategyPlan): void {
  const others = node.strategies.filter((active) => labelOf(active.plan) !== labelOf(plan));
  node.strategies = [...others, activateStrategy(engine, node, plan)];
  node.honest = false;
}

/** Returns a strategy of a node as it is when it is switched on. */
export function activateStrategy(engine: Engine, node: Node, plan: StrategyPlan): ActiveStrategy {
  const strategy = strategyOf(plan, (name) => addressesOf(engine, name));
  const stream = engine.choices.stream(`byzantine ${node.name} ${labelOf(plan)}`);
  return { plan, strategy, memory: strategy.memory, stream, draws: 0 };
}

/** Returns the name of a strategy with the field that it mutates. */
function labelOf({ name, field }: StrategyPlan): string {
  return field === undefined ? name : `${name} ${field}`;
}

/** Switches one strategy off, or all. */
export function switchOff(node: Node, name: StrategyName | undefined): void {
  node.strategies = node.strategies.filter((active) => name !== undefined && active.plan.name !== name);
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
