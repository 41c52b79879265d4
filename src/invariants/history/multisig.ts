/** Weight behind the operations of multisig accounts, by all that clients submitted (specification 4.1; protocol 7.5). */
import type { PublicKey } from "../../core/base/ids.ts";
import type { SignedOperation } from "../../core/base/operation.ts";
import { isSufficient } from "../reference/multisig.ts";
import { identityOf } from "../reference/operation-meaning.ts";
import type { Chronicle } from "./chronicle.ts";

const NOBODY: ReadonlySet<PublicKey> = new Set();

/** Returns true for an operation of a multisig account that its signers, in all copies together, did not sign with enough weight. */
export function lacksWeight(
  { keys, signerSets }: Pick<Chronicle, "keys" | "signerSets">,
  signed: SignedOperation,
): boolean {
  const { account } = signed.operation;
  if (account === undefined) return false;
  const set = signerSets.get(account);
  const signers = keys.get(identityOf(signed))?.keys ?? NOBODY;
  return set === undefined || account !== signed.sender || !isSufficient(set, signers);
}

/** Returns true if every copy so far shows members only, once each and in order, each copy with enough weight. */
export function isRegular({ keys }: Pick<Chronicle, "keys">, signed: SignedOperation): boolean {
  return keys.get(identityOf(signed))?.isRegular === true;
}
