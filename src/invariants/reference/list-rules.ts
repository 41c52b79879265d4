/** Rules for votes in token slots (protocol 3: "a token slot's list is valid if"). */
import type { SignedOperation } from "../../core/base/operation.ts";
import type { ListValue, TokenSlot } from "../../core/base/slot.ts";
import { effectSlotOf, tokenOf } from "./operation-meaning.ts";
import { type Constants, executed, firstInQueue, type LedgerState, tokenStateOf } from "./state.ts";

/** Returns the rules that forbid a vote for `value` in `slot`; empty if it is allowed. */
export function listRefusals(
  state: LedgerState,
  slot: TokenSlot,
  value: ListValue,
  constants: Constants,
): readonly string[] {
  const found: string[] = [...tokenEffectRefusals(state, slot)];
  const { listLimit } = constants.genesis;
  if (value.ids.length === 0) found.push("the list is empty");
  if (value.ids.length > listLimit)
    found.push(`the list has ${value.ids.length} operations, at most ${listLimit} are allowed`);
  let rest = state;
  for (const id of value.ids) {
    const signed = rest.due.get(id);
    if (signed === undefined) {
      found.push(state.due.has(id) ? `${short(id)} is repeated` : `${short(id)} is not authorised`);
      continue;
    }
    if (!belongs(signed, slot, constants)) found.push(`${short(id)} is not an operation of this token`);
    // Removed one by one, so that the signer's earlier operations must be gone: executed or earlier in the list.
    if (firstInQueue(rest, signed, constants) !== id)
      found.push(`${short(id)} precedes an earlier operation of its signer`);
    rest = executed(rest, id, signed, constants);
  }
  return found;
}

/** Returns a refusal if this is not the token's next slot (protocol 3.1, 1a). */
export function tokenEffectRefusals(state: LedgerState, slot: TokenSlot): readonly string[] {
  const { version } = tokenStateOf(state, slot.token);
  return version === slot.version ? [] : [`version ${version} is next, not ${slot.version}`];
}

function short(id: string): string {
  return `${id.slice(0, 10)}…`;
}

function belongs(signed: SignedOperation, slot: TokenSlot, constants: Constants): boolean {
  return effectSlotOf(signed) === "token" && tokenOf(signed.operation, constants.addressOf) === slot.token;
}
