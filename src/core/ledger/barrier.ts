/** Restrictions of lists of operations (protocol 4.2, Barrier). */
import type { SignedOperation } from "../base/operation.ts";
import { restrictionOf } from "./operations/kinds.ts";
import { type LedgerState, tokenOf } from "./state.ts";
import { lowers, type Restriction } from "./token.ts";

/**
 * Returns the restrictions that a list of operations would make, in its order, even if some of them will fail. They
 * follow from the operations alone, so that a barrier can be derived before the state that it restricts (protocol 4.2).
 */
export function restrictionsOf(operations: readonly SignedOperation[]): readonly Restriction[] {
  return operations.flatMap((signed) => restrictionOf(signed) ?? []);
}

/**
 * Returns true if an operation would restrict the token as it is in this state: a grant does if it lowers an allowance.
 */
export function isRestriction(state: LedgerState, signed: SignedOperation): boolean {
  const restriction = restrictionOf(signed);
  if (restriction?.type !== "allowance") return restriction !== undefined;
  const policy = tokenOf(state, restriction.token);
  return policy !== undefined && lowers(policy, restriction);
}
