/**
 * Events that an oracle reads: plain records of base types in order of occurrence. One translator in the harness fills
 * them from a world; oracles know neither simulator nor consensus nor ledger code (architecture law 1).
 */
import type { Amount } from "../core/base/amount.ts";
import type { GovernanceProposal } from "../core/base/epoch.ts";
import type {
  Address,
  CheckpointNumber,
  Epoch,
  Hash,
  Millis,
  Nonce,
  PublicKey,
  Round,
  Sequence,
  Version,
} from "../core/base/ids.ts";
import type { OperationId, SignedOperation, SignerSet, Submission } from "../core/base/operation.ts";
import type { Receipt, Refusal } from "../core/base/refusal.ts";
import type {
  CheckpointValue,
  ClosingValue,
  LedgerSlot,
  LedgerValue,
  Slot,
  SlotKey,
  Value,
} from "../core/base/slot.ts";
import type { JudgedGenesis, TokenTerms } from "./reference/policy.ts";

/** Signatures of one copy of an operation of a multisig account. */
export interface SignedByKeys {
  readonly signed: SignedOperation;
  /** Keys whose signatures hold, strangers included, in the order shown. */
  readonly keys: readonly PublicKey[];
  /** True if every signature shown holds, and the account's own signer set stands beside them. */
  readonly isComplete: boolean;
}

/** Running node: `v1`, and `v1'` for its twin. */
export type NodeName = string;

/** Facts that stay constant during a run. */
export interface RunSetting {
  readonly genesis: JudgedGenesis;
  /** `keys`: all signing keys of the node during the run, the first one first. */
  readonly nodes: readonly {
    readonly node: NodeName;
    readonly keys: readonly Address[];
    readonly honest: boolean;
  }[];
  /** Accounts of correct clients, which never equivocate (protocol 4.2). */
  readonly correctClients: ReadonlySet<Address>;
  /** Milliseconds after the healing within which a decision is owed. */
  readonly livenessMs: Millis;
  /** Extension of the bound for each earlier slot in which a round after round 0 fails; 0 if no disk takes time. */
  readonly slotMs: Millis;
  /** Longest time of a message between two validators after the healing. */
  readonly linkMs: Millis;
  /** True if the validators have a protocol of their own: what they say to each other means nothing here. */
  readonly isOpaque: boolean;
  /** True if the plan has no fault: every validator is correct, runs, and reaches the others as after a healing. */
  readonly isFaultless: boolean;
}

/** Slot in one epoch. */
export type SlotInEpoch = Readonly<{ epoch: Epoch; slot: SlotKey }>;

interface InRound extends SlotInEpoch {
  readonly round: Round;
}

/** Vote or proposal that was durable before it was sent (protocol 3.1). */
export interface DurableStatement extends InRound {
  readonly kind: "vote" | "proposal";
  readonly value: Hash;
}

export type Statement = InRound &
  (
    | { readonly kind: "vote" | "commit" | "proposal"; readonly value: Hash }
    | {
        readonly kind: "roundChange";
        readonly lock: { readonly round: Round; readonly value: Hash } | undefined;
        /** True if it shows a reason to leave round 0 (protocol 3.2); absent for none. */
        readonly hasReason?: true;
      }
    /** Close of an epoch with the decided and locked slots that its signer knows. `slot` is the epoch's. */
    | { readonly kind: "close"; readonly claims: readonly Claim[] }
  );

/** Claim of a close about one slot: its finality certificate, else its highest lock. */
export interface Claim {
  readonly slot: SlotKey;
  readonly round: Round;
  readonly value: Hash;
  readonly final: boolean;
}

/** Reason for the closing of an epoch: due after this checkpoint, or a proposal of the operator. */
export type ClosingCause =
  | { readonly kind: "checkpoint"; readonly number: CheckpointNumber }
  | { readonly kind: "proposal"; readonly proposal: GovernanceProposal };

/** State difference of a node's ledger, read from the state and not from receipts. A balance below zero is owed (4.4). */
export type Change =
  | {
      readonly of: "balance";
      readonly address: Address;
      readonly token: Address;
      readonly before: bigint;
      readonly after: bigint;
    }
  | {
      readonly of: "account";
      readonly address: Address;
      readonly nonce: Nonce;
      readonly sequence: Sequence;
      /** Number of burns to other chains; absent for 0. */
      readonly bridgeNonce?: number;
      /** Signer set of a multisig account that is created; absent for others. */
      readonly multisig?: SignerSet;
    }
  | { readonly of: "token"; readonly token: Address; readonly after: ObservedToken }
  | { readonly of: "pool" | "burned"; readonly token: Address; readonly before: Amount; readonly after: Amount }
  | { readonly of: "authorised"; readonly id: OperationId; readonly present: boolean };

/** Reply of a validator about an operation. */
export type ClientReply =
  /** `barred`: refusal by which the validator would now reject it, although others have received it. */
  | { readonly status: "pending"; readonly barred?: Refusal }
  | { readonly status: "final"; readonly receipt: Receipt }
  | { readonly status: "refused"; readonly refusal: Refusal; readonly disclosed: boolean }
  | { readonly status: "superseded"; readonly by: OperationId }
  /** The nonce was used before the oldest state that this validator keeps; the operation's outcome is unknown. */
  | { readonly status: "settled" }
  /** The epoch closed without deciding it; it may be submitted again. */
  | { readonly status: "void"; readonly epoch: Epoch };

/** Reason for which a node keeps an item. */
export type KeptSubject =
  | { readonly of: "slot"; readonly slot: SlotKey }
  | { readonly of: "nonce"; readonly account: Address; readonly nonce: number }
  /** An operation that is authorised and waits to be executed, or one that a client asked for and that is not refused. */
  | { readonly of: "authorised" | "request"; readonly id: OperationId }
  /** A checkpoint or closing by its number in the chain. */
  | { readonly of: "link"; readonly number: number }
  /** A peer showed it, and no budget counts it: nothing bounds it. */
  | { readonly of: "nobody" };

/** An item of a collection of a node, which it keeps as long as one of the subjects is not over. */
export interface KeptItem {
  readonly collection: string;
  readonly subjects: readonly KeptSubject[];
}

/** Validator at which an event happens, and whether it is honest. */
export interface AtNode {
  readonly node: NodeName;
  readonly honest: boolean;
}

/** Application of a link of the chain. */
interface AtLink extends AtNode {
  readonly hash: Hash;
  /** Copies of the operations of its listed slots, slot after slot. */
  readonly operations: readonly SignedOperation[];
  /** State root of the node after it, computed from the state itself; after a closing, that of the next epoch. */
  readonly root: Hash;
  /** Roots of the parts that it covers, in their order. */
  readonly parts?: readonly Hash[];
}

export type Event =
  /** A signature was made, delivered or not. Recorded at the signer. */
  | (AtNode & { readonly type: "signed"; readonly key: Address; readonly statement: Statement })
  /**
   * Content of a value hash; recorded once per value, before the first signature that names it if known, and again if
   * an honest node stores a different content for the hash.
   */
  | {
      readonly type: "content";
      readonly hash: Hash;
      readonly value: Value;
      readonly operations: readonly SignedOperation[];
    }
  /** A node accepted a finality certificate of these signers. */
  | (AtNode & {
      readonly type: "decided";
      readonly epoch: Epoch;
      readonly slot: Slot;
      readonly round: Round;
      readonly value: Hash;
      readonly signers: readonly Address[];
    })
  /** A node shows a decision that does not prove itself; `fault`: why, as a clause. */
  | (AtNode & { readonly type: "unproven"; readonly slot: SlotKey; readonly fault: string })
  /**
   * A node applied a decided slot, with its changes and receipts. `operations` are those that the value names, in its
   * order; of a skip, those of its warrant: the cancellation and the displaced operation, or the two of the
   * equivocation proof. The same in `content`.
   */
  | (AtNode & {
      readonly type: "applied";
      readonly slot: LedgerSlot;
      readonly value: LedgerValue;
      readonly operations: readonly SignedOperation[];
      readonly changes: readonly Change[];
      readonly receipts: readonly Receipt[];
    })
  /**
   * A node applied a final checkpoint, after `applied` records of the same step for the listed slots that it had not
   * applied.
   */
  | (AtLink & {
      readonly type: "checkpointed";
      readonly value: CheckpointValue;
    })
  /**
   * A node applied the closing of an epoch, after `applied` records of the same step for the listed slots that it had
   * not applied. The committee and fees of the next epoch hold from here on.
   */
  | (AtLink & {
      readonly type: "closed";
      readonly value: ClosingValue;
      readonly cause: ClosingCause;
      /** Changes of this node by the distribution of the fees. */
      readonly changes: readonly Change[];
    })
  /** A proposal reached a running validator. `authentic`: the operator signed it. */
  | (AtNode & {
      readonly type: "proposalReceived";
      readonly proposal: GovernanceProposal;
      readonly authentic: boolean;
    })
  /** A client submitted an operation to a node. `correct` is false for clients that equivocate on purpose. */
  | {
      readonly type: "submitted";
      readonly client: string;
      readonly id: OperationId;
      readonly submission: Submission;
      readonly to: NodeName;
      readonly correct: boolean;
      /** Of the operations of multisig accounts in the submission: what signed them. */
      readonly signed?: readonly SignedByKeys[];
      /** True if its signature, or one of its evidence, is not the sender's; those of multisig accounts are in `signed`. */
      readonly isForged?: boolean;
    }
  /** A submission reached a running validator, once for each copy. */
  | (AtNode & {
      readonly type: "submissionReceived";
      readonly id: OperationId;
      readonly client: string;
    })
  /** A step of a validator made its last reply to a client; it leaves once the writes before it are durable. */
  | (AtNode & { readonly type: "replyMade"; readonly id: OperationId; readonly client: string })
  /** A validator replied to a client, whether or not the reply arrives. */
  | (AtNode & {
      readonly type: "replied";
      readonly id: OperationId;
      readonly client: string;
      readonly answer: ClientReply;
    })
  /** A client received a reply. `quorum` is the number of distinct committee members whose commits it verified. */
  | {
      readonly type: "replyReceived";
      readonly client: string;
      readonly id: OperationId;
      readonly from: NodeName;
      readonly answer: ClientReply;
      readonly slot: SlotKey | undefined;
      readonly value: Hash | undefined;
      readonly quorum: number;
    }
  /** The decision of `slot` contradicts a node's own ledger; the node answers nothing more in this incarnation. */
  | (AtNode & {
      readonly type: "halted";
      readonly slot: SlotKey;
      readonly reason: string;
    })
  /** A node lost its volatile state. A `restarted` record shows what was durable. */
  | { readonly type: "crashed"; readonly node: NodeName }
  /**
   * A node starts again; its ledger begins at genesis and the `applied` records that follow rebuild it: first, in this
   * step, the slots listed up to its last checkpoint, then its own.
   */
  | {
      readonly type: "restarted";
      readonly node: NodeName;
      readonly wiped: boolean;
      /** Durable votes and proposals: the node may have crashed before it sent them, and sends them now. */
      readonly durableStatements: readonly DurableStatement[];
      /** Slots with a durable reason to leave round 0 (protocol 3.2); absent for none. */
      readonly reasoned?: readonly SlotInEpoch[];
    }
  /** A node reported a key for misbehaviour. */
  | (AtNode & {
      readonly type: "reported";
      readonly signer: Address;
      readonly misbehaviour: string;
      readonly slot: SlotKey;
    })
  /** Faults have ended for `core`, a set of at least q correct nodes; liveness is demanded from here on. */
  | { readonly type: "healed"; readonly core: readonly NodeName[] }
  /**
   * Decisions that all running honest validators applied in a checkpoint that is old by now, with the hashes of their
   * values and all operations that they concern. What is said about them later is not judged. Of served networks only.
   */
  | {
      readonly type: "forgotten";
      readonly slots: readonly SlotKey[];
      readonly values: readonly Hash[];
      readonly operations: readonly OperationId[];
      /** Number of the last of these checkpoints. */
      readonly upTo: number;
    }
  /** A fault began, or was changed: nothing is demanded until the next `healed`. Of served networks only. */
  | { readonly type: "disturbed" }
  /** Virtual time has come to the time of this record, with all that was due until then. Of served networks only. */
  | { readonly type: "timePassed" }
  /**
   * End of the run: one per live node whose faults have ended, with the epoch of its state, its state root (computed
   * lazily) and the differences of its state from the genesis. The state may be ahead of the records of a node whose disk
   * still writes what it has applied.
   */
  | (AtNode & {
      readonly type: "finalState";
      readonly epoch: Epoch;
      readonly root: Hash;
      readonly facts: readonly Change[];
    })
  /** End of the run: what a live node whose faults have ended keeps. */
  | (AtNode & { readonly type: "kept"; readonly items: readonly KeptItem[] })
  /**
   * Last record. `quiescent`: traffic has stopped and every reply had time to arrive, so that an undecided operation after
   * a healing is a stall. In a run that was cut short only overdue decisions count.
   */
  | { readonly type: "ended"; readonly quiescent: boolean };

/** Event with its step of the world and virtual time. */
export type ObservedEvent = Event & { readonly step: number; readonly at: Millis };

/** Record of one type of event. */
export type EventOf<T extends Event["type"]> = Extract<ObservedEvent, { readonly type: T }>;

/** Names of the invariants as in JSON, scenarios and `explain` (protocol 7). */
export type InvariantName =
  | "agreement"
  | "irreversibility"
  | "conservation"
  | "accounts"
  | "authority"
  | "amnesia"
  | "convergence"
  | "checkpoints"
  | "liveness"
  | "fees"
  | "accountability"
  | "validity"
  | "answers"
  | "footprint"
  | "fairness"
  | "recovery";

export interface Violation {
  readonly invariant: InvariantName;
  readonly step: number;
  readonly at: Millis;
  /** Description in one sentence with names and values. */
  readonly detail: string;
  /** Keys that are provably faulty, if the invariant can tell. */
  readonly faulty: readonly Address[];
}

/** Policy of a token as a node holds it. */
export interface ObservedToken extends TokenTerms {
  readonly version: Version;
  readonly uri: string;
  readonly additional: readonly (readonly [key: string, value: string])[];
  readonly minted: Amount;
  /** Transactions of source chains that were minted: chain, and hash of the lower-case text. */
  readonly bridged: readonly string[];
}
