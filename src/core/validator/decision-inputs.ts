/** Inputs of a validator's decision functions: immutable facts, and the part of its state that they read. */
import type { Member } from "../base/epoch.ts";
import type { Address, Epoch, Hash, Millis } from "../base/ids.ts";
import type { ChainSlot, CheckpointHeader } from "../base/slot.ts";
import type { Trie } from "../base/trie.ts";
import type { UndoMap } from "../base/undo-map.ts";
import type { Authenticator } from "../consensus/authenticator.ts";
import type { Committee } from "../consensus/committee.ts";
import type { FinalityCertificate } from "../consensus/message.ts";
import type { ConsensusRules } from "../consensus/rules.ts";
import type { SlotState } from "../consensus/slot-state.ts";
import type { Restriction } from "../ledger/barrier.ts";
import type { LedgerRules } from "../ledger/rules.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { HashCache } from "./hash-cache.ts";
import type { Reason } from "./message.ts";
import type { CloseRecord } from "./output.ts";

/** Environment of one validator, immutable except for the members that depend on the epoch. */
export interface DecisionInputs {
  /** All its own keys, by their addresses. */
  readonly keys: readonly Address[];
  /** Signing key of this epoch: the one in the committee, or its first key if none is. */
  readonly self: Address;
  /** Committee of the current epoch. */
  readonly committee: Committee;
  /** Members other than this validator. */
  readonly others: readonly Address[];
  /** Closing that opened this epoch; none for epoch 0. */
  readonly opening: FinalityCertificate | undefined;
  readonly committeeOf: (epoch: Epoch, members: readonly Member[]) => Committee;
  readonly genesis: LedgerState;
  readonly authenticator: Authenticator;
  readonly hashes: HashCache;
  readonly rules: {
    readonly consensus: ConsensusRules;
    readonly ledger: LedgerRules;
    /** Validator rules that other rules call. */
    readonly validator: { readonly isOwnersTurn: (state: DecisionView, at: Millis, account: Address) => boolean };
  };
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

/** Part of a validator's state against which it checks contents and reasons. */
export interface DecisionView {
  readonly environment: DecisionInputs;
  readonly slots: UndoMap<SlotState>;
  readonly checkpoint: Checkpointed;
  readonly ledger: LedgerState;
  /** Restrictions committed to and not yet applied, one entry per token slot (protocol 4.2, Barrier). */
  readonly barriers: Trie<readonly Restriction[]>;
  /** Equivocation proofs and when each was first seen: `<account> <nonce>`. */
  readonly evidence: Trie<Evidence>;
  /** Time since which an authorised operation is due here, by its id. */
  readonly dueSince: Trie<Millis>;
  /** Accounts with a forced burn decided, until the owner has had its turn and no burn is due (protocol 5). */
  readonly ownersTurns: Trie<OwnersTurn>;
  /** Its close of the epoch (protocol 6.3). */
  readonly closed: Omit<CloseRecord, "of"> | undefined;
}
