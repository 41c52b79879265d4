/** Set of authorised, not yet executed operations: it alone determines what is due (protocol 4.1). */
import { assert } from "../base/assert.ts";
import { type Authorised, authorisedKey, type LedgerState } from "./state.ts";

/** Adds an operation when its authorising slot is applied. @throws AssertionError if it is present. */
export function addAuthorised(state: LedgerState, entry: Authorised): LedgerState {
  assert(!state.authorisedKeys.has(entry.id), `operation ${entry.id} is authorised twice`);
  const key = authorisedKey(entry);
  return {
    ...state,
    authorised: state.authorised.set(key, entry),
    authorisedKeys: state.authorisedKeys.set(entry.id, key),
  };
}

/** Removes an operation when its effect is applied. */
export function removeAuthorised(state: LedgerState, entry: Authorised): LedgerState {
  return {
    ...state,
    authorised: state.authorised.delete(authorisedKey(entry)),
    authorisedKeys: state.authorisedKeys.delete(entry.id),
  };
}
