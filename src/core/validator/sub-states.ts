/**
 * Sub-states of a validator: one record for each room, written by the files of that room only. Collections are
 * persistent, so a fork copies these records and shares the rest.
 */
import type { Address, Epoch, Hash, Millis, Nonce } from "../base/ids.ts";
import type { OperationId, Submission } from "../base/operation.ts";
import type { Receipt } from "../base/refusal.ts";
import type { ChainSlot, CheckpointHeader, LedgerSlot, Slot } from "../base/slot.ts";
import { Trie } from "../base/trie.ts";
import { UndoMap } from "../base/undo-map.ts";
import type { Close, FinalityCertificate } from "../consensus/message.ts";
import type { SlotState } from "../consensus/slot-state.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { Restriction } from "../ledger/token.ts";
import type { ChainContent, Content } from "./content.ts";
import type { EpochLink, Peer, Reason, SlotReason } from "./message.ts";
import type { CloseRecord } from "./output.ts";

/** Submission that has no outcome yet. */
export interface Pending {
  readonly submission: Submission;
  /** Other validators may have seen it: it is never answered as refused undisclosed (protocol 4.2). */
  readonly disclosed: boolean;
  /** This validator is its entry validator, and so its relay. */
  readonly isEntry: boolean;
  /** Its key in the queue of disclosed operations; `undefined` for one that is never evicted. */
  readonly queueKey: string | undefined;
  /** True if enough disclosed operations of its nonce were known when it came: it then has no priority. */
  readonly isSurplus: boolean;
}

/** Counts of the pending operations of one account, by origin. */
export interface PendingCounts {
  readonly submitted: number;
  readonly disclosed: number;
}

/** Certificate that decides a receipt's slot, or a checkpoint that lists it; `content` is the content it decides. */
export interface FinalProof {
  readonly certificate: FinalityCertificate;
  readonly content: Content;
}

/** Outcome of an operation with the account and nonce that it used, by which it is pruned. */
export type Outcome = { readonly of: { readonly account: Address; readonly nonce: Nonce } } & (
  | ({ readonly type: "final"; readonly receipt: Receipt } & FinalProof)
  | { readonly type: "superseded"; readonly by: OperationId }
  /** A cancellation or recovery that came too late. */
  | { readonly type: "late"; readonly by: OperationId }
);

/** Submissions of clients and disclosed operations, their outcomes and their subscribers. */
export interface MempoolState {
  pending: Trie<Pending>;
  /** Pending ids by `<sender> <nonce> <id>`. */
  pendingByNonce: Trie<OperationId>;
  /** Number of them that clients submitted here. */
  entryCount: number;
  /** The same for each account, with the number of disclosed ones. */
  pendingCounts: Trie<PendingCounts>;
  /** Pending ids that may be evicted, by `<priority> <queue key>`: the first one goes first. */
  evictable: Trie<OperationId>;
  /** Number of queue keys assigned so far. */
  queueKeys: number;
  /** Highest nonce of which an operation was evicted or rejected because a queue was full, by account. */
  evicted: Trie<Nonce>;
  /**
   * Id under which a sender's signed digest was first admitted here; disclosure alone does not count:
   * `business_signature_reused` (wire 3.9).
   */
  digests: UndoMap<OperationId>;
  /**
   * Disclosed operations that an epoch's end made void, by `<sender> <nonce> <id>`: peers may relay them in the next
   * epoch.
   */
  voided: Trie<true>;
  outcomes: UndoMap<Outcome>;
  /** Clients subscribed to an operation: `<id> <client>`. */
  subscribers: Trie<string>;
}

/** Returns the sub-state without any submission. */
export function emptyMempool(): MempoolState {
  return {
    pending: Trie.empty(),
    pendingByNonce: Trie.empty(),
    entryCount: 0,
    pendingCounts: Trie.empty(),
    evictable: Trie.empty(),
    queueKeys: 0,
    evicted: Trie.empty(),
    digests: UndoMap.empty(),
    voided: Trie.empty(),
    outcomes: UndoMap.empty(),
    subscribers: Trie.empty(),
  };
}

/** Value that cannot be checked yet (protocol 4.2). */
export interface Waiting {
  readonly slot: Slot;
  readonly value: Hash;
  readonly from: Peer;
  readonly until: Millis;
}

/** Equivocation proof, and since when it is known here. */
export interface Evidence {
  readonly since: Millis;
  readonly reason: Extract<Reason, { kind: "equivocation" }>;
}

/** The owner's turn after a forced burn. */
export interface OwnersTurn {
  readonly until: Millis;
  /** Burns in a row that displaced an operation of the owner. */
  readonly displaced: number;
  /** Authority of the last burn: another one's comes next. */
  readonly authority: Address;
}

/** Records of slots, contents of values, and what waits for a slot. */
export interface SlotsState {
  records: UndoMap<SlotState>;
  /** By value hash; all verified. */
  contents: UndoMap<Content>;
  waiting: Trie<Waiting>;
  /** Equivocation proofs and when each was first seen: `<account> <nonce>`. */
  evidence: Trie<Evidence>;
  /** Reasons for which slots left round 0 or should, by slot: at most one of each kind, by precedence. */
  reasons: Trie<readonly SlotReason[]>;
  /** Restrictions committed to and not yet applied, one entry per token slot (protocol 4.2, Barrier). */
  barriers: Trie<readonly Restriction[]>;
  /** Time since which an authorised operation is due here, by its id. */
  dueSince: Trie<Millis>;
  /** Accounts with a forced burn decided, until the owner has had its turn and no burn is due (protocol 5). */
  ownersTurns: Trie<OwnersTurn>;
  /** Decided slots that could not be applied at once, because funds, content or an authorisation were missing. */
  stalled: Trie<true>;
  /** Number of times that a slot's retry timer has fired. */
  retries: Trie<number>;
  /** Round timers that are set, by name. */
  timers: Trie<true>;
}

/** Returns the sub-state without any slot. */
export function emptySlots(): SlotsState {
  return {
    records: UndoMap.empty(),
    contents: UndoMap.empty(),
    waiting: Trie.empty(),
    evidence: Trie.empty(),
    reasons: Trie.empty(),
    barriers: Trie.empty(),
    dueSince: Trie.empty(),
    ownersTurns: Trie.empty(),
    stalled: Trie.empty(),
    retries: Trie.empty(),
    timers: Trie.empty(),
  };
}

/** Last chain link that a validator has applied. The genesis is number 0. */
export interface Checkpointed {
  readonly slot: ChainSlot;
  readonly hash: Hash;
  readonly header: CheckpointHeader;
  /** State after it. */
  readonly state: LedgerState;
  /** Time of its application here. */
  readonly since: Millis;
}

/** Chain of final checkpoints and closings. */
export interface CheckpointsState {
  /** Last chain link that is applied here. */
  last: Checkpointed;
  /** States after the last chain links, by digits of their numbers. */
  states: Trie<LedgerState>;
}

/** Closing of the present epoch, and the closings of earlier ones. */
export interface EpochsState {
  /** Its close of the epoch: from then on it signs nothing else there except about the closing (protocol 6.3). */
  closed: Omit<CloseRecord, "of"> | undefined;
  /** Closes of this epoch, by signer. */
  closes: Trie<Close>;
  /** Closings that are applied here, by digits of their epochs: they chain the committees. */
  links: Trie<EpochLink>;
}

/** Returns the sub-state before any closing. */
export function emptyEpochs(): EpochsState {
  return { closed: undefined, closes: Trie.empty(), links: Trie.empty() };
}

/** Position of this validator in a peer's application log. */
export interface Cursor {
  readonly incarnation: number;
  readonly position: number;
}

/** Exchange with peers: requests, status, application log, and the epochs in which it may sign. */
export interface SyncState {
  /** Slots that wait for a value's content: `<value> <slot>`. */
  missingContents: Trie<Slot>;
  /** Time of the last request for a gap. */
  fetched: Trie<Millis>;
  /** Applied slots that no applied checkpoint lists, in order of application, by digits of their position. */
  log: UndoMap<LedgerSlot>;
  /** First position of the log; the slots of all earlier positions are listed. */
  logStart: number;
  /** Number of applied slots: the position of the next one. */
  applied: number;
  /** Sum of the fingerprints of the slots in the log: equal sets, equal digests. */
  logDigest: number;
  incarnation: number;
  cursors: Trie<Cursor>;
  /** Pause before the next status exchange, in virtual milliseconds. */
  pause: number;
  /** Number of status exchanges so far: the next one goes to the next peer. */
  index: number;
  /**
   * First epoch in which it may sign. `undefined` if it lost its disk and may have signed statements that it does not
   * know: it applies, relays and serves, and signs nothing until it learns the epoch (protocol 11.3).
   */
  signsFrom: Epoch | undefined;
  /** Members that reported, since it started without a disk, that its epoch is not closed. */
  epochAnswers: Trie<true>;
}

/** Returns the sub-state before any exchange. */
export function emptySync(): SyncState {
  return {
    missingContents: Trie.empty(),
    fetched: Trie.empty(),
    log: UndoMap.empty(),
    logStart: 0,
    applied: 0,
    logDigest: 0,
    incarnation: 0,
    cursors: Trie.empty(),
    pause: 0,
    index: 0,
    signsFrom: 0 as Epoch,
    epochAnswers: Trie.empty(),
  };
}

/** Transfer of a checkpoint's state, piece by piece. */
export interface Transfer {
  readonly certificate: FinalityCertificate;
  readonly content: ChainContent;
  /** Closings that lead to its epoch. */
  readonly links: readonly EpochLink[];
  readonly source: Peer;
  /** Requested pieces: `<part> <path>` to the hash that proves the piece. */
  readonly missingPieces: Trie<Hash>;
  /** State received so far. */
  readonly ledger: LedgerState;
}
