/** Submission of posted operations and recoveries to the entry validator (wire 1.2, 2.3, 3.9; protocol 4.2). */
import { requireDefined, unreachable } from "../../core/base/assert.ts";
import type { Address, Hash } from "../../core/base/ids.ts";
import {
  isRecovery,
  type Operation,
  type OperationId,
  type Recovery,
  type SignedOperation,
  type Submission,
} from "../../core/base/operation.ts";
import { isListRefusal, type Refusal } from "../../core/base/refusal.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { isEquivocation, recoveryId } from "../../core/ledger/identity.ts";
import { tokenOfOperation } from "../../core/ledger/operations/kinds.ts";
import { otherKindOf } from "../../core/ledger/shared-digest.ts";
import { accountOf, type LedgerState, tokenOf } from "../../core/ledger/state.ts";
import { holdsAnyRole, issuedTokenAddress } from "../../core/ledger/token.ts";
import { olderLayout } from "../../layouts/older-layouts.ts";
import { archivedCopy, hashesOf } from "../../live/archive.ts";
import type { Archive } from "../../live/archive-writer.ts";
import type { Admission } from "../../live/recording.ts";
import type { NodeName } from "../../simulator/settings.ts";
import type { HostResponse } from "../host/pending-requests.ts";
import { accountOfReading, type BodyReading, candidatesOf, type SignerSetOf } from "../wire/candidates.ts";
import { edgeFault, faultOf } from "../wire/errors.ts";
import { wireFault } from "../wire/wire-error.ts";
import type { RecoveryReading } from "../wire/write.ts";
import { type EntryValidator, ledgerOf } from "./entry-validator.ts";
import { type HttpError, withHint } from "./errors.ts";

/** Response to the client. */
export interface AdmissionResponse {
  readonly hash: Hash;
  /** Address of the new token, for an issue. */
  readonly token?: Address;
}

/** Refused write with all possible signers, each once: a signature over another digest recovers to an unknown address. */
export interface RefusedWrite {
  readonly fault: HttpError;
  readonly senders: readonly Address[];
}

/**
 * Admits the operation of a body. A byte-identical repost gets the first response and has no effect; with `isNew` it is
 * refused, so that two senders of equal operations do not take one for two.
 */
export async function admit(
  entry: EntryValidator,
  reading: BodyReading,
  isNew: boolean,
): Promise<Result<AdmissionResponse, RefusedWrite>> {
  entry.host.runDueEvents();
  const ledger = ledgerOf(entry);
  const candidates = candidatesOf(reading, entry.scheme, signersIn(entry));
  const refuse = rememberedRefusal(entry, candidates, candidates);
  const { network } = entry.host;
  const { copy, operationId } = network.hashes;
  const posted = candidates.find((postedCandidate) =>
    isAnswered(network.archive, copy(postedCandidate).hash, () => operationId(postedCandidate)),
  );
  if (posted !== undefined && isNew) return refuse(knownOperationError(shownHash(entry, posted)));
  if (ledger === undefined) {
    if (posted === undefined) return refuse(validatorDown(entry.node));
    return isPending(entry, operationId(posted))
      ? refuse(noResponse(entry.node))
      : ok(admissionResponse(entry, posted));
  }
  if (candidates.length === 0) return refuse(noCandidateError(reading));
  if (posted !== undefined) {
    // A validator that cannot admit what may be lost leaves it to those that have.
    const again = mayBeLost(entry, operationId(posted)) ? network.admissionOf(entry.node, posted) : undefined;
    const error = again?.ok ? await awaitAdmission(entry, again.value, candidates) : undefined;
    return error === undefined ? ok(admissionResponse(entry, posted)) : refuse(error);
  }
  const choice = chooseCandidate(candidates, ledger, entry);
  if (!choice.ok) {
    const response = isNew ? undefined : responseOfFinalCopy(entry, reading, candidates);
    return response === undefined ? refuse(choice.error) : ok(response);
  }
  const { candidate, admission } = choice.value;
  const shared = entry.sharedDigests ? undefined : sharedDigestError(candidate);
  if (shared !== undefined) return refuse(shared);
  const error = await awaitAdmission(entry, admission, candidates);
  return error === undefined ? ok(admissionResponse(entry, candidate)) : refuse(error);
}

/** Admits a recovery: the first admissible pair of readings, since every proof gives the same id. */
export async function admitRecovery(
  entry: EntryValidator,
  reading: RecoveryReading,
): Promise<Result<AdmissionResponse, RefusedWrite>> {
  entry.host.runDueEvents();
  const ledger = ledgerOf(entry);
  const first = candidatesOf(reading.first, entry.scheme, signersIn(entry));
  const second = candidatesOf(reading.second, entry.scheme, signersIn(entry));
  const candidates = [...first, ...second];
  const recoveries = equivocationProofs(reading, first, second);
  const refuse = rememberedRefusal(entry, candidates, recoveries.slice(0, 1));
  const { network } = entry.host;
  const hash = recoveryId(reading.chainId, reading.account, reading.nonce);
  const isKnown = isAnswered(network.archive, hash, () => hash);
  if (ledger === undefined) {
    if (!isKnown) return refuse(validatorDown(entry.node));
    return isPending(entry, hash) ? refuse(noResponse(entry.node)) : ok({ hash });
  }
  if (first.length === 0) return refuse(noCandidateError(reading.first));
  if (second.length === 0) return refuse(noCandidateError(reading.second));
  if (isKnown && !mayBeLost(entry, hash)) return ok({ hash });
  const admissions = recoveries.map((recovery) => network.admissionOf(entry.node, recovery));
  const selected = admissions.find(({ ok: isAdmitted }) => isAdmitted) ?? admissions[0];
  if (selected?.ok !== true && isKnown) return ok({ hash });
  if (selected === undefined) return refuse(noProofError(reading, candidates));
  if (!selected.ok) return refuse(refusalError(selected.error, candidates, entry));
  const error = await awaitAdmission(entry, selected.value, candidates);
  return error === undefined ? ok({ hash }) : refuse(error);
}

/** Bodies name no signer set. The address of an account fixes it, so that any validator's state has the right one. */
function signersIn({ node, host: { network } }: EntryValidator): SignerSetOf {
  return (account) => {
    for (const name of [node, ...network.nodes]) {
      const ledger = network.ledgerOf(name);
      const multisig = ledger && accountOf(ledger, account).multisig;
      if (multisig !== undefined) return multisig;
    }
    return undefined;
  };
}

function noCandidateError(reading: BodyReading): HttpError {
  const account = accountOfReading(reading);
  if (account !== undefined) return faultOf({ code: "resource_multisig_not_found", account });
  const problem = "recovers to no address over the bytes of any signing layout";
  return wireFault("validation_signature", "body.signature", problem);
}

function knownOperationError(hash: Hash): HttpError {
  const message = `operation ${hash} was admitted before, and the request says if-none-match: take the next nonce`;
  return { status: 422, code: "business_nonce_pending", message };
}

/** Refusals that the trace of an operation tells, by the hash of each submission that its body may be. */
function rememberedRefusal(
  { host: { network }, node, answers, refusedWrites }: EntryValidator,
  candidates: readonly SignedOperation[],
  submissions: readonly Submission[],
): (fault: HttpError) => Result<AdmissionResponse, RefusedWrite> {
  return (error) => {
    for (const submission of submissions) {
      const hash = isRecovery(submission)
        ? recoveryId(submission.chainId, submission.account, submission.nonce)
        : network.hashes.copy(submission).hash;
      const copy = archivedCopy(hash, hash, submission);
      const { transaction_type, from, nonce } = answers.transaction(copy, undefined);
      const operation = { transaction_type, from, nonce };
      const refused = { operation, node, at: network.now, line: network.lines, error };
      for (const name of hashesOf(copy)) refusedWrites.set(name, refused);
    }
    return err({ fault: error, senders: [...new Set(candidates.map(({ sender }) => sender))] });
  };
}

/** Waits for the validator's response; returns the error of a submission that was not, or perhaps not, admitted. */
async function awaitAdmission(
  entry: EntryValidator,
  admission: Admission,
  candidates: readonly SignedOperation[],
): Promise<HttpError | undefined> {
  const { submission } = admission;
  const place = entry.writeLimit.enter(isRecovery(submission) ? submission.account : submission.sender);
  if (!place.ok) return place.error;
  try {
    return errorOfResponse(await entry.host.submit(admission), entry, candidates);
  } finally {
    place.value();
  }
}

/**
 * Returns true if a copy was admitted and is neither void nor refused, so that a repost needs no second admission. The
 * same bytes posted as another kind have the same hash and are another operation.
 */
function isAnswered(archive: Archive, hash: Hash, idOf: () => OperationId): boolean {
  const copy = archive.find(hash);
  if (copy === undefined || copy.id !== idOf()) return false;
  const status = archive.progressOf(copy.id)?.status;
  return status !== "void" && status !== "refused";
}

/**
 * Returns true if a repost is submitted too: the first entry validator may have crashed before it relayed, and a client
 * in doubt sends the same bytes to others (protocol 4.2).
 */
function mayBeLost({ host, node }: EntryValidator, id: OperationId): boolean {
  return isPending({ host }, id) && !host.network.isPendingAt(node, id);
}

function isPending({ host }: Pick<EntryValidator, "host">, id: OperationId): boolean {
  return host.network.archive.progressOf(id)?.status === "pending";
}

function admissionResponse(entry: EntryValidator, candidate: SignedOperation): AdmissionResponse {
  const { operation } = candidate;
  const hash = shownHash(entry, candidate);
  if (operation.kind !== "issue") return { hash };
  return { hash, token: issuedTokenAddress(operation.masterAuthority, operation.symbol) };
}

/** Returns the response to a copy that one key signed anew after another copy of the operation was final. */
function responseOfFinalCopy(
  entry: EntryValidator,
  reading: BodyReading,
  candidates: readonly SignedOperation[],
): AdmissionResponse | undefined {
  // The signatures of a multisig account are not checked before an admission.
  if (accountOfReading(reading) !== undefined) return undefined;
  const { archive, hashes } = entry.host.network;
  for (const candidate of candidates) {
    const id = hashes.operationId(candidate);
    const copy = archive.progressOf(id)?.status === "final" ? archive.copyOf(id) : undefined;
    if (copy !== undefined) return { ...admissionResponse(entry, candidate), hash: entry.answers.hashOf(copy) };
  }
  return undefined;
}

/** Returns the hash by which a copy is shown. */
function shownHash({ host, answers }: EntryValidator, signed: SignedOperation): Hash {
  const { copy, operationId } = host.network.hashes;
  return answers.hashOf(archivedCopy(operationId(signed), copy(signed).hash, signed));
}

/** Returns every pair of readings that is an equivocation proof of the account for this nonce. */
function equivocationProofs(
  { chainId, account, nonce }: RecoveryReading,
  firsts: readonly SignedOperation[],
  seconds: readonly SignedOperation[],
): readonly Recovery[] {
  const isMeant = ({ sender, operation }: SignedOperation): boolean =>
    sender === account && operation.chainId === chainId && operation.nonce === nonce;
  return firsts
    .filter(isMeant)
    .flatMap((first) =>
      seconds
        .filter((second) => isMeant(second) && isEquivocation(first, second))
        .map((second) => ({ kind: "recovery", chainId, account, nonce, evidence: { first, second } }) as const),
    );
}

function noProofError({ account, nonce }: RecoveryReading, candidates: readonly SignedOperation[]): HttpError {
  const wanted = `two different operations of ${account} for nonce ${nonce} of this chain, neither a cancellation`;
  return wireFault("validation_evidence", "body.evidence", `expected ${wanted}; got bodies ${signedBy(candidates)}`);
}

/** Returns the error of a response; `undefined` for an admitted operation, independent of its later status. */
function errorOfResponse(
  answer: HostResponse,
  entry: EntryValidator,
  candidates: readonly SignedOperation[],
): HttpError | undefined {
  const { node } = entry;
  switch (answer.status) {
    case "pending":
    case "final":
    case "superseded":
      return undefined;
    case "refused":
      return refusalError(answer.refusal, candidates, entry);
    case "settled":
      return {
        status: 422,
        code: "business_nonce_too_low",
        message: `the nonce was used before the oldest checkpoint that ${node} keeps; by_hash returns its status`,
      };
    case "void":
      return edgeFault(
        "business_epoch_closed",
        `epoch ${answer.epoch} closed without the operation: it is not decided and may be submitted again`,
      );
    case "unanswered":
      return noResponse(node);
    default:
      return unreachable(answer);
  }
}

function noResponse(node: NodeName): HttpError {
  const message = `${node} has not responded: whether the operation was admitted is unknown; by_hash returns its status`;
  return edgeFault("request_timeout", message);
}

/** Returns a client error on purpose: a 5xx would leave clients in doubt whether money moved (wire 2.3). */
function validatorDown(node: NodeName): HttpError {
  return edgeFault("business_validator_down", `${node} is down; nothing was admitted; ask another validator`);
}

/** Candidate that the entry validator admits. */
type AdmittedCandidate = Readonly<{ candidate: SignedOperation; admission: Admission }>;

/**
 * Returns the only candidate that the entry validator admits. If it admits none: the refusal for a signer known to this
 * ledger, else for the first. If several: an error, since the holder of all these keys can craft such a signature.
 */
function chooseCandidate(
  candidates: readonly SignedOperation[],
  ledger: LedgerState,
  entry: EntryValidator,
): Result<AdmittedCandidate, HttpError> {
  const admitted: AdmittedCandidate[] = [];
  const refusals: { readonly candidate: SignedOperation; readonly refusal: Refusal }[] = [];
  for (const candidate of candidates) {
    const admission = entry.host.network.admissionOf(entry.node, candidate);
    if (admission.ok) admitted.push({ candidate, admission: admission.value });
    else refusals.push({ candidate, refusal: admission.error });
  }
  const [only, second] = admitted;
  if (second !== undefined) return err(ambiguityError(admitted.map(({ candidate }) => candidate)));
  if (only !== undefined) return ok(only);
  const ofKnownSigners = refusals.filter(({ candidate }) => isKnownSigner(ledger, candidate));
  // An action that may mean two lists is refused for the one that the token has.
  const { refusal } = requireDefined(
    ofKnownSigners.find((refused) => refused.refusal.code !== "business_list_kind") ?? ofKnownSigners[0] ?? refusals[0],
    "refusal of a candidate",
  );
  return err(withHint(refusalError(refusal, candidates, entry), refusal, ledger));
}

/** Returns the error of a refusal with all recovered addresses: a signature over another digest recovers to an unknown one. */
function refusalError(refusal: Refusal, candidates: readonly SignedOperation[], entry: EntryValidator): HttpError {
  const { status, code, message } = faultOf(inHashes(refusal, entry));
  const text = `${message}; ${signedBy(candidates)}`;
  // Clients know one code for a batch of which the list of the token excludes a party (wire 2.3).
  const isStoppedBatch = isListRefusal(refusal) && candidates[0]?.operation.kind === "batch";
  return isStoppedBatch
    ? edgeFault("business_transaction_failed", `${code}: ${text}`)
    : { status, code, message: text };
}

/** Returns the refusal with the hashes of operations in the place of their ids, which no client knows. */
function inHashes(refusal: Refusal, { host, answers }: EntryValidator): Refusal {
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

/** Returns the error of a mint or burn whose signature anybody could have got from an operation of another kind. */
function sharedDigestError({ operation }: SignedOperation): HttpError | undefined {
  const { kind } = operation;
  const other = kind === "mint" || kind === "burn" ? otherKindOf(operation) : undefined;
  if (other === undefined) return undefined;
  const message = `version 1 does not sign that it is a ${kind}, and this signature is one of a ${other} too: post it to /v2/tokens/${kind}`;
  return edgeFault("LEGACY_NATIVE_WRITE_ENDPOINT_DISABLED", message);
}

function ambiguityError(candidates: readonly SignedOperation[]): HttpError {
  const problem = `more than one reading could be admitted: ${signedBy(candidates)}; sign it anew`;
  return wireFault("validation_signature_ambiguous", "body", problem);
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
