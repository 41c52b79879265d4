/** State of one validator. Tables change in place; a fork shares their entries until one side changes them (architecture law 7). */

import type { Hash, Millis } from "../base/ids.ts";
import { type ChainValue, chainSlotOf, type Slot, type SlotKey, slotKey } from "../base/slot.ts";
import { Table } from "../base/table.ts";
import type { Committee } from "../consensus/committee.ts";
import { newSlot, type SlotState } from "../consensus/slot-state.ts";
import type { LedgerState } from "../ledger/state.ts";
import { type Environment, environmentInCommittee } from "./environment.ts";
import {
  type AppliedChainLink,
  type CheckpointsState,
  EpochsState,
  MempoolState,
  SlotsState,
  SyncState,
  type Transfer,
} from "./sub-states.ts";

/** State of one validator: what all rooms share, and one sub-state for each room. */
export interface ValidatorState {
  environment: Environment;
  ledger: LedgerState;
  /** Set once a decision contradicts this ledger: from then on every input is ignored. */
  halted: { readonly slot: SlotKey; readonly reason: string } | undefined;
  readonly mempool: MempoolState;
  readonly slots: SlotsState;
  readonly checkpoints: CheckpointsState;
  readonly epochs: EpochsState;
  readonly sync: SyncState;
  transfer: Transfer | undefined;
}

/** Returns the state of a validator that knows only the genesis. */
export function createValidator(environment: Environment): ValidatorState {
  return {
    environment,
    ledger: environment.genesis,
    halted: undefined,
    mempool: new MempoolState(),
    slots: new SlotsState(),
    checkpoints: { last: genesisOf(environment), states: new Table([[0, environment.genesis]]) },
    epochs: new EpochsState(),
    sync: new SyncState(),
    transfer: undefined,
  };
}

/** Returns an independent copy. O(1): its tables share their entries with the original until one of them changes. */
export function forkValidator(state: ValidatorState): ValidatorState {
  const { mempool, slots, checkpoints, epochs, sync } = state;
  return {
    ...state,
    mempool: forkRoom(mempool),
    slots: forkRoom(slots),
    checkpoints: forkRoom(checkpoints),
    epochs: forkRoom(epochs),
    sync: forkRoom(sync),
  };
}

/** State of a validator without functions: its environment follows from its keys and the committee. */
export interface CapturedValidator extends Omit<ValidatorState, "environment"> {
  readonly environment: Pick<Committee, "epoch" | "members"> & Pick<Environment, "keys">;
}

/** Returns an independent copy of a state, as plain data, tables and tries. O(1), as `forkValidator`. */
export function captureValidator(state: ValidatorState): CapturedValidator {
  const { environment, ...rest } = forkValidator(state);
  const { keys, committee } = environment;
  return { ...rest, environment: { epoch: committee.epoch, members: committee.members, keys } };
}

/** Returns the state of a capture, which stays as it is, in an environment of any epoch and any keys. O(1). */
export function restoreValidator(validator: Environment, captured: CapturedValidator): ValidatorState {
  const { epoch, members, keys } = captured.environment;
  const environment = environmentInCommittee(
    { ...validator, keys },
    validator.committeeOf(
      epoch,
      members.map((key) => ({ key })),
    ),
  );
  return forkValidator({ ...captured, environment });
}

function forkRoom<Room extends object>(room: Room): Room {
  const copy = { ...room };
  for (const name in copy) {
    const part = copy[name];
    if (part instanceof Table) copy[name] = part.fork() as typeof part;
  }
  return copy;
}

function genesisOf({ genesis, hashes }: Environment): AppliedChainLink {
  const value = hashes.genesisCheckpoint(genesis);
  return { ...linkTo(hashes.value(value), value), state: genesis, since: 0 as Millis };
}

/** Returns what a validator keeps of a chain link. */
export function linkTo(hash: Hash, value: ChainValue): Pick<AppliedChainLink, "slot" | "hash" | "header"> {
  return { slot: chainSlotOf(value), hash, header: value.header };
}

/** Returns this validator's record of a slot, or a fresh one. */
export function slotState(state: ValidatorState, slot: Slot): SlotState {
  return state.slots.records.get(slotKey(slot)) ?? newSlot(slot, state.environment.committee.epoch);
}
