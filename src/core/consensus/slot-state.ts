/** All that one validator knows about one slot. Immutable: a transition makes the next one. */
import type { Address, Epoch, Hash, Round } from "../base/ids.ts";
import { digits, type Slot } from "../base/slot.ts";
import { Trie } from "../base/trie.ts";
import type { FinalityCertificate, LockCertificate, Proposal, RoundChange, Seal } from "./message.ts";

/** A vote or commit of one's own. */
export interface Cast {
  readonly round: Round;
  readonly value: Hash;
}

/** A proposal of one's own, with all that it takes to send the same one again. */
export interface Proposed extends Cast {
  readonly justification: readonly RoundChange[];
}

export interface SlotState {
  readonly slot: Slot;
  readonly epoch: Epoch;
  /** The current round: below it this validator neither votes nor commits (protocol 3.2). */
  readonly round: Round;
  /** Durable, like `commits`, `proposed`, `lock`, `carried`, `round` and `decided`: at most one per round. */
  readonly votes: readonly Cast[];
  readonly commits: readonly Cast[];
  /** What this validator proposed last itself: it proposes in no round below its own again. */
  readonly proposed: Proposed | undefined;
  /** The lock certificate of the highest round seen. */
  readonly lock: LockCertificate | undefined;
  /** The lock that its round change for the current round carries: said once, it is never said differently. */
  readonly carried: LockCertificate | undefined;
  readonly decided: FinalityCertificate | undefined;
  /** Votes and commits of others, for certificates: `<type> <round> <value> <signer>`. */
  readonly ballots: Trie<Seal>;
  /** How many ballots there are: `<type> <round> <value> `. */
  readonly tallies: Trie<number>;
  /** The values that a signer named in a round, to see it contradict itself: `<type> <round> <signer>`. */
  readonly claims: Trie<readonly Hash[]>;
  /** Round changes by `<round> <signer>`. */
  readonly changes: Trie<RoundChange>;
  /** The highest round that each signer's round changes name. */
  readonly highest: Trie<Round>;
  /** The first justified proposal of each round, by its digits. */
  readonly proposals: Trie<Proposal>;
}

/** What a transition asks of its caller, in order. `persist` covers what follows it. */
export type Effect =
  | { readonly type: "persist" }
  | { readonly type: "vote"; readonly round: Round; readonly value: Hash }
  | { readonly type: "commit"; readonly lock: LockCertificate }
  | {
      readonly type: "changeRound";
      readonly round: Round;
      readonly lock: LockCertificate | undefined;
      readonly cause: RoundCause;
    }
  /** A lock certificate was put together here and may be spread. */
  | { readonly type: "locked"; readonly lock: LockCertificate }
  | { readonly type: "decided"; readonly certificate: FinalityCertificate; readonly assembled: boolean }
  /** This validator is the proposer of its round and holds a justification: `forced` or a free choice. */
  | {
      readonly type: "propose";
      readonly round: Round;
      readonly forced: Hash | undefined;
      readonly justification: readonly RoundChange[];
    }
  /** q validators are in this round or a higher one: its timer starts. */
  | { readonly type: "roundTimer"; readonly round: Round }
  | { readonly type: "report"; readonly signer: Address; readonly misbehaviour: SlotMisbehaviour };

/** Why a validator changes round. */
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

/** A slot on its way through one input: the state so far and the effects so far. */
export interface Transition {
  state: SlotState;
  readonly effects: Effect[];
}

export function newSlot(slot: Slot, epoch: Epoch): SlotState {
  return {
    slot,
    epoch,
    round: 0 as Round,
    votes: [],
    commits: [],
    proposed: undefined,
    lock: undefined,
    carried: undefined,
    decided: undefined,
    ballots: Trie.empty(),
    tallies: Trie.empty(),
    claims: Trie.empty(),
    changes: Trie.empty(),
    highest: Trie.empty(),
    proposals: Trie.empty(),
  };
}

/** A slot with some parts changed. Copied field by field, which costs a tenth of spreading one record into another. */
export function changed(state: SlotState, parts: Partial<SlotState>): SlotState {
  const { slot, epoch, round, votes, commits, proposed, lock, carried, decided } = state;
  const { ballots, tallies, claims, changes, highest, proposals } = state;
  return Object.assign(
    {
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
      tallies,
      claims,
      changes,
      highest,
      proposals,
    },
    parts,
  );
}

/** What a validator keeps of a slot once it is decided: its own durable part; nobody needs the rest any more. */
export function settled(state: SlotState, decided: FinalityCertificate): SlotState {
  const { round, votes, commits, proposed, lock, carried } = state;
  return Object.assign(newSlot(state.slot, state.epoch), { round, votes, commits, proposed, lock, carried, decided });
}

export function castIn(casts: readonly Cast[], round: Round): Cast | undefined {
  return casts.find((cast) => cast.round === round);
}

export function ballotPrefix(type: "vote" | "commit", round: Round, value: Hash): string {
  return `${type} ${digits(round)} ${value} `;
}

export function changeKey(round: Round, signer: Address): string {
  return `${digits(round)} ${signer}`;
}

/** The round changes for exactly `round`. */
export function changesFor(state: SlotState, round: Round): readonly RoundChange[] {
  return state.changes.within(`${digits(round)} `).map(([, change]) => change);
}
