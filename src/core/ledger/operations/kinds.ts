/** Table of all operation kinds, and what it says of one operation. */
import type { Address } from "../../base/ids.ts";
import type { Operation, OperationKind, SignedOperation } from "../../base/operation.ts";
import type { Policies } from "../../base/policies.ts";
import type { Restriction } from "../token.ts";
import { bridgeBurn, bridgeMint } from "./bridge.ts";
import type { EffectSlot, Kind } from "./kind.ts";
import { multisig } from "./multisig.ts";
import { batch, cancellation, payment } from "./payments.ts";
import { authority, issue, list, metadata, pause } from "./policies.ts";
import { burn, clawback, mint } from "./supply.ts";

/** Complete over the union of kinds by its type. */
export const KINDS: {
  readonly [K in OperationKind]: Kind<Extract<Operation, { readonly kind: K }>>;
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
export function restrictionOf({ operation }: SignedOperation, policies: Policies): Restriction | undefined {
  return kindOf(operation).inToken?.restriction?.(operation, policies);
}
