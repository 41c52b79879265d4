/** Checkpoints, closings and claims for the streams of these tests. */
import { fromHex } from "../../src/core/base/encoding.ts";
import type { CheckpointPolicy, EpochParameters } from "../../src/core/base/epoch.ts";
import type { CheckpointNumber, Epoch, Hash, Round } from "../../src/core/base/ids.ts";
import type { SignedOperation } from "../../src/core/base/operation.ts";
import {
  type ChainSlot,
  type CheckpointHeader,
  type CheckpointValue,
  type ClosingValue,
  type ListedDecision,
  type Slot,
  slotKey,
} from "../../src/core/base/slot.ts";
import { listRoot } from "../../src/core/crypto/merkle-list.ts";
import type { Claim, RunSetting } from "../../src/invariants/observation.ts";
import { type Decision, hash } from "./vocabulary.ts";

export const POLICY: CheckpointPolicy = { intervalMs: 1_000, slots: 10, limit: 10, periodSeconds: 1, empty: true };

/** List of a chain link, and the names of its effects. */
export type Listing = readonly (readonly [decision: Decision, ...effects: string[]])[];

export function checkpointSlot(number: number): ChainSlot {
  return { kind: "checkpoint", number: number as CheckpointNumber };
}

export function epochSlotOf(epoch: number): ChainSlot {
  return { kind: "epoch", epoch: epoch as Epoch };
}

/** Parameters of an epoch without a proposal. */
export function parametersOf({ genesis }: RunSetting): EpochParameters {
  const { validators, fees, checkpoints, epochLength } = genesis;
  return { validators, fees, checkpoints, epochLength };
}

/** Roots that a stream replaces by those of the reference ledger. */
export const RECEIPTS_ROOT: Hash = hash("receipts");
export function stateRootNamed(number: number): Hash {
  return hash(`root ${number}`);
}

export function headerOf(number: number, listing: Listing, more: Partial<CheckpointHeader> = {}): CheckpointHeader {
  return {
    number: number as CheckpointNumber,
    parentHash: number === 1 ? hash("genesis") : hash(`checkpoint ${number - 1}`),
    stateRoot: stateRootNamed(number),
    transactionsRoot: listRoot(listing.flatMap(([, ...ids]) => ids.map((id) => fromHex(hash(id))))),
    receiptsRoot: RECEIPTS_ROOT,
    timestamp: number,
    size: 0,
    extraData: "",
    ...more,
  };
}

export function listedIn(listing: Listing): readonly ListedDecision[] {
  return listing.map(([{ slot, value, operations }]) => ({ slot, value, copies: operations.map(() => hash("copy")) }));
}

export function operationsIn(listing: Listing): readonly SignedOperation[] {
  return listing.flatMap(([decision]) => decision.operations);
}

export function checkpoint(number: number, listing: Listing, more: Partial<CheckpointHeader> = {}): CheckpointValue {
  return { type: "checkpoint", header: headerOf(number, listing, more), listed: listedIn(listing) };
}

export interface Ending {
  readonly epoch?: number;
  /** Number of the closing in the chain; by default it follows the genesis. */
  readonly number?: number;
  readonly listing?: Listing;
  readonly next: EpochParameters;
  readonly header?: Partial<CheckpointHeader>;
}

export function closing({ epoch = 0, number = 1, listing = [], next, header = {} }: Ending): ClosingValue {
  return {
    type: "closing",
    epoch: epoch as Epoch,
    header: headerOf(number, listing, header),
    listed: listedIn(listing),
    next,
    warrant: hash("warrant"),
  };
}

/** Claim of a close about a slot: final, or locked in a round. */
export function claim(
  slot: Slot,
  value: Hash,
  more: { readonly locked?: number; readonly round?: number } = {},
): Claim {
  const round = (more.locked ?? more.round ?? 0) as Round;
  return { slot: slotKey(slot), round, value, final: more.locked === undefined };
}
