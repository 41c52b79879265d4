/** Which of the operations that a body may mean counts (wire 3.9, Choosing). */
import { unreachable } from "../../core/base/assert.ts";
import type { Address } from "../../core/base/ids.ts";
import type { Operation, SignedOperation } from "../../core/base/operation.ts";
import type { Refusal } from "../../core/base/refusal.ts";
import { holdsRoleOfToken } from "../../core/ledger/fees.ts";
import { accountOf, type LedgerState } from "../../core/ledger/state.ts";
import { faultOf } from "../wire/errors.ts";
import type { Fault } from "./fault.ts";

export type Choice =
  | { readonly type: "one"; readonly candidate: SignedOperation }
  | { readonly type: "refused"; readonly fault: Fault };

/**
 * Exactly one passes the full admission check: that one. None: refused for the signer that is known here, else for the
 * first. Several: one person can make a signature whose recoveries are all theirs, so nobody guesses.
 */
export function choose(
  candidates: readonly SignedOperation[],
  faultAt: (candidate: SignedOperation) => Refusal | undefined,
  ledger: LedgerState,
): Choice {
  const judged = candidates.map((candidate) => ({ candidate, refusal: faultAt(candidate) }));
  const passed = judged.filter(({ refusal }) => refusal === undefined);
  const [only, another] = passed;
  if (only !== undefined && another === undefined) return { type: "one", candidate: only.candidate };
  if (only !== undefined) return { type: "refused", fault: ambiguous(passed.map(({ candidate }) => candidate)) };
  const meant = judged.find(({ candidate }) => isKnown(ledger, candidate)) ?? judged[0];
  const refusal = meant?.refusal;
  return { type: "refused", fault: refusal === undefined ? nobody() : refused(refusal, candidates) };
}

/** The fault of a refusal, with the addresses that the signature may be of: who signs another digest is a stranger. */
export function refused(refusal: Refusal, candidates: readonly SignedOperation[]): Fault {
  const { status, code, message } = faultOf(refusal);
  return { status, code, message: `${message}; ${signedBy(candidates)}` };
}

/** Every address that a body recovers to, with its layout. */
export function signedBy(candidates: readonly SignedOperation[]): string {
  const names = candidates.map(({ operation, sender }) => `${sender} (${layoutName(operation)})`);
  return `signed by ${names.join(" or ")}`;
}

/** Addresses without repetition, in order. */
export function sendersOf(candidates: readonly SignedOperation[]): readonly Address[] {
  return [...new Set(candidates.map(({ sender }) => sender))];
}

/** What a signature that recovers to nobody is refused with. */
export function nobody(): Fault {
  const message = "body.signature: recovers to no address over the bytes of any signing layout";
  return { status: 400, code: "validation_signature", message };
}

function ambiguous(candidates: readonly SignedOperation[]): Fault {
  const message = `body: more than one reading could be admitted: ${signedBy(candidates)}; sign it anew`;
  return { status: 400, code: "validation_signature_ambiguous", message };
}

/** Whether this ledger knows the signer: a role on the token, a nonce above 0, or a balance of anything. */
function isKnown(ledger: LedgerState, candidate: SignedOperation): boolean {
  const { sender } = candidate;
  if (accountOf(ledger, sender).nonce > 0 || holdsRoleOfToken(ledger, candidate)) return true;
  return ledger.balances.within(`${sender}/`).length > 0;
}

function layoutName(operation: Operation): string {
  switch (operation.layout) {
    case "client":
      return "client layout";
    case "client-json":
      return "client layout, metadata as text";
    case "spec":
      return "spec layout";
    default:
      return unreachable(operation.layout);
  }
}
