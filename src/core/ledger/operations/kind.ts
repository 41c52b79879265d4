/** Descriptor of an operation kind: its fields in the order in which clients sign them, its rules and its effect. */
import type { Amount } from "../../base/amount.ts";
import type { Item } from "../../base/encoding.ts";
import type { FeeSchedule } from "../../base/epoch.ts";
import type { Address } from "../../base/ids.ts";
import type { List, Operation, OperationId, RecentPosition, Role } from "../../base/operation.ts";
import type { Policies } from "../../base/policies.ts";
import type { CheckResult, Refusal } from "../../base/refusal.ts";
import type { AccountSlot } from "../../base/slot.ts";
import type { ApplyResult } from "../apply-result.ts";
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
  readonly description: string;
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
  /** Item that `client` signs where the operation has no value; default: the item is left out. */
  readonly absent?: Item;
  /**
   * True if version 1 exists only for operations that have the value. Where `v2` gives an absent one a value, version 1
   * gives it the same.
   */
  readonly clientNeeds?: true;
  /**
   * `v2` signs every field, so that each needs a value: the one of a body that leaves the field out, or `none` where
   * `v2` lacks the field (wire 3.4). `tail`: `v2` leaves out what an operation has none of, with the fields behind it.
   */
  readonly v2?: "none" | "tail" | { readonly absent: unknown };
  /** Item that stands for no value where a later field has one. */
  readonly gap?: Item;
}

/** Members that are not signed as fields of their own: the head, and the list of a `List`, which its path names. */
type UnsignedMember = "kind" | "layout" | "chainId" | "nonce" | "account" | "memo" | "list" | keyof RecentPosition;

/** Names of an operation's own signed fields. */
export type FieldName<O extends Operation> = Exclude<keyof O & string, UnsignedMember>;

/** Signer of a kind: any account, a holder of a role of the token, or the operator of the network. */
export type Signer = "owner" | "authority" | "operator";

/** Slot in which an operation takes effect (protocol 4.1). */
export type EffectSlot =
  /** Effect in the signer's own account slot, which also authorises the operation. */
  | { readonly kind: "own" }
  /** Effect in a later slot of this token. */
  | { readonly kind: "token"; readonly token: Address }
  /** Effect in a later slot of the account that a forced burn or a clawback debits. */
  | { readonly kind: "account"; readonly address: Address };

/** Returns the fee of a payment of a token. */
export type FeeFunction = (fees: FeeSchedule, token: Address) => Amount;

/** Inputs of a check of funds besides the state. */
export interface FundsContext {
  readonly feeOf: FeeFunction;
  /** True at the entry validator: a forced burn needs its funds there, and not at a voter (protocol 4.2). */
  readonly fundsForcedBurns: boolean;
}

/** Behaviour of a kind whose effect is in a slot of an account. */
export interface AccountEffect<O extends Operation> {
  /** Role that the signer needs; `undefined` if it needs none. */
  readonly role: Role | undefined;
  /** Returns why the applied state does not permit it, or a barrier takes the permission: a barrier gives none. */
  permission?(state: LedgerState, barrier: readonly Restriction[], policy: Token, operation: O): Refusal | undefined;
  /** Checks what the token and the balances decide, of a kind with a token; the state has the barrier in force. */
  check(state: LedgerState, policy: Token, operation: O, signer: Address, context: FundsContext): CheckResult;
  /** Applies the effect in the signer's own slot; `state` has the nonce used. */
  apply(state: LedgerState, slot: AccountSlot, id: OperationId, operation: O, feeOf: FeeFunction): ApplyResult;
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
  restriction?(operation: O, policies: Policies): Restriction | undefined;
  /** Carries out an operation that was not refused. `policy` is `undefined` for an issue only. */
  execute(state: LedgerState, token: Address, policy: Token | undefined, operation: O, signer: Address): LedgerState;
}

export interface Kind<O extends Operation> {
  /** Absent: version 1 has it at a path of its own; `envelope`: signed in `client`, and posted as an envelope alone (wire 1.2, W16). */
  readonly version1?: "none" | "envelope";
  /** Fields in the order in which `client` signs them (wire 3.3). */
  readonly fields: { readonly [F in FieldName<O>]-?: Field };
  readonly signer: Signer;
  /** Number by which version 2 signs the kind; of a list, by which it signs each of the two (wire 1.3, 3.4). */
  readonly opType: number | Readonly<Record<List["list"], number>>;
  /** Returns the token that an operation names, `undefined` if it names none. */
  token(operation: O): Address | undefined;
  effectSlot(operation: O, signer: Address): EffectSlot;
  /** Returns the first fault of the fields that shows without a state (specification 14.1). */
  fault(operation: O): Refusal | undefined;
  readonly inAccount?: AccountEffect<O>;
  readonly inToken?: TokenEffect<O>;
}

/** Token that an operation names. */
export const TOKEN_FIELD: Field = { type: "address", wire: "token", description: "the token" };
/** Amount that an operation moves. */
export const VALUE_FIELD: Field = { type: "amount", wire: "value", description: "the amount" };

export const OWN_SLOT: EffectSlot = { kind: "own" };

/** Returns the token of an operation that has it as a field. */
export function namedToken({ token }: { readonly token: Address }): Address {
  return token;
}

/** Returns the effect slot of an operation on its token. */
export function namedTokenSlot({ token }: { readonly token: Address }): EffectSlot {
  return { kind: "token", token };
}

/** Returns no fault, refusal or restriction. */
export function returnUndefined(): undefined {
  return undefined;
}
