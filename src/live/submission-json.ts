/** Submissions as plain JSON: amounts as decimal text, member names of the core. */
import type { Amount } from "../core/base/amount.ts";
import { type Address, type Nonce, toAddress, toSignature } from "../core/base/ids.ts";
import { isRecovery, type Operation, type SignedOperation, type Submission } from "../core/base/operation.ts";

export interface SignedJson {
  readonly operation: Readonly<Record<string, unknown>>;
  readonly sender: string;
  readonly signature: string;
}

export interface RecoveryJson {
  readonly recovery: { readonly chainId: number; readonly account: string; readonly nonce: number };
  readonly first: SignedJson;
  readonly second: SignedJson;
}

export type SubmissionJson = SignedJson | RecoveryJson;

/** Returns a submission as JSON. */
export function submissionJson(submission: Submission): SubmissionJson {
  if (!isRecovery(submission)) return signedJson(submission);
  const { chainId, account, nonce, evidence } = submission;
  return {
    recovery: { chainId, account, nonce },
    first: signedJson(evidence.first),
    second: signedJson(evidence.second),
  };
}

/** Parses a submission. @throws RangeError for a malformed amount, address or signature. */
export function submissionOf(json: SubmissionJson): Submission {
  if (!("recovery" in json)) return signedOf(json);
  const { chainId, account, nonce } = json.recovery;
  const evidence = { first: signedOf(json.first), second: signedOf(json.second) };
  return { kind: "recovery", chainId, account: toAddress(account), nonce: nonce as Nonce, evidence };
}

function signedJson({ operation, sender, signature }: SignedOperation): SignedJson {
  const plain = "value" in operation && operation.value !== undefined ? { value: String(operation.value) } : {};
  return { operation: { ...operation, ...plain }, sender, signature };
}

function signedOf({ operation, sender, signature }: SignedJson): SignedOperation {
  const value = operation["value"];
  if (value !== undefined && (typeof value !== "string" || !/^\d{1,78}$/.test(value)))
    throw new RangeError(`value: expected decimal text, got ${JSON.stringify(value)}`);
  const amount = value === undefined ? {} : { value: BigInt(value) as Amount };
  return {
    operation: { ...operation, ...amount } as unknown as Operation,
    sender: toAddress(sender) as Address,
    signature: toSignature(signature),
  };
}
