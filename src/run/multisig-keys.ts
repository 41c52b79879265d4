/** Keys that signed the operations of multisig accounts, as the oracles read them. */
import { isMultisigSignature } from "../core/base/ids.ts";
import { isRecovery, type SignedOperation, type Submission } from "../core/base/operation.ts";
import type { Verifier } from "../core/crypto/scheme.ts";
import type { digestOf } from "../core/ledger/layout.ts";
import { decodeMultisig, multisigAddress, signersFault } from "../core/ledger/multisig.ts";
import type { SignedByKeys } from "../invariants/observation.ts";

const NONE: readonly SignedByKeys[] = [];

/** Returns the signatures of each operation of a multisig account in a submission, of both in a recovery. */
export function keysOf(submission: Submission, verifier: Verifier, digest: typeof digestOf): readonly SignedByKeys[] {
  if (!isRecovery(submission))
    return submission.operation.account === undefined ? NONE : [keysIn(submission, verifier, digest)];
  const { first, second } = submission.evidence;
  return [first, second].flatMap((signed) =>
    signed.operation.account === undefined ? [] : [keysIn(signed, verifier, digest)],
  );
}

function keysIn(signed: SignedOperation, verifier: Verifier, digest: typeof digestOf): SignedByKeys {
  const { operation, signature, sender } = signed;
  const multisig = isMultisigSignature(signature) ? decodeMultisig(signature) : undefined;
  if (multisig === undefined) return { signed, keys: [], isWhole: false };
  const over = digest(operation);
  const keys = multisig.signatures.flatMap(({ key, signature: one }) => {
    const signer = verifier.recover(over, one);
    return signer !== undefined && signer === verifier.addressOfPublic(key) ? [key] : [];
  });
  const isOwnSet =
    signersFault(multisig.signers, multisig.threshold) === undefined && multisigAddress(multisig) === sender;
  return { signed, keys, isWhole: isOwnSet && keys.length === multisig.signatures.length };
}
