/**
 * Events of a run as plain data: what each party did and received, and what the world did to them. Every member is a
 * number, a text, a list or a record, so that an event is its own JSON form (docs/guides/run-events.md).
 */
import type { RefusalCode } from "../../core/base/refusal.ts";
import type { BurnOutcome } from "../../core/base/slot.ts";
import type { CoveragePoint } from "../../core/validator/coverage-points.ts";
import type { DurableRecord, Misbehaviour, Reply } from "../../core/validator/output.ts";
import type { LossCause } from "../../simulator/listener.ts";
import type { Action, MessageKind, MessagePattern } from "../../simulator/plan.ts";

/** The name of an operation in the scenario, else its id: 0x and 64 hex digits. */
export type OperationRef = string;

/** A slot. `owner`: name of the account or token, else its address. */
export type SlotRef =
  | { readonly kind: "account" | "token"; readonly owner: string; readonly number: number }
  | { readonly kind: "checkpoint" | "epoch"; readonly number: number };

/** All slots whose members are equal to the given ones. */
export interface SlotPattern {
  readonly kind: SlotRef["kind"];
  readonly owner?: string;
  readonly number?: number;
}

/** A value that a slot may decide. `unknown`: no party has disclosed its content in the run so far. */
export type ValueRef =
  | { readonly type: "operation"; readonly operation: OperationRef }
  | { readonly type: "burn"; readonly operation: OperationRef; readonly outcome: BurnOutcome }
  | { readonly type: "skip"; readonly by: "cancellation" | "recovery"; readonly operation: OperationRef }
  | { readonly type: "list"; readonly operations: readonly OperationRef[] }
  /** `slots`: number of slots that it lists. */
  | { readonly type: "checkpoint"; readonly number: number; readonly slots: number; readonly hash: string }
  | { readonly type: "closing"; readonly epoch: number; readonly slots: number; readonly hash: string }
  | { readonly type: "unknown"; readonly hash: string };

/** A message on a link, with what it states; a message of synchronization has its kind only. */
export interface MessageRef {
  readonly type: MessageKind;
  /** Of `opaque`. */
  readonly tag?: string;
  readonly epoch?: number;
  readonly slot?: SlotRef;
  readonly round?: number;
  readonly value?: ValueRef;
  /** Of `submit` and `reply`. */
  readonly operation?: OperationRef;
  /** Of `reply`. */
  readonly status?: Reply["status"];
}

/** Answer about an operation. */
export interface ResponseRef {
  readonly status: Reply["status"];
  /** Why it is refused; of `pending`: why this validator would refuse it now. */
  readonly refusal?: RefusalCode;
  /** Operation that supersedes it. */
  readonly by?: OperationRef;
  /** Epoch that closed without it, of `void`. */
  readonly epoch?: number;
}

/** Timer of a validator: `round`, `retry`, `sync` and others, with what it waits for. */
export interface TimerRef {
  readonly type: string;
  readonly slot?: SlotRef;
  readonly account?: string;
  readonly operation?: OperationRef;
  /** Further members of its name, such as a round. */
  readonly detail?: string;
}

/** Parameters of an epoch. Fees are in the smallest unit of their token, as decimal text. */
export interface EpochRef {
  /** Keys of the committee, by name. */
  readonly committee: readonly string[];
  readonly fees: readonly FeeRef[];
  /** Number of checkpoints after which the epoch closes; absent: by governance only. */
  readonly length?: number;
}

/** One row of a fee schedule. `token`: its name or address; absent in the default row. */
export interface FeeRef {
  readonly token?: string;
  readonly payment: string;
  readonly cancellation: string;
  readonly recovery: string;
}

/** Actions with members that are no plain data, or that say less or more as an event. */
type ReferringAction = "hold" | "drop" | "release" | "submit" | "workload" | "govern" | "endFaults";

/** Messages that a rule selects. Absent members match everything. */
export interface MessagesRef extends Pick<MessagePattern, "from" | "to" | "kinds" | "round"> {
  readonly slots?: SlotPattern;
  readonly operation?: OperationRef;
}

/** Action of the scenario on the network: a fault, its end, or an order to clients. */
export type ActionRef =
  | Exclude<Action, { do: ReferringAction }>
  | { readonly do: "hold" | "drop"; readonly rule: string; readonly messages: MessagesRef; readonly count?: number }
  /** `count`: messages that it delivers. */
  | { readonly do: "release"; readonly rule?: string; readonly count: number }
  | { readonly do: "submit"; readonly client: string; readonly operation: OperationRef }
  | { readonly do: "workload"; readonly workload: string; readonly count: number }
  | { readonly do: "govern"; readonly to: readonly string[]; readonly epoch: number; readonly next: EpochRef }
  | { readonly do: "endFaults" };

/** One parcel on the link between two parties. `number` counts the parcels of this link; 0 from a party to itself, and over no link. */
interface LinkMembers {
  readonly from: string;
  readonly to: string;
  readonly number: number;
  readonly message: MessageRef;
}

/** Slot and round of a statement or certificate. */
interface RoundMembers {
  readonly epoch: number;
  readonly slot: SlotRef;
  readonly round: number;
}

/** Statement that a validator signed, delivered or not. */
export type SignedRef =
  | (RoundMembers & { readonly statement: "vote" | "commit" | "proposal"; readonly value: ValueRef })
  /** `lock`: highest lock that its signer shows. */
  | (RoundMembers & {
      readonly statement: "roundChange";
      readonly lock?: { readonly round: number; readonly value: ValueRef };
    })
  /** Numbers of slots that its signer knows to be decided, and locked without a decision. */
  | (RoundMembers & { readonly statement: "close"; readonly decided: number; readonly locked: number });

/** An event before its step and time are added. `party`: the validator or client at which it happened. */
export type UndatedEvent =
  /** The first event that names an operation. `type`: its kind, or `recovery`. */
  | {
      readonly kind: "operation";
      readonly operation: OperationRef;
      readonly id: string;
      readonly account: string;
      readonly type: string;
      readonly nonce: number;
      /** Its members in a scenario file, without the signer: names of parties, amounts in the token's units. */
      readonly members?: Readonly<Record<string, unknown>>;
      /** Content of its memo, if its author gave one. */
      readonly memo?: string;
    }
  /** `arrivesAt`: virtual milliseconds, unless a rule or a partition intervenes. `duplicate`: one more copy. */
  | (LinkMembers & { readonly kind: "sent"; readonly arrivesAt: number; readonly duplicate?: true })
  | (LinkMembers & { readonly kind: "delivered" })
  | (LinkMembers & { readonly kind: "lost"; readonly cause: LossCause })
  /** Waits until the rule is released. */
  | (LinkMembers & { readonly kind: "held"; readonly rule: string })
  | { readonly kind: "submitted"; readonly party: string; readonly to: string; readonly operation: OperationRef }
  /** A response reached the client. */
  | (ResponseRef & {
      readonly kind: "responded";
      readonly party: string;
      readonly from: string;
      readonly operation: OperationRef;
    })
  | { readonly kind: "clientTimeout"; readonly party: string; readonly operation: OperationRef }
  /** Order number `number` of a workload. */
  | { readonly kind: "ordered"; readonly workload: string; readonly number: number }
  | { readonly kind: "started"; readonly party: string }
  | { readonly kind: "crashed"; readonly party: string }
  /** `records`: number of durable records. `wiped`: its disk was lost. */
  | { readonly kind: "restarted"; readonly party: string; readonly records: number; readonly wiped: boolean }
  /** `due`: virtual milliseconds. */
  | { readonly kind: "timerSet"; readonly party: string; readonly timer: TimerRef; readonly due: number }
  | { readonly kind: "timerCancelled"; readonly party: string; readonly timer: TimerRef }
  | { readonly kind: "timerExpired"; readonly party: string; readonly timer: TimerRef }
  /** The disk finished a write: the records that waited for it become durable. */
  | { readonly kind: "written"; readonly party: string }
  /** A record became durable. `round`: of a slot's record. */
  | {
      readonly kind: "persisted";
      readonly party: string;
      readonly record: DurableRecord["of"];
      readonly slot?: SlotRef;
      readonly round?: number;
    }
  | { readonly kind: "erased"; readonly party: string; readonly slot?: SlotRef }
  | (SignedRef & { readonly kind: "signed"; readonly party: string })
  /** A validator answered, whether or not the answer arrives. */
  | (ResponseRef & {
      readonly kind: "replied";
      readonly party: string;
      readonly client: string;
      readonly operation: OperationRef;
    })
  /** The party holds a finality certificate. */
  | (RoundMembers & {
      readonly kind: "decided";
      readonly party: string;
      readonly value: ValueRef;
      readonly signers: readonly string[];
    })
  | {
      readonly kind: "applied";
      readonly party: string;
      readonly slot: SlotRef;
      readonly value: ValueRef;
      /** Operations that took effect; with `failure` they used their nonce only. */
      readonly effects: readonly { readonly operation: OperationRef; readonly failure?: RefusalCode }[];
    }
  | { readonly kind: "checkpointApplied"; readonly party: string; readonly number: number }
  /** `number`: of the checkpoint that closes the epoch. */
  | {
      readonly kind: "epochClosed";
      readonly party: string;
      readonly epoch: number;
      readonly number: number;
      readonly next: EpochRef;
    }
  /** A transferred state replaced the party's own; `slot` decided it. */
  | { readonly kind: "stateTransferred"; readonly party: string; readonly slot: SlotRef }
  /** The party stops: a decision contradicts its ledger. */
  | { readonly kind: "halted"; readonly party: string; readonly slot: SlotRef; readonly reason: string }
  /** `peer`: name of the reported key. */
  | {
      readonly kind: "reported";
      readonly party: string;
      readonly peer: string;
      readonly misbehaviour: Misbehaviour;
      readonly slot?: SlotRef;
      readonly detail?: string;
    }
  | { readonly kind: "coverage"; readonly party: string; readonly point: CoveragePoint }
  /** A proposal to close an epoch reached a validator. */
  | {
      readonly kind: "proposalDelivered";
      readonly party: string;
      readonly epoch: number;
      readonly next: EpochRef;
      /** The operator signed it. */
      readonly authentic: boolean;
    }
  | { readonly kind: "action"; readonly action: ActionRef }
  /** The healing phase began (GST): liveness is demanded of this core. */
  | { readonly kind: "healed"; readonly core: readonly string[] };

/** One event of a run. */
export type RunEvent = UndatedEvent & {
  /** Number of the world event, from 1, that it is part of. */
  readonly step: number;
  /** Virtual milliseconds. */
  readonly at: number;
};

export type RunEventKind = RunEvent["kind"];

/** Events of one kind. */
export type RunEventOf<K extends RunEventKind> = Extract<RunEvent, { readonly kind: K }>;

/** The party in whose order the event counts; `undefined` for events of the network and the scenario. */
export function partyOf(event: RunEvent): string | undefined {
  if (event.kind === "delivered") return event.to;
  if (event.kind === "sent") return event.from;
  return "party" in event ? event.party : undefined;
}

/** Messages of synchronization: frequent, and without effect on decisions. */
const ROUTINE: ReadonlySet<MessageRef["type"]> = new Set<MessageRef["type"]>(["status"]);

/** True for a message from another validator that may have an effect on decisions. */
export function isRelevant({ from, to, message: { type } }: RunEventOf<"delivered">): boolean {
  return from !== to && type !== "submit" && type !== "reply" && !ROUTINE.has(type);
}
