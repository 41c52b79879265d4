/** Choice among the candidates of a body (wire 3.9, Choosing). */
import type { Address } from "../../core/base/ids.ts";
import type { Operation, OperationId, SignedOperation } from "../../core/base/operation.ts";
import { isListRefusal, type Refusal } from "../../core/base/refusal.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { tokenOfOperation } from "../../core/ledger/operations/kinds.ts";
import { accountOf, type LedgerState, tokenOf } from "../../core/ledger/state.ts";
import { holdsAnyRole } from "../../core/ledger/token.ts";
import { olderLayout } from "../../layouts/older-layouts.ts";
import type { Archive } from "../../live/archive.ts";
import type { Admission } from "../../live/network-view.ts";
import { edgeFault, faultOf } from "../wire/errors.ts";
import type { EntryValidator } from "./entry-validator.ts";
import type { HttpError } from "./errors.ts";

/** Candidate that the entry validator admits. */
type AdmittedCandidate = Readonly<{ candidate: SignedOperation; admission: Admission }>;

/** Parts of an interface that say by which hash an operation is shown. */
export type ShownHashes = Pick<EntryValidator, "answers"> & {
  readonly host: { readonly network: { readonly archive: Pick<Archive, "copyOf"> } };
};

/**
 * Returns the only candidate that the entry validator admits. If it admits none: the refusal for a signer known to this
 * ledger, else for the first. If several: an error, since the holder of all these keys can craft such a signature.
 */
export function chooseCandidate(
  candidates: readonly SignedOperation[],
  ledger: LedgerState,
  shown: ShownHashes,
  admissionOf: (candidate: SignedOperation) => Result<Admission, Refusal>,
): Result<AdmittedCandidate, HttpError> {
  const admitted: AdmittedCandidate[] = [];
  const refusals: { readonly candidate: SignedOperation; readonly refusal: Refusal }[] = [];
  for (const candidate of candidates) {
    const admission = admissionOf(candidate);
    if (admission.ok) admitted.push({ candidate, admission: admission.value });
    else refusals.push({ candidate, refusal: admission.error });
  }
  const [only, another] = admitted;
  if (another !== undefined) return err(ambiguityError(admitted.map(({ candidate }) => candidate)));
  if (only !== undefined) return ok(only);
  const known = refusals.filter(({ candidate }) => isKnownSigner(ledger, candidate));
  // An action that may mean two lists is refused for the one that the token has.
  const chosen = known.find(({ refusal }) => refusal.code !== "business_list_kind") ?? known[0] ?? refusals[0];
  return err(chosen === undefined ? noSenderError() : refusalError(chosen.refusal, candidates, shown));
}

/** Returns the error of a refusal with all recovered addresses: a signature over another digest recovers to an unknown one. */
export function refusalError(refusal: Refusal, candidates: readonly SignedOperation[], shown: ShownHashes): HttpError {
  const { status, code, message } = faultOf(inHashes(refusal, shown));
  const text = `${message}; ${signedBy(candidates)}`;
  if (!isStoppedBatch(refusal, candidates)) return { status, code, message: text };
  return edgeFault("business_transaction_failed", `${code}: ${text}`);
}

/** True for a batch that the token's list excludes a party of: clients know one code for it (wire 2.3). */
function isStoppedBatch(refusal: Refusal, candidates: readonly SignedOperation[]): boolean {
  return isListRefusal(refusal) && candidates[0]?.operation.kind === "batch";
}

/** Returns the refusal with the hashes of operations in the place of their ids, which no client knows. */
function inHashes(refusal: Refusal, { host, answers }: ShownHashes): Refusal {
  const hashOf = (id: OperationId): OperationId => {
    const copy = host.network.archive.copyOf(id);
    return copy === undefined ? id : answers.hashOf(copy);
  };
  switch (refusal.code) {
    case "business_nonce_pending":
    case "business_signature_reused":
      return { ...refusal, pending: hashOf(refusal.pending) };
    case "business_superseded":
    case "business_decided_otherwise":
      return { ...refusal, by: hashOf(refusal.by) };
    default:
      return refusal;
  }
}

/** Returns every address that a body recovers to, with its layout. */
export function signedBy(candidates: readonly SignedOperation[]): string {
  const names = candidates.map(({ operation, sender }) => `${sender} (${layoutName(operation)})`);
  return `signed by ${[...new Set(names)].join(" or ")}`;
}

/** Returns the distinct addresses, in order. */
export function sendersOf(candidates: readonly SignedOperation[]): readonly Address[] {
  return [...new Set(candidates.map(({ sender }) => sender))];
}

/** Returns the error for a signature that recovers to no address. */
export function noSenderError(): HttpError {
  const message = "body.signature: recovers to no address over the bytes of any signing layout";
  return { status: 400, code: "validation_signature", message };
}

function ambiguityError(candidates: readonly SignedOperation[]): HttpError {
  const message = `body: more than one reading could be admitted: ${signedBy(candidates)}; sign it anew`;
  return { status: 400, code: "validation_signature_ambiguous", message };
}

/** Returns true if this ledger knows the signer: a role on the token, a nonce above 0, or any balance. */
function isKnownSigner(ledger: LedgerState, candidate: SignedOperation): boolean {
  const { operation, sender } = candidate;
  const token = tokenOfOperation(operation);
  const policy = token === undefined ? undefined : tokenOf(ledger, token);
  if (accountOf(ledger, sender).nonce > 0 || sender === ledger.operator) return true;
  if (policy !== undefined && holdsAnyRole(policy, sender)) return true;
  return ledger.balances.entriesWithPrefix(`${sender}/`).length > 0;
}

function layoutName({ layout }: Operation): string {
  return olderLayout(layout)?.name ?? (layout === "v2" ? "version 2" : "client layout");
}
