/** Listener interface of a world: enough for observations, recordings and pictures. */
import type { SignedProposal } from "../core/base/epoch.ts";
import type { Address, Hash, Millis } from "../core/base/ids.ts";
import type { OperationId, Submission } from "../core/base/operation.ts";
import type { StatementContent } from "../core/consensus/message.ts";
import type { ClientName, PeerMessage, Reason } from "../core/validator/message.ts";
import type { DurableRecord, Output, Reply } from "../core/validator/output.ts";
import type { Input } from "../core/validator/step.ts";
import type { StrategyPlan } from "./byzantine/registry.ts";
import type { Action } from "./plan.ts";
import type { Lanes } from "./random.ts";
import type { NodeName, Party } from "./settings.ts";

/** Node as listeners see it. `state` is the program's own and read-only; `undefined` while down. */
export interface NodeView {
  readonly name: NodeName;
  /** Current signing key. */
  readonly key: Address;
  /** Keys that it may sign with, over all epochs: those that it has not lost, the first one first. */
  readonly keys: readonly Address[];
  /** Keys with which it has signed: they are lost with its disk. */
  readonly signedWith: readonly Address[];
  /** False for twins and from the first strategy switched on. */
  readonly honest: boolean;
  readonly running: boolean;
  /** True while it stands still with its memory. */
  readonly isSuspended: boolean;
  /** Milliseconds by which its clock is ahead of virtual time. */
  readonly ahead: number;
  /** Number of restarts: 0 after the first start. */
  readonly incarnation: number;
  readonly state: unknown;
}

/** Payload of a link, with its digest. */
export type Parcel = { readonly digest: Lanes } & (
  | {
      readonly type: "peer";
      /** Key under which it was sent, even if its node has another key when it arrives. */
      readonly sender: Address;
      readonly message: PeerMessage;
    }
  | { readonly type: "submit"; readonly submission: Submission; readonly id: OperationId }
  | { readonly type: "reply"; readonly id: OperationId; readonly reply: Reply }
);

/** Event of a world; the queue orders them by time, then by sequence number. */
export type WorldEvent =
  | { readonly type: "start"; readonly node: NodeName }
  /** `number` counts the parcels of this link. `sender` and `receiver`: its ends by their place in the world. */
  | {
      readonly type: "arrival";
      readonly from: Party;
      readonly to: Party;
      readonly sender: number;
      readonly receiver: number;
      readonly number: number;
      readonly parcel: Parcel;
      /** It reached its node while that was suspended: no link can lose it any more. */
      readonly isReceived?: true;
    }
  | { readonly type: "timer"; readonly node: NodeName; readonly name: string }
  /** The disk of a node has finished a write. */
  | { readonly type: "written"; readonly node: NodeName }
  /** The client timeout of an operation has expired. */
  | { readonly type: "clientTimeout"; readonly client: ClientName; readonly id: OperationId }
  | { readonly type: "action"; readonly action: Action }
  | { readonly type: "order"; readonly workload: string; readonly number: number }
  /** A proposal of the operator reaches a node. */
  | { readonly type: "govern"; readonly node: NodeName; readonly signed: SignedProposal };

export type Arrival = Extract<WorldEvent, { type: "arrival" }>;

/** Cause of the loss of a parcel. */
export type LossCause = "loss" | "partition" | "rule" | "receiver down";

/**
 * All methods are optional. `eventBegins` gives step and time of all calls until the next one. Listeners must not
 * change the world; an exception stops the run.
 */
export interface WorldListener {
  /** `step` counts events from 1. */
  eventBegins?(step: number, at: Millis, event: WorldEvent): void;
  /**
   * Called when the signature is made, even if the message is never delivered. `reason`: that of a round change or a
   * close, if it shows one.
   */
  signed?(node: NodeView, body: StatementContent, digest: Hash, reason?: Reason): void;
  /** After the program's step and before its outputs are carried out. `outputs` are those that will be carried out. */
  stepped?(node: NodeView, input: Input, outputs: readonly Output[]): void;
  /** One output was carried out; a persist once it is durable. */
  carriedOut?(node: NodeView, output: Output): void;
  sent?(from: Party, to: Party, parcel: Parcel, number: number, arrivesAt: Millis): void;
  lost?(from: Party, to: Party, parcel: Parcel, number: number, cause: LossCause): void;
  held?(from: Party, to: Party, parcel: Parcel, rule: string): void;
  /** Called before `lost` with the rule that drops the parcel. */
  dropped?(from: Party, to: Party, parcel: Parcel, rule: string): void;
  /** A strategy changed, added or left out outputs of a step of its node. */
  intercepted?(node: NodeName, strategy: StrategyPlan): void;
  crashed?(node: NodeView): void;
  /** An event waits until its suspended node goes on. */
  postponed?(node: NodeName): void;
  /** Before the first step of the new incarnation. */
  restarted?(node: NodeView, records: readonly (readonly [key: string, record: DurableRecord])[], wiped: boolean): void;
  /** A client puts a submission on a link towards `to`. `correct`: never equivocates. */
  submitted?(client: ClientName, id: OperationId, submission: Submission, to: NodeName, correct: boolean): void;
  /**
   * A reply reached its client. `quorum`: distinct members whose commits it verified; 0 except for a proved `final`.
   */
  replyReceived?(client: ClientName, id: OperationId, from: NodeName, reply: Reply, quorum: number): void;
  /** An action took effect. */
  acted?(action: Action): void;
  /** The healing phase begins. */
  healed?(core: readonly NodeName[]): void;
}
