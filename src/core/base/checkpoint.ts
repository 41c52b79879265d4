/**
 * Header of a checkpoint, and the policy that says when one is formed (specification 10.1, 10.2; protocol 6). Plain
 * data.
 */
import type { CheckpointNumber, Hash } from "./ids.ts";

/** All fields of the Checkpoint resource except `hash`, which is the hash of the value, and `transactions`. */
export interface CheckpointHeader {
  readonly number: CheckpointNumber;
  readonly parentHash: Hash;
  /** Root of the state after this checkpoint. */
  readonly stateRoot: Hash;
  /** Root over the ids of the operations whose effect it lists, in its order. */
  readonly transactionsRoot: Hash;
  /** Root over their receipts, in the same order. */
  readonly receiptsRoot: Hash;
  /** Seconds: the proposer's clock, and at least the parent's timestamp plus the period. */
  readonly timestamp: number;
  /** Bytes of the copies of operations that it fixes. */
  readonly size: number;
  readonly extraData: string;
}

/** Conditions under which checkpoints are formed. Part of the state that all validators agree on. */
export interface CheckpointPolicy {
  /** A non-empty checkpoint is due this long after the last one, in virtual milliseconds. */
  readonly intervalMs: number;
  /** A checkpoint is due as soon as this number of decided slots are unlisted. */
  readonly slots: number;
  /** M: largest number of slots in one checkpoint. */
  readonly limit: number;
  /** Least difference of two timestamps, in seconds. */
  readonly periodSeconds: number;
  /** True if an empty checkpoint is due after the interval, too. */
  readonly empty: boolean;
}
