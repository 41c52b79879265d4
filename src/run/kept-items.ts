/** Items that a validator keeps in its collections, for the oracle of protocol 7.15. */
import type { Address, Hash } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import { type Slot, type SlotKey, slotKey } from "../core/base/slot.ts";
import { type Content, isChainContent } from "../core/validator/content.ts";
import type { ValidatorState } from "../core/validator/state.ts";
import type { MempoolState, Pending, SlotsState, SyncState } from "../core/validator/sub-states.ts";
import type { KeptItem, KeptSubject } from "../invariants/observation.ts";

/** Returns the items of a collection, each by its subjects. */
type Lister = (state: ValidatorState) => readonly (readonly KeptSubject[])[];

type NamesOf<S> = { [K in keyof S]: S[K] extends { entries(): unknown } ? K : never }[keyof S];

/** Collections that are bounded by the number of peers, accounts or open requests in other ways. */
type Bounded = "shown" | "pinned" | "budgets" | "ownersTurns" | "fetched" | "served";

/** Each collection of the rooms that grow with the operations; the compiler names a new one. */
const LISTERS: Readonly<
  Record<Exclude<NamesOf<MempoolState> | NamesOf<SlotsState> | NamesOf<SyncState>, Bounded>, Lister> &
    Record<"states", Lister>
> = {
  pending: ({ mempool }) => mempool.pending.values().map(ofPending),
  pendingByAccount: ({ mempool }) => mempool.pendingByAccount.values().map((list) => list.flatMap(ofPending)),
  subscribers: ({ mempool }) => mempool.subscribers.entries().map(([id]) => ofPending(mempool.pending.get(id))),
  digests: ({ mempool }) => mempool.digests.entries().map(ofNonceKey),
  outcomes: ({ mempool }) =>
    mempool.outcomes.values().map((outcome) => {
      const { account, nonce } = outcome;
      const effect = outcome.type === "final" ? ofSlotKey([outcome.receipt.slot]) : [];
      return [{ of: "nonce", account, nonce }, ...effect];
    }),
  records: ({ slots }) => slots.records.values().map(({ slot }) => ofSlot(slot)),
  contents: ofContents,
  waiting: ({ slots }) => slots.waiting.values().map(({ slot }) => ofSlot(slot)),
  evidence: ({ slots }) => slots.evidence.entries().map(ofNonceKey),
  reasons: ({ slots }) => slots.reasons.entries().map(ofSlotKey),
  barriers: ({ slots }) => slots.barriers.entries().map(ofSlotKey),
  dueSince: ({ slots }) => slots.dueSince.entries().map(([id]) => authorised([id])),
  retries: ({ slots }) => slots.retries.entries().map(ofSlotKey),
  timers: ({ slots }) => slots.timers.entries().map(([name]) => ofSlotKey([name.split(" ")[1] ?? ""])),
  missingContents: ({ sync }) => sync.missingContents.values().map(ofSlot),
  log: ({ sync }) => sync.log.values().map(ofSlot),
  states: ({ checkpoints }) => checkpoints.states.entries().map(([number]) => [{ of: "link", number }]),
};

/** Returns all that grows with the operations. O(n log n) in what the validator keeps. */
export function keptItems(state: ValidatorState): readonly KeptItem[] {
  const collections = Object.keys(LISTERS) as (keyof typeof LISTERS)[];
  return collections.flatMap((collection) => LISTERS[collection](state).map((subjects) => ({ collection, subjects })));
}

function ofPending(known: Pending | undefined): readonly KeptSubject[] {
  if (known === undefined) return [];
  const { account, nonce, id } = known;
  return [{ of: "nonce", account, nonce }, ...authorised([id])];
}

function ofNonceKey([key]: readonly [string, unknown]): readonly KeptSubject[] {
  const [account = "", nonce = ""] = key.split(" ");
  return [{ of: "nonce", account: account as Address, nonce: Number(nonce) }];
}

function ofSlotKey([slot]: readonly [SlotKey, unknown?]): readonly KeptSubject[] {
  return [{ of: "slot", slot }];
}

function ofSlot(slot: Slot): readonly KeptSubject[] {
  return ofSlotKey([slotKey(slot)]);
}

function authorised(ids: readonly OperationId[]): readonly KeptSubject[] {
  return ids.map((id) => ({ of: "authorised", id }));
}

/** A content is kept for the slot that it decided, for each of its operations, or as a link of the chain. */
function ofContents({ slots: { contents, records } }: ValidatorState): readonly (readonly KeptSubject[])[] {
  const deciding = new Map<Hash, Slot>();
  for (const { slot, decided } of records.values()) if (decided !== undefined) deciding.set(decided.value, slot);
  return contents.entries().map(([hash, content]) => {
    const slot = deciding.get(hash);
    return [...(slot === undefined ? [] : ofSlot(slot)), ...ofContent(content)];
  });
}

function ofContent(content: Content): readonly KeptSubject[] {
  if (isChainContent(content)) return [{ of: "link", number: content.value.header.number }];
  const { value, operations } = content;
  const nonces = operations.map(
    ({ sender, operation }): KeptSubject => ({ of: "nonce", account: sender, nonce: operation.nonce }),
  );
  if (value.type === "list") return [...nonces, ...authorised(value.ids)];
  return value.type === "operation" || value.type === "burn" ? [...nonces, ...authorised([value.id])] : nonces;
}
