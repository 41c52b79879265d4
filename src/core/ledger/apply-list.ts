/** An ordered list of authorised operations in a token's slot (design 4.1). */
import { present } from "../base/assert.ts";
import { next } from "../base/ids.ts";
import type { Receipt } from "../base/receipt.ts";
import { type ListValue, slotKey, type TokenSlot } from "../base/slot.ts";
import { type Applied, applied, waiting } from "./applied.ts";
import { leave } from "./authorise.ts";
import { type executeOne, withToken } from "./execute.ts";
import { findAuthorised, type LedgerState, tokenOf } from "./state.ts";

/**
 * Executes the list in its order, each operation against what the ones before it left, with a receipt for each; the
 * version rises by one. Waits until every operation is authorised here too. @throws AssertionError where the token
 * does not exist afterwards: no honest validator votes for such a list (`checkList`).
 */
export function applyList(state: LedgerState, slot: TokenSlot, value: ListValue, execute: typeof executeOne): Applied {
  const missing = value.ids.find((id) => findAuthorised(state, id) === undefined);
  if (missing !== undefined) return waiting({ code: "resource_authorisation_not_found", id: missing });
  const receipts: Receipt[] = [];
  let current = state;
  for (const id of value.ids) {
    const entry = present(findAuthorised(current, id), `operation ${id} of ${slotKey(slot)}`);
    const executed = execute(leave(current, entry), slot.token, entry, slotKey(slot));
    receipts.push(executed.receipt);
    current = executed.state;
  }
  const policy = present(tokenOf(current, slot.token), `token ${slot.token} after its list`);
  return applied(withToken(current, slot.token, { ...policy, version: next(policy.version) }), receipts);
}
