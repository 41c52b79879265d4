/** Descriptor of an operation kind: its fields, the order in which each layout signs them, its rules and its effect. */
import type { Amount } from "../../base/amount.ts";
import type { Item } from "../../base/encoding.ts";
import type { FeeSchedule } from "../../base/epoch.ts";
import type { Address } from "../../base/ids.ts";
import type { List, Operation, OperationId, Recent, Role } from "../../base/operation.ts";
import type { CheckResult, Refusal } from "../../base/refusal.ts";
import type { AccountSlot } from "../../base/slot.ts";
import type { Applied } from "../applied.ts";
import type { LedgerState } from "../state.ts";
import type { Restriction, Token } from "../token.ts";

/** Form of a field's value; it determines the signed item and the JSON form. */
export type FieldType =
  | "address"
  | "amount"
  | "chain"
  | "count"
  | "flag"
  | "hex"
  | "legs"
  | "pairs"
  | "signers"
  | "text"
  | "time";

export interface Field {
  readonly type: FieldType;
  /** Name of the member in a body (wire 1.2). */
  readonly wire: string;
  /** Noun phrase that describes the member. */
  readonly about: string;
  readonly example?: string;
  /** Accepted texts; default: any. */
  readonly spellings?: readonly string[];
  /** Greatest count. */
  readonly most?: number;
  /** Code of a fault of a count; default: that of decimals. */
  readonly code?: "validation_signers";
  /** True if a body may leave the member out. */
  readonly optional?: true;
  /** True if a body may write null for zero or none. */
  readonly nullable?: true;
  /** Item that a layout signs where the operation has no value; a layout without an entry leaves the item out. */
  readonly absent?: { readonly client?: Item; readonly spec?: Item };
  /** True if the `client` layout exists only for operations that have the value. */
  readonly clientNeeds?: true;
  /**
   * `v2` signs every field, so that each needs a value: the one of a body that leaves the field out, or `none` where
   * `v2` lacks the field (wire 3.4). `tail`: `v2` leaves out what an operation has none of, with the fields behind it.
   */
  readonly v2?: "none" | "tail" | { readonly absent: unknown };
  /**
   * True if `client-flat` signs whether the operation has the value and `client-raw` does not sign it. The other layouts
   * give an absent one the value of `v2` (wire 3.8, 1 and 2).
   */
  readonly isMarked?: true;
  /** Number of bytes that `client-raw` signs in place of the text, which is 0x and their hex digits (wire 3.8, 2). */
  readonly rawBytes?: number;
  /** Item that stands for no value where a later field has one. */
  readonly gap?: Item;
}

/** Submission of a kind at a POST path, with its entry in the OpenAPI document (wire 1.2). */
export interface WriteForm {
  /** A few words. */
  readonly summary: string;
  /** Sentences. */
  readonly description: string;
  /** Sections of `specification` or `wire`. */
  readonly section: string;
  /** List that is changed; without one, the action names it. */
  readonly list?: List["list"];
  /** Accepted texts of the member `action`; default: those of the field. */
  readonly actions?: readonly string[];
}

/** Form of version 1, with what differs in version 2, where the kind is signed as a number (wire 1.3, 3.4). */
export interface WriteForms extends WriteForm {
  /** None if version 2 does not have it. */
  readonly v2?: Partial<WriteForm> & { readonly opType: number };
}

/** Returns the forms of version 2, by path. */
export function domainPathsOf({ paths }: { readonly paths: Readonly<Record<string, WriteForms>> }) {
  return Object.entries(paths).flatMap(([path, { v2, ...form }]) => {
    const section = form.section.replace(/wire 1\.2, W\d+/, "wire 1.3");
    return v2 === undefined ? [] : [[path.replace("/v1/", "/v2/"), { ...form, section, ...v2 }] as const];
  });
}

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

/** Members that are not signed as fields of their own: the head, and the list of a `List`, which its path names. */
type Unsigned = "kind" | "layout" | "chainId" | "nonce" | "account" | "memo" | "list" | keyof Recent;

/** Names of an operation's own signed fields. */
export type FieldName<O extends Operation> = Exclude<keyof O & string, Unsigned>;

/** Signer of a kind: any account, a holder of a role of the token, or the operator of the network. */
export type Signer = "owner" | "authority" | "operator";

/** Slot in which an operation takes effect (protocol 4.1). */
export type EffectSlot =
  /** In the signer's own account slot, which also authorises it. */
  | { readonly where: "own" }
  /** In a later slot of this token. */
  | { readonly where: "token"; readonly token: Address }
  /** In a later slot of the account that a forced burn or a clawback debits. */
  | { readonly where: "account"; readonly address: Address };

/** Returns the fee of a payment of a token. */
export type FeeOf = (fees: FeeSchedule, token: Address) => Amount;

/** Inputs of a check of funds besides the state. */
export interface FundsContext {
  readonly feeOf: FeeOf;
  /** True at the entry validator: a forced burn needs its funds there, and not at a voter (protocol 4.2). */
  readonly fundsForcedBurns: boolean;
}

/** Behaviour of a kind whose effect is in a slot of an account. */
export interface AccountEffect<O extends Operation> {
  /** Role that the signer needs; `undefined` if it needs none. */
  readonly role: Role | undefined;
  /** Checks what the token and the balances decide, of a kind with a token; the state has the barrier in force. */
  check(state: LedgerState, policy: Token, operation: O, signer: Address, context: FundsContext): CheckResult;
  /** Applies the effect in the signer's own slot; `state` has the nonce used. */
  apply(state: LedgerState, slot: AccountSlot, id: OperationId, operation: O, feeOf: FeeOf): Applied;
  /** Present in a kind that may debit another account than its signer's, in a slot of that account (protocol 5). */
  readonly forced?: ForcedEffect<O>;
}

/** Effect on a debited account that is not the signer's. */
export interface ForcedEffect<O extends Operation> {
  /** Returns the state in which the amount, which has been debited, is where it goes. */
  settle(state: LedgerState, operation: O): LedgerState;
  /** Returns why it fails if the debited account lacks the funds. */
  unfunded(operation: O, account: Address): Refusal;
}

/** Behaviour of a kind whose effect is in a slot of its token. */
export interface TokenEffect<O extends Operation> {
  /** Role that the signer needs; `undefined` if it depends on the operation, `Operator` to issue a token. */
  readonly role: Role | "Operator" | undefined;
  /** Returns why a token that exists forbids the operation to a signer that has the role. */
  refusal?(state: LedgerState, token: Address, policy: Token, operation: O, signer: Address): Refusal | undefined;
  /** Returns the restriction that the operation makes, if any, even if it will fail (protocol 4.2, Barrier). */
  restriction?(operation: O): Restriction | undefined;
  /** Carries out an operation that was not refused. `policy` is `undefined` for an issue only. */
  execute(state: LedgerState, token: Address, policy: Token | undefined, operation: O, signer: Address): LedgerState;
}

export interface Kind<O extends Operation, Forms = unknown> {
  /** True if version 1 has no such operation: `paths` then has those of version 2 under their names in version 1. */
  readonly isOnlyV2?: true;
  /** In the order in which `client` signs them (wire 3.3). */
  readonly fields: { readonly [F in FieldName<O>]-?: Field };
  /** Noun phrase that describes a body of this kind. */
  readonly body: string;
  readonly signer: Signer;
  /** Of version 1, by path, the newest first. */
  readonly paths: Readonly<Record<string, WriteForms>>;
  /** Fields that `spec` signs, in its order (wire 3.9). */
  readonly spec: readonly FieldName<O>[];
  /** Returns the token that an operation names, `undefined` if it names none. */
  token(operation: O): Address | undefined;
  effectSlot(operation: O, signer: Address): EffectSlot;
  /** Returns the first fault of the fields that shows without a state (specification 14.1). */
  fault(operation: O): Refusal | undefined;
  readonly inAccount?: AccountEffect<O>;
  readonly inToken?: TokenEffect<O>;
  /** Verbs of the scenario language that make such an operation. */
  readonly verbs: { readonly [V in keyof Forms]: Verb<Forms[V]> };
}

/** Token that an operation names. */
export const TOKEN: Field = { type: "address", wire: "token", about: "the token" };
/** Amount that an operation moves. */
export const VALUE: Field = { type: "amount", wire: "value", about: "the amount" };

/** Members of many verbs. */
export const FROM: FormMember = { type: "account", about: "the signing account" };
export const OF_TOKEN: FormMember = { type: "token", about: "the token" };
export const AMOUNT: FormMember = { type: "amount", about: "the amount" };
export const RECIPIENT: FormMember = { type: "account", about: "the recipient" };

export const OWN: EffectSlot = { where: "own" };

/** Returns the token of an operation that has it as a field. */
export function namedToken({ token }: { readonly token: Address }): Address {
  return token;
}

/** Returns the effect slot of an operation on its token. */
export function inNamedToken({ token }: { readonly token: Address }): EffectSlot {
  return { where: "token", token };
}

/** Returns no fault, refusal or restriction. */
export function none(): undefined {
  return undefined;
}
