/**
 * The scenario language as types: what stands in a file after it was checked. `schema.ts` describes each part in
 * JSON Schema, and the compiler holds the two together (`shape.ts`).
 */
import type { Layout, Role } from "../core/base/operation.ts";
import type { RefusalCode } from "../core/base/refusal.ts";
import type { Mark } from "../core/validator/marks.ts";
import type { Misbehaviour } from "../core/validator/output.ts";
import type { InvariantName } from "../invariants/observation.ts";
import type { CheckpointLie, ChoiceLie, JustificationLie } from "../simulator/lies.ts";
import type { MessageKind, StrategyPlan } from "../simulator/plan.ts";

/** A name of an account, token, validator, client, operation or rule. */
export type Name = string;
/** Decimal text in a token's units: `"10.50"`. */
export type Decimal = string;
/** Decimal text in a token's units, or a range of it: `"5"`, `"1..10"`. */
export type DecimalRange = string;
/** Virtual milliseconds: `10`, or a range as text, `5..20`. */
export type Delay = number | string;
/** A chance as text: `1/10`. */
export type Chance = string;
/** One name or several. */
export type Names = Name | readonly Name[];

export interface Scenario {
  readonly name: string;
  /** The section of the specification or of the protocol design that the file shows. */
  readonly shows?: string;
  readonly network?: Network;
  readonly genesis?: GenesisPart;
  readonly clients?: Readonly<Record<Name, ClientPart>>;
  /** The known-bad variant that runs instead of the real program. */
  readonly bug?: Name;
  readonly steps?: readonly Step[];
  readonly healing?: Healing;
  readonly expect?: readonly Expectation[];
  readonly invariants_off?: Readonly<Partial<Record<InvariantName, string>>>;
  readonly transcript?: readonly string[];
}

export interface Network {
  readonly validators?: number;
  readonly delay_ms?: Delay;
  readonly client_delay_ms?: Delay;
  readonly loss?: Chance;
  readonly duplicate?: Chance;
  readonly reorder?: Chance;
  readonly write_ms?: Delay;
  /** Validators that run twice with one key: `v4` and `v4'`. */
  readonly twins?: readonly Name[];
}

export interface GenesisPart {
  readonly chain_id?: number;
  readonly tokens?: Readonly<Record<Name, TokenPart>>;
  readonly balances?: Readonly<Record<Name, Readonly<Record<Name, Decimal>>>>;
  readonly fees?: FeesPart;
  /** How many operations one slot of a token takes at most. */
  readonly list_limit?: number;
  /** Whether and when checkpoints are formed; none without this part. */
  readonly checkpoints?: CheckpointsPart;
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
  readonly tokens?: Readonly<Record<Name, FeeRow>>;
}

export interface ClientPart {
  readonly behaviour?: "correct" | "scripted";
  readonly home?: Name;
  readonly window?: number;
  readonly timeout_ms?: number;
  readonly cancel_after?: number;
  readonly give_up_after?: number;
  /** `reuse`: the nonce of what was refused and shown to nobody goes to the next operation (design 4.2). */
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
  readonly round?: number;
  readonly count?: number;
}

export interface ByzantinePart {
  readonly node: Name;
  readonly strategy: StrategyPlan["name"];
  readonly towards?: readonly Name[];
  readonly chance?: Chance;
  readonly lie?: JustificationLie | ChoiceLie | CheckpointLie;
}

export interface BehavePart {
  readonly node: Name;
  readonly strategy?: StrategyPlan["name"];
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

export type Expectation = {
  readonly at?: number;
  readonly within_ms?: number;
  readonly blame?: readonly Name[];
} & ExpectationKinds;

/** Exactly one of them. */
export interface ExpectationKinds {
  readonly final?: Names;
  readonly superseded?: Names;
  readonly pending?: Names;
  readonly undecided?: Names;
  readonly refused?: Readonly<Record<Name, RefusalCode>>;
  readonly failed?: Readonly<Record<Name, RefusalCode>>;
  readonly fee?: Readonly<Record<Name, Decimal>>;
  readonly balance?: Readonly<Record<Name, Readonly<Record<Name, Decimal>>>>;
  readonly nonce?: Readonly<Record<Name, number>>;
  readonly pool?: Readonly<Record<Name, Decimal>>;
  readonly token?: Readonly<Record<Name, TokenState>>;
  readonly blocked?: Names;
  readonly violation?: InvariantName | "none";
  readonly stalled?: true | Names;
  readonly nothing_final?: true;
  readonly mark?: Mark | readonly Mark[];
  readonly reported?: Readonly<Record<Name, Misbehaviour | "anything">>;
  readonly all_final?: true;
  readonly checkpointed?: Names;
  readonly unlisted?: Names;
  readonly checkpoints?: number | { readonly at_least: number };
}

export type ExpectationKind = keyof ExpectationKinds;

export interface TokenState {
  readonly exists?: boolean;
  readonly paused?: boolean;
  readonly private?: boolean;
  readonly name?: string;
  readonly uri?: string;
  readonly additional?: Readonly<Record<string, string>>;
  readonly decimals?: number;
  readonly master?: Name;
  readonly supply?: Decimal;
  readonly roles?: Readonly<Partial<Record<Role, readonly Name[]>>>;
  readonly allowance?: Readonly<Record<Name, Decimal>>;
  readonly blacklist?: readonly Name[];
  readonly whitelist?: readonly Name[];
}
