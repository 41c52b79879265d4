/** Table of all operation kinds, and what it says of one operation. */
import { required } from "../../base/assert.ts";
import type { Address } from "../../base/ids.ts";
import type { Operation, OperationKind, SignedOperation } from "../../base/operation.ts";
import type { Restriction } from "../token.ts";
import { type BatchForms, batch } from "./batch.ts";
import { type BridgeForms, bridgeBurn, bridgeMint } from "./bridge.ts";
import { type ClawbackForms, clawback } from "./clawback.ts";
import type { EffectSlot, Field, FormMember, Kind, Verb } from "./kind.ts";
import { type MultisigForms, multisig } from "./multisig.ts";
import { cancellation, type PaymentForms, payment } from "./payments.ts";
import { authority, list, type PolicyForms, pause } from "./policies.ts";
import { burn, mint, type SupplyForms } from "./supply.ts";
import { issue, metadata, type TokenForms } from "./tokens.ts";

/** Submissions in a scenario file, by verb. */
export interface OperationForms
  extends PaymentForms,
    SupplyForms,
    TokenForms,
    PolicyForms,
    ClawbackForms,
    BridgeForms,
    BatchForms,
    MultisigForms {}

/** Verbs of `submit` in the scenario language that make an operation. */
export type OperationVerb = keyof OperationForms;

/** Complete over the union of kinds by its type. */
export const KINDS: {
  readonly [K in OperationKind]: Kind<Extract<Operation, { readonly kind: K }>, Partial<OperationForms>>;
} = {
  payment,
  cancellation,
  issue,
  mint,
  burn,
  metadata,
  list,
  authority,
  pause,
  clawback,
  bridgeMint,
  bridgeBurn,
  batch,
  multisig,
};

export const OPERATION_KINDS: readonly OperationKind[] = Object.keys(KINDS) as OperationKind[];

/** Verb with the kind of operation that it makes. */
export interface KindVerb extends Verb<Readonly<Record<string, unknown>>> {
  readonly kind: OperationKind;
}

/** All verbs, in the order of the kinds. */
export const VERBS: Readonly<Record<OperationVerb, KindVerb>> = Object.fromEntries(
  OPERATION_KINDS.flatMap((kind) => Object.entries(KINDS[kind].verbs).map(([verb, form]) => [verb, { kind, ...form }])),
) as unknown as Readonly<Record<OperationVerb, KindVerb>>;

/**
 * Returns the fields of an operation that a verb makes, without its head. `read` returns what a member says, `undefined`
 * where it is absent; `field` describes the field that it fills.
 */
export function fieldsOfVerb(
  verb: OperationVerb,
  read: (member: string, form: FormMember, field: Field | undefined) => unknown,
): Readonly<Record<string, unknown>> {
  const { kind, form, fills } = VERBS[verb];
  const described: Readonly<Record<string, Field>> = KINDS[kind].fields;
  const filled = Object.entries(fills).map(([field, from]) => {
    if (typeof from !== "string") return [field, from.fixed];
    const valueFrom = (member: string): unknown => read(member, required(form[member], member), described[field]);
    const value = valueFrom(from);
    const { otherwise } = required(form[from], from);
    if (value !== undefined || otherwise === undefined) return [field, value];
    return [field, "from" in otherwise ? valueFrom(otherwise.from) : otherwise.value];
  });
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

/** Returns the descriptor of an operation's kind. */
export function kindOf<O extends Operation>(operation: O): Kind<O> {
  return KINDS[operation.kind] as unknown as Kind<O>;
}

/** Returns the slot of a signed operation's effect. */
export function effectSlotOf({ operation, sender }: SignedOperation): EffectSlot {
  return kindOf(operation).effectSlot(operation, sender);
}

/** Returns the token that an operation names, `undefined` for a cancellation and a creation of an account. */
export function tokenOfOperation(operation: Operation): Address | undefined {
  return kindOf(operation).token(operation);
}

/** Returns the restriction that an operation would make, even if it will fail (protocol 4.2, Barrier). */
export function restrictionOf({ operation }: SignedOperation): Restriction | undefined {
  return kindOf(operation).inToken?.restriction?.(operation);
}
