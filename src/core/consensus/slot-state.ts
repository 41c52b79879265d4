/** State of one slot at one validator. Immutable: a transition makes the next one. */

import type { Address, Epoch, Hash, Round } from "../base/ids.ts";
import { MemoTable } from "../base/memo-table.ts";
import type { Mutable } from "../base/mutable.ts";
import { paddedNumber, type Slot } from "../base/slot.ts";
import { Trie } from "../base/trie.ts";
import { type Ballots, NO_BALLOTS } from "./ballots.ts";
import { VALUES_PER_SIGNER } from "./limits.ts";
import type { FinalityCertificate, LockCertificate, Proposal, RoundChange } from "./message.ts";

/** Own vote or commit. */
export type RoundValue = Readonly<{ round: Round; value: Hash }>;

/** Own proposal, with the data to resend it. */
export interface OwnProposal extends RoundValue {
  readonly justification: readonly RoundChange[];
}

export interface SlotState {
  readonly slot: Slot;
  readonly epoch: Epoch;
  /** Current round: below it this validator neither votes nor commits (protocol 3.2). */
  readonly round: Round;
  /** Durable, like `commits`, `proposed`, `lock`, `carried`, `round` and `decided`: at most one per round. */
  readonly votes: readonly RoundValue[];
  readonly commits: readonly RoundValue[];
  /** Its own last proposal: it proposes in no round below it again. */
  readonly proposed: OwnProposal | undefined;
  /** Lock certificate of the highest round seen. */
  readonly lock: LockCertificate | undefined;
  /** Lock that its round change for the current round carries: once sent, it never changes. */
  readonly carried: LockCertificate | undefined;
  readonly decided: FinalityCertificate | undefined;
  /** Votes and commits of others, for certificates. */
  readonly ballots: Ballots;
  /** Values that a signer proposed in a round, to detect equivocation: `<round> <signer>`. */
  readonly proposedBy: Trie<readonly Hash[]>;
  /** Round changes by `<round> <signer>`. */
  readonly changes: Trie<RoundChange>;
  /** Highest round that each signer's round changes name. */
  readonly highest: Trie<Round>;
  /** First justified proposal of each round, by its digits. */
  readonly proposals: Trie<Proposal>;
}

/** Effect that a transition requests of its caller, in order. `persist` covers what follows it. */
export type SlotEffect = Readonly<
  | { type: "persist" }
  | { type: "vote"; round: Round; value: Hash }
  | { type: "commit"; lock: LockCertificate }
  | { type: "changeRound"; round: Round; lock: LockCertificate | undefined; cause: RoundCause }
  /** A lock certificate was formed here and may be spread. */
  | { type: "locked"; lock: LockCertificate }
  | { type: "decided"; certificate: FinalityCertificate; assembled: boolean }
  /** This validator is the proposer of its round and holds a justification: `forced` or a free choice. */
  | { type: "propose"; round: Round; forced: Hash | undefined; justification: readonly RoundChange[] }
  /** q validators are in this round or a higher one: its timer starts. */
  | { type: "roundTimer"; round: Round }
  | { type: "report"; signer: Address; misbehaviour: SlotMisbehaviour }
>;

/** Cause of a round change. */
export type RoundCause = "reason" | "timeout" | "pull" | "proposal" | "lock";

export type SlotMisbehaviour =
  | "double vote"
  | "double commit"
  | "double round change"
  | "double proposal"
  | "hidden lock"
  | "invalid signature"
  | "invalid certificate"
  | "unjustified proposal";

/** Update of a slot by one input: the state so far and the effects so far. */
export class SlotUpdate {
  readonly effects: SlotEffect[] = [];
  #state: SlotState;
  /** The same as `#state` once this update has made it. */
  #copy: Mutable<SlotState> | undefined;

  constructor(state: SlotState) {
    this.#state = state;
  }

  get state(): SlotState {
    return this.#state;
  }

  /** Replaces the state. */
  replace(state: SlotState): void {
    this.#state = state;
    this.#copy = undefined;
  }

  /** Returns the state for changes: a copy, made at the first call. A state that was read before stays as it is. */
  change(): Mutable<SlotState> {
    if (this.#copy === undefined) {
      this.#copy = copyOf(this.#state);
      this.#state = this.#copy;
    }
    return this.#copy;
  }
}

/** Makes what follows it durable first. */
export const PERSIST: SlotEffect = { type: "persist" };

const NONE: readonly RoundValue[] = [];

export function newSlot(slot: Slot, epoch: Epoch): SlotState {
  return {
    slot,
    epoch,
    round: 0 as Round,
    votes: NONE,
    commits: NONE,
    proposed: undefined,
    lock: undefined,
    carried: undefined,
    decided: undefined,
    ballots: NO_BALLOTS,
    proposedBy: Trie.empty(),
    changes: Trie.empty(),
    highest: Trie.empty(),
    proposals: Trie.empty(),
  };
}

/** Returns a copy, made field by field: that costs a tenth of spreading a record. */
function copyOf(state: SlotState): Mutable<SlotState> {
  const { slot, epoch, round, votes, commits, proposed, lock, carried, decided } = state;
  const { ballots, proposedBy, changes, highest, proposals } = state;
  return {
    slot,
    epoch,
    round,
    votes,
    commits,
    proposed,
    lock,
    carried,
    decided,
    ballots,
    proposedBy,
    changes,
    highest,
    proposals,
  };
}

/**
 * Returns what a validator keeps of a decided slot. Of an account slot nothing but the decision counts from then on, so
 * the validators of one process share a record; a commit in a token slot holds its barrier until the slot is applied
 * (protocol 4.2).
 */
export function decidedRecord(state: SlotState, decided: FinalityCertificate): SlotState {
  const { slot, epoch, round } = state;
  const isUsual = slot.kind === "account" && epoch === decided.epoch && round === decided.round;
  if (!isUsual) return withDecision(state, decided);
  return decidedRecords.getOrCompute(decided, () => withDecision(state, decided));
}

const decidedRecords = new MemoTable<FinalityCertificate, SlotState>();

function withDecision(state: SlotState, decided: FinalityCertificate): SlotState {
  const { slot, epoch, round } = state;
  const record: Mutable<SlotState> = slot.kind === "account" ? newSlot(slot, epoch) : durablePart(state);
  record.round = round;
  record.decided = decided;
  return record;
}

/** Returns the durable part of a slot's state. */
export function durablePart(state: SlotState): SlotState {
  const bare = copyOf(state);
  bare.ballots = NO_BALLOTS;
  bare.proposedBy = Trie.empty();
  bare.changes = Trie.empty();
  bare.highest = Trie.empty();
  bare.proposals = Trie.empty();
  return bare;
}

export function roundValueIn(casts: readonly RoundValue[], round: Round): RoundValue | undefined {
  return casts.find((cast) => cast.round === round);
}

export function changeKey(round: Round, signer: Address): string {
  return `${paddedNumber(round)} ${signer}`;
}

/** Returns the round changes for exactly `round`. */
export function changesFor(state: SlotState, round: Round): readonly RoundChange[] {
  return state.changes.entriesWithPrefix(`${paddedNumber(round)} `).map(([, change]) => change);
}

/** Names in reports of a second value that one signer names in one round. */
export const EQUIVOCATIONS = { vote: "double vote", commit: "double commit", proposal: "double proposal" } as const;

/**
 * Returns true if a signer that named these values in a round may name this one too. A second one is equivocation, and
 * is reported.
 */
export function mayName(
  update: SlotUpdate,
  type: keyof typeof EQUIVOCATIONS,
  signer: Address,
  named: readonly Hash[],
  value: Hash,
): boolean {
  if (named.length === 0 || named.includes(value)) return true;
  report(update, signer, EQUIVOCATIONS[type]);
  return named.length < VALUES_PER_SIGNER;
}

/** Reports misbehaviour that a signer's own signatures prove. */
export function report(update: SlotUpdate, signer: Address, misbehaviour: SlotMisbehaviour): void {
  update.effects.push({ type: "report", signer, misbehaviour });
}
