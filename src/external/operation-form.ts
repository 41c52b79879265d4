/** Operations as a node receives them, and the stand-in for signatures that it can check. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { OperationId, SignedOperation, Submission } from "../core/base/operation.ts";
import { isRecovery } from "../core/base/operation.ts";
import type { OperationForm } from "./shapes.ts";

/**
 * Returns the stand-in for a signature: SHA-256 of the signer, a line feed and the text that is signed, as hex digits. It
 * is no signature scheme, since anybody can compute it; in a simulation nobody does.
 */
export function standInSignature(signer: string, text: string): string {
  return bytesToHex(sha256(utf8ToBytes(`${signer}\n${text}`)));
}

/** Stands for a signature that is not the sender's. */
const NO_SIGNATURE = "0".repeat(64);

/** Returns what a node is shown of a submission, `undefined` for an operation that the interface does not have. */
export function operationForm(
  submission: Submission,
  id: OperationId,
  isSigned: (signed: SignedOperation) => boolean,
): OperationForm | undefined {
  if (isRecovery(submission)) return undefined;
  const { operation, sender } = submission;
  if (operation.kind !== "payment" || operation.account !== undefined) return undefined;
  const { kind, chainId: chain, nonce, token, recipient, value } = operation;
  const amount = String(value);
  const text = [id, kind, chain, nonce, token, recipient, amount].join(" ");
  const signature = isSigned(submission) ? standInSignature(sender, text) : NO_SIGNATURE;
  return { id, kind, chain, sender, nonce, token, recipient, amount, signature };
}
