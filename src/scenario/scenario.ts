/**
 * Types of the scenario language. `schema/schema.ts` describes them in JSON Schema, and `schema/shape.ts` makes the
 * compiler compare the two.
 */
import type { Layout, Role } from "../core/base/operation.ts";
import type { CoveragePoint } from "../core/validator/coverage-points.ts";
import type { InvariantName } from "../invariants/observation.ts";
import type { StrategyName } from "../simulator/byzantine/registry.ts";
import type { MessageKind, SchedulePlan } from "../simulator/plan.ts";
import type { Chance, Decimal, DecimalRange, Delay, KeyName, Name } from "./scalar-types.ts";
import type { Expectation } from "./scenario-expect.ts";

export interface Scenario {
  readonly name: string;
  /** The section of `docs/specification.md` or `docs/protocol.md` that the file shows. */
  readonly shows?: string;
  readonly network?: Network;
  readonly schedule?: ScheduleSpec;
  readonly genesis?: GenesisSpec;
  readonly clients?: Readonly<Record<Name, ClientSpec>>;
  /** The known-bad variant that runs instead of the real program. */
  readonly bug?: Name;
  readonly steps?: readonly Step[];
  readonly healing?: HealingSpec;
  /** Bound of events; default `RUN_STEPS`. */
  readonly events?: number;
  readonly expect?: readonly Expectation[];
  readonly invariants_off?: Readonly<Partial<Record<InvariantName, string>>>;
  readonly transcript?: readonly TranscriptEntry[];
}

/** One event of a golden transcript: time, kind and what it refers to, by name. */
export type TranscriptEntry = Readonly<Record<string, unknown>>;

export interface Network {
  readonly validators?: number;
  /** Validators that run from the start and sign nothing before they join a committee. */
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

/** The schedule until the healing; members of other methods are errors. */
export interface ScheduleSpec {
  readonly method: SchedulePlan["method"];
  readonly depth?: number;
  readonly deviations?: number;
  readonly steps?: number;
  readonly window_ms?: number;
}

export interface GenesisSpec {
  readonly chain_id?: number;
  readonly tokens?: Readonly<Record<Name, TokenSpec>>;
  readonly balances?: Readonly<Record<Name, Readonly<Record<Name, Decimal>>>>;
  readonly fees?: FeesSpec;
  /** Most operations of one token slot. */
  readonly list_limit?: number;
  /** Issued tokens start unpaused; default: paused (specification 6.5). */
  readonly open_tokens?: boolean;
  /** Checkpoint policy; default: no checkpoints. */
  readonly checkpoints?: CheckpointsSpec;
  /** Number of checkpoints after which an epoch closes; default: by governance only. */
  readonly epochs?: EpochsSpec;
  /** Reward account by validator; default: the account of its own name. */
  readonly rewards?: Readonly<Record<KeyName, Name>>;
}

export interface EpochsSpec {
  readonly checkpoints: number;
}

export interface CheckpointsSpec {
  readonly interval_ms?: number;
  readonly slots?: number;
  readonly limit?: number;
  readonly period_s?: number;
  readonly empty?: boolean;
}

export interface TokenSpec {
  readonly decimals: number;
  readonly master: Name;
  readonly name?: string;
  readonly state?: "paused" | "unpaused";
  readonly private?: boolean;
  readonly roles?: Readonly<Partial<Record<Role, readonly Name[]>>>;
  /** Allowances of holders of MintBurnTokens; default 0. */
  readonly allowances?: Readonly<Record<Name, Decimal>>;
  readonly blacklist?: readonly Name[];
  readonly whitelist?: readonly Name[];
}

export interface FeeRowSpec {
  readonly payment: Decimal;
  readonly cancellation: Decimal;
  readonly recovery: Decimal;
}

/** Fees of all tokens, and of single ones. */
export interface FeesSpec extends FeeRowSpec {
  /** Fees of undeclared tokens, in their smallest unit; default 1, 2 and 2. */
  readonly unnamed?: FeeRowSpec;
  readonly tokens?: Readonly<Record<Name, FeeRowSpec>>;
}

export interface ClientSpec {
  /** Two services with this account's key, `alice` and `alice'`, each correct by itself. */
  readonly twin?: boolean;
  readonly behaviour?: "correct" | "scripted";
  readonly home?: Name;
  readonly window?: number;
  readonly timeout_ms?: number;
  readonly cancel_after?: number;
  readonly give_up_after?: number;
  /** `reuse`: the next operation gets the nonce of one refused undisclosed (protocol 4.2). */
  readonly on_refusal?: "cancel" | "reuse";
}

export type Step = StepTime & StepVerbs & { readonly only?: readonly Name[] };

export interface StepTime {
  readonly at?: number;
  readonly after?: TriggerSpec;
}

/** Exactly one verb per step. */
export interface StepVerbs {
  readonly submit?: SubmitSpec;
  readonly crash?: CrashSpec;
  readonly restart?: Name;
  readonly wipe?: Name;
  readonly clock?: ClockSpec;
  readonly disk?: DiskSpec;
  readonly partition?: readonly (readonly Name[])[];
  readonly cut?: CutSpec;
  readonly heal?: true | readonly Name[];
  readonly delay?: LinkSpec<Delay, "ms">;
  readonly loss?: LinkSpec<Chance, "chance">;
  readonly duplicate?: LinkSpec<Chance, "chance">;
  readonly reorder?: LinkSpec<Chance, "chance">;
  readonly drop?: PatternSpec;
  readonly undrop?: true | Name;
  readonly hold?: PatternSpec;
  readonly release?: true | Name;
  readonly byzantine?: ByzantineSpec;
  readonly behave?: BehaveSpec;
  readonly twin?: Readonly<Record<Name, readonly Name[]>>;
  readonly workload?: WorkloadSpec;
  readonly govern?: GovernSpec;
}

export type StepVerb = keyof StepVerbs;

export interface SubmitSpec extends SubmitKinds {
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
  readonly blacklist?: ListSpec;
  readonly whitelist?: ListSpec;
  readonly grant?: RoleSpec;
  readonly revoke?: RoleSpec;
  readonly pause?: { readonly from: Name; readonly token: Name };
  readonly unpause?: { readonly from: Name; readonly token: Name };
  /** Repeats the bytes of an earlier operation. */
  readonly repeat?: Name;
}

export type SubmitKind = keyof SubmitKinds;

export interface ListSpec {
  readonly from: Name;
  readonly token: Name;
  readonly address: Name;
  readonly action: "add" | "remove";
}

export interface RoleSpec {
  readonly from: Name;
  readonly token: Name;
  readonly role: Role;
  readonly to: Name;
  readonly allowance?: Decimal;
}

export interface CrashSpec {
  readonly node: Name;
  /** Number of outputs before the crash; default 0. */
  readonly outputs?: number;
  /** Crash after the next output of this type. */
  readonly after_output?: "persist" | "erase" | "sign" | "send";
  readonly restart_after_ms?: number;
}

export interface ClockSpec {
  readonly node: Name;
  readonly ahead_ms: number;
}

export interface DiskSpec {
  readonly node: Name;
  readonly write_ms?: Delay;
  readonly loses_last?: number;
}

export interface CutSpec {
  readonly from: readonly Name[];
  readonly to: readonly Name[];
}

export type LinkSpec<T, K extends string> = { readonly from?: readonly Name[]; readonly to?: readonly Name[] } & {
  readonly [key in K]: T;
};

export interface PatternSpec {
  readonly rule?: Name;
  readonly from?: readonly Name[];
  readonly to?: readonly Name[];
  readonly kinds?: readonly MessageKind[];
  readonly of?: Name;
  readonly account?: Name;
  readonly token?: Name;
  /** Number of a checkpoint. */
  readonly checkpoint?: number;
  /** Number of an epoch, for its closing. */
  readonly epoch?: number;
  readonly round?: number;
  readonly count?: number;
}

export interface ByzantineSpec {
  readonly node: Name;
  readonly strategy: StrategyName;
  readonly towards?: readonly Name[];
  /** The operation of `vote-for`. */
  readonly of?: Name;
  readonly chance?: Chance;
  readonly mode?: string;
}

export interface BehaveSpec {
  readonly node: Name;
  readonly strategy?: StrategyName;
}

/** A proposal to close an epoch, submitted to validators; absent parameters stay unchanged. */
export interface GovernSpec {
  readonly id?: Name;
  readonly to?: readonly Name[];
  /** Repeats the bytes of an earlier proposal. */
  readonly repeat?: Name;
  readonly epoch?: number;
  readonly chain_id?: number;
  readonly signer?: Name;
  readonly validators?: readonly KeyName[];
  readonly rewards?: Readonly<Record<KeyName, Name>>;
  readonly fees?: FeesSpec;
  readonly checkpoints?: CheckpointsSpec | "none";
  readonly epochs?: EpochsSpec | "none";
}

/** Orders of correct clients at a rate. */
export interface WorkloadSpec {
  readonly id?: Name;
  /** Accounts of the paying wallets. */
  readonly accounts: readonly Name[];
  /** Accounts drawn for every other open member of an order; default: the payers. */
  readonly recipients?: readonly Name[];
  readonly count: number;
  readonly every_ms: Delay;
  readonly mix: readonly MixEntrySpec[];
}

/** One kind of order with its weight. */
export type MixEntrySpec = MixKinds & { readonly weight?: number };

/** Exactly one of them. Lists, ranges and absent members are drawn for each order. */
export interface MixKinds {
  readonly payment?: { readonly token: Name; readonly value: DecimalRange };
  /** Cancels an open operation of one of the workload's wallets. */
  readonly cancellation?: true;
  readonly mint?: {
    readonly from: Name;
    readonly token: Name;
    readonly value: DecimalRange;
    readonly to?: readonly Name[];
  };
  /** Burns the signer's own balance, or that of `accounts`. */
  readonly burn?: {
    readonly from: Name;
    readonly token: Name;
    readonly value: DecimalRange;
    readonly accounts?: readonly Name[];
  };
  readonly metadata?: NonNullable<SubmitKinds["metadata"]>;
  readonly blacklist?: MixListSpec;
  readonly whitelist?: MixListSpec;
  readonly grant?: MixRoleSpec & { readonly allowance?: DecimalRange };
  readonly revoke?: MixRoleSpec;
  readonly pause?: NonNullable<SubmitKinds["pause"]>;
  readonly unpause?: NonNullable<SubmitKinds["unpause"]>;
  /** The number of the order is appended to the symbol. */
  readonly issue?: NonNullable<SubmitKinds["issue"]>;
}

export type MixKind = keyof MixKinds;

export interface MixListSpec {
  readonly from: Name;
  readonly token: Name;
  readonly addresses?: readonly Name[];
  readonly action?: "add" | "remove";
}

export interface MixRoleSpec {
  readonly from: Name;
  readonly token: Name;
  readonly role: Role;
  readonly to: readonly Name[];
}

/** Exactly one event, with its filters. */
export interface TriggerSpec {
  readonly submitted?: Name;
  readonly voted?: Name;
  readonly committed?: Name;
  readonly proposed?: Name;
  readonly decided?: Name;
  readonly applied?: Name;
  readonly responded?: Name;
  readonly round_change?: Name;
  readonly held?: Name;
  readonly crashed?: Name;
  readonly restarted?: Name;
  readonly coverage?: CoveragePoint;
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

export type TriggerEvent = Exclude<keyof TriggerSpec, "by" | "times" | "plus_ms">;

export interface HealingSpec {
  readonly at?: number;
  readonly core?: readonly Name[];
  readonly everywhere?: boolean;
  /** No healing: liveness is not demanded. */
  readonly none?: boolean;
}
