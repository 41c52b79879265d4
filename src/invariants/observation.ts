/**
 * What an oracle may see: plain records made of base types, in the order in which they happened. One translator in
 * the harness fills them from a world; oracles know neither simulator nor consensus nor ledger code (architecture law 1).
 */
import type { Amount } from "../core/base/amount.ts";
import type { GovernanceProposal } from "../core/base/epoch.ts";
import type { Genesis } from "../core/base/genesis.ts";
import type {
  Address,
  CheckpointNumber,
  Epoch,
  Hash,
  Millis,
  Nonce,
  Round,
  Sequence,
  Version,
} from "../core/base/ids.ts";
import type { OperationId, Role, SignedOperation, Submission } from "../core/base/operation.ts";
import type { Receipt } from "../core/base/receipt.ts";
import type { Refusal } from "../core/base/refusal.ts";
import type {
  CheckpointValue,
  ClosingValue,
  LedgerSlot,
  LedgerValue,
  Slot,
  SlotKey,
  Value,
} from "../core/base/slot.ts";

/** A running node: `v1`, and `v1'` for its twin. */
export type NodeName = string;

/** What stays the same during a run. */
export interface Setting {
  readonly genesis: Genesis;
  /** `keys`: all that the node signs with during the run, its first one first. */
  readonly nodes: readonly {
    readonly node: NodeName;
    readonly keys: readonly Address[];
    readonly honest: boolean;
  }[];
  /** Accounts whose wallets are correct clients: they never equivocate (protocol 4.2). */
  readonly correctClients: ReadonlySet<Address>;
  /** How long after the healing a decision may take. */
  readonly livenessMs: Millis;
  /** How much longer it may take for each slot before its own in which a round after round 0 fails. */
  readonly slotMs: Millis;
}

/** What a validator signed. Values are hashes; `content` records say what they stand for. */
/** A vote or proposal that was durable before it was said (protocol 3.1). */
export interface Vow {
  readonly kind: "vote" | "proposal";
  readonly epoch: Epoch;
  readonly slot: SlotKey;
  readonly round: Round;
  readonly value: Hash;
}

export type Statement =
  | {
      readonly kind: "vote" | "commit" | "proposal";
      readonly epoch: Epoch;
      readonly slot: SlotKey;
      readonly round: Round;
      readonly value: Hash;
    }
  | {
      readonly kind: "roundChange";
      readonly epoch: Epoch;
      readonly slot: SlotKey;
      readonly round: Round;
      readonly lock: { readonly round: Round; readonly value: Hash } | undefined;
    }
  /** That its signer has closed the epoch, and what it knows to be decided or locked there. `slot` is the epoch's. */
  | {
      readonly kind: "close";
      readonly epoch: Epoch;
      readonly slot: SlotKey;
      readonly round: Round;
      readonly claims: readonly Claim[];
    };

/** What a closing validator shows of one slot: its finality certificate, else its highest lock. */
export interface Claim {
  readonly slot: SlotKey;
  readonly round: Round;
  readonly value: Hash;
  readonly final: boolean;
}

/** Why an epoch closed: it was due after this checkpoint, or somebody showed a proposal of the operator's. */
export type ClosingCause =
  | { readonly kind: "checkpoint"; readonly number: CheckpointNumber }
  | { readonly kind: "proposal"; readonly proposal: GovernanceProposal };

/** Policy of a token as a node holds it. */
export interface ObservedToken {
  readonly version: Version;
  readonly decimals: number;
  readonly masterAuthority: Address;
  readonly isPrivate: boolean;
  readonly isPaused: boolean;
  readonly minted: Amount;
  readonly roles: readonly { readonly role: Role; readonly address: Address; readonly allowance: Amount }[];
  readonly blacklist: readonly Address[];
  readonly whitelist: readonly Address[];
}

/** One difference of a node's ledger state, read from the state itself and not from receipts. */
export type Change =
  | {
      readonly of: "balance";
      readonly address: Address;
      readonly token: Address;
      readonly before: Amount;
      readonly after: Amount;
    }
  | { readonly of: "account"; readonly address: Address; readonly nonce: Nonce; readonly sequence: Sequence }
  | { readonly of: "token"; readonly token: Address; readonly after: ObservedToken }
  | { readonly of: "pool"; readonly token: Address; readonly before: Amount; readonly after: Amount }
  | { readonly of: "burned"; readonly token: Address; readonly before: Amount; readonly after: Amount }
  | { readonly of: "authorised"; readonly id: OperationId; readonly present: boolean };

/** How an operation ended for its client. */
export type Answer =
  /** `barred`: why the answering validator refuses it by now, although others have seen it. */
  | { readonly status: "pending"; readonly barred?: Refusal }
  | { readonly status: "final"; readonly receipt: Receipt }
  | { readonly status: "refused"; readonly refusal: Refusal; readonly shown: boolean }
  | { readonly status: "superseded"; readonly by: OperationId }
  /** The nonce was used up in a past that this validator does not keep: it says nothing of the operation. */
  | { readonly status: "settled" }
  /** Its epoch closed without it: nothing of it is decided, and it may be submitted again. */
  | { readonly status: "void"; readonly epoch: Epoch };

export type Happening =
  /** A signature was made, whether or not it was ever delivered. Tapped at the signer. */
  | {
      readonly type: "signed";
      readonly node: NodeName;
      readonly key: Address;
      readonly honest: boolean;
      readonly statement: Statement;
    }
  /**
   * What a value hash stands for; recorded once per value, before the first signature that names it where known, and
   * again where an honest node keeps another content under it than the one that was shown first.
   */
  | {
      readonly type: "content";
      readonly hash: Hash;
      readonly value: Value;
      readonly operations: readonly SignedOperation[];
    }
  /** A node accepted a finality certificate, made by these signers. */
  | {
      readonly type: "decided";
      readonly node: NodeName;
      readonly honest: boolean;
      readonly epoch: Epoch;
      readonly slot: Slot;
      readonly round: Round;
      readonly value: Hash;
      readonly signers: readonly Address[];
    }
  /**
   * A node applied a decided slot, with what that changed and the receipts that it wrote. `operations` are those that
   * the value names, in its order; of a skip, those that its warrant shows: the cancellation and the operation that it
   * displaces, or the two of the equivocation proof. The same in `content`.
   */
  | {
      readonly type: "applied";
      readonly node: NodeName;
      readonly honest: boolean;
      readonly slot: LedgerSlot;
      readonly value: LedgerValue;
      readonly operations: readonly SignedOperation[];
      readonly changes: readonly Change[];
      readonly receipts: readonly Receipt[];
    }
  /**
   * A node applied a final checkpoint. What it lists and the node had not applied yet stands before it, as `applied`
   * records of the same step.
   */
  | {
      readonly type: "checkpointed";
      readonly node: NodeName;
      readonly honest: boolean;
      readonly hash: Hash;
      readonly value: CheckpointValue;
      /** The copies of its listed slots' operations, one slot after the other. */
      readonly operations: readonly SignedOperation[];
      /** Of the state that the node holds after it, computed from the state itself. */
      readonly root: Hash;
    }
  /**
   * A node applied the closing of an epoch. What it lists and the node had not applied yet stands before it, as `applied`
   * records of the same step. From here on the next epoch holds: its committee and its fees.
   */
  | {
      readonly type: "closed";
      readonly node: NodeName;
      readonly honest: boolean;
      readonly hash: Hash;
      readonly value: ClosingValue;
      readonly cause: ClosingCause;
      /** The copies of its listed slots' operations, one slot after the other. */
      readonly operations: readonly SignedOperation[];
      /** What the sharing of the fees changed at this node. */
      readonly changes: readonly Change[];
      /** Of the state with which the next epoch begins at this node. */
      readonly root: Hash;
    }
  /** A proposal reached a running validator. `authentic`: the operator signed it. */
  | {
      readonly type: "governed";
      readonly node: NodeName;
      readonly honest: boolean;
      readonly proposal: GovernanceProposal;
      readonly authentic: boolean;
    }
  /** A client handed an operation to a node. `correct` is false for clients that equivocate on purpose. */
  | {
      readonly type: "submitted";
      readonly client: string;
      readonly id: OperationId;
      readonly submission: Submission;
      readonly to: NodeName;
      readonly correct: boolean;
    }
  /** A submission reached a running validator, once for each copy. */
  | { readonly type: "asked"; readonly node: NodeName; readonly honest: boolean; readonly id: OperationId }
  /** A validator told a client how its operation stands, whether or not the client ever hears it. */
  | {
      readonly type: "replied";
      readonly node: NodeName;
      readonly honest: boolean;
      readonly id: OperationId;
      readonly answer: Answer;
    }
  /** A client learned something. `quorum` is the number of distinct committee members whose commits it checked. */
  | {
      readonly type: "answered";
      readonly client: string;
      readonly id: OperationId;
      readonly from: NodeName;
      readonly answer: Answer;
      readonly slot: SlotKey | undefined;
      readonly value: Hash | undefined;
      readonly quorum: number;
    }
  /** A decision of `slot` contradicts a node's own ledger: it answers nothing more in this life. */
  | {
      readonly type: "halted";
      readonly node: NodeName;
      readonly honest: boolean;
      readonly slot: SlotKey;
      readonly reason: string;
    }
  /** A node lost its memory. What it had persisted by then is in the `restarted` that may follow. */
  | { readonly type: "crashed"; readonly node: NodeName }
  /**
   * A node starts again; its ledger begins at genesis and the `applied` records that follow rebuild it: first, in this
   * step, what the checkpoints up to the one that it kept list, then whatever it applies itself.
   */
  | {
      readonly type: "restarted";
      readonly node: NodeName;
      readonly wiped: boolean;
      /** What its disk holds of its votes and proposals: a crash may have come before it said them, and it says them now. */
      readonly vows: readonly Vow[];
    }
  /** A node accused a key. */
  | {
      readonly type: "reported";
      readonly node: NodeName;
      readonly honest: boolean;
      readonly blamed: Address;
      readonly misbehaviour: string;
      readonly slot: SlotKey;
    }
  /** Faults have ended for `core`, a set of at least q correct nodes: from here on liveness is demanded. */
  | { readonly type: "healed"; readonly core: readonly NodeName[] }
  /**
   * The end of the run: one per live node whose faults have ended, its lazily computed state root, and how its state
   * differs from the genesis.
   */
  | {
      readonly type: "root";
      readonly node: NodeName;
      readonly honest: boolean;
      readonly root: Hash;
      readonly facts: readonly Change[];
    }
  /**
   * The last record. `rested`: traffic has stopped and everybody had time to answer, so that whatever is undecided after
   * a healing is a stall. Of a run that was cut short only what is past its bound can be judged.
   */
  | { readonly type: "ended"; readonly rested: boolean };

/** A happening with its place: the step of the world, and virtual time. */
export type Observed = Happening & { readonly step: number; readonly at: Millis };

/** The record of one kind of happening. */
export type RecordOf<T extends Happening["type"]> = Extract<Observed, { readonly type: T }>;

/** The invariants' names as in JSON, scenarios and `explain` (protocol 7). */
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
  | "validity";

export interface Violation {
  readonly invariant: InvariantName;
  readonly step: number;
  readonly at: Millis;
  /** What is wrong, in one sentence with names and values. */
  readonly detail: string;
  /** Keys that are provably at fault, where the invariant can tell. */
  readonly blame: readonly Address[];
}
