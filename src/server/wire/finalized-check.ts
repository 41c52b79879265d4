/** Offline check of a finalized answer: its members are recomputed from its proof (wire 1.4, Finalized). */
import { type Amount, ZERO } from "../../core/base/amount.ts";
import { unreachable } from "../../core/base/assert.ts";
import type { FeeSchedule } from "../../core/base/epoch.ts";
import { type Address, type Hash, isMultisigSignature, type Nonce, toHash } from "../../core/base/ids.ts";
import type { Recovery, SignedOperation, Submission } from "../../core/base/operation.ts";
import type { Receipt, Refusal } from "../../core/base/refusal.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { type LedgerValue, slotKey } from "../../core/base/slot.ts";
import { readCount, readWhole } from "../../core/base/spelled-number.ts";
import { keyedHash } from "../../core/crypto/keyed-hash.ts";
import { secp256k1 } from "../../core/crypto/secp256k1.ts";
import { paymentFee, skipFee } from "../../core/ledger/fees.ts";
import { operationId, paddedHash, recoveryId, transactionHash } from "../../core/ledger/identity.ts";
import { digestOf } from "../../core/ledger/layout.ts";
import { multisigAddress, multisigFault } from "../../core/ledger/multisig.ts";
import { effectSlotOf, kindOf } from "../../core/ledger/operations/kinds.ts";
import { slotKindOf, valueHash } from "../../core/ledger/value.ts";
import {
  type CertificateFile,
  type CommitteeFile,
  type CounterSignatureFile,
  certificateShape,
  counterSignatureShape,
  feeScheduleOf,
  type SignaturePart,
  signaturesShape,
  slotOf,
} from "../../proofs/certificate-file.ts";
import { counterSignatureRefusal } from "../../proofs/counter-signature.ts";
import { receiptOf } from "../../proofs/inclusion.ts";
import { dataHash, memberAt, readJson, readMember, usualSpelling } from "../../proofs/json-file.ts";
import { certificateRefusal, proofRefusal, signatureOf, type Verdict } from "../../proofs/verify.ts";
import type { Problem } from "../../schema/problem.ts";
import { candidatesOf } from "./candidates.ts";
import { type FinalityProof, finalityProofShape, ledgerValueOf, signerSetOf } from "./finality-proof.ts";
import { RECOVERY_PATH, recoveryBody, WRITES } from "./schemas/bodies.ts";
import { finalized } from "./schemas/transactions.ts";
import { feeMembers, issuedPrivacy, receiptMembers, tokenOfSubmission } from "./shapes/receipt.ts";
import { readWrite } from "./write.ts";
import { writeOf } from "./write-of.ts";

type Members = Readonly<Record<string, unknown>>;

/** A finalized answer as it came. */
export interface FinalizedFile {
  readonly answer: Members;
  readonly aggregate: CounterSignatureFile;
  /** `undefined` of published members alone. */
  readonly proved: ProvedFile | undefined;
}

/** Proof of an answer: its members are recomputed from it. */
interface ProvedFile {
  readonly certificate: CertificateFile;
  readonly proof: FinalityProof;
}

/** Returns true for the text of a finalized answer, however malformed. */
export function isFinalizedAnswer(text: string): boolean {
  const read = readJson(text);
  return read.ok && memberAt(read.value.data, ["counter_signature"]) !== undefined;
}

/** The finalized answer in a text, or the problems of the text. */
export function readFinalized(text: string): Result<FinalizedFile, readonly Problem[]> {
  const read = readJson(text);
  if (!read.ok) return read;
  const aggregate = readMember(read.value, counterSignatureShape, ["counter_signature"]);
  if (!aggregate.ok) return aggregate;
  const members = usualSpelling(finalized, read.value.data) as Members;
  if (members["certificate"] === undefined && members["proof"] === undefined)
    return ok({ answer: members, aggregate: aggregate.value, proved: undefined });
  const certificate = readMember(read.value, certificateShape, ["certificate"]);
  const proof = readMember(read.value, finalityProofShape, ["proof"]);
  const signatures = readMember(read.value, signaturesShape, ["counter_signatures"]);
  if (!certificate.ok) return certificate;
  if (!proof.ok) return proof;
  if (!signatures.ok) return signatures;
  const answer = { ...members, counter_signatures: signatures.value.map(signatureText) };
  const proved = { certificate: certificate.value, proof: proof.value };
  return ok({ answer, aggregate: aggregate.value, proved });
}

/**
 * The verdict over a finalized answer. With a proof it is valid only if it is proved whether the operation took effect;
 * without one the aggregate proves that it is final, and no more than it signs.
 */
export function finalizedVerdict(file: FinalizedFile, committee: CommitteeFile): Verdict {
  const { answer, aggregate, proved } = file;
  const uncovered = new Set<string>();
  const reason =
    proved === undefined
      ? aggregateRefusal(answer, aggregate, committee, uncovered)
      : (certificateRefusal(proved.certificate, committee) ??
        answerRefusal({ answer, aggregate, proved }, committee, uncovered));
  const covered = Object.keys(file.answer).filter((name) => !uncovered.has(name));
  return {
    reason,
    covered: reason === undefined ? covered : [],
    uncovered: reason === undefined ? [...uncovered] : [],
  };
}

/** Members of an answer that its aggregate signs. */
const SIGNED: readonly string[] = ["transaction_hash", "epoch", "counter_signature", "fee_bound"];

function aggregateRefusal(
  answer: Members,
  aggregate: CounterSignatureFile,
  committee: CommitteeFile,
  uncovered: Set<string>,
): string | undefined {
  const { transaction_hash: hash, epoch, fee_bound: isBound, fee } = answer;
  const [signedHash, signedEpoch, signedFee] = [textOfHash(hash), readCount(epoch), readWhole(fee)];
  if (signedHash === undefined || signedEpoch === undefined || (isBound === true && signedFee === undefined))
    return "malformed answer: expected transaction_hash, epoch, and fee where it is bound";
  if (isBound !== undefined && typeof isBound !== "boolean") return "malformed answer: expected a boolean fee_bound";
  for (const name of Object.keys(answer))
    if (!SIGNED.includes(name) && (name !== "fee" || isBound !== true)) uncovered.add(name);
  const statement = { hash: signedHash, epoch: signedEpoch, fee: isBound === true ? String(signedFee) : undefined };
  return counterSignatureRefusal(aggregate, statement, committee);
}

function textOfHash(value: unknown): Hash | undefined {
  return typeof value === "string" && /^0x[0-9a-fA-F]{64}$/.test(value) ? toHash(value) : undefined;
}

function answerRefusal(
  file: FinalizedFile & { readonly proved: ProvedFile },
  committee: CommitteeFile,
  uncovered: Set<string>,
): string | undefined {
  const { answer, proved } = file;
  const { certificate, proof } = proved;
  const posted = submissionIn(proof, committee, namedIds(proof));
  if (!posted.ok) return posted.error;
  const decided = decisionIn(proved, posted.value, committee, uncovered);
  if (!decided.ok) return decided.error;
  const { id, submission, hashes } = posted.value;
  const { checkpoint } = proof;
  const place = checkpoint?.receipt;
  const position = {
    checkpoint_hash: (checkpoint?.certificate.value.toLowerCase() ?? null) as Hash | null,
    checkpoint_number: checkpoint?.checkpoint.number ?? null,
    transaction_index: place?.index ?? null,
  };
  // The ledger alone knows whether a token is private, and how many burns to other chains an account has made.
  const bridgeNonce = Number(memberAt(answer, ["success_info", "bridge_info", "bbnonce"]) ?? 0) - 1;
  const isPrivate = memberAt(answer, ["success_info", "is_private"]) === true;
  const receipt: Receipt = { ...decided.value, id, bridgeNonce };
  const shown = hashes.find((hash) => hash === answer["transaction_hash"]) ?? (hashes[0] as Hash);
  const issued = issuedPrivacy(submission);
  const isOfToken = (tokenOfSubmission(submission) ?? receipt.feeToken) !== undefined;
  const privacy = issued ?? (isOfToken && isPrivate);
  const expected = receiptMembers({ submission, hash: shown }, receipt, position, privacy);
  if (isOfToken && issued === undefined) uncovered.add("success_info.is_private");
  if (expected.success_info.bridge_info !== null) uncovered.add("success_info.bridge_info.bbnonce");
  const { fee, fee_bound } = feeMembers(submission, receipt);
  if (fee !== null && uncovered.has("fee_used")) uncovered.add("fee");
  const members: Members = {
    ...expected,
    ...{ fee, fee_bound },
    epoch: certificate.epoch,
    counter_signature: file.aggregate,
    counter_signatures: certificate.signatures.map(signatureOf),
  };
  for (const [name, value] of Object.entries(position)) {
    if (value === null && answer[name] !== null) uncovered.add(name);
  }
  for (const name of Object.keys(answer)) {
    if (name !== "certificate" && name !== "proof" && !Object.hasOwn(members, name)) uncovered.add(name);
  }
  const wrong = Object.entries(members).find(
    ([name, value]) => !uncovered.has(name) && textOf(answer[name]) !== textOf(value),
  );
  if (wrong !== undefined) return `the member ${wrong[0]} is not the one that the proof leads to`;
  if (committee.bls_public_keys === undefined) {
    uncovered.add("counter_signature");
    return undefined;
  }
  const signedFee = fee_bound ? String(readWhole(uncovered.has("fee") ? answer["fee"] : fee) ?? 0) : undefined;
  return counterSignatureRefusal(file.aggregate, { hash: shown, epoch: certificate.epoch, fee: signedFee }, committee);
}

/** The answer names no signers here: the certificate does. */
function signatureText(part: SignaturePart): string {
  return typeof part !== "string" && "signer" in part ? "" : signatureOf(part);
}

/** Members in one order: JSON has none. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

type PostedSubmission = Readonly<{ id: Hash; submission: Submission; hashes: readonly Hash[] }>;

function namedIds({ value, checkpoint }: FinalityProof): readonly string[] {
  if (value === undefined) return [checkpoint?.receipt?.id.toLowerCase() ?? ""];
  const ledgerValue = ledgerValueOf(value);
  return ledgerValue.type === "list" ? ledgerValue.ids : [ledgerValue.id];
}

/** The submission of a proof, if the decision names it. */
function submissionIn(
  proof: FinalityProof,
  { crypto }: CommitteeFile,
  ids: readonly string[],
): Result<PostedSubmission, string> {
  const { path } = proof.submission;
  const shape = path === RECOVERY_PATH ? recoveryBody : WRITES[path]?.body;
  const body = usualSpelling(shape ?? recoveryBody, proof.submission.body) as Members;
  if (path === RECOVERY_PATH) return recoveryIn(body, proof, ids);
  const reading = readWrite(path, body);
  if (!reading.ok) return err(`the submission is malformed: ${reading.error.message}`);
  const set = signerSetOf(proof);
  const scheme = crypto === "stand-in" ? keyedHash : secp256k1;
  const signed = candidatesOf(reading.value, scheme, (account) =>
    set !== undefined && multisigAddress(set) === account ? set : undefined,
  ).find((candidate) => ids.includes(operationId(candidate)));
  if (signed === undefined) return err("the decision names another operation");
  if (dataHash(writeOf(signed)) !== dataHash({ path, body }))
    return err("the submission is spelled in another way than the network spells it");
  if (isMultisigSignature(signed.signature) !== (set !== undefined)) return err("the signer set is of no account");
  const fault = set && multisigFault(scheme, digestOf(signed.operation), signed);
  if (fault !== undefined) return err(`the submission is not authorised: ${fault}`);
  const hashes = [transactionHash(signed), paddedHash(signed) ?? transactionHash(signed)];
  return ok({ id: operationId(signed), submission: signed, hashes });
}

const NO_EVIDENCE = {} as Recovery["evidence"];

/** The answer to a recovery does not depend on its evidence, of which the decision names the two operations. */
function recoveryIn(
  body: Members,
  { signers }: FinalityProof,
  ids: readonly string[],
): Result<PostedSubmission, string> {
  const {
    chain_id: chainId,
    account,
    nonce,
    ...surplus
  } = body as { chain_id: number; account: Address; nonce: Nonce };
  const isRead = Number.isSafeInteger(chainId) && /^0x[0-9a-f]{40}$/.test(account) && Number.isSafeInteger(nonce);
  if (!isRead || Object.keys(surplus).length > 0 || signers !== undefined)
    return err("the submission is malformed: expected chain_id, account and nonce of a recovery");
  const id = recoveryId(chainId, account, nonce);
  if (!ids.includes(id)) return err("the decision names another operation");
  return ok({ id, submission: { kind: "recovery", chainId, account, nonce, evidence: NO_EVIDENCE }, hashes: [id] });
}

type Decision = Omit<Receipt, "id">;

/** The decision over the submission: by the receipt in a checkpoint, else by the value as far as it says so. */
function decisionIn(
  { certificate, proof }: ProvedFile,
  { id, submission }: PostedSubmission,
  committee: CommitteeFile,
  uncovered: Set<string>,
): Result<Decision, string> {
  const { value: part, checkpoint } = proof;
  const value = part && ledgerValueOf(part);
  const slot = slotOf(certificate.slot);
  if (value !== undefined) {
    if (slotKindOf(value) !== slot.kind || valueHash(value) !== certificate.value.toLowerCase())
      return err("the certificate decides another value");
    if (value.type === "operation" && effectSlotOf(submission as SignedOperation).kind !== "own")
      return err("the certificate authorises the operation, and does not decide its effect");
  }
  if (value === undefined && checkpoint?.certificate.value !== certificate.value)
    return err("the proof does not say what the certificate decides");
  if (checkpoint !== undefined) {
    const { receipt } = checkpoint;
    const refusal = proofRefusal(checkpoint, committee);
    if (refusal !== undefined) return err(`proof.checkpoint: ${refusal}`);
    if (receipt === undefined || receipt.id.toLowerCase() !== id)
      return err("proof.checkpoint: it lists another receipt");
    const listed = receiptOf(receipt);
    if (value !== undefined && listed.slot !== slotKey(slot))
      return err("proof.checkpoint: the receipt is of another slot");
    return ok(listed);
  }
  if (value === undefined || value.type === "list")
    return err("no checkpoint lists it yet, so it is not proved whether it took effect: ask the network again");
  const fees = committee.fees && feeScheduleOf(committee.fees);
  if (fees === undefined) uncovered.add("fee_used");
  return ok({
    ...decisionOf(value, submission, slot.kind === "account" ? slot.address : undefined, fees),
    slot: slotKey(slot),
  });
}

/** The decision of a value of an account's slot: an operation that takes effect there has none of its own that fails. */
function decisionOf(
  value: Exclude<LedgerValue, { readonly type: "list" }>,
  submission: Submission,
  account: Address | undefined,
  fees: FeeSchedule | undefined,
): Omit<Decision, "slot"> {
  const success = { success: true, error: undefined, fee: ZERO, feeToken: undefined };
  switch (value.type) {
    case "skip":
      return { ...success, fee: fees ? skipFee(fees, value.by, value.feeToken) : ZERO, feeToken: value.feeToken };
    case "operation":
      return { ...success, fee: fees ? feeOf(submission as SignedOperation, fees) : ZERO };
    case "burn": {
      if (value.outcome === "burned") return success;
      const { operation } = submission as SignedOperation;
      const unfunded = kindOf(operation).inAccount?.forced?.unfunded(operation as never, account as Address);
      const error = value.outcome === "paused" ? { code: "business_token_paused" } : unfunded;
      return { ...success, success: false, error: error as Refusal | undefined };
    }
    default:
      return unreachable(value);
  }
}

function feeOf({ operation }: SignedOperation, fees: FeeSchedule): Amount {
  if (operation.kind === "payment" || operation.kind === "batch") return paymentFee(fees, operation.token);
  return operation.kind === "bridgeBurn" ? operation.escrowFee : ZERO;
}
