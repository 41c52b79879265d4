/** Items that a validator keeps in its collections, for the oracle of protocol 7.15. */
import type { Address, Hash } from "../core/base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation } from "../core/base/operation.ts";
import { type Slot, type SlotKey, slotKey } from "../core/base/slot.ts";
import { type Content, isChainContent } from "../core/validator/content.ts";
import { isSigned } from "../core/validator/mempool/budget.ts";
import { nextSlot } from "../core/validator/slot-position.ts";
import { operationsIn } from "../core/validator/slots/reason-check.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type {
  BudgetItem,
  MempoolState,
  PendingSubmission,
  SlotsState,
  SyncState,
} from "../core/validator/sub-states.ts";
import { slotOfTimer, timerOf } from "../core/validator/timer.ts";
import type { KeptItem, KeptSubject } from "../invariants/observation.ts";

/** Keys of what stands in a peer's budget or a client's queue, or follows from what is signed here: `<kind> <key>`. */
type OwnedKeys = ReadonlySet<string>;

/** Returns the items of a collection, each by its subjects. */
type Lister = (state: ValidatorState, owned: OwnedKeys) => readonly (readonly KeptSubject[])[];

type CollectionNames<S> = { [K in keyof S]: S[K] extends { entries(): unknown } ? K : never }[keyof S];

/** Collections that are bounded by the number of peers, accounts or open requests in other ways. */
type BoundedCollection = "chargedItems" | "pinned" | "budgets" | "ownersTurns" | "fetched" | "served" | "parts";

/** Each collection of the rooms that grow with the operations; the compiler names a new one. */
const LISTERS: Readonly<
  Record<
    Exclude<
      CollectionNames<MempoolState> | CollectionNames<SlotsState> | CollectionNames<SyncState>,
      BoundedCollection
    >,
    Lister
  > &
    Record<"states", Lister>
> = {
  pending: ({ mempool }, owned) =>
    mempool.pending
      .values()
      .map((submission) => [
        ...pendingSubjects(submission),
        ...subjectUnlessOwned(submission.isEntry || owned.has(`pending ${submission.id}`)),
      ]),
  pendingByAccount: ({ mempool }) => mempool.pendingByAccount.values().map((list) => list.flatMap(pendingSubjects)),
  subscribers: ({ mempool }) => mempool.subscribers.entries().map(([id]) => pendingSubjects(mempool.pending.get(id))),
  digests: ({ mempool }) =>
    mempool.digests.entries().map((entry) => [...nonceSubjects(entry), { of: "request", id: entry[1] }]),
  outcomes: ({ mempool }) =>
    mempool.outcomes.values().map((outcome) => {
      const { account, nonce } = outcome;
      const effect = outcome.type === "final" ? slotKeySubjects([outcome.receipt.slot]) : [];
      return [{ of: "nonce", account, nonce }, ...effect];
    }),
  records: ({ slots }, owned) =>
    slots.records
      .values()
      .map(({ slot }) => [...slotSubjects(slot), ...subjectUnlessOwned(owned.has(`record ${slotKey(slot)}`))]),
  contents: contentsSubjects,
  waiting: ({ slots, environment: { self } }, owned) =>
    slots.waiting
      .entries()
      .map(([key, { slot, from }]) => [
        ...slotSubjects(slot),
        ...subjectUnlessOwned(from === self || owned.has(`waiting ${key}`)),
      ]),
  reasons: ({ slots }, owned) =>
    slots.reasons
      .entries()
      .map(([key]) => [...slotKeySubjects([key]), ...subjectUnlessOwned(owned.has(`reason ${key}`))]),
  barriers: ({ slots }) => slots.barriers.entries().map(slotKeySubjects),
  dueSince: ({ slots }) => slots.dueSince.entries().map(([id]) => authorisedSubjects([id])),
  retries: ({ slots }, owned) =>
    slots.retries
      .entries()
      .map(([key]) => [
        ...slotKeySubjects([key]),
        ...subjectUnlessOwned(owned.has(`record ${key}`) || owned.has(`retry ${key}`)),
      ]),
  timers: ({ slots }) => slots.timers.entries().map(([name]) => slotKeySubjects([slotOfTimer(timerOf(name)) ?? ""])),
  missingContents: ({ sync }) => sync.missingContents.values().map(slotSubjects),
  log: ({ sync }) => sync.log.values().map(slotSubjects),
  states: ({ checkpoints }) => checkpoints.states.entries().map(([number]) => [{ of: "link", number }]),
};

/** Returns all that grows with the operations. O(n log n) in what the validator keeps. */
export function keptItems(state: ValidatorState): readonly KeptItem[] {
  const collections = Object.keys(LISTERS) as (keyof typeof LISTERS)[];
  const owned = findOwnedKeys(state);
  return collections.flatMap((collection) =>
    LISTERS[collection](state, owned).map((subjects) => ({ collection, subjects })),
  );
}

/**
 * Returns the subject of an item that a peer showed, and that neither a budget nor a signature made here accounts for.
 * What a validator shows itself, such as a proposal that waits for its clock, costs nothing (protocol 9.2).
 */
function subjectUnlessOwned(isOwned: boolean): readonly KeptSubject[] {
  return isOwned ? [] : [{ of: "nobody" }];
}

function findOwnedKeys(state: ValidatorState): OwnedKeys {
  const { mempool, slots, environment } = state;
  const owned = new Set(mempool.chargedItems.values().map(({ item }) => `${item.of} ${keyOf(item)}`));
  const { hashes } = environment;
  const addOperation = (signed: SignedOperation): void => void owned.add(`pending ${hashes.operationId(signed)}`);
  for (const { isEntry, account, submission } of mempool.pending.values()) {
    if (!isEntry) continue;
    owned.add(`retry ${slotKey(nextSlot(state, account))}`);
    if (isRecovery(submission)) for (const signed of Object.values(submission.evidence)) addOperation(signed);
    else owned.add(`content ${hashes.value(hashes.operationValue(submission))}`);
  }
  for (const hash of slots.pinned.keysWhere(() => true)) {
    owned.add(`content ${hash}`);
    for (const signed of slots.contents.get(hash)?.operations ?? []) addOperation(signed);
  }
  for (const [key, record] of slots.records.entries()) {
    if (record.decided === undefined && !isSigned(record)) continue;
    for (const kind of ["record", "reason"]) owned.add(`${kind} ${key}`);
    for (const reason of slots.reasons.get(key) ?? []) for (const signed of operationsIn(reason)) addOperation(signed);
  }
  const isOwn = (signed: SignedOperation): boolean => {
    const id = hashes.operationId(signed);
    return owned.has(`pending ${id}`) || mempool.pending.get(id)?.isEntry === true;
  };
  // Derived from operations that are kept in somebody's room.
  for (const [key, reasons] of slots.reasons.entries())
    if (reasons.flatMap(operationsIn).every(isOwn)) owned.add(`reason ${key}`);
  return owned;
}

function keyOf(item: BudgetItem): string {
  switch (item.of) {
    case "pending":
      return item.id;
    case "content":
      return item.value;
    case "waiting":
      return item.key;
    case "reason":
    case "record":
      return item.slot;
  }
}

function pendingSubjects(pending: PendingSubmission | undefined): readonly KeptSubject[] {
  if (pending === undefined) return [];
  const { account, nonce, id } = pending;
  return [{ of: "nonce", account, nonce }, ...authorisedSubjects([id])];
}

function nonceSubjects([key]: readonly [string, unknown]): readonly KeptSubject[] {
  const [account = "", nonce = ""] = key.split(" ");
  return [{ of: "nonce", account: account as Address, nonce: Number(nonce) }];
}

function slotKeySubjects([slot]: readonly [SlotKey, unknown?]): readonly KeptSubject[] {
  return [{ of: "slot", slot }];
}

function slotSubjects(slot: Slot): readonly KeptSubject[] {
  return slotKeySubjects([slotKey(slot)]);
}

function authorisedSubjects(ids: readonly OperationId[]): readonly KeptSubject[] {
  return ids.map((id) => ({ of: "authorised", id }));
}

/** A content is kept for the slot that it decided, for each of its operations, or as a link of the chain. */
function contentsSubjects(
  { slots: { contents, records } }: ValidatorState,
  owned: OwnedKeys,
): readonly (readonly KeptSubject[])[] {
  const deciding = new Map<Hash, Slot>();
  for (const { slot, decided } of records.values()) if (decided !== undefined) deciding.set(decided.value, slot);
  return contents.entries().map(([hash, content]) => {
    const slot = deciding.get(hash);
    const isOwned = isChainContent(content) || owned.has(`content ${hash}`);
    return [
      ...(slot === undefined ? [] : slotSubjects(slot)),
      ...contentSubjects(content),
      ...subjectUnlessOwned(isOwned),
    ];
  });
}

function contentSubjects(content: Content): readonly KeptSubject[] {
  if (isChainContent(content)) return [{ of: "link", number: content.value.header.number }];
  const { value, operations } = content;
  const nonces = operations.map(
    ({ sender, operation }): KeptSubject => ({ of: "nonce", account: sender, nonce: operation.nonce }),
  );
  if (value.type === "list") return [...nonces, ...authorisedSubjects(value.ids)];
  return value.type === "operation" || value.type === "burn" ? [...nonces, ...authorisedSubjects([value.id])] : nonces;
}
