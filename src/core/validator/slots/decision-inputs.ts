/** Inputs of a validator's decision functions: immutable facts, and the part of its state that they read. */
import type { CheckpointHeader } from "../../base/checkpoint.ts";
import type { Member } from "../../base/epoch.ts";
import type { Address, Epoch, Hash, Millis } from "../../base/ids.ts";
import type { Operation, OperationId, SignedOperation } from "../../base/operation.ts";
import type { ChainSlot, Listed, OperationValue, Value } from "../../base/slot.ts";
import type { Trie } from "../../base/trie.ts";
import type { UndoMap } from "../../base/undo-map.ts";
import type { Authenticator } from "../../consensus/authenticator.ts";
import type { Committee } from "../../consensus/committee.ts";
import type { FinalityCertificate } from "../../consensus/message.ts";
import type { ConsensusRules } from "../../consensus/rules.ts";
import type { SlotState } from "../../consensus/slot-state.ts";
import type { Restriction } from "../../ledger/barrier.ts";
import type { ClosingTransition, genesisCheckpoint, Replay } from "../../ledger/checkpoint.ts";
import type { copyOf } from "../../ledger/identity.ts";
import type { LedgerRules } from "../../ledger/rules.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { Reason } from "../message.ts";
import type { CloseRecord } from "../output.ts";

/** Hashes of immutable records, each computed once per world. Results depend on the records alone. */
export interface HashCache {
  /**
   * Replays the slots of a verified chain link on a state (protocol 6.1): `listed` fixes the operations, and the
   * closing.
   */
  readonly replay: (
    base: LedgerState,
    listed: readonly Listed[],
    operations: readonly SignedOperation[],
    closing?: ClosingTransition,
  ) => Replay;
  /** Returns the slots in an order in which they can be replayed on a state, without those that cannot. */
  readonly inOrder: <T extends Listed & { readonly operations: readonly SignedOperation[] }>(
    base: LedgerState,
    slots: readonly T[],
  ) => readonly T[];
  readonly digest: (operation: Operation) => Hash;
  /** Returns one copy as clients see it, and as a checkpoint counts it. */
  readonly copy: typeof copyOf;
  /** Returns the checkpoint that a genesis counts as. */
  readonly genesisCheckpoint: typeof genesisCheckpoint;
  readonly operationId: (signed: SignedOperation) => OperationId;
  /** Returns the account slot value of an operation: one record for each, so that its hash is cached too. */
  readonly operationValue: (signed: SignedOperation) => OperationValue;
  readonly value: (value: Value) => Hash;
}

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
