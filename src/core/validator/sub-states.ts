/**
 * Sub-states of a validator: one record for each room, written by the files of that room only. A new one knows nothing
 * yet. Tables change in place; what they hold is immutable, and replaced.
 */
import type { Address, Epoch, Hash, Millis, Nonce } from "../base/ids.ts";
import type { OperationId, Submission } from "../base/operation.ts";
import type { Receipt } from "../base/refusal.ts";
import type { ChainSlot, CheckpointHeader, LedgerSlot, Slot, SlotKey } from "../base/slot.ts";
import { Table } from "../base/table.ts";
import type { Trie } from "../base/trie.ts";
import type { AnyCertificate } from "../consensus/certificate.ts";
import type { Committee } from "../consensus/committee.ts";
import type { Close } from "../consensus/message.ts";
import type { SlotState } from "../consensus/slot-state.ts";
import type { Subtree } from "../ledger/pieces.ts";
import type { StateHeader } from "../ledger/roots.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { Restriction } from "../ledger/token.ts";
import type { ChainContent, Content, Decision } from "./content.ts";
import type { ClientName, EpochLink, Peer, SlotReason } from "./message.ts";
import type { CloseRecord } from "./output.ts";

/** Submission that has no outcome yet. */
export interface PendingSubmission {
  readonly id: OperationId;
  /** Account and nonce that it uses. */
  readonly account: Address;
  readonly nonce: Nonce;
  readonly submission: Submission;
  /** Other validators may have seen it: it is never answered as refused undisclosed (protocol 4.2). */
  readonly disclosed: boolean;
  /** This validator is its entry validator, and so its relay. */
  readonly isEntry: boolean;
}

/** Outcome of an operation with the account and nonce that it used, by which it is pruned. */
export type Outcome = { readonly account: Address; readonly nonce: Nonce } & (
  | ({ readonly type: "final"; readonly receipt: Receipt } & Decision)
  | { readonly type: "superseded"; readonly by: OperationId }
  /** A cancellation or recovery that came too late. */
  | { readonly type: "late"; readonly by: OperationId }
);

/** Something that a peer has shown and that is kept here until the peer's budget needs the room. */
export type BudgetItem = Readonly<
  | { of: "pending"; id: OperationId }
  | { of: "content"; value: Hash; slot: SlotKey }
  | { of: "reason"; slot: SlotKey; reason: SlotReason }
  | { of: "waiting"; key: string }
  | { of: "record"; slot: SlotKey }
>;

/** Item in the budget of its peer. */
export type ChargedItem = Readonly<{ item: BudgetItem; size: number }>;

/** Positions of a peer's items, from the oldest to the next one, and the sum of their sizes. */
export type Budget = Readonly<{ oldest: number; next: number; used: number }>;

/** Submissions of clients and disclosed operations, their outcomes and their subscribers. */
export class MempoolState {
  readonly pending = new Table<OperationId, PendingSubmission>();
  /** Pending submissions by account, in the order of nonce and id. */
  readonly pendingByAccount = new Table<Address, readonly PendingSubmission[]>();
  /** Number of them that clients submitted here. */
  entryCount = 0;
  /** Items that peers have shown, by `<peer> <position>`, and where each peer's items begin and end. */
  readonly chargedItems = new Table<string, ChargedItem>();
  readonly budgets = new Table<Peer, Budget>();
  /**
   * Id under which a sender's signed digest was first admitted here; disclosure alone does not count:
   * `business_signature_reused` (wire 3.9). `<sender> <nonce> <digest>`.
   */
  readonly digests = new Table<string, OperationId>();
  readonly outcomes = new Table<OperationId, Outcome>();
  /** Clients subscribed to an operation, in the order of their names. */
  readonly subscribers = new Table<OperationId, readonly ClientName[]>();
}

/** Value that cannot be checked yet (protocol 4.2). */
export type WaitingValue = Readonly<{
  slot: Slot;
  value: Hash;
  from: Peer;
  until: Millis;
  /** First slot of a checkpoint's list without a decision here. */
  lacking: SlotKey | undefined;
}>;

/** The owner's turn after a forced burn. */
export interface OwnersTurn {
  readonly until: Millis;
  /** Authority of the last burn: another one's comes next. */
  readonly authority: Address;
}

/** Records of slots, contents of values, and what waits for a slot. */
export class SlotsState {
  readonly records = new Table<SlotKey, SlotState>();
  /** Verified contents by value hash. */
  readonly contents = new Table<Hash, Content>();
  /** Contents that a durable record names: no budget drops them. */
  readonly pinned = new Table<Hash, true>();
  readonly waiting = new Table<string, WaitingValue>();
  /** Reasons for which slots left round 0 or should, by slot: at most one of each kind, by precedence. */
  readonly reasons = new Table<SlotKey, readonly SlotReason[]>();
  /** Restrictions committed to and not yet applied, one entry per token slot (protocol 4.2, Barrier). */
  readonly barriers = new Table<SlotKey, readonly Restriction[]>();
  /** Time since which an authorised operation is due here, by its id. */
  readonly dueSince = new Table<OperationId, Millis>();
  /** Accounts with a forced burn decided, until the owner has had its turn and no burn is due (protocol 5). */
  readonly ownersTurns = new Table<Address, OwnersTurn>();
  /** Number of times that a slot's retry timer has fired. */
  readonly retries = new Table<SlotKey, number>();
  /** Round timers that are set, by name. */
  readonly timers = new Table<string, true>();
}

/** Last chain link that a validator has applied. The genesis is number 0. */
export interface AppliedChainLink {
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
  last: AppliedChainLink;
  /** States after the last chain links, by their numbers. */
  readonly states: Table<number, LedgerState>;
}

/** Closing of the present epoch, and the closings of earlier ones. */
export class EpochsState {
  /** Its close of the epoch: from then on it signs nothing else there except about the closing (protocol 6.3). */
  closed: Omit<CloseRecord, "of"> | undefined = undefined;
  /** Closes of this epoch, by signer. */
  readonly closes = new Table<Address, Close>();
  /** Certificates of their claims, each once: closes that claim the same share one copy. */
  readonly claimed = new Table<string, AnyCertificate>();
  /** Closings that are applied here, by their epochs: they chain the committees. */
  readonly links = new Table<Epoch, EpochLink>();
}

/** Exchange with peers: requests, status, application log. */
export class SyncState {
  /** Slots that wait for a value's content: `<value> <slot>`. */
  readonly missingContents = new Table<string, Slot>();
  /** Time of the last request for a gap. */
  readonly fetched = new Table<string, Millis>();
  /** Size of the answers to each peer in the last second in which it got one. */
  readonly served = new Table<Peer, Readonly<{ second: number; size: number }>>();
  /** Applied slots that no applied checkpoint lists, in order of application, by their position. */
  readonly log = new Table<number, LedgerSlot>();
  /** Part of the log that each peer is shown next. */
  readonly parts = new Table<Peer, number>();
  /** Number of applied slots: the position of the next one. */
  applied = 0;
  /** Pause before the next status exchange, in virtual milliseconds. */
  pause = 0;
  /** Number of status exchanges so far: the next one goes to the next peer. */
  index = 0;
}

/** State of a final chain link that a peer offered and proved (protocol 6.2). */
export interface OfferedState extends Decision<ChainContent> {
  /** Closings that lead to its epoch. */
  readonly links: readonly EpochLink[];
  /** Roots of its parts. */
  readonly parts: readonly Hash[];
  readonly header: StateHeader;
  /** Members of the committees that decided it and of its epoch: a closing changes them, and only the first may have it. */
  readonly holders: readonly Peer[];
  /** Those committees: at most `faulty` members of each are Byzantine. */
  readonly committees: readonly Committee[];
}

/** Last request to a source of pieces. */
export interface SourceRequest {
  readonly at: Millis;
  /** Locations that it has not answered; none if it had nothing for them. */
  readonly locations: readonly string[];
  /** Newer state that it offered in place of pieces. */
  readonly newer: OfferedState | undefined;
}

/** Transfer of a state from several sources. Pieces count by their hashes, so they outlast a change of the target. */
export interface Transfer {
  readonly target: OfferedState;
  readonly pieces: Trie<Subtree>;
  /** Locations of which nothing is here: `<part> <path>` to the hash that proves the piece. */
  readonly missing: Trie<Hash>;
  /** Sources that owe a response, or had nothing in their last one. */
  readonly sources: ReadonlyMap<Peer, SourceRequest>;
  /** Time of the last piece that was missing. */
  readonly grewAt: Millis;
}
