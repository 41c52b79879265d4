/**
 * What a world is built from, as data: nodes, clients, links, disks, and the actions that befall them. Everything but
 * `NodePlan.program`, `WorldPlan.digestOf`, `keyring`, `idOf` and `believe` is plain data, so that a plan can be saved, replayed
 * and shrunk. Defaults stand in limits.ts.
 */
import type { Amount } from "../core/base/amount.ts";
import type { SignedProposal } from "../core/base/epoch.ts";
import type { Address, Epoch, Hash, Millis, Nonce } from "../core/base/ids.ts";
import type { Operation, OperationId, SignedOperation, Submission } from "../core/base/operation.ts";
import type { ConsensusMessage, Unsigned } from "../core/consensus/message.ts";
import type { PrivateKey, Scheme } from "../core/crypto/scheme.ts";
import type { Input } from "../core/validator/input.ts";
import type { Mark } from "../core/validator/marks.ts";
import type { ClientName, PeerMessage } from "../core/validator/message.ts";
import type { Event, Output, Reply } from "../core/validator/output.ts";
import type { CheckpointLie, ChoiceLie, JustificationLie } from "./lies.ts";

/** A running node: `v1`, and `v1'` for a twin of it. */
export type NodeName = string;
/** Whoever stands at the end of a link: a node or a client. Names are unique over both. */
export type Party = string;

/** Whole numbers, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A chance of `of` in `in`: no floats in a run (architecture law 2). */
export interface Ratio {
  readonly of: number;
  readonly in: number;
}

/** One direction of one link. Links keep their order but for messages that `reorder` picks. */
export interface LinkSettings {
  /** Virtual milliseconds. */
  readonly delayMs: Range;
  readonly loss: Ratio;
  /** Chance of one more copy, with a delay of its own. */
  readonly duplicate: Ratio;
  /** Chance that a message does not wait for the ones sent before it. */
  readonly reorder: Ratio;
}

export interface DiskSettings {
  /** How long a write takes; later outputs of the node wait for it, in order. */
  readonly writeMs: Range;
  /** A lying disk: how many of the last acknowledged records a crash takes away. An honest one: 0. */
  readonly losesLast: number;
}

/** As whom a node speaks: the key with which it signs, and the epoch in which it does. */
export interface Standing {
  readonly self: Address;
  readonly epoch: Epoch;
}

/** The code of a validator, handed in by the caller: bug variants wrap it (architecture law 6). */
export interface Program<State = unknown> {
  /** A fresh state, before any input. */
  start(): State;
  /** May mutate `state` and nothing else. The world never changes the outputs. */
  step(state: State, input: Input): readonly Output[];
  /** An independent copy, at a cost that does not grow with history (architecture law 7). */
  fork(state: State): State;
  /** Where a state stands: a node may have another key in each epoch (protocol 6.5). Absent: its first key, in epoch 0. */
  standingOf?(state: State): Standing;
}

export interface NodePlan {
  readonly name: NodeName;
  /** Two nodes with one key are twins: one key, two unmodified programs. */
  readonly key: PrivateKey;
  /** What else it signs with, in other epochs. Messages to any of its keys reach it. */
  readonly otherKeys?: readonly PrivateKey[];
  readonly program: Program;
  readonly disk?: Partial<DiskSettings>;
  /** Default: true but for twins. A node counts as dishonest from the first strategy switched on. */
  readonly honest?: boolean;
}

/** An operation without its nonce, which the wallet assigns. */
export type Draft = Operation extends infer O ? (O extends Operation ? Omit<O, "nonce"> : never) : never;

/** Signs for the accounts of clients; the only holder of their keys. Pure. */
export interface Keyring {
  /** @throws RangeError for an account that it holds no key of. */
  sign(account: Address, operation: Operation): SignedOperation;
}

/**
 * `correct`: never signs two operations for a nonce, retries with the same bytes, cancels after doubt (protocol 4.2).
 * `scripted`: sends exactly what `submit` actions say to exactly the validators they name; may equivocate.
 */
export interface ClientPlan {
  readonly name: ClientName;
  readonly behaviour: "correct" | "scripted";
  /** The validator that it asks first. */
  readonly home: NodeName;
  /** How many operations of one account may be open at once: 1 is sequential, more is pipelined. */
  readonly window?: number;
  /** Virtual milliseconds until the first retry; doubles with each one, up to a cap. */
  readonly timeoutMs?: number;
  /** Unanswered tries after which it cancels; 0: never. */
  readonly cancelAfter?: number;
  /** Tries after which it stops for good, so that a world without an answer still comes to rest. */
  readonly giveUpAfter?: number;
  /**
   * What follows a refusal that its only asked validator says it showed to nobody: `cancel` keeps the nonce for that
   * operation and its cancellation; `reuse` trusts the validator and gives the nonce to the next operation.
   */
  readonly onRefusal?: "cancel" | "reuse";
  /** Another client signs with the same key and neither knows: each is correct, and nobody vouches for the account. */
  readonly sharesKey?: boolean;
}

/** What a message is, as patterns name it; client traffic included. */
export type MessageKind = Exclude<PeerMessage["type"], "consensus"> | ConsensusMessage["type"] | "submit" | "reply";

/** Chooses messages on links. Absent members match everything. */
export interface MessagePattern {
  readonly from?: readonly Party[];
  readonly to?: readonly Party[];
  readonly kinds?: readonly MessageKind[];
  /** A slot key or the start of one: `account/0x…/` is all slots of an account. */
  readonly slot?: string;
  readonly round?: number;
  readonly value?: Hash;
  /** Messages about a value that is this operation, or that carry it. */
  readonly operation?: OperationId;
}

/** Chooses outputs of a node. Absent members match everything. */
export interface OutputPattern {
  readonly type?: Output["type"];
  /** Of `sign` and `send`. */
  readonly kinds?: readonly MessageKind[];
  /** Of `persist`, `sign`, `send`, `report`: a slot key or the start of one. */
  readonly slot?: string;
  readonly round?: number;
}

/** When something has happened, for the `times`-th time (default: the first). */
export type Trigger = { readonly times?: number } & (
  | {
      readonly on: "signed";
      readonly node?: NodeName;
      readonly kind?: Unsigned["type"];
      readonly slot?: string;
      readonly round?: number;
      readonly value?: Hash;
      readonly operation?: OperationId;
    }
  /** A message reached its receiver, who has not acted on it yet. */
  | { readonly on: "delivered"; readonly messages: MessagePattern }
  | { readonly on: "held"; readonly messages: MessagePattern }
  | {
      readonly on: Event["type"];
      readonly node?: NodeName;
      readonly slot?: string;
      readonly operation?: OperationId;
    }
  | {
      readonly on: "answered";
      readonly client?: ClientName;
      readonly status?: Reply["status"];
      readonly operation?: OperationId;
    }
  | { readonly on: "persisted"; readonly node?: NodeName; readonly slot?: string }
  | { readonly on: "crashed" | "restarted"; readonly node?: NodeName }
  | { readonly on: "mark"; readonly node?: NodeName; readonly mark?: Mark }
);

/** How a Byzantine validator changes what the honest program wants to do. */
export type StrategyPlan =
  /** Votes for every value of a round that it hears of. */
  | { readonly name: "double-vote" }
  /** Commits to every value of a round that it hears of, locked or not. */
  | { readonly name: "double-commit" }
  /** Sends no votes, or none to `towards`. */
  | { readonly name: "withhold-votes"; readonly towards?: readonly NodeName[] }
  | { readonly name: "withhold-commits"; readonly towards?: readonly NodeName[] }
  /** Closes an epoch with two different accounts of what it knows. */
  | { readonly name: "double-close" }
  /** Says in round changes that it holds no lock, and when it closes an epoch that it knows of nothing. */
  | { readonly name: "hide-locks" }
  /** Says in round changes, and when it closes an epoch, that its lock is the oldest one that it held. */
  | { readonly name: "stale-locks" }
  /** Sends again what it sent or received earlier. */
  | { readonly name: "replay-stale"; readonly chance: Ratio }
  /** Sends broken signatures, and signatures of others on its own words. */
  | { readonly name: "invalid-signatures"; readonly chance: Ratio }
  /** Says nothing to some. */
  | { readonly name: "selective-silence"; readonly towards: readonly Party[] }
  | { readonly name: "silence" }
  /** Tells clients "refused, shown to nobody" while it relays what they asked. */
  | { readonly name: "false-refusal" }
  /** Proposes one list, checkpoint or closing to one half of its peers and another one to the other half. */
  | { readonly name: "double-proposal" }
  /** Proposes in rounds >= 1 without a justification that allows it. */
  | { readonly name: "false-justification"; readonly lie: JustificationLie }
  /** Changes to rounds far above its own, and in slots that nobody has opened. */
  | { readonly name: "inflated-rounds" }
  /** Answers fetches with wrong or missing contents and certificates, and passes votes off as decisions. */
  | { readonly name: "false-answers" }
  /** Sends on what others have signed, with one thing changed in it and the old signature. */
  | { readonly name: "replay-changed" }
  /** Names locks in its round changes that are none, and certificates in its closes that are of something else. */
  | { readonly name: "false-locks" }
  /** Proposes or offers, where its choice is free, what nobody may choose. */
  | { readonly name: "false-choices"; readonly lie: ChoiceLie }
  /** Brings operations that their sender never signed. */
  | { readonly name: "forged-operations" }
  /** Brings whatever a client hands in, valid or not. */
  | { readonly name: "careless-relay" }
  /** Answers those who join with pieces of a state that are not its own. */
  | { readonly name: "false-state" }
  /** Shows reasons to change rounds that do not count. */
  | { readonly name: "worthless-reasons" }
  /** Proposes checkpoints that do not follow from what was decided, where its choice is free; of closings, false headers. */
  | { readonly name: "false-checkpoint"; readonly lie: CheckpointLie }
  /** Shows, before anybody else does, contents of skips with something else in them. */
  | { readonly name: "false-contents" }
  /** Votes and commits for the next epoch. */
  | { readonly name: "other-epoch" }
  /** Says, beside each of its own words, one that is a little off, whole and signed. */
  | { readonly name: "mutate" }
  /** Votes for an operation of this account in every round of its slots that it hears of. */
  | { readonly name: "vote-for"; readonly account: Address; readonly operation: OperationId };

/** Amounts, both ends included. */
export interface AmountRange {
  readonly from: Amount;
  readonly to: Amount;
}

/** One kind of order in a workload, drawn with `weight` among the sum of all weights. */
export type MixEntry = { readonly weight: number } & (
  | { readonly kind: "payment"; readonly token: Address; readonly value: AmountRange }
  /** Of something that an account of the workload has open; nothing happens where none has. */
  | { readonly kind: "cancellation" }
  /** One of the drafts, with a value of this range. An issue's symbol is followed by the order's number: it counts once. */
  | {
      readonly kind: "drawn";
      readonly client: ClientName;
      readonly account: Address;
      readonly drafts: readonly Draft[];
      readonly value?: AmountRange;
    }
);

/** Orders for correct clients at a rate. */
export interface WorkloadPlan {
  readonly name: string;
  /** Whose accounts pay. */
  readonly clients: readonly { readonly client: ClientName; readonly accounts: readonly Address[] }[];
  /** Payees; the accounts of all clients when absent. */
  readonly recipients?: readonly Address[];
  readonly chainId: number;
  readonly count: number;
  /** Between two orders, virtual milliseconds. */
  readonly intervalMs: Range;
  readonly mix: readonly MixEntry[];
}

/** Everything that can be done to a world from outside. */
export type Action =
  /** At once; or between two outputs: after the `outputs`-th one from now, or after the first that `output` chooses. */
  | {
      readonly do: "crash";
      readonly node: NodeName;
      readonly outputs?: number;
      readonly output?: OutputPattern;
      readonly restartAfterMs?: number;
    }
  | { readonly do: "restart"; readonly node: NodeName }
  /** Erases the durable records; crashes the node first if it runs. */
  | { readonly do: "wipe"; readonly node: NodeName }
  /** Its clock is so many milliseconds ahead from now on, or behind where negative; timers do not depend on it. */
  | { readonly do: "clock"; readonly node: NodeName; readonly aheadMs: number }
  | { readonly do: "disk"; readonly node: NodeName; readonly settings: Partial<DiskSettings> }
  /** Two-way, between parties of different groups; whoever stands in no group keeps all its links. */
  | { readonly do: "partition"; readonly groups: readonly (readonly Party[])[] }
  /** One-way. */
  | { readonly do: "cut"; readonly from: readonly Party[]; readonly to: readonly Party[] }
  /** Mends all partitions and cuts, or those between `parties` only. */
  | { readonly do: "heal"; readonly parties?: readonly Party[] }
  /** Changes links; absent `from` or `to` means every node. */
  | {
      readonly do: "link";
      readonly from?: readonly Party[];
      readonly to?: readonly Party[];
      readonly settings: Partial<LinkSettings>;
    }
  /** Messages that the pattern chooses wait on arrival until `release` names the rule. */
  | { readonly do: "hold"; readonly rule: string; readonly messages: MessagePattern }
  /** Delivers what a rule held, in the order of sending, and ends the rule; all rules when absent. */
  | { readonly do: "release"; readonly rule?: string }
  /** Messages that the pattern chooses are lost, at most `count` of them. */
  | { readonly do: "drop"; readonly rule: string; readonly messages: MessagePattern; readonly count?: number }
  | { readonly do: "undrop"; readonly rule?: string }
  | { readonly do: "byzantine"; readonly node: NodeName; readonly strategy: StrategyPlan }
  /** Switches one strategy off, or all of the node. */
  | { readonly do: "behave"; readonly node: NodeName; readonly strategy?: StrategyPlan["name"] }
  /** Which of several nodes with one key a party's messages reach; both where no route names it. */
  | { readonly do: "twins"; readonly routes: readonly { readonly from: readonly Party[]; readonly to: NodeName }[] }
  /** A signed submission, sent to `to` or to the client's home; a correct client follows it up until it is answered. */
  | {
      readonly do: "submit";
      readonly client: ClientName;
      readonly submission: Submission;
      readonly to?: readonly NodeName[];
    }
  /** Asks a correct client's wallet for an operation: the wallet assigns the nonce and signs. */
  | { readonly do: "order"; readonly client: ClientName; readonly account: Address; readonly draft: Draft }
  /** A correct client cancels: a nonce of its account that it has open. */
  | { readonly do: "cancel"; readonly client: ClientName; readonly account: Address; readonly nonce: Nonce }
  | { readonly do: "workload"; readonly workload: WorkloadPlan }
  /** Hands the operator's proposal to these nodes, whoever signed it; nothing happens at one that is down. */
  | { readonly do: "govern"; readonly to: readonly NodeName[]; readonly signed: SignedProposal }
  /** Begins the healing phase. */
  | { readonly do: "endFaults"; readonly healing: HealingPlan };

/** Faults stop inside a core of correct validators; liveness is demanded from then on. */
export interface HealingPlan {
  /** The core by name, else drawn from the seed. */
  readonly core?: readonly NodeName[];
  /** Smallest core: q. Drawn between this and the number of correct validators. */
  readonly atLeast: number;
  /** Whether everything outside the core heals too (Byzantine nodes stay Byzantine). */
  readonly everywhere?: boolean;
}

/** An action at a virtual time, or a while after something has happened. */
export type Planned =
  | { readonly at: Millis; readonly action: Action }
  | { readonly when: Trigger; readonly afterMs?: number; readonly action: Action };

/** Who goes next among what is under way (schedule/schedule.ts). `windowMs`: how far that may depart from the order of time. */
export type SchedulePlan =
  /** The order of virtual time, with delays drawn for each message. */
  | { readonly method: "random" }
  /** Random priorities, `depth` - 1 of which change, each at one of the first `steps` events of a thread. */
  | { readonly method: "pct"; readonly depth: number; readonly steps: number; readonly windowMs: number }
  /** Round robin, from which it departs `deviations` times, each at one of the first `steps` events of a thread. */
  | {
      readonly method: "delay-bounded";
      readonly deviations: number;
      readonly steps: number;
      readonly windowMs: number;
    };

/** What a node signs for a statement: a pure function, which whoever verifies may share. */
export type StatementDigest = (body: Unsigned) => Hash;

export interface WorldPlan {
  readonly seed: string;
  readonly scheme: Scheme;
  readonly digestOf: StatementDigest;
  readonly nodes: readonly NodePlan[];
  readonly clients: readonly ClientPlan[];
  /** f: how many validators a client asks at once is f + 1. */
  readonly faulty: number;
  /** Between nodes. */
  readonly link?: Partial<LinkSettings>;
  /** Between clients and nodes. */
  readonly clientLink?: Partial<LinkSettings>;
  readonly disk?: Partial<DiskSettings>;
  readonly actions: readonly Planned[];
  /** Until the healing; `random` where absent. */
  readonly schedule?: SchedulePlan;
  /** Needed where correct clients sign. */
  readonly keyring?: Keyring;
  /** The id of a submission, for who remembers it; default: computed anew. */
  readonly idOf?: (submission: Submission) => OperationId;
  /** How many distinct members' commits a `final` reply proves, 0 for none: what a client believes. */
  readonly believe?: (reply: Extract<Reply, { status: "final" }>) => number;
  /** Choices that are not drawn, by label (choices.ts). */
  readonly forced?: ReadonlyMap<string, number>;
  /** Keeps every choice and event line, for replay, shrinking and the first differing event. */
  readonly record?: boolean;
}
