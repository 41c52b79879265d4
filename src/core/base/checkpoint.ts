/** What a checkpoint says of itself, and how often there is one (specification 10.1, 10.2; protocol 6). Plain data. */
import type { CheckpointNumber, Hash } from "./ids.ts";

/** All fields of the Checkpoint resource but `hash`, which is the hash of the value, and `transactions`. */
export interface CheckpointHeader {
  readonly number: CheckpointNumber;
  readonly parentHash: Hash;
  /** Of the state after this checkpoint. */
  readonly stateRoot: Hash;
  /** Over the ids of the operations whose effect it lists, in its order. */
  readonly transactionsRoot: Hash;
  /** Over their receipts, in the same order. */
  readonly receiptsRoot: Hash;
  /** Seconds: the proposer's clock, and at least the parent's plus the period. */
  readonly timestamp: number;
  /** Bytes of the copies of operations that it fixes. */
  readonly size: number;
  readonly extraData: string;
}

/** When checkpoints are formed. Part of the state that all validators agree on. */
export interface CheckpointPolicy {
  /** One is due so long after the last one, in virtual milliseconds, where there is something to list. */
  readonly intervalMs: number;
  /** And as soon as so many decided slots are listed nowhere. */
  readonly slots: number;
  /** M: how many slots one lists at most. */
  readonly limit: number;
  /** Least difference of two timestamps, in seconds. */
  readonly periodSeconds: number;
  /** Whether one is due after the interval even where there is nothing to list. */
  readonly empty: boolean;
}
