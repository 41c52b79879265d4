/** One validator's memory. Collections are persistent, so a fork copies one record (architecture law 7). */
import type { Address, Epoch, Hash, Millis, Nonce } from "../base/ids.ts";
import type { OperationId, Submission } from "../base/operation.ts";
import type { Receipt } from "../base/receipt.ts";
import { type ChainValue, chainSlotOf, digits, type LedgerSlot, type Slot, type SlotKey } from "../base/slot.ts";
import { Trie } from "../base/trie.ts";
import { UndoMap } from "../base/undo-map.ts";
import type { Close, FinalityCertificate } from "../consensus/message.ts";
import type { SlotState } from "../consensus/slot-state.ts";
import type { Restriction } from "../ledger/barrier.ts";
import type { LedgerState } from "../ledger/state.ts";
import { type Environment, inEpoch } from "./environment.ts";
import type { EpochLink } from "./epochs/epoch-link.ts";
import type { Peer, SlotReason } from "./message.ts";
import type { Closed } from "./output.ts";
import type { ChainContent, Content } from "./slots/content.ts";
import type { Checkpointed, Evidence, OwnersTurn } from "./slots/grounds.ts";

/** A submission that is not final, superseded or refused yet. */
export interface Pending {
  readonly submission: Submission;
  /** Whether other validators may have seen it: then it is never answered as refused and unshown (protocol 4.2). */
  readonly shown: boolean;
  /** Whether this validator was asked, and so is its relay. */
  readonly asked: boolean;
  /** Its key in the queue of disclosed operations; `undefined` for one that is never evicted. */
  readonly place: string | undefined;
  /** True if enough others of its nonce were known when it came: then it is worth nothing. */
  readonly spare: boolean;
}

/** Pending operations of one account by where they came from. */
export interface Tally {
  readonly asked: number;
  readonly seen: number;
}

/** It decides a receipt's slot, or a checkpoint that lists it; `content` is what it decides. */
export interface FinalProof {
  readonly certificate: FinalityCertificate;
  readonly content: Content;
}

/** How an operation ended, and whose nonce it wanted: what tells when nobody asks for it any more. */
export type Ending = { readonly of: { readonly account: Address; readonly nonce: Nonce } } & (
  | ({ readonly type: "final"; readonly receipt: Receipt } & FinalProof)
  | { readonly type: "superseded"; readonly by: OperationId }
  /** A cancellation or recovery that came too late. */
  | { readonly type: "late"; readonly by: OperationId }
);

/** A value that cannot be judged yet (protocol 4.2). */
export interface Waiting {
  readonly slot: Slot;
  readonly value: Hash;
  readonly from: Peer;
  readonly until: Millis;
}

/** Where this validator stands in a peer's application log. */
export interface Cursor {
  readonly incarnation: number;
  readonly position: number;
}

/** The state of a checkpoint on its way here, piece by piece. */
export interface Transfer {
  readonly certificate: FinalityCertificate;
  readonly content: ChainContent;
  /** What leads to its epoch. */
  readonly links: readonly EpochLink[];
  readonly source: Peer;
  /** What is asked for: `<part> <path>` to the hash that proves it. */
  readonly wanted: Trie<Hash>;
  /** What has come. */
  readonly ledger: LedgerState;
}

export interface ValidatorState {
  environment: Environment;
  ledger: LedgerState;
  slots: UndoMap<SlotState>;
  /** By value hash; all verified. */
  contents: UndoMap<Content>;
  pending: Trie<Pending>;
  /** Pending ids by `<sender> <nonce> <id>`. */
  pendingByNonce: Trie<OperationId>;
  /** Number of them that clients submitted here. */
  asked: number;
  /** The same for each account, and how many others disclosed. */
  tallies: Trie<Tally>;
  /** Pending ids that may be evicted, by `<worth> <place>`: the first one goes first. */
  seen: Trie<OperationId>;
  /** Number of places given so far. */
  places: number;
  /** The highest nonce of which an operation was evicted or not kept, by account, for want of room. */
  evicted: Trie<Nonce>;
  /** The id under which a sender's signed digest was first admitted here, never merely seen: `business_signature_reused` (wire 3.9). */
  digests: UndoMap<OperationId>;
  /** What others have seen and an epoch's end made void, by `<sender> <nonce> <id>`: they may take it up in the next epoch. */
  voided: Trie<true>;
  endings: UndoMap<Ending>;
  /** Who wants to hear of an operation: `<id> <client>`. */
  listeners: Trie<string>;
  waiting: Trie<Waiting>;
  /** When an equivocation proof was first seen: `<account> <nonce>`. */
  evidence: Trie<Evidence>;
  /** Why slots left round 0 or should, by slot: of each kind one at most, in their precedence (rounds.ts). */
  reasons: Trie<readonly SlotReason[]>;
  /** Restrictions committed to and not yet applied, one entry per token slot (protocol 4.2, Barrier). */
  barriers: Trie<readonly Restriction[]>;
  /** Since when an authorised operation is due here, by its id. */
  dueSince: Trie<Millis>;
  /** Accounts with a forced burn decided, until the owner has had its turn and no burn is due (protocol 5). */
  turns: Trie<OwnersTurn>;
  /** Decided slots that could not be applied at once, for want of funds, content or an authorisation. */
  stalled: Trie<true>;
  /** Slots that wait for a value's content: `<value> <slot>`. */
  wanted: Trie<Slot>;
  /** How often a slot's retry timer has fired. */
  retries: Trie<number>;
  /** Round timers that are set, by name. */
  roundTimers: Trie<true>;
  /** When a gap was last asked for. */
  fetched: Trie<Millis>;
  /** The last final checkpoint that is applied here. */
  checkpoint: Checkpointed;
  /** The states after the last checkpoints, by digits of their numbers. */
  bases: Trie<LedgerState>;
  transfer: Transfer | undefined;
  /** What it has said in closing its epoch: from then on it says nothing else there but about the closing (protocol 6.3). */
  closed: Omit<Closed, "of"> | undefined;
  /** The closes of this epoch, by signer. */
  closes: Trie<Close>;
  /** Every closing that is applied here, by digits of its epoch: they chain the committees. */
  links: Trie<EpochLink>;
  /**
   * The first epoch in which it may sign. `undefined` where it lost its disk, and may have signed what it does not know:
   * it applies, relays and serves, and signs nothing until it knows (abstain.ts).
   */
  signsFrom: Epoch | undefined;
  /** Who has told it, since it started again without a disk, that its epoch is not closed. */
  epochAnswers: Trie<true>;
  /** Applied slots that no applied checkpoint lists, in order of application, by digits of their position. */
  log: UndoMap<LedgerSlot>;
  /** The first position of the log; all before it are listed. */
  logStart: number;
  /** How many slots have been applied: the position of the next one. */
  applied: number;
  /** Sum of the fingerprints of the slots in the log: equal sets, equal digests. */
  logDigest: number;
  incarnation: number;
  cursors: Trie<Cursor>;
  syncPause: number;
  syncTurn: number;
  /** Set once a decision contradicts this ledger: from then on every input is ignored (halt.ts). */
  halted: { readonly slot: SlotKey; readonly reason: string } | undefined;
}

/** A validator that has seen nothing but the genesis. */
export function createValidator(environment: Environment): ValidatorState {
  return {
    environment,
    ledger: environment.genesis,
    slots: UndoMap.empty(),
    contents: UndoMap.empty(),
    pending: Trie.empty(),
    pendingByNonce: Trie.empty(),
    asked: 0,
    tallies: Trie.empty(),
    seen: Trie.empty(),
    places: 0,
    evicted: Trie.empty(),
    digests: UndoMap.empty(),
    voided: Trie.empty(),
    endings: UndoMap.empty(),
    listeners: Trie.empty(),
    waiting: Trie.empty(),
    evidence: Trie.empty(),
    reasons: Trie.empty(),
    barriers: Trie.empty(),
    dueSince: Trie.empty(),
    turns: Trie.empty(),
    stalled: Trie.empty(),
    wanted: Trie.empty(),
    retries: Trie.empty(),
    roundTimers: Trie.empty(),
    fetched: Trie.empty(),
    checkpoint: genesisOf(environment),
    bases: Trie.of([[digits(0), environment.genesis]]),
    transfer: undefined,
    closed: undefined,
    closes: Trie.empty(),
    links: Trie.empty(),
    signsFrom: 0 as Epoch,
    epochAnswers: Trie.empty(),
    log: UndoMap.empty(),
    logStart: 0,
    applied: 0,
    logDigest: 0,
    incarnation: 0,
    cursors: Trie.empty(),
    syncPause: 0,
    syncTurn: 0,
    halted: undefined,
  };
}

function genesisOf({ genesis, hashes }: Environment): Checkpointed {
  const value = hashes.genesisCheckpoint(genesis);
  return { ...linkTo(hashes.value(value), value), state: genesis, since: 0 as Millis };
}

/** What a validator remembers of a link of the checkpoint chain. */
export function linkTo(hash: Hash, value: ChainValue): Pick<Checkpointed, "slot" | "hash" | "header"> {
  return { slot: chainSlotOf(value), hash, header: value.header };
}

/** Puts a validator at the state after a link of the chain, and into its epoch, where it has nothing of what leads there. */
export function standAt(state: ValidatorState, at: Millis, value: ChainValue, base: LedgerState): void {
  state.checkpoint = { ...linkTo(state.environment.hashes.value(value), value), state: base, since: at };
  state.bases = Trie.of([[digits(value.header.number), base]]);
  state.ledger = base;
  state.environment = inEpoch(state.environment, base, openingOf(state, base.epoch));
}

/** The closing that opened an epoch, where it is known here. */
export function openingOf({ links }: Pick<ValidatorState, "links">, epoch: Epoch): FinalityCertificate | undefined {
  return epoch === 0 ? undefined : links.get(digits(epoch - 1))?.certificate;
}

/** An independent copy: O(1), the collections are shared until one side writes. */
export function forkValidator(state: ValidatorState): ValidatorState {
  return { ...state };
}
