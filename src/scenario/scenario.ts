/**
 * The scenario language as types: what stands in a file after it was checked. `schema.ts` describes each part in
 * JSON Schema, and the compiler holds the two together (`shape.ts`).
 */
import type { Layout, Role } from "../core/base/operation.ts";
import type { Mark } from "../core/validator/marks.ts";
import type { InvariantName } from "../invariants/observation.ts";
import type { CheckpointLie, ChoiceLie, JustificationLie } from "../simulator/lies.ts";
import type { MessageKind, SchedulePlan, StrategyPlan } from "../simulator/plan.ts";
import type { Expectation } from "./scenario-expect.ts";
import type { Chance, Decimal, DecimalRange, Delay, KeyName, Name } from "./scenario-words.ts";

export interface Scenario {
  readonly name: string;
  /** The section of `docs/specification.md` or `docs/protocol.md` that the file shows. */
  readonly shows?: string;
  readonly network?: Network;
  readonly schedule?: SchedulePart;
  readonly genesis?: GenesisPart;
  readonly clients?: Readonly<Record<Name, ClientPart>>;
  /** The known-bad variant that runs instead of the real program. */
  readonly bug?: Name;
  readonly steps?: readonly Step[];
  readonly healing?: Healing;
  /** The most events that its run may take; `RUN_STEPS` where absent. */
  readonly events?: number;
  readonly expect?: readonly Expectation[];
  readonly invariants_off?: Readonly<Partial<Record<InvariantName, string>>>;
  readonly transcript?: readonly string[];
}

export interface Network {
  readonly validators?: number;
  /** Further validators that run from the start and sign nothing before a committee takes them in. */
  readonly spares?: readonly Name[];
  readonly delay_ms?: Delay;
  readonly client_delay_ms?: Delay;
  readonly loss?: Chance;
  readonly duplicate?: Chance;
  readonly reorder?: Chance;
  readonly write_ms?: Delay;
  /** Validators that run twice with one key: `v4` and `v4'`. */
  readonly twins?: readonly Name[];
}

/** Who goes next until the healing; members that do not go with the method are errors. */
export interface SchedulePart {
  readonly method: SchedulePlan["method"];
  readonly depth?: number;
  readonly deviations?: number;
  readonly steps?: number;
  readonly window_ms?: number;
}

export interface GenesisPart {
  readonly chain_id?: number;
  readonly tokens?: Readonly<Record<Name, TokenPart>>;
  readonly balances?: Readonly<Record<Name, Readonly<Record<Name, Decimal>>>>;
  readonly fees?: FeesPart;
  /** How many operations one slot of a token takes at most. */
  readonly list_limit?: number;
  /** Issued tokens are open at once; paused where absent (specification 6.5). */
  readonly open_tokens?: boolean;
  /** Whether and when checkpoints are formed; none without this part. */
  readonly checkpoints?: CheckpointsPart;
  /** After how many checkpoints an epoch closes by itself; only by governance without this part. */
  readonly epochs?: EpochsPart;
  /** Who gets the validators' shares of the fees: each its own account unless it stands here. */
  readonly rewards?: Readonly<Record<KeyName, Name>>;
}

export interface EpochsPart {
  readonly checkpoints: number;
}

export interface CheckpointsPart {
  readonly interval_ms?: number;
  readonly slots?: number;
  readonly limit?: number;
  readonly period_s?: number;
  readonly empty?: boolean;
}

export interface TokenPart {
  readonly decimals: number;
  readonly master: Name;
  readonly name?: string;
  readonly state?: "paused" | "unpaused";
  readonly private?: boolean;
  readonly roles?: Readonly<Partial<Record<Role, readonly Name[]>>>;
  /** What holders of MintBurnTokens may mint; nothing where absent. */
  readonly allowances?: Readonly<Record<Name, Decimal>>;
  readonly blacklist?: readonly Name[];
  readonly whitelist?: readonly Name[];
}

export interface FeeRow {
  readonly payment: Decimal;
  readonly cancellation: Decimal;
  readonly recovery: Decimal;
}

/** The row of every token, and rows of their own for some. */
export interface FeesPart extends FeeRow {
  /** Of tokens that the file does not name, in their smallest unit; 1, 2 and 2 where absent. */
  readonly unnamed?: FeeRow;
  readonly tokens?: Readonly<Record<Name, FeeRow>>;
}

export interface ClientPart {
  /** Two services with this account's key, `alice` and `alice'`, each correct and unaware of the other. */
  readonly twin?: boolean;
  readonly behaviour?: "correct" | "scripted";
  readonly home?: Name;
  readonly window?: number;
  readonly timeout_ms?: number;
  readonly cancel_after?: number;
  readonly give_up_after?: number;
  /** `reuse`: the nonce of what was refused and shown to nobody goes to the next operation (protocol 4.2). */
  readonly on_refusal?: "cancel" | "reuse";
}

export type Step = When & StepVerbs & { readonly only?: readonly Name[] };

export interface When {
  readonly at?: number;
  readonly after?: TriggerPart;
}

/** Exactly one verb a step. */
export interface StepVerbs {
  readonly submit?: Submit;
  readonly crash?: Crash;
  readonly restart?: Name;
  readonly wipe?: Name;
  readonly clock?: ClockPart;
  readonly disk?: DiskPart;
  readonly partition?: readonly (readonly Name[])[];
  readonly cut?: CutPart;
  readonly heal?: true | readonly Name[];
  readonly delay?: LinkPart<Delay, "ms">;
  readonly loss?: LinkPart<Chance, "chance">;
  readonly duplicate?: LinkPart<Chance, "chance">;
  readonly reorder?: LinkPart<Chance, "chance">;
  readonly drop?: PatternPart;
  readonly undrop?: true | Name;
  readonly hold?: PatternPart;
  readonly release?: true | Name;
  readonly byzantine?: ByzantinePart;
  readonly behave?: BehavePart;
  readonly twin?: Readonly<Record<Name, readonly Name[]>>;
  readonly workload?: WorkloadPart;
  readonly govern?: GovernPart;
}

export type StepVerb = keyof StepVerbs;

export interface Submit extends SubmitKinds {
  readonly id?: Name;
  readonly nonce?: number;
  readonly layout?: Layout;
  readonly chain_id?: number;
  readonly signature?: "none" | "broken" | "high_s";
  readonly signed_by?: Name;
  readonly times?: number;
}

/** Exactly one of them. */
export interface SubmitKinds {
  readonly payment?: { readonly from: Name; readonly to: Name; readonly token: Name; readonly value: Decimal };
  readonly cancellation?: { readonly from: Name };
  readonly recovery?: { readonly account: Name; readonly evidence: readonly Name[]; readonly from?: Name };
  readonly issue?: {
    readonly from?: Name;
    readonly symbol: string;
    readonly name?: string;
    readonly decimals: number;
    readonly master: Name;
    readonly private?: boolean;
  };
  readonly mint?: { readonly from: Name; readonly to: Name; readonly token: Name; readonly value: Decimal };
  readonly burn?: { readonly from: Name; readonly token: Name; readonly value: Decimal; readonly account?: Name };
  readonly metadata?: {
    readonly from: Name;
    readonly token: Name;
    readonly name: string;
    readonly uri?: string;
    readonly additional?: Readonly<Record<string, string>>;
  };
  readonly blacklist?: ListPart;
  readonly whitelist?: ListPart;
  readonly grant?: RolePart;
  readonly revoke?: RolePart;
  readonly pause?: { readonly from: Name; readonly token: Name };
  readonly unpause?: { readonly from: Name; readonly token: Name };
  /** The same bytes as an earlier operation. */
  readonly again?: Name;
}

export type SubmitKind = keyof SubmitKinds;

export interface ListPart {
  readonly from: Name;
  readonly token: Name;
  readonly address: Name;
  readonly action: "add" | "remove";
}

export interface RolePart {
  readonly from: Name;
  readonly token: Name;
  readonly role: Role;
  readonly to: Name;
  readonly allowance?: Decimal;
}

export interface Crash {
  readonly node: Name;
  /** After so many outputs from now, instead of at once. */
  readonly outputs?: number;
  /** After the next output of this type. */
  readonly after_output?: "persist" | "erase" | "sign" | "send";
  readonly restart_after_ms?: number;
}

export interface ClockPart {
  readonly node: Name;
  readonly ahead_ms: number;
}

export interface DiskPart {
  readonly node: Name;
  readonly write_ms?: Delay;
  readonly loses_last?: number;
}

export interface CutPart {
  readonly from: readonly Name[];
  readonly to: readonly Name[];
}

export type LinkPart<T, K extends string> = { readonly from?: readonly Name[]; readonly to?: readonly Name[] } & {
  readonly [key in K]: T;
};

export interface PatternPart {
  readonly rule?: Name;
  readonly from?: readonly Name[];
  readonly to?: readonly Name[];
  readonly kinds?: readonly MessageKind[];
  readonly of?: Name;
  readonly account?: Name;
  readonly token?: Name;
  /** The number of one. */
  readonly checkpoint?: number;
  /** The number of one: its closing. */
  readonly epoch?: number;
  readonly round?: number;
  readonly count?: number;
}

export interface ByzantinePart {
  readonly node: Name;
  readonly strategy: StrategyPlan["name"];
  readonly towards?: readonly Name[];
  /** The operation of `vote-for`. */
  readonly of?: Name;
  readonly chance?: Chance;
  readonly lie?: JustificationLie | ChoiceLie | CheckpointLie;
}

export interface BehavePart {
  readonly node: Name;
  readonly strategy?: StrategyPlan["name"];
}

/** A proposal to close an epoch, handed to validators; what it does not name stays as it was. */
export interface GovernPart {
  readonly id?: Name;
  readonly to?: readonly Name[];
  /** The same bytes as an earlier proposal. */
  readonly again?: Name;
  readonly epoch?: number;
  readonly chain_id?: number;
  readonly signer?: Name;
  readonly validators?: readonly KeyName[];
  readonly rewards?: Readonly<Record<KeyName, Name>>;
  readonly fees?: FeesPart;
  readonly checkpoints?: CheckpointsPart | "none";
  readonly epochs?: EpochsPart | "none";
}

/** Orders of correct clients at a rate. */
export interface WorkloadPart {
  readonly id?: Name;
  /** Whose wallets pay. */
  readonly accounts: readonly Name[];
  /** Who is paid, and whoever else an order leaves open; the payers where absent. */
  readonly recipients?: readonly Name[];
  readonly count: number;
  readonly every_ms: Delay;
  readonly mix: readonly MixPart[];
}

/** One kind of order, drawn with its weight among the others. */
export type MixPart = MixKinds & { readonly weight?: number };

/** Exactly one of them. What lists, ranges and absent members leave open is drawn for each order. */
export interface MixKinds {
  readonly payment?: { readonly token: Name; readonly value: DecimalRange };
  /** Of an operation that one of the workload's wallets has open. */
  readonly cancellation?: true;
  readonly mint?: {
    readonly from: Name;
    readonly token: Name;
    readonly value: DecimalRange;
    readonly to?: readonly Name[];
  };
  /** Of one's own balance; with `accounts`, of somebody else's. */
  readonly burn?: {
    readonly from: Name;
    readonly token: Name;
    readonly value: DecimalRange;
    readonly accounts?: readonly Name[];
  };
  readonly metadata?: NonNullable<SubmitKinds["metadata"]>;
  readonly blacklist?: MixListPart;
  readonly whitelist?: MixListPart;
  readonly grant?: MixRolePart & { readonly allowance?: DecimalRange };
  readonly revoke?: MixRolePart;
  readonly pause?: NonNullable<SubmitKinds["pause"]>;
  readonly unpause?: NonNullable<SubmitKinds["unpause"]>;
  /** The symbol is followed by the number of the order. */
  readonly issue?: NonNullable<SubmitKinds["issue"]>;
}

export type MixKind = keyof MixKinds;

export interface MixListPart {
  readonly from: Name;
  readonly token: Name;
  readonly addresses?: readonly Name[];
  readonly action?: "add" | "remove";
}

export interface MixRolePart {
  readonly from: Name;
  readonly token: Name;
  readonly role: Role;
  readonly to: readonly Name[];
}

/** Exactly one event, with what narrows it. */
export interface TriggerPart {
  readonly submitted?: Name;
  readonly voted?: Name;
  readonly committed?: Name;
  readonly proposed?: Name;
  readonly decided?: Name;
  readonly applied?: Name;
  readonly answered?: Name;
  readonly round_change?: Name;
  readonly held?: Name;
  readonly crashed?: Name;
  readonly restarted?: Name;
  readonly mark?: Mark;
  readonly checkpoint_proposed?: number;
  readonly checkpoint_voted?: number;
  readonly checkpoint_committed?: number;
  readonly checkpoint_decided?: number;
  readonly checkpointed?: number;
  readonly close_signed?: number;
  readonly closing_proposed?: number;
  readonly closing_voted?: number;
  readonly closing_committed?: number;
  readonly closing_decided?: number;
  readonly closed?: number;
  readonly by?: Name;
  readonly times?: number;
  readonly plus_ms?: number;
}

export type TriggerEvent = Exclude<keyof TriggerPart, "by" | "times" | "plus_ms">;

export interface Healing {
  readonly at?: number;
  readonly core?: readonly Name[];
  readonly everywhere?: boolean;
  /** No healing: liveness is not demanded. */
  readonly none?: boolean;
}
