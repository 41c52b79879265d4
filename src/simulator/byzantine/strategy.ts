/**
 * A strategy makes a Byzantine validator of an honest program: it changes what the program wants done. It holds no
 * key: whatever it wants signed it must ask for by a `sign` output, which the shell signs with the node's own key.
 */
import type { Address, Epoch, Millis } from "../../core/base/ids.ts";
import type { Input } from "../../core/validator/input.ts";
import type { ClientName } from "../../core/validator/message.ts";
import type { Output } from "../../core/validator/output.ts";

/** One step of the honest program, as its strategy sees it. */
export interface Turn {
  readonly now: Millis;
  readonly self: Address;
  /** Its epoch. */
  readonly epoch: Epoch;
  /** Keys of the other validators in their epochs, in the order of the plan. */
  readonly peers: readonly Address[];
  readonly input: Input;
  /** What the honest program, or the strategy before this one, wants done. */
  readonly outputs: readonly Output[];
  /** A whole number below `bound`, from a stream of this node and strategy. */
  choose(bound: number): number;
}

/** `memory` is plain immutable data, replaced and never changed, so that forks share it. */
export interface Strategy<Memory = unknown> {
  readonly memory: Memory;
  act(turn: Turn, memory: Memory): { readonly outputs: readonly Output[]; readonly memory: Memory };
}

/** Whom a strategy treats badly: keys of validators, names of clients; `undefined` is everybody. */
export interface Targets {
  has(party: Address | ClientName): boolean;
}

/** A strategy without a memory. */
export function withoutMemory(act: (turn: Turn) => readonly Output[]): Strategy<undefined> {
  return { memory: undefined, act: (turn) => ({ outputs: act(turn), memory: undefined }) };
}
