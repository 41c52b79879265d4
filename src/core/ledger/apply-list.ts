/** Application of an ordered list of authorised operations in a token's slot (protocol 4.1). */
import { next } from "../base/ids.ts";
import type { Receipt } from "../base/refusal.ts";
import { type ListValue, slotKey, type TokenSlot } from "../base/slot.ts";
import { type Applied, applied, impossible, waiting } from "./applied.ts";
import { removeAuthorised } from "./authorised-set.ts";
import { effectSlotOf } from "./effect-slot.ts";
import { type executeOne, withToken } from "./execute.ts";
import { type Authorised, findAuthorised, type LedgerState, tokenOf } from "./state.ts";

/**
 * Executes the list in its order, each operation on the state that the ones before it left, with a receipt for each;
 * the version rises by one. Waits until every operation is authorised here too. Impossible if it lists an operation
 * twice or one of another slot, or if the token does not exist afterwards (`checkList`).
 */
export function applyList(state: LedgerState, slot: TokenSlot, value: ListValue, execute: typeof executeOne): Applied {
  const missing = value.ids.find((id) => findAuthorised(state, id) === undefined);
  if (missing !== undefined) return waiting({ code: "resource_authorisation_not_found", id: missing });
  const receipts: Receipt[] = [];
  let current = state;
  for (const id of value.ids) {
    const entry = findAuthorised(current, id);
    if (entry === undefined) return impossible(`operation ${id} is listed twice`);
    if (!isDueIn(slot, entry)) return impossible(`operation ${id} takes effect in another sequence`);
    const executed = execute(removeAuthorised(current, entry), slot.token, entry, slotKey(slot));
    receipts.push(executed.receipt);
    current = executed.state;
  }
  const policy = tokenOf(current, slot.token);
  if (policy === undefined) return impossible(`token ${slot.token} does not exist after its list`);
  return applied(withToken(current, slot.token, { ...policy, version: next(policy.version) }), receipts);
}

function isDueIn({ token }: TokenSlot, { signed }: Authorised): boolean {
  const target = effectSlotOf(signed);
  return target.where === "token" && target.token === token;
}
