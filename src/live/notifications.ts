/** Notifications of a served network: their order for one operation, and the progress of the agreement on open slots. */
import { entryOf } from "../core/base/entry.ts";
import type { Address, Epoch, Hash } from "../core/base/ids.ts";
import type { OperationId } from "../core/base/operation.ts";
import type { RefusalCode } from "../core/base/refusal.ts";
import { isChainSlot, type SlotKey, slotKey, type Value } from "../core/base/slot.ts";
import type { StatementContent } from "../core/consensus/message.ts";
import type { Content } from "../core/validator/content.ts";
import type { HashCache } from "../core/validator/hash-cache.ts";
import type { Finding } from "../invariants/judge.ts";
import type { ChainLink } from "../run/checkpoint-chain.ts";
import type { NodeView } from "../simulator/listener.ts";
import type { NodeName } from "../simulator/settings.ts";
import type { ArchivedSubmission, FinalRecord } from "./archive.ts";

export type Notification =
  | { readonly type: "checkpoint"; readonly link: ChainLink }
  /** A validator has admitted the operation. */
  | { readonly type: "submitted"; readonly copy: ArchivedSubmission; readonly node: NodeName }
  /** Number of validators that have voted for the operation in its slot. */
  | {
      readonly type: "signed";
      readonly id: OperationId;
      readonly signers: number;
      readonly validators: number;
      readonly round: number;
    }
  /** The first validator has committed: it has seen a lock certificate. */
  | { readonly type: "locked"; readonly id: OperationId; readonly round: number }
  | { readonly type: "final"; readonly id: OperationId; readonly final: FinalRecord }
  | { readonly type: "superseded"; readonly id: OperationId; readonly by: OperationId }
  | { readonly type: "void"; readonly id: OperationId; readonly epoch: Epoch }
  | { readonly type: "refused"; readonly id: OperationId; readonly code: RefusalCode; readonly node: NodeName }
  | { readonly type: "violation"; readonly finding: Finding };

type SignedNotification = Extract<Notification, { type: "signed" }>;

/** Votes that wait for the notification before them, by operation. */
type EarlyVotes = ReadonlyMap<OperationId, readonly SignedNotification[]>;

export type OrderedNotifications = ReturnType<typeof orderNotifications>;

/**
 * The entry validator votes before it responds that it has admitted an operation: votes are reported after `submitted`,
 * or before the next notification of an operation that no client submitted here. `isKnown`: whether it was submitted.
 */
export function orderNotifications(
  notify: (notification: Notification) => void,
  isKnown: (id: OperationId) => boolean,
) {
  let early = new Map<OperationId, readonly SignedNotification[]>();
  const reportEarly = (id: OperationId): void => {
    const votes = early.get(id) ?? [];
    early.delete(id);
    for (const vote of votes) notify(vote);
  };
  /** Passes a notification on in its order. */
  const report = (notification: Notification): void => {
    switch (notification.type) {
      case "checkpoint":
      case "violation":
        notify(notification);
        return;
      case "signed":
        if (isKnown(notification.id)) notify(notification);
        else early.set(notification.id, [...(early.get(notification.id) ?? []), notification]);
        return;
      case "submitted":
        notify(notification);
        reportEarly(notification.copy.id);
        return;
      default:
        reportEarly(notification.id);
        notify(notification);
    }
  };
  return {
    report,
    capture: (): EarlyVotes => new Map(early),
    restore: (captured: EarlyVotes): void => {
      early = new Map(captured);
    },
  };
}

interface VoteCount {
  readonly voters: Set<Address>;
  isLocked: boolean;
}

/** State of the progress of open slots. */
export interface ProgressState {
  readonly open: ReadonlyMap<SlotKey, ReadonlyMap<string, VoteCount>>;
  readonly named: ReadonlyMap<Hash, readonly OperationId[]>;
}

export class SlotProgress {
  readonly #hashes: Pick<HashCache, "value">;
  readonly #notify: (notification: Notification) => void;
  /** By slot, then by round and value: dropped when the slot is applied. */
  #open = new Map<SlotKey, Map<string, VoteCount>>();
  /** Operations that a value decides, by its hash; dropped with its slot. */
  #named = new Map<Hash, readonly OperationId[]>();
  readonly #isDecided: (slot: SlotKey, id: OperationId) => boolean;

  constructor(
    hashes: Pick<HashCache, "value">,
    isDecided: (slot: SlotKey, id: OperationId) => boolean,
    notify: (notification: Notification) => void,
  ) {
    this.#hashes = hashes;
    this.#isDecided = isDecided;
    this.#notify = notify;
  }

  /** Records the content of a value hash. */
  noteContent({ value }: Content): void {
    const ids = idsOf(value);
    if (ids.length > 0) this.#named.set(this.#hashes.value(value), ids);
  }

  /** Forgets values that were decided long ago: their contents come again in checkpoints. */
  forget(values: readonly Hash[]): void {
    for (const value of values) this.#named.delete(value);
  }

  /** Counts a signature of a validator. `validators`: size of its committee. */
  signed({ key }: NodeView, body: StatementContent, validators: number): void {
    if ((body.type !== "vote" && body.type !== "commit") || isChainSlot(body.slot)) return;
    const slot = slotKey(body.slot);
    const ids = (this.#named.get(body.value) ?? []).filter((id) => !this.#isDecided(slot, id));
    if (ids.length === 0) return;
    const { round } = body;
    const ofSlot = entryOf(this.#open, slot, () => new Map<string, VoteCount>());
    const counted = entryOf(ofSlot, `${round} ${body.value}`, () => ({ voters: new Set<Address>(), isLocked: false }));
    if (body.type === "vote" && !counted.voters.has(key)) {
      counted.voters.add(key);
      for (const id of ids) this.#notify({ type: "signed", id, signers: counted.voters.size, validators, round });
    } else if (body.type === "commit" && !counted.isLocked) {
      counted.isLocked = true;
      for (const id of ids) this.#notify({ type: "locked", id, round });
    }
  }

  /** Returns a copy of its state. O(open slots). */
  capture(): ProgressState {
    return { open: structuredClone(this.#open), named: new Map(this.#named) };
  }

  /** Returns to a captured state, which stays as it is. */
  restore({ open, named }: ProgressState): void {
    this.#open = structuredClone(open) as Map<SlotKey, Map<string, VoteCount>>;
    this.#named = new Map(named);
  }

  /** Stops counting in a slot that is decided and applied. */
  stopCounting(slot: SlotKey): void {
    for (const key of this.#open.get(slot)?.keys() ?? []) this.#named.delete(key.split(" ")[1] as Hash);
    this.#open.delete(slot);
  }
}

function idsOf(value: Value): readonly OperationId[] {
  if (value.type === "list") return value.ids;
  return value.type === "checkpoint" || value.type === "closing" ? [] : [value.id];
}
