/** Names of parties, ranges, probabilities, settings of links and disks with their defaults, and bounds. Times are virtual milliseconds. */

/** Running node: `v1`, and `v1'` for its twin. */
export type NodeName = string;
/** End of a link: a node or a client. Names are unique over both. */
export type Party = string;

/** Integers, both ends included. */
export interface Range<T = number> {
  readonly from: T;
  readonly to: T;
}

/** Probability of `of` in `in`: no floats in a run (architecture law 2). */
export interface Ratio {
  readonly of: number;
  readonly in: number;
}

/** One direction of one link. Links keep their order except for messages that `reorder` picks. */
export interface LinkSettings {
  /** Virtual milliseconds. */
  readonly delayMs: Range;
  readonly loss: Ratio;
  /** Chance of one more copy, with a delay of its own. */
  readonly duplicate: Ratio;
  /** Chance that a message does not wait for earlier ones. */
  readonly reorder: Ratio;
}

export interface DiskSettings {
  /** Duration of a write; later outputs of the node wait for it, in order. */
  readonly writeMs: Range;
  /** Number of last acknowledged records that a crash loses; 0 for an honest disk. */
  readonly losesLast: number;
}

const NEVER: Ratio = { of: 0, in: 1 };

/** Links between nodes, and between clients and nodes, as in a local network. */
export const DEFAULT_LINK: LinkSettings = {
  delayMs: { from: 1, to: 10 },
  loss: NEVER,
  duplicate: NEVER,
  reorder: NEVER,
};
/** A disk that writes at once and loses nothing. */
export const DEFAULT_DISK: DiskSettings = { writeMs: { from: 0, to: 0 }, losesLast: 0 };

/** Delay to which healed links in the core are capped, so that liveness bounds are meaningful. */
export const HEALED_DELAY_MS = 100;

/** Clients: one open operation of an account, a retry after a second, tries before a cancellation and before giving up. */
export const DEFAULT_CLIENT = {
  window: 1,
  timeoutMs: 1_000,
  cancelAfter: 4,
  giveUpAfter: 20,
  onRefusal: "cancel",
  sharesKey: false,
} as const;
/** Largest interval between a client's retries, in first timeouts. */
export const TIMEOUT_GROWTH_MAX = 8;
/** Epochs that may have closed without one operation: limits the void replies that a client follows. */
export const VOID_RETRIES_MAX = 16;

/** Largest number of last writes that a disk can lose. */
export const LOST_WRITES_MAX = 64;
/** Nodes and clients of a world: sequence numbers of links stay small integers. */
export const PARTIES_MAX = 4_096;
/** Memory of a Byzantine strategy: values of one round, rounds, and old messages. */
export const STRATEGY_VALUES_MAX = 16;
export const STRATEGY_ROUNDS_MAX = 256;
export const STRATEGY_MESSAGES_MAX = 64;
/**
 * Messages that one strategy of a Byzantine validator adds to those of its program, in total or in advance
 * (byzantine/strategy.ts).
 */
export const STRATEGY_ADDED_MAX = 512;
/** Further messages of a strategy for each signature of its program. */
export const STRATEGY_BUDGET_PER_INPUT = 2;
/** Further messages of a strategy in each second of virtual time, at most. */
export const STRATEGY_BUDGET_PER_SECOND = 256;
