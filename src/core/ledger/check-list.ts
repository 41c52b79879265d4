/**
 * Checks and choice of ordered lists of authorised operations, the values of token slots (protocol 3, below the table).
 */
import type { Address } from "../base/ids.ts";
import type { OperationId } from "../base/operation.ts";
import type { CheckResult } from "../base/refusal.ts";
import type { TokenSlot } from "../base/slot.ts";
import { isRestriction } from "./barrier.ts";
import { ACCEPT, refuse, wait } from "./check-result.ts";
import { LIST_WAIT_MS } from "./limits.ts";
import {
  type Authorised,
  authorisedKey,
  dueFor,
  dueOfSigner,
  findAuthorised,
  type LedgerState,
  tokenOf,
  versionOf,
} from "./state.ts";

/**
 * Accepts a list in the token's next slot if it is not empty, has at most `limit` operations, each id once, all of this
 * token and authorised, and each after everything earlier of the same signer. Waits for an authorisation not yet here.
 */
export function checkList(state: LedgerState, token: Address, ids: readonly OperationId[], limit: number): CheckResult {
  if (ids.length === 0) return invalid("the list is empty");
  if (ids.length > limit) return invalid(`the list has ${ids.length} operations, at most ${limit} are allowed`);
  const entries: Authorised[] = [];
  for (const id of ids) {
    const entry = findAuthorised(state, id);
    if (entry === undefined) return wait({ code: "resource_authorisation_not_found", id });
    entries.push(entry);
  }
  if (tokenOf(state, token) === undefined && entries[0]?.signed.operation.kind !== "issue") {
    return invalid("the token has not been issued, and the list does not begin with its issue");
  }
  return checkOrder(state, nextSlot(state, token), entries);
}

/**
 * Each signer's part of the list must be a prefix of that signer's waiting operations for this token, in the signer's
 * order.
 */
function checkOrder(state: LedgerState, slot: TokenSlot, entries: readonly Authorised[]): CheckResult {
  const waiting = new Map<Address, IterableIterator<Authorised>>();
  for (const entry of entries) {
    const { sender } = entry.signed;
    const rest = waiting.get(sender) ?? dueOfSigner(state, slot, sender).values();
    waiting.set(sender, rest);
    const due = rest.next().value;
    if (due?.id !== entry.id) return invalid(`operation ${entry.id} does not follow its signer's order`);
  }
  return ACCEPT;
}

/**
 * Returns an honest proposer's list for the token's next slot, at most `limit` long and empty if nothing waits: an
 * issue that the token still lacks, then operations that have waited for `LIST_WAIT_MS`, so that restrictions starve
 * nothing, then restrictions, then the rest; the older first (a greater `age`, in ms), then by key; each after
 * everything earlier of the same signer (protocol 3).
 */
export function chooseList(
  state: LedgerState,
  token: Address,
  age: (id: OperationId) => number,
  limit: number,
): readonly OperationId[] {
  const slot = nextSlot(state, token);
  const ranked = dueFor(state, slot)
    .map((entry) => ({ entry, age: age(entry.id), key: authorisedKey(entry) }))
    .map((one) => ({ ...one, rank: rankOf(state, one.entry, one.age) }))
    .sort((a, b) => a.rank - b.rank || b.age - a.age || (a.key < b.key ? -1 : 1));
  const chosen = new Set<OperationId>();
  for (const { entry } of ranked) {
    for (const earlier of dueOfSigner(state, slot, entry.signed.sender)) {
      if (earlier.sequence > entry.sequence) break;
      if (chosen.size >= limit) return [...chosen];
      chosen.add(earlier.id);
    }
  }
  return [...chosen];
}

function rankOf(state: LedgerState, entry: Authorised, age: number): number {
  if (entry.signed.operation.kind === "issue") return 0;
  if (age >= LIST_WAIT_MS) return 1;
  return isRestriction(state, entry.signed) ? 2 : 3;
}

function nextSlot(state: LedgerState, token: Address): TokenSlot {
  return { kind: "token", token, version: versionOf(state, token) };
}

function invalid(reason: string): CheckResult {
  return refuse({ code: "validation_proposal", reason });
}
