/** Choice among the candidates of a body (wire 3.9, Choosing). */
import { unreachable } from "../../core/base/assert.ts";
import type { Address } from "../../core/base/ids.ts";
import type { Operation, SignedOperation } from "../../core/base/operation.ts";
import type { Refusal } from "../../core/base/refusal.ts";
import { holdsRoleOfToken } from "../../core/ledger/fees.ts";
import { accountOf, type LedgerState } from "../../core/ledger/state.ts";
import { faultOf } from "../wire/errors.ts";
import type { HttpError } from "./errors.ts";

export type CandidateChoice =
  | { readonly type: "one"; readonly candidate: SignedOperation }
  | { readonly type: "refused"; readonly fault: HttpError };

/**
 * Returns the only candidate that passes the full admission check. If none does: the refusal for a signer known to this
 * ledger, else for the first. If several do: an error, since the holder of all these keys can craft such a signature.
 */
export function choose(
  candidates: readonly SignedOperation[],
  ledger: LedgerState,
  faultAt: (candidate: SignedOperation) => Refusal | undefined,
): CandidateChoice {
  const judged = candidates.map((candidate) => ({ candidate, refusal: faultAt(candidate) }));
  const passed = judged.filter(({ refusal }) => refusal === undefined);
  const [only, another] = passed;
  if (only !== undefined && another === undefined) return { type: "one", candidate: only.candidate };
  if (only !== undefined) return { type: "refused", fault: ambiguous(passed.map(({ candidate }) => candidate)) };
  const chosen = judged.find(({ candidate }) => isKnown(ledger, candidate)) ?? judged[0];
  const refusal = chosen?.refusal;
  return { type: "refused", fault: refusal === undefined ? noSender() : refused(refusal, candidates) };
}

/** Returns the error of a refusal with all recovered addresses: a signature over another digest recovers to an unknown one. */
export function refused(refusal: Refusal, candidates: readonly SignedOperation[]): HttpError {
  const { status, code, message } = faultOf(refusal);
  return { status, code, message: `${message}; ${signedBy(candidates)}` };
}

/** Returns every address that a body recovers to, with its layout. */
export function signedBy(candidates: readonly SignedOperation[]): string {
  const names = candidates.map(({ operation, sender }) => `${sender} (${layoutName(operation)})`);
  return `signed by ${names.join(" or ")}`;
}

/** Returns the distinct addresses, in order. */
export function sendersOf(candidates: readonly SignedOperation[]): readonly Address[] {
  return [...new Set(candidates.map(({ sender }) => sender))];
}

/** Returns the error for a signature that recovers to no address. */
export function noSender(): HttpError {
  const message = "body.signature: recovers to no address over the bytes of any signing layout";
  return { status: 400, code: "validation_signature", message };
}

function ambiguous(candidates: readonly SignedOperation[]): HttpError {
  const message = `body: more than one reading could be admitted: ${signedBy(candidates)}; sign it anew`;
  return { status: 400, code: "validation_signature_ambiguous", message };
}

/** Returns true if this ledger knows the signer: a role on the token, a nonce above 0, or any balance. */
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
