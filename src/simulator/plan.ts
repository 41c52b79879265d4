/**
 * Plan of a world as data: nodes, clients, links, disks, and actions. All but `NodePlan.program`, `WorldPlan.statements`,
 * `keyring`, `idOf` and `verifyFinality` is plain data, so that a plan can be saved, replayed and shrunk. Defaults are in
 * settings.ts.
 *
 * The rolling hash absorbs actions member by member in the order in which they were set (digest.ts): code that builds a
 * plan sets members in a fixed order, whatever the order in a file.
 */
import type { Amount } from "../core/base/amount.ts";
import type { SignedProposal } from "../core/base/epoch.ts";
import type { Address, Epoch, Millis } from "../core/base/ids.ts";
import type { Operation, OperationId, SignedOperation, Submission } from "../core/base/operation.ts";
import type { Authenticator } from "../core/consensus/authenticator.ts";
import type { StatementContent } from "../core/consensus/message.ts";
import type { PrivateKey, Scheme } from "../core/crypto/scheme.ts";
import type { CoveragePoint } from "../core/validator/coverage-points.ts";
import type { ClientName } from "../core/validator/message.ts";
import type { Output, Reply, ValidatorEvent } from "../core/validator/output.ts";
import type { Input } from "../core/validator/step.ts";
import type { StrategyName, StrategyPlan } from "./byzantine/registry.ts";
import type { PeerMessageKind } from "./network/message-content.ts";
import type { DiskSettings, LinkSettings, NodeName, Party, Range } from "./settings.ts";

/** Prefix of the timers of a program with a protocol of its own: their names are its own. */
export const OPAQUE_TIMER = "opaque ";

/** Signing key of a node, and its epoch. */
export interface ActiveKey {
  readonly self: Address;
  readonly epoch: Epoch;
}

/** Code of a validator, provided by the caller: bug variants wrap it (architecture law 6). */
export interface Program<State = unknown> {
  /** Returns a fresh state, before any input, of a validator with these keys; by default with all that it has. */
  start(keys?: readonly Address[]): State;
  /** May mutate only `state`. The world never changes the outputs. */
  step(state: State, input: Input): readonly Output[];
  /** Returns an independent copy, at a cost independent of the history (architecture law 7). */
  fork(state: State): State;
  /** Returns an independent copy without functions: plain data, maps, tables and tries. Absent: a fork has none. */
  capture?(state: State): unknown;
  /** Returns the state of a capture, which stays as it is. Absent: a fork of it. */
  restore?(captured: unknown): State;
  /**
   * Returns the key and epoch of a state: a node may have another key in each epoch (protocol 6.5). Absent: its first
   * key, in epoch 0.
   */
  activeKeyOf?(state: State): ActiveKey;
}

export interface NodePlan {
  readonly name: NodeName;
  /** Two nodes with one key are twins: one key, two unmodified programs. */
  readonly key: PrivateKey;
  /** Further signing keys, of other epochs. Messages to any of its keys reach it. */
  readonly otherKeys?: readonly PrivateKey[];
  readonly program: Program;
  readonly disk?: Partial<DiskSettings>;
  /** Default: true, but false for twins. A node counts as dishonest from the first strategy switched on. */
  readonly honest?: boolean;
}

/** Operation without its nonce, which the wallet assigns. */
export type OperationDraft = Operation extends infer O ? (O extends Operation ? Omit<O, "nonce"> : never) : never;

/** Signs for the accounts of clients; the only holder of their keys. Pure. */
export interface Keyring {
  /** @throws RangeError for an account without a key. */
  sign(account: Address, operation: Operation): SignedOperation;
}

/**
 * `correct`: never signs two operations for a nonce, retries with the same bytes, cancels after doubt (protocol 4.2).
 * `scripted`: sends exactly what `submit` actions say to exactly the validators they name; may equivocate.
 */
export interface ClientPlan {
  readonly name: ClientName;
  readonly behaviour: "correct" | "scripted";
  /** First validator that it asks. */
  readonly home: NodeName;
  /** Number of operations of one account that may be open at once: 1 is sequential, more is pipelined. */
  readonly window?: number;
  /** Virtual milliseconds until the first retry; doubles with each one, up to a cap. */
  readonly timeoutMs?: number;
  /** Unanswered tries after which it cancels; 0: never. */
  readonly cancelAfter?: number;
  /** Tries after which it stops for good, so that a world without a reply still terminates. */
  readonly giveUpAfter?: number;
  /**
   * Reaction to an undisclosed refusal by the only validator asked: `cancel` keeps the nonce for that operation and its
   * cancellation; `reuse` trusts the validator and gives the nonce to the next operation.
   */
  readonly onRefusal?: "cancel" | "reuse";
  /** Another client signs with the same key, unknown to both: each is correct, and the account may equivocate. */
  readonly sharesKey?: boolean;
}

/** Kind of a message in patterns; client traffic included. */
export type MessageKind = PeerMessageKind | "submit" | "reply";

/** Selects messages on links. Absent members match everything. */
export interface MessagePattern {
  readonly from?: readonly Party[];
  readonly to?: readonly Party[];
  readonly kinds?: readonly MessageKind[];
  /** Tags of messages of kind `opaque`. */
  readonly tags?: readonly string[];
  /** Slot key or its prefix: `account/0x…/` is all slots of an account. */
  readonly slot?: string;
  readonly round?: number;
  /** Messages about a value that is this operation, or that carry it. */
  readonly operation?: OperationId;
}

/** The `times`-th occurrence of an event (default: the first). */
export type Trigger = { readonly times?: number } & (
  | {
      readonly on: "signed";
      readonly node?: NodeName;
      readonly kind?: StatementContent["type"];
      readonly slot?: string;
      readonly operation?: OperationId;
    }
  /** A message reached its receiver and is not processed yet. */
  | { readonly on: "delivered"; readonly messages: MessagePattern }
  | { readonly on: "held"; readonly messages: MessagePattern }
  | {
      readonly on: ValidatorEvent["type"];
      readonly node?: NodeName;
      readonly slot?: string;
      readonly operation?: OperationId;
    }
  | {
      readonly on: "responded";
      readonly client?: ClientName;
      readonly operation?: OperationId;
    }
  | { readonly on: "persisted" | "crashed" | "restarted"; readonly node?: NodeName }
  | { readonly on: "coverage"; readonly node?: NodeName; readonly point?: CoveragePoint }
);

export type AmountRange = Range<Amount>;

/** Kind of order in a workload, drawn with `weight` among the sum of all weights. */
export type MixEntry = { readonly weight: number } & (
  | { readonly kind: "payment"; readonly token: Address; readonly value: AmountRange }
  /** Of an open operation of an account of the workload; does nothing if there is none. */
  | { readonly kind: "cancellation" }
  /** One of the drafts, with a value of this range. The order's number follows an issue's symbol and a source transaction, which must be new. */
  | {
      readonly kind: "drawn";
      readonly client: ClientName;
      readonly account: Address;
      readonly drafts: readonly OperationDraft[];
      readonly value?: AmountRange;
    }
);

/** Orders for correct clients at a rate. */
export interface WorkloadPlan {
  readonly name: string;
  /** Clients whose accounts pay. */
  readonly clients: readonly { readonly client: ClientName; readonly accounts: readonly Address[] }[];
  /** Payees; if absent, the accounts of all clients. */
  readonly recipients?: readonly Address[];
  readonly chainId: number;
  readonly count: number;
  /** Interval between two orders, virtual milliseconds. */
  readonly intervalMs: Range;
  readonly mix: readonly MixEntry[];
}

/** Action on a world from outside. */
export type Action =
  /** At once; or between two outputs: after the `outputs`-th one from now, or after the first of a type. */
  | {
      readonly do: "crash";
      readonly node: NodeName;
      readonly outputs?: number;
      readonly output?: { readonly type: Output["type"] };
      readonly restartAfterMs?: number;
    }
  | { readonly do: "restart"; readonly node: NodeName }
  /** It keeps its memory, timers and waiting outputs, and handles nothing until it is resumed: SIGSTOP and SIGCONT. */
  | { readonly do: "suspend"; readonly node: NodeName; readonly resumeAfterMs?: number }
  | { readonly do: "resume"; readonly node: NodeName }
  /** Erases the durable records; crashes the node first if it runs. */
  | { readonly do: "wipe"; readonly node: NodeName }
  /** Copies its durable records, in place of an earlier copy. */
  | { readonly do: "backup"; readonly node: NodeName }
  /** Returns its disk to the last copy, and keeps its keys; crashes the node first if it runs. */
  | { readonly do: "restore"; readonly node: NodeName }
  /** Milliseconds by which its clock is ahead from now on, negative if behind; timers do not depend on it. */
  | { readonly do: "clock"; readonly node: NodeName; readonly aheadMs: number }
  | { readonly do: "disk"; readonly node: NodeName; readonly settings: Partial<DiskSettings> }
  /** Two-way, between parties of different groups; a party in no group keeps all its links. */
  | { readonly do: "partition"; readonly groups: readonly (readonly Party[])[] }
  /** One-way. */
  | { readonly do: "cut"; readonly from: readonly Party[]; readonly to: readonly Party[] }
  /** Restores all links that were cut, or those between `parties` only. */
  | { readonly do: "heal"; readonly parties?: readonly Party[] }
  /** Changes links; absent `from` or `to` means every node. */
  | {
      readonly do: "link";
      readonly from?: readonly Party[];
      readonly to?: readonly Party[];
      readonly settings: Partial<LinkSettings>;
    }
  /** Selected messages wait on arrival until `release` names the rule. */
  | { readonly do: "hold"; readonly rule: string; readonly messages: MessagePattern }
  /** Delivers the messages that a rule holds, in the order of sending, and ends the rule; all rules if absent. */
  | { readonly do: "release"; readonly rule?: string }
  /** Selected messages are dropped, at most `count` of them. */
  | { readonly do: "drop"; readonly rule: string; readonly messages: MessagePattern; readonly count?: number }
  | { readonly do: "undrop"; readonly rule?: string }
  | { readonly do: "byzantine"; readonly node: NodeName; readonly strategy: StrategyPlan }
  /** Switches one strategy off, or all of the node. */
  | { readonly do: "behave"; readonly node: NodeName; readonly strategy?: StrategyName }
  /** Node with a shared key that a party's messages reach; both without a route. */
  | { readonly do: "twins"; readonly routes: readonly { readonly from: readonly Party[]; readonly to: NodeName }[] }
  /** Signed submission, sent to `to` or to the client's home; a correct client tracks it until its outcome. */
  | {
      readonly do: "submit";
      readonly client: ClientName;
      readonly submission: Submission;
      readonly to?: readonly NodeName[];
    }
  /** The same from a client outside the plan, over no link: the node, as it is now, admits it; does nothing if it is down. */
  | {
      readonly do: "submit";
      readonly client: ClientName;
      readonly submission: Submission;
      readonly admittedBy: NodeName;
    }
  | { readonly do: "workload"; readonly workload: WorkloadPlan }
  /**
   * Delivers a proposal to these nodes, even one that the operator did not sign; does nothing at a node that is down.
   */
  | { readonly do: "govern"; readonly to: readonly NodeName[]; readonly signed: SignedProposal }
  /** Begins the healing phase. */
  | { readonly do: "endFaults"; readonly healing: HealingPlan };

/** Faults end inside a core of correct validators; liveness is demanded from then on. */
export interface HealingPlan {
  /** Core by name, else drawn from the seed. */
  readonly core?: readonly NodeName[];
  /** Smallest core: q. Drawn between this and the number of correct validators. */
  readonly atLeast: number;
  /** True if all nodes outside the core heal too (Byzantine nodes stay Byzantine). */
  readonly everywhere?: boolean;
}

/** Action at a virtual time, or some time after an event. */
export type PlannedAction =
  | { readonly at: Millis; readonly action: Action }
  | { readonly when: Trigger; readonly afterMs?: number; readonly action: Action };

/** Choice of the next event (schedule/schedule.ts). `windowMs`: largest departure from the order of time. */
export type SchedulePlan =
  /** Order of virtual time, with delays drawn for each message. */
  | { readonly method: "random" }
  /** Random priorities, of which `depth` - 1 change, each at one of the first `steps` events of a thread. */
  | { readonly method: "pct"; readonly depth: number; readonly steps: number; readonly windowMs: number }
  /** Round robin with `deviations` departures, each at one of the first `steps` events of a thread. */
  | {
      readonly method: "delay-bounded";
      readonly deviations: number;
      readonly steps: number;
      readonly windowMs: number;
    };

/** Gives a node the record of a statement that it signs: a pure function, which verifiers may share. */
export type Statements = Pick<Authenticator, "statement">;

export interface WorldPlan {
  readonly seed: string;
  /** By which validators sign. */
  readonly scheme: Scheme;
  readonly statements: Statements;
  readonly nodes: readonly NodePlan[];
  readonly clients: readonly ClientPlan[];
  /** f: a client asks f + 1 validators at once. */
  readonly faulty: number;
  /** Between nodes. */
  readonly link?: Partial<LinkSettings>;
  /** Between clients and nodes. */
  readonly clientLink?: Partial<LinkSettings>;
  readonly disk?: Partial<DiskSettings>;
  readonly actions: readonly PlannedAction[];
  /** Until the healing; `random` if absent. */
  readonly schedule?: SchedulePlan;
  /** Required if correct clients sign. */
  readonly keyring?: Keyring;
  /** Cache for ids of submissions; default: computed each time. */
  readonly idOf?: (submission: Submission) => OperationId;
  /** Returns the number of distinct members whose commits a `final` reply proves, 0 for none: the client's check. */
  readonly verifyFinality?: (reply: Extract<Reply, { status: "final" }>) => number;
}
