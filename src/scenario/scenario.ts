/**
 * Types of the scenario language. `schema/schema.ts` describes them in JSON Schema, and `schema/shape.ts` makes the
 * compiler compare the two.
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
  /** Bound of events; default `RUN_STEPS`. */
  readonly events?: number;
  readonly expect?: readonly Expectation[];
  readonly invariants_off?: Readonly<Partial<Record<InvariantName, string>>>;
  readonly transcript?: readonly string[];
}

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
  /** Most operations of one token slot. */
  readonly list_limit?: number;
  /** Issued tokens start unpaused; default: paused (specification 6.5). */
  readonly open_tokens?: boolean;
  /** Checkpoint policy; default: no checkpoints. */
  readonly checkpoints?: CheckpointsPart;
  /** Number of checkpoints after which an epoch closes; default: by governance only. */
  readonly epochs?: EpochsPart;
  /** Reward account by validator; default: the account of its own name. */
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
  /** Allowances of holders of MintBurnTokens; default 0. */
  readonly allowances?: Readonly<Record<Name, Decimal>>;
  readonly blacklist?: readonly Name[];
  readonly whitelist?: readonly Name[];
}

export interface FeeRow {
  readonly payment: Decimal;
  readonly cancellation: Decimal;
  readonly recovery: Decimal;
}

/** Fees of all tokens, and of single ones. */
export interface FeesPart extends FeeRow {
  /** Fees of undeclared tokens, in their smallest unit; default 1, 2 and 2. */
  readonly unnamed?: FeeRow;
  readonly tokens?: Readonly<Record<Name, FeeRow>>;
}

export interface ClientPart {
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

export type Step = When & StepVerbs & { readonly only?: readonly Name[] };

export interface When {
  readonly at?: number;
  readonly after?: TriggerPart;
}

/** Exactly one verb per step. */
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
  /** Repeats the bytes of an earlier operation. */
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
  /** Number of outputs before the crash; default 0. */
  readonly outputs?: number;
  /** Crash after the next output of this type. */
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
  /** Number of a checkpoint. */
  readonly checkpoint?: number;
  /** Number of an epoch, for its closing. */
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

/** A proposal to close an epoch, submitted to validators; absent parameters stay unchanged. */
export interface GovernPart {
  readonly id?: Name;
  readonly to?: readonly Name[];
  /** Repeats the bytes of an earlier proposal. */
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
  /** Accounts of the paying wallets. */
  readonly accounts: readonly Name[];
  /** Accounts drawn for every other open member of an order; default: the payers. */
  readonly recipients?: readonly Name[];
  readonly count: number;
  readonly every_ms: Delay;
  readonly mix: readonly MixPart[];
}

/** One kind of order with its weight. */
export type MixPart = MixKinds & { readonly weight?: number };

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
  readonly blacklist?: MixListPart;
  readonly whitelist?: MixListPart;
  readonly grant?: MixRolePart & { readonly allowance?: DecimalRange };
  readonly revoke?: MixRolePart;
  readonly pause?: NonNullable<SubmitKinds["pause"]>;
  readonly unpause?: NonNullable<SubmitKinds["unpause"]>;
  /** The number of the order is appended to the symbol. */
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

/** Exactly one event, with its filters. */
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
