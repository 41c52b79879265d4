/** Set of authorised, not yet executed operations: it alone determines what is due (protocol 4.1). */
import { AssertionError, assert, requireDefined, unreachable } from "../base/assert.ts";
import type { Address } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import { type LedgerSlot, paddedNumber, sequencePrefix } from "../base/slot.ts";
import { effectSlotOf } from "./operations/kinds.ts";
import type { AuthorisedOperation, LedgerState } from "./state.ts";

const NONE: readonly AuthorisedOperation[] = [];

/** Adds an operation when its authorising slot is applied. @throws AssertionError if it is present. */
export function addAuthorised(state: LedgerState, entry: AuthorisedOperation): LedgerState {
  assert(!state.authorisedKeys.has(entry.id), `operation ${entry.id} is authorised twice`);
  const key = authorisedKey(entry);
  return {
    ...state,
    authorised: state.authorised.set(key, entry),
    authorisedKeys: state.authorisedKeys.set(entry.id, key),
  };
}

/** Removes an operation when its effect is applied. */
export function removeAuthorised(state: LedgerState, entry: AuthorisedOperation): LedgerState {
  return {
    ...state,
    authorised: state.authorised.delete(authorisedKey(entry)),
    authorisedKeys: state.authorisedKeys.delete(entry.id),
  };
}

/**
 * Returns the operations that wait for the token or the debited account of `slot`, in key order: by signer, then in the
 * signer's order.
 */
export function dueOperations(state: LedgerState, slot: LedgerSlot): readonly AuthorisedOperation[] {
  if (state.authorised.size === 0) return NONE;
  return state.authorised.entriesWithPrefix(sequencePrefix(slot)).map(([, entry]) => entry);
}

/** Returns those of `signer`, in the signer's order. */
export function dueOperationsOfSigner(
  state: LedgerState,
  slot: LedgerSlot,
  signer: Address,
): readonly AuthorisedOperation[] {
  return state.authorised.entriesWithPrefix(`${sequencePrefix(slot)}${signer}/`).map(([, entry]) => entry);
}

/** Returns an authorised, not yet executed operation. */
export function findAuthorised(state: LedgerState, id: OperationId): AuthorisedOperation | undefined {
  const key = state.authorisedKeys.get(id);
  return key === undefined ? undefined : requireDefined(state.authorised.get(key), `authorised entry ${key}`);
}

/** Returns the key in `LedgerState.authorised`. @throws AssertionError if the effect needs no slot of its own. */
export function authorisedKey(entry: AuthorisedOperation): string {
  const target = effectSlotOf(entry.signed);
  const tail = `${entry.signed.sender}/${paddedNumber(entry.sequence)}`;
  switch (target.kind) {
    case "token":
      return `token/${target.token}/${tail}`;
    case "account":
      return `account/${target.address}/${tail}`;
    case "own":
      throw new AssertionError(`operation ${entry.id} takes effect in its own slot and waits for no other`);
    default:
      return unreachable(target);
  }
}
