/** Submissions in a scenario file: members of each verb, by the kind of operation that the verb makes. */
import type { OperationKind } from "../core/base/operation.ts";
import type { RoleSpelling } from "../core/ledger/spelling.ts";

/** Complete over the union of kinds by `KIND_VERBS`. */
export interface KindForms {
  readonly payment: {
    readonly payment: { readonly from: string; readonly to: string; readonly token: string; readonly value: string };
  };
  readonly cancellation: {
    readonly cancellation: { readonly from: string };
  };
  readonly issue: {
    readonly issue: {
      readonly from?: string;
      readonly symbol: string;
      readonly name?: string;
      readonly decimals: number;
      readonly master: string;
      readonly private?: boolean;
      readonly clawback?: boolean;
    };
  };
  readonly mint: {
    readonly mint: { readonly from: string; readonly to: string; readonly token: string; readonly value: string };
  };
  readonly burn: {
    /** `account` makes the burn a forced one. */
    readonly burn: { readonly from: string; readonly token: string; readonly value: string; readonly account?: string };
  };
  readonly metadata: {
    readonly metadata: {
      readonly from: string;
      readonly token: string;
      readonly name: string;
      readonly uri?: string;
      readonly additional?: Readonly<Record<string, string>>;
    };
  };
  readonly list: {
    readonly blacklist: ListForm;
    readonly whitelist: ListForm;
  };
  readonly authority: {
    readonly grant: RoleForm;
    readonly revoke: RoleForm;
  };
  readonly pause: {
    readonly pause: PauseForm;
    readonly unpause: PauseForm;
  };
  readonly clawback: {
    readonly clawback: {
      readonly from: string;
      readonly account: string;
      readonly to: string;
      readonly token: string;
      readonly value: string;
    };
  };
  readonly bridgeMint: {
    readonly bridge_mint: {
      readonly from: string;
      readonly to: string;
      readonly token: string;
      readonly value: string;
      readonly chain: number;
      readonly transaction: string;
      readonly bridge_metadata?: string;
    };
  };
  readonly bridgeBurn: {
    readonly bridge_burn: {
      readonly from: string;
      readonly token: string;
      readonly value: string;
      readonly chain: number;
      readonly destination: string;
      readonly escrow?: string;
      readonly bridge_metadata?: string;
      readonly bridge_param?: string;
    };
  };
  readonly batch: {
    readonly batch: {
      readonly from: string;
      readonly token: string;
      readonly legs: readonly { readonly to: string; readonly value: string }[];
      readonly created_at?: number;
      readonly operations_hash?: string;
      readonly batch_id?: string;
    };
  };
  readonly multisig: {
    readonly multisig: { readonly from: string; readonly account: string };
  };
}

type ListForm = Readonly<{ from: string; token: string; address: string; action: "add" | "remove" }>;

interface RoleForm {
  readonly from: string;
  readonly token: string;
  readonly role: RoleSpelling;
  readonly to: string;
  readonly allowance?: string;
}

type PauseForm = Readonly<{ from: string; token: string }>;

type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;

/** Submissions by verb. */
export type OperationForms = Intersection<KindForms[OperationKind]>;

/** Verbs of `submit` in the scenario language that make an operation. */
export type OperationVerb = keyof OperationForms;

/** Form of a member of a submission in a scenario file: names of accounts and tokens, amounts in the token's units. */
export type MemberType =
  | "account"
  | "token"
  | "amount"
  | "name"
  | "text"
  | "chain"
  | "count"
  | "flag"
  | "legs"
  | "pairs"
  | "multisig"
  | "role"
  | "time"
  | "change";

/** Member of a submission in a scenario file. */
export interface FormMember {
  readonly type: MemberType;
  /** Noun phrase that describes the member. */
  readonly about: string;
  /** True if a file may leave the member out: its field has the value `otherwise`, or none. */
  readonly optional?: true;
  /** Value of the field, or the member from which it is taken. */
  readonly otherwise?: { readonly value: unknown } | { readonly from: string };
  /** True for a flag that a file leaves out for true. */
  readonly isTrueWhenAbsent?: true;
}

/** Verb of `submit` in the scenario language: a kind of operation, or one of its actions. */
export interface Verb<Form> {
  /** Sentences, and an example as YAML after `Example: `. */
  readonly about: string;
  readonly form: { readonly [M in keyof Form]-?: FormMember };
  /** Fields of the operation in the order in which they are made: the member that each is read from, or a fixed text. */
  readonly fills: Readonly<Record<string, string | { readonly fixed: string }>>;
}
