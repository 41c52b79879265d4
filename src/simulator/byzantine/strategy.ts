/**
 * Interface of strategies: each makes a Byzantine validator of an honest program by changing its outputs. It holds no
 * key: it requests signatures by `sign` outputs, which the shell signs with the node's own key.
 */
import type { Address, Epoch, Millis } from "../../core/base/ids.ts";
import type { ClientName } from "../../core/validator/message.ts";
import type { Output } from "../../core/validator/output.ts";
import type { Input } from "../../core/validator/step.ts";

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

/** `memory` is plain immutable data, replaced and never mutated, so that forks share it. */
export interface Strategy<Memory = unknown> {
  readonly memory: Memory;
  intercept(step: InterceptedStep, memory: Memory): { readonly outputs: readonly Output[]; readonly memory: Memory };
}

/** Victims of a strategy: keys of validators, names of clients; `undefined` for all. */
export interface Targets {
  has(party: Address | ClientName): boolean;
}

/** Returns a stateless strategy. */
export function withoutMemory(act: (step: InterceptedStep) => readonly Output[]): Strategy<undefined> {
  return { memory: undefined, intercept: (step) => ({ outputs: act(step), memory: undefined }) };
}
