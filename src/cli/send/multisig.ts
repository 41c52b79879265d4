/** Multisig accounts of ready accounts in orders: `2-of-alice,bob`, or with weights `3-of-alice:2,bob` (specification 5.18). */
import type { Address } from "../../core/base/ids.ts";
import type { Operation, SignedOperation, SignerSet } from "../../core/base/operation.ts";
import { refusalText } from "../../core/base/refusal.ts";
import { secp256k1 } from "../../core/crypto/secp256k1.ts";
import { digestOf, multisigOperation } from "../../core/ledger/layout.ts";
import { encodeMultisig, multisigAddress, signersFault, sortSigners } from "../../core/ledger/multisig.ts";
import { fewestSigners } from "../../scenario/declared.ts";
import type { NamedAccount } from "../../server/setup/accounts.ts";
import { UsageError } from "../command.ts";

/** Signer of an order. */
export interface SendSigner {
  readonly name: string;
  readonly address: Address;
  /** Signs as this account does: a multisig account in version 2. */
  sign(operation: Operation): SignedOperation;
}

/** Multisig account with the keys of its signers. */
export interface SendMultisig extends SendSigner {
  readonly set: SignerSet;
}

/** Returns true for the text of a multisig account. */
export function isMultisigText(text: string): boolean {
  return /^\d+-of-/.test(text);
}

/** Returns the signer that is one ready account. */
export function signerOfKey({ name, address, key }: NamedAccount): SendSigner {
  const sign = (operation: Operation): SignedOperation => ({
    operation,
    sender: address,
    signature: secp256k1.sign(key, digestOf(operation), address),
  });
  return { name, address, sign };
}

/**
 * Returns the multisig account of a text. The fewest of its signers that reach the threshold sign. `party`: a ready
 * account. @throws UsageError for a malformed text, and for a set that no ledger accepts.
 */
export function multisigOf(option: string, text: string, party: (name: string) => NamedAccount): SendMultisig {
  const [, threshold, list = ""] = /^(\d{1,5})-of-(.+)$/.exec(text) ?? [];
  if (threshold === undefined)
    throw new UsageError(`--${option}: expected such as 2-of-alice,bob or 3-of-alice:2,bob, got "${text}"`);
  const parts = list.split(",").map((part) => weightedPart(option, part));
  const members = parts.map(({ name, weight }) => ({ name, weight, key: party(name).key }));
  const signers = sortSigners(members.map(({ key, weight }) => ({ key: secp256k1.publicKeyOf(key), weight })));
  const set = { signers, threshold: Number(threshold) };
  const fault = signersFault(set.signers, set.threshold);
  if (fault !== undefined) throw new UsageError(`--${option}: ${refusalText(fault)}`);
  const address = multisigAddress(set);
  const weights = new Map(members.map(({ name, weight }) => [name, weight]));
  const chosen = fewestSigners({ weights, threshold: set.threshold });
  const sign = (operation: Operation): SignedOperation => {
    const own = multisigOperation(operation, address);
    const digest = digestOf(own);
    const signatures = members
      .filter(({ name }) => chosen.includes(name))
      .map(({ key }) => ({ key: secp256k1.publicKeyOf(key), signature: secp256k1.sign(key, digest) }));
    return {
      operation: own,
      sender: address,
      signature: encodeMultisig({ ...set, signatures: sortSigners(signatures) }),
    };
  };
  return { name: text, address, set, sign };
}

function weightedPart(option: string, part: string): { readonly name: string; readonly weight: number } {
  const [, name, weight = "1"] = /^([^:]+)(?::(\d{1,3}))?$/.exec(part) ?? [];
  if (name === undefined) throw new UsageError(`--${option}: expected a signer such as bob or alice:2, got "${part}"`);
  return { name, weight: Number(weight) };
}
