/**
 * Checks and choice of values that carry out authorised operations: forced burns in account slots (protocol 5), ordered
 * lists in token slots (protocol 3, below the table), with the restrictions that lists make (protocol 4.2, Barrier).
 */
import type { Address } from "../base/ids.ts";
import type { Burn, Clawback, OperationId, SignedOperation } from "../base/operation.ts";
import type { Policies } from "../base/policies.ts";
import { ACCEPT, type CheckResult, refuseProposal, wait } from "../base/refusal.ts";
import { accountSlot, type BurnOutcome, type BurnValue, type TokenSlot } from "../base/slot.ts";
import { authorisedKey, dueOperations, dueOperationsOfSigner, findAuthorised } from "./authorised.ts";
import { LIST_WAIT_MS } from "./limits.ts";
import { effectSlotOf, restrictionOf } from "./operations/kinds.ts";
import { type AuthorisedOperation, accountOf, balanceOf, type LedgerState, tokenOf, versionOf } from "./state.ts";
import { lowersAllowance, type Restriction } from "./token.ts";

/** Authorised operation that debits an account other than its signer's. */
export type DueBurn = Readonly<{ entry: AuthorisedOperation; debit: Burn | Clawback }>;

/** Returns the burn with this id; `undefined` if it is not yet due for the account, or no longer. */
export function findDueBurn(state: LedgerState, account: Address, id: OperationId): DueBurn | undefined {
  const entry = findAuthorised(state, id);
  const operation = entry?.signed.operation;
  if (entry === undefined || (operation?.kind !== "burn" && operation?.kind !== "clawback")) return undefined;
  const target = effectSlotOf(entry.signed);
  return target.kind === "account" && target.address === account ? { entry, debit: operation } : undefined;
}

/** Returns the outcome that this state shows, `undefined` if the burn is not due for this account (protocol 5). */
export function burnOutcome(state: LedgerState, account: Address, id: OperationId): BurnOutcome | undefined {
  const due = findDueBurn(state, account, id);
  if (due === undefined) return undefined;
  if (tokenOf(state, due.debit.token)?.isPaused === true) return "paused";
  return balanceOf(state, account, due.debit.token) >= due.debit.value ? "burned" : "failed";
}

/**
 * Accepts a burn in the account's next slot if it is due for it, the first of its authority's burns there, and has the
 * outcome that the state here shows; a barrier's pause forbids `burned`. Waits for the authorisation and for the outcome,
 * since missing credits and decisions of the token arrive (protocol 5).
 */
export function checkBurn(
  state: LedgerState,
  barrier: readonly Restriction[],
  account: Address,
  value: BurnValue,
  rules: { readonly burnOutcome: typeof burnOutcome },
): CheckResult {
  const due = findDueBurn(state, account, value.id);
  if (due === undefined) return wait({ code: "resource_authorisation_not_found", id: value.id });
  const slot = accountSlot(account, accountOf(state, account).sequence);
  const [first] = dueOperationsOfSigner(state, slot, due.entry.signed.sender);
  if (first?.id !== value.id) {
    return refuseProposal("an earlier burn of the same authority is due first");
  }
  const isPausedByBarrier = barrier.some(({ type, token }) => type === "pause" && token === due.debit.token);
  const expected =
    isPausedByBarrier && value.outcome === "burned" ? "paused" : rules.burnOutcome(state, account, value.id);
  if (expected === undefined || expected === value.outcome) return ACCEPT;
  return wait({ code: "business_burn_outcome", id: value.id, expected, got: value.outcome });
}

/**
 * Accepts a list in the token's next slot if it is not empty, has at most `limit` operations, each id once, all of this
 * token and authorised, and each after everything earlier of the same signer. Waits for an authorisation that has not been
 * applied here.
 */
export function checkList(state: LedgerState, token: Address, ids: readonly OperationId[], limit: number): CheckResult {
  if (ids.length === 0) return refuseProposal("the list is empty");
  if (ids.length > limit) return refuseProposal(`the list has ${ids.length} operations, at most ${limit} are allowed`);
  const entries: AuthorisedOperation[] = [];
  for (const id of ids) {
    const entry = findAuthorised(state, id);
    if (entry === undefined) return wait({ code: "resource_authorisation_not_found", id });
    entries.push(entry);
  }
  if (tokenOf(state, token) === undefined && entries[0]?.signed.operation.kind !== "issue") {
    return refuseProposal("the token has not been issued, and the list does not begin with its issue");
  }
  return checkOrder(state, nextTokenSlot(state, token), entries);
}

/** Accepts a list if each signer's operations in it are the first of that signer's waiting operations for the token. */
function checkOrder(state: LedgerState, slot: TokenSlot, entries: readonly AuthorisedOperation[]): CheckResult {
  const waiting = new Map<Address, IterableIterator<AuthorisedOperation>>();
  for (const entry of entries) {
    const { sender } = entry.signed;
    const remaining = waiting.get(sender) ?? dueOperationsOfSigner(state, slot, sender).values();
    waiting.set(sender, remaining);
    const due = remaining.next().value;
    if (due?.id !== entry.id) return refuseProposal(`operation ${entry.id} does not follow its signer's order`);
  }
  return ACCEPT;
}

/**
 * Returns an honest proposer's list for the token's next slot, at most `limit` long and empty if nothing waits: an
 * issue that the token still lacks, then operations that have waited for `LIST_WAIT_MS`, so that restrictions starve
 * nothing, then restrictions, then the rest. Within a group older operations come first (`ageOf` returns milliseconds),
 * then lower keys. Each operation follows all earlier ones of its signer (protocol 3).
 */
export function chooseList(
  state: LedgerState,
  token: Address,
  ageOf: (id: OperationId) => number,
  limit: number,
): readonly OperationId[] {
  const slot = nextTokenSlot(state, token);
  const ranked = dueOperations(state, slot)
    .map((entry) => ({ entry, age: ageOf(entry.id), key: authorisedKey(entry) }))
    .map((candidate) => ({ ...candidate, rank: rankOf(state, candidate.entry, candidate.age) }))
    .sort((a, b) => a.rank - b.rank || b.age - a.age || (a.key < b.key ? -1 : 1));
  const chosenIds = new Set<OperationId>();
  for (const { entry } of ranked) {
    for (const earlier of dueOperationsOfSigner(state, slot, entry.signed.sender)) {
      if (earlier.sequence > entry.sequence) break;
      if (chosenIds.size >= limit) return [...chosenIds];
      chosenIds.add(earlier.id);
    }
  }
  return [...chosenIds];
}

function rankOf(state: LedgerState, entry: AuthorisedOperation, age: number): number {
  if (entry.signed.operation.kind === "issue") return 0;
  if (age >= LIST_WAIT_MS) return 1;
  return isRestriction(state, entry.signed) ? 2 : 3;
}

function nextTokenSlot(state: LedgerState, token: Address): TokenSlot {
  return { kind: "token", token, version: versionOf(state, token) };
}

/**
 * Returns the restrictions that a list of operations would make, in its order, even if some of them will fail. They
 * follow from the operations and the policies of the genesis, so that a barrier can be derived before the state that it
 * restricts (protocol 4.2).
 */
export function restrictionsOf(operations: readonly SignedOperation[], policies: Policies): readonly Restriction[] {
  return operations.flatMap((signed) => restrictionOf(signed, policies) ?? []);
}

/** Returns true if an operation would restrict the token in this state: a grant does if it lowers an allowance. */
export function isRestriction(state: LedgerState, signed: SignedOperation): boolean {
  const restriction = restrictionOf(signed, state.policies);
  if (restriction?.type !== "allowance") return restriction !== undefined;
  const policy = tokenOf(state, restriction.token);
  return policy !== undefined && lowersAllowance(state, policy, restriction);
}
