/** Multisig accounts as the oracles read them: signer sets, and the weight behind an operation (specification 4.1, 5.18). */
import type { Address, PublicKey } from "../../core/base/ids.ts";
import type { SignerSet } from "../../core/base/operation.ts";

/** Returns the address of a signer set. A parameter, since this model imports no hash. */
export type MultisigAddressOf = (set: SignerSet) => Address;

/** Returns one text for a signer set in any order. */
export function setText({ signers, threshold }: SignerSet): string {
  const members = signers.map(({ key, weight }) => `${key}:${weight}`);
  return [threshold, ...members.sort()].join(" ");
}

/** Returns true if the keys that signed, each counted once and strangers not at all, have the weight that is needed. */
export function isSufficient({ signers, threshold }: SignerSet, keys: ReadonlySet<PublicKey>): boolean {
  let weight = 0;
  for (const one of signers) if (keys.has(one.key)) weight += one.weight;
  return weight >= threshold;
}
