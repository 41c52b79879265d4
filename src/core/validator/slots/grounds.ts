/** What the decision functions of a validator stand on: facts that never change, and the part of its state they judge by. */
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
import type { Closing, genesisCheckpoint, Replay } from "../../ledger/checkpoint.ts";
import type { copyOf } from "../../ledger/identity.ts";
import type { LedgerRules } from "../../ledger/rules.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { Reason } from "../message.ts";
import type { Closed } from "../output.ts";

/** Hashes of immutable records, each computed once a world. Answers depend on the records alone. */
export interface Hashes {
  /** What replaying a verified link's slots on a state gives (protocol 6.1): `listed` fixes the operations, and the closing. */
  readonly replay: (
    base: LedgerState,
    listed: readonly Listed[],
    operations: readonly SignedOperation[],
    closing?: Closing,
  ) => Replay;
  /** The slots in an order in which they can be replayed on a state; those that cannot are left out. */
  readonly inOrder: <T extends Listed & { readonly operations: readonly SignedOperation[] }>(
    base: LedgerState,
    slots: readonly T[],
  ) => readonly T[];
  readonly digest: (operation: Operation) => Hash;
  /** One copy as clients see it, and as a checkpoint counts it. */
  readonly copy: typeof copyOf;
  /** The checkpoint that a genesis counts as. */
  readonly genesisCheckpoint: typeof genesisCheckpoint;
  readonly operationId: (signed: SignedOperation) => OperationId;
  /** What an operation is as an account slot's value: one record for each, so that its hash is remembered too. */
  readonly operationValue: (signed: SignedOperation) => OperationValue;
  readonly value: (value: Value) => Hash;
}

/** What one validator is given and never changes, but for the epoch's part of it. */
export interface Grounds {
  /** All its own keys, by their addresses. */
  readonly keys: readonly Address[];
  /** The key with which it signs in this epoch: the one in the committee; its first one where none is. */
  readonly self: Address;
  /** Of the current epoch. */
  readonly committee: Committee;
  /** The committee without this validator. */
  readonly others: readonly Address[];
  /** The closing that opened this epoch; none for epoch 0. */
  readonly opening: FinalityCertificate | undefined;
  readonly committeeOf: (epoch: Epoch, members: readonly Member[]) => Committee;
  readonly genesis: LedgerState;
  readonly authenticator: Authenticator;
  readonly hashes: Hashes;
  readonly rules: {
    readonly consensus: ConsensusRules;
    readonly ledger: LedgerRules;
    /** Of the validator's own rules those that others of them ask. */
    readonly validator: { readonly isOwnersTurn: (state: View, at: Millis, account: Address) => boolean };
  };
}

/** An equivocation proof, and since when it is known here. */
export interface Evidence {
  readonly since: Millis;
  readonly reason: Extract<Reason, { kind: "equivocation" }>;
}

/** The owner's turn after a forced burn. */
export interface OwnersTurn {
  readonly until: Millis;
  /** Burns in a row that displaced an operation of the owner. */
  readonly displaced: number;
  /** Whose burn it was: another authority's comes next. */
  readonly authority: Address;
}

/** The last link of the checkpoint chain that a validator has applied. The genesis is number 0. */
export interface Checkpointed {
  readonly slot: ChainSlot;
  readonly hash: Hash;
  readonly header: CheckpointHeader;
  /** The state after it. */
  readonly state: LedgerState;
  /** When it was applied here. */
  readonly since: Millis;
}

/** The part of a validator's state by which it judges contents and reasons. */
export interface View {
  readonly environment: Grounds;
  readonly slots: UndoMap<SlotState>;
  readonly checkpoint: Checkpointed;
  readonly ledger: LedgerState;
  /** Restrictions committed to and not yet applied, one entry per token slot (protocol 4.2, Barrier). */
  readonly barriers: Trie<readonly Restriction[]>;
  /** When an equivocation proof was first seen: `<account> <nonce>`. */
  readonly evidence: Trie<Evidence>;
  /** Since when an authorised operation is due here, by its id. */
  readonly dueSince: Trie<Millis>;
  /** Accounts with a forced burn decided, until the owner has had its turn and no burn is due (protocol 5). */
  readonly turns: Trie<OwnersTurn>;
  /** That it has closed its epoch (protocol 6.3). */
  readonly closed: Omit<Closed, "of"> | undefined;
}
