/**
 * Interface of strategies: each makes a Byzantine validator of an honest program by changing its outputs. It holds no
 * key: it requests signatures by `sign` outputs, which the shell signs with the node's own key.
 */
import { type Address, type Epoch, type Millis, nextCount } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Slot } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import type { StatementContent } from "../../core/consensus/message.ts";
import type { Content } from "../../core/validator/content.ts";
import type { ClientName, PeerMessage, Reason } from "../../core/validator/message.ts";
import type { Output } from "../../core/validator/output.ts";
import type { Input } from "../../core/validator/step.ts";
import { hashOf } from "../network/message-content.ts";
import {
  type Ratio,
  STRATEGY_ADDED_MAX,
  STRATEGY_BUDGET_PER_INPUT,
  STRATEGY_BUDGET_PER_SECOND,
  STRATEGY_MESSAGES_MAX,
  STRATEGY_ROUNDS_MAX,
} from "../settings.ts";
import type { Mutation } from "./field-mutations.ts";

/** One step of the honest program, as its strategy sees it. */
export interface InterceptedStep {
  readonly now: Millis;
  readonly self: Address;
  /** Its epoch. */
  readonly epoch: Epoch;
  /** Keys of the other validators in their epochs, in the order of the plan. */
  readonly peers: readonly Address[];
  readonly input: Input;
  /** Outputs of the honest program, or of the strategy before this one. */
  readonly outputs: readonly Output[];
  /** Returns an integer below `bound`, from a stream of this node and strategy. */
  choose(bound: number): number;
}

/** `memory` is plain immutable data, replaced and never mutated, so that captures share it. */
export interface Strategy<Memory = unknown> {
  readonly memory: Memory;
  intercept(step: InterceptedStep, memory: Memory): { readonly outputs: readonly Output[]; readonly memory: Memory };
}

/** Victims of a strategy: keys of validators, names of clients; `undefined` for all. */
export interface Targets {
  has(party: Address | ClientName): boolean;
}

export const EVERY_VALIDATOR: Targets = { has: () => true };

/** Parameters of a scenario step that a strategy reads as they are. */
export interface StrategyOptions {
  /** Mode; default: the first of the strategy. */
  readonly mode?: string;
  /** Signer of `operation`. */
  readonly account?: Address;
  readonly operation?: OperationId;
  /** Path of a field of messages. */
  readonly field?: string;
  readonly mutation?: Mutation;
}

/** Parameters of a scenario step, resolved. */
export interface StrategyParameters extends StrategyOptions {
  readonly towards: Targets;
  readonly chance: Ratio;
}

/** `chain links` are checkpoints and closings of epochs. */
export type StrategyNeed = "chain links" | "checkpoints" | "multisig accounts";

/** Description of a strategy: all that the scenario language, the fuzzer and the documents know about it. */
export interface StrategyRecord {
  /** Behaviour in one sentence, for readers of the schema. */
  readonly sentence: string;
  /** Weight with which the fuzzer draws it; 0: never. */
  readonly weight: number;
  /** Victims if a step names none; absent for a strategy without victims. */
  readonly towards?: "all" | "none";
  /** True if it acts with a probability. */
  readonly readsChance?: true;
  /** Part of a network without which it has no effect: the fuzzer draws it there only. */
  readonly needs?: StrategyNeed;
  /** True if it needs the name of an operation. */
  readonly readsOperation?: true;
  /** True if it mutates the field at a path. */
  readonly readsField?: true;
  /** Modes with their meanings, the default first. */
  readonly modes?: Readonly<Record<string, string>>;
  create(parameters: StrategyParameters): Strategy;
}

/** Returns the mode with this name, or the first one. */
export function modeOf<Mode extends string>(modes: Readonly<Record<Mode, string>>, name: string | undefined): Mode {
  const names = Object.keys(modes) as Mode[];
  return names.find((mode) => mode === name) ?? (names[0] as Mode);
}

/** Returns a stateless strategy, which replaces each output of its program. */
export function replaceEach(
  replace: (step: InterceptedStep, output: Output) => Output | readonly Output[],
): Strategy<undefined> {
  return {
    memory: undefined,
    intercept: (step) => ({ outputs: step.outputs.flatMap((output) => replace(step, output)), memory: undefined }),
  };
}

/** Signs a statement without contents. */
export function signStatement(to: readonly Address[], body: StatementContent, reason?: Reason): Output {
  return { type: "sign", to, message: { type: "consensus", body, contents: [], reason } };
}

/** Offers a content to all peers. */
export function offerContent({ peers }: InterceptedStep, slot: Slot, content: Content): Output {
  return { type: "send", to: peers, message: { type: "offer", slot, content } };
}

/** Returns the same proposal of another content where no lock forces its value; any other output unchanged. */
export function replaceFreeProposal(
  output: Output,
  otherContent: (body: ProposalBody, honest: Content | undefined) => Content | undefined,
): Output {
  if (output.type !== "sign" || output.message.body.type !== "proposal") return output;
  const { body, contents } = output.message;
  if (body.justification.some(({ lock }) => lock !== undefined)) return output;
  const other = otherContent(body, contents[0]);
  if (other === undefined) return output;
  return { ...output, message: { ...output.message, body: { ...body, value: hashOf(other) }, contents: [other] } };
}

type ProposalBody = Extract<StatementContent, { readonly type: "proposal" }>;

/** Returns the same close without claims; any other output unchanged. */
export function withoutClaims(output: Output): Output {
  if (output.type !== "sign" || output.message.body.type !== "close") return output;
  return { ...output, message: { ...output.message, body: { ...output.message.body, claims: [] } } };
}

/** Returns a memory by rounds or slots, empty again once it is full. */
export function emptiedIfFull<V>(memory: Trie<V>): Trie<V> {
  return memory.size >= STRATEGY_ROUNDS_MAX ? Trie.empty() : memory;
}

/** Returns the message that the program receives in this step, and those that it sends unsigned. */
export function messagesIn({ input, outputs }: InterceptedStep): readonly PeerMessage[] {
  const sent = outputs.flatMap((output) => (output.type === "send" ? [output.message] : []));
  return input.type === "message" ? [input.message, ...sent] : sent;
}

/** Returns the last messages received, that of this step included. */
export function withReceived({ input }: InterceptedStep, before: readonly PeerMessage[]): readonly PeerMessage[] {
  if (input.type !== "message") return before;
  const known = before.length < STRATEGY_MESSAGES_MAX ? before.slice() : before.slice(1);
  known.push(input.message);
  return known;
}

/** Returns the last messages received or sent, those of this step included: answers are known to their sender only. */
export function withKnown(step: InterceptedStep, before: readonly PeerMessage[]): readonly PeerMessage[] {
  const sent = step.outputs.flatMap((output) => (output.type === "send" ? [output.message] : []));
  const known = withReceived(step, before);
  return sent.length === 0 ? known : [...known, ...sent].slice(-STRATEGY_MESSAGES_MAX);
}

/** Messages that may still be added, and the budget's rise in the current second. A message to several peers counts once. */
export interface MessageBudget {
  /** 0 to `STRATEGY_ADDED_MAX`. */
  readonly left: number;
  readonly second: number;
  readonly raised: number;
}

export const FULL_BUDGET: MessageBudget = { left: STRATEGY_ADDED_MAX, second: 0, raised: 0 };

/**
 * Returns the budget raised by the signatures of this step: those of the program and of earlier strategies. The program of
 * one Byzantine validator answers what another one adds, so a bound on the signatures alone would let two of them call
 * each other up for ever: virtual time bounds the rise too.
 */
export function afterInput(budget: MessageBudget, { now, outputs }: InterceptedStep): MessageBudget {
  const signatures = outputs.filter(({ type }) => type === "sign").length;
  if (signatures === 0) return budget;
  const second = Math.floor(now / 1_000);
  const before = second === budget.second ? budget.raised : 0;
  const rise = Math.min(STRATEGY_BUDGET_PER_INPUT * signatures, STRATEGY_BUDGET_PER_SECOND - before);
  return { left: Math.min(STRATEGY_ADDED_MAX, budget.left + rise), second, raised: before + rise };
}

/** Returns the first of the wanted messages, as many as the budget allows, and the remaining budget. */
export function afterSend(
  budget: MessageBudget,
  wanted: readonly Output[],
): { readonly added: readonly Output[]; readonly left: MessageBudget } {
  const added = wanted.slice(0, budget.left);
  return { added, left: added.length === 0 ? budget : { ...budget, left: budget.left - added.length } };
}

/**
 * Returns true for an epoch that has begun, and for the next one: signatures for later ones are invalid. Otherwise two
 * strategies, one of which moves signatures to the next epoch, climb from epoch to epoch together.
 */
export function isWithinBudget(epoch: Epoch, step: InterceptedStep): boolean {
  return epoch <= nextCount(step.epoch);
}
