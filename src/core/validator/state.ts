/** State of one validator. Collections are persistent, so a fork copies one record (architecture law 7). */

import type { Epoch, Hash, Millis } from "../base/ids.ts";
import { type ChainValue, chainSlotOf, paddedNumber, type Slot, type SlotKey, slotKey } from "../base/slot.ts";
import { Trie } from "../base/trie.ts";
import type { FinalityCertificate } from "../consensus/message.ts";
import { newSlot, type SlotState } from "../consensus/slot-state.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { Environment } from "./environment.ts";
import {
  type Checkpointed,
  type CheckpointsState,
  type EpochsState,
  emptyEpochs,
  emptyMempool,
  emptySlots,
  emptySync,
  type MempoolState,
  type SlotsState,
  type SyncState,
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
    mempool: emptyMempool(),
    slots: emptySlots(),
    checkpoints: { last: genesisOf(environment), states: Trie.of([[paddedNumber(0), environment.genesis]]) },
    epochs: emptyEpochs(),
    sync: emptySync(),
    transfer: undefined,
  };
}

/** Returns an independent copy. O(1): it copies one record for each room, whose collections are shared until written. */
export function forkValidator(state: ValidatorState): ValidatorState {
  const { mempool, slots, checkpoints, epochs, sync } = state;
  return {
    ...state,
    mempool: { ...mempool },
    slots: { ...slots },
    checkpoints: { ...checkpoints },
    epochs: { ...epochs },
    sync: { ...sync },
  };
}

function genesisOf({ genesis, hashes }: Environment): Checkpointed {
  const value = hashes.genesisCheckpoint(genesis);
  return { ...linkTo(hashes.value(value), value), state: genesis, since: 0 as Millis };
}

/** Returns what a validator keeps of a chain link. */
export function linkTo(hash: Hash, value: ChainValue): Pick<Checkpointed, "slot" | "hash" | "header"> {
  return { slot: chainSlotOf(value), hash, header: value.header };
}

/** Returns the closing that opened an epoch, or `undefined` if it is not known here. */
export function openingClosing(
  { epochs: { links } }: Pick<ValidatorState, "epochs">,
  epoch: Epoch,
): FinalityCertificate | undefined {
  return epoch === 0 ? undefined : links.get(paddedNumber(epoch - 1))?.certificate;
}

/** Returns this validator's record of a slot, or a fresh one. */
export function slotState(state: ValidatorState, slot: Slot): SlotState {
  return state.slots.records.get(slotKey(slot)) ?? newSlot(slot, state.environment.committee.epoch);
}
