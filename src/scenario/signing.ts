/** Signatures of accounts over their operations, of one key or of several; false ones too. */
import { requireDefined, unreachable } from "../core/base/assert.ts";
import type { AccountSignature, Hash, Signature } from "../core/base/ids.ts";
import type { Operation } from "../core/base/operation.ts";
import { multisigOperation } from "../core/ledger/layout.ts";
import { encodeMultisig, type KeySignature, sortSigners } from "../core/ledger/multisig.ts";
import { fewestSigners } from "./declarations.ts";
import type { Directory } from "./directory.ts";
import type { SubmitSpec } from "./schema/submit.ts";

/** Signers, if not the fewest that suffice, and what is wrong with the signature, or that it is the second one. */
export interface SigningChoice {
  readonly signers?: readonly string[] | undefined;
  readonly defect?: SubmitSpec["signature"];
}

/** Returns an operation as an account signs it: a multisig account in version 2. */
export function ownForm(operation: Operation, owner: string, directory: Directory): Operation {
  return directory.multisig(owner) === undefined ? operation : multisigOperation(operation, directory.account(owner));
}

/** Returns the signature of an account over the digest of an operation. @throws RangeError for an unknown name. */
export function signatureOf(
  directory: Directory,
  owner: string,
  digest: Hash,
  choice: SigningChoice = {},
): AccountSignature {
  const { scheme } = directory;
  const { defect } = choice;
  const ofKey = (name: string): Signature => {
    const key = directory.accountKey(name);
    return defect === "second" ? scheme.signAgain(key, digest) : spoilSignature(scheme.sign(key, digest), defect);
  };
  const set = directory.multisig(owner);
  if (set === undefined) return ofKey(owner);
  const declared = requireDefined(directory.declared.multisigs.get(owner), owner);
  const signatures = sortSigners(
    (choice.signers ?? fewestSigners(declared)).map((name) => ({
      key: scheme.publicKeyOf(directory.accountKey(name)),
      signature: ofKey(name),
    })),
  );
  return encodeMultisig({ ...set, signatures: withDefect(signatures, defect) });
}

/** Returns the signatures with a defect of some of them, or of their order. */
function withDefect(signatures: readonly KeySignature[], defect: SigningChoice["defect"]): readonly KeySignature[] {
  if (defect === "reversed") return signatures.toReversed();
  const last = signatures.at(-1);
  if (defect !== "last_broken" || last === undefined) return signatures;
  return signatures.with(-1, { ...last, signature: spoilSignature(last.signature, "broken") });
}

/** The group order n: s and n - s are both signatures, of which only the lower one is valid. */
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function spoilSignature(signature: Signature, defect: SubmitSpec["signature"]): Signature {
  switch (defect) {
    case undefined:
    case "second":
    case "last_broken":
    case "reversed":
      return signature;
    case "none":
      return `0x${"0".repeat(130)}` as Signature;
    case "broken": {
      const last = signature.slice(65, 66);
      return `${signature.slice(0, 65)}${last === "0" ? "1" : "0"}${signature.slice(66)}` as Signature;
    }
    case "high_s": {
      const s = GROUP_ORDER - BigInt(`0x${signature.slice(66, 130)}`);
      const parity = signature.slice(130) === "00" ? "01" : "00";
      return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${parity}` as Signature;
    }
    default:
      return unreachable(defect);
  }
}
