/** Whether a list may be voted for in a token's slot now (protocol 3: "a token slot's list is valid if"). */
import type { SignedOperation } from "../../core/base/operation.ts";
import type { ListValue, TokenSlot } from "../../core/base/slot.ts";
import { effectPlace, tokenOf } from "./meaning.ts";
import { type Constants, executed, firstInQueue, type LedgerState, tokenStateOf } from "./state.ts";

/** Why `value` may not be voted for in `slot`; empty when it may. */
export function listReasons(
  state: LedgerState,
  slot: TokenSlot,
  value: ListValue,
  constants: Constants,
): readonly string[] {
  const found: string[] = [...tokenPlaceReasons(state, slot)];
  const { listLimit } = constants.genesis;
  if (value.ids.length === 0) found.push("the list is empty");
  if (value.ids.length > listLimit)
    found.push(`the list has ${value.ids.length} operations, at most ${listLimit} may be`);
  let rest = state;
  for (const id of value.ids) {
    const signed = rest.due.get(id);
    if (signed === undefined) {
      found.push(state.due.has(id) ? `${short(id)} stands in it twice` : `${short(id)} is not authorised`);
      continue;
    }
    if (!belongs(signed, slot, constants)) found.push(`${short(id)} is no operation of this token`);
    // Taken out one by one, so that the signer's earlier ones must already be gone: followed or contained.
    if (firstInQueue(rest, signed, constants) !== id)
      found.push(`${short(id)} stands before an earlier one of its signer`);
    rest = executed(rest, id, signed, constants);
  }
  return found;
}

/** Why this slot is not the token's next one here (protocol 3.1, 1a). */
export function tokenPlaceReasons(state: LedgerState, slot: TokenSlot): readonly string[] {
  const { version } = tokenStateOf(state, slot.token);
  return version === slot.version ? [] : [`version ${version} is next, not ${slot.version}`];
}

function short(id: string): string {
  return `${id.slice(0, 10)}…`;
}

function belongs(signed: SignedOperation, slot: TokenSlot, constants: Constants): boolean {
  return effectPlace(signed) === "token" && tokenOf(signed.operation, constants.addressOf) === slot.token;
}
