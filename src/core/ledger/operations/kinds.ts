/** Table of all operation kinds, and what it says of one operation. */
import type { Address } from "../../base/ids.ts";
import type { Operation, OperationKind, SignedOperation } from "../../base/operation.ts";
import type { Restriction } from "../token.ts";
import type { EffectSlot, Kind, Verb } from "./kind.ts";
import { cancellation, type PaymentForms, payment } from "./payments.ts";
import { authority, list, type PolicyForms, pause } from "./policies.ts";
import { burn, mint, type SupplyForms } from "./supply.ts";
import { issue, metadata, type TokenForms } from "./tokens.ts";

/** Submissions in a scenario file, by verb. */
export interface OperationForms extends PaymentForms, SupplyForms, TokenForms, PolicyForms {}

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

/** Returns the descriptor of an operation's kind. */
export function kindOf<O extends Operation>(operation: O): Kind<O> {
  return KINDS[operation.kind] as unknown as Kind<O>;
}

/** Returns the slot of a signed operation's effect. */
export function effectSlotOf({ operation, sender }: SignedOperation): EffectSlot {
  return kindOf(operation).effectSlot(operation, sender);
}

/** Returns the token that an operation names, `undefined` for a cancellation. */
export function tokenOfOperation(operation: Operation): Address | undefined {
  return kindOf(operation).token(operation);
}

/** Returns the restriction that an operation would make, even if it will fail (protocol 4.2, Barrier). */
export function restrictionOf({ operation }: SignedOperation): Restriction | undefined {
  return kindOf(operation).inToken?.restriction(operation);
}
