/** Candidates of a body: one operation for each signing layout in which it can exist, and their senders (wire 3.8, 3.9). */
import { ZERO } from "../../core/base/amount.ts";
import { entryOf } from "../../core/base/entry.ts";
import type { Address, Hash, Signature } from "../../core/base/ids.ts";
import {
  LAYOUTS,
  type Layout,
  type Operation,
  type SignedOperation,
  type SignerSet,
} from "../../core/base/operation.ts";
import type { Scheme } from "../../core/crypto/scheme.ts";
import { completeFields, layoutFault, type UnsignedFields } from "../../core/ledger/layout.ts";
import { encodeMultisig, type KeySignature } from "../../core/ledger/multisig.ts";

/** Authorization by a multisig account: a body names no signer set. */
export interface PostedMultisig {
  readonly account: Address;
  readonly signatures: readonly KeySignature[];
}

/** Reading of a body. */
export interface BodyReading {
  /**
   * At least one, in the order of `LAYOUTS`, of each list with distinct signed digests (wire 3.9), or v2 alone.
   */
  readonly operations: readonly Operation[];
  /** Signed digests, in the order of the operations. */
  readonly digests: readonly Hash[];
  readonly signature: Signature | PostedMultisig;
  /** Paths of members unknown to the schema, which have no effect. */
  readonly ignored: readonly string[];
}

/**
 * Returns candidates in the order of `LAYOUTS`, the first of equal digests; none if no layout can sign it.
 * An action of the older paths that may mean two lists has candidates for both. `digestOf`: a memo of the digests that
 * signatures cover.
 */
export function candidates(
  meanings: readonly UnsignedFields[],
  digestOf: (operation: Operation) => Hash,
): Pick<BodyReading, "operations" | "digests"> {
  const operations = meanings.flatMap((fields) => [...candidatesWith(fields, digestOf)]);
  return { operations: operations.map(([, operation]) => operation), digests: operations.map(([digest]) => digest) };
}

function candidatesWith(fields: UnsignedFields, digestOf: (operation: Operation) => Hash): Map<Hash, Operation> {
  const byDigest = new Map<Hash, Operation>();
  for (const operation of [...zeroAllowanceReadings(fields), ...layoutReadings(fields)])
    entryOf(byDigest, digestOf(operation), () => operation);
  return byDigest;
}

const OF_VERSION_1: readonly Layout[] = LAYOUTS.filter((layout) => layout !== "v2");

function layoutReadings(fields: UnsignedFields): readonly Operation[] {
  return OF_VERSION_1.flatMap((layout) => {
    const signed = completeFields(layout, fields);
    return layoutFault(layout, signed) === undefined ? [{ ...signed, layout } as Operation] : [];
  });
}

/** Most clients that name no allowance sign 0, the others leave the item out (wire 3.2). */
function zeroAllowanceReadings(fields: UnsignedFields): readonly Operation[] {
  return fields.kind === "authority" && fields.value === undefined
    ? [{ ...fields, layout: "client", value: ZERO }]
    : [];
}

/** Returns the multisig account of a reading, `undefined` for the signature of one key. */
export function accountOfReading({ signature }: Pick<BodyReading, "signature">): Address | undefined {
  return typeof signature === "string" ? undefined : signature.account;
}

/** Returns the signer set of a multisig account, `undefined` if there is no such account. */
export type SignerSetOf = (account: Address) => SignerSet | undefined;

/**
 * Returns each candidate with the address that its signature recovers to, in the same order. Candidates without a
 * recovered address are dropped, so there may be none. Of an unknown multisig account there are none.
 */
export function candidatesOf(
  { operations, digests, signature }: Pick<BodyReading, "operations" | "digests" | "signature">,
  scheme: Scheme,
  signersOf: SignerSetOf = () => undefined,
): readonly SignedOperation[] {
  if (typeof signature !== "string") {
    const { account: sender, signatures } = signature;
    const set = signersOf(sender);
    if (set === undefined) return [];
    const completed = encodeMultisig({ ...set, signatures });
    return operations.map((operation) => ({ operation, sender, signature: completed }));
  }
  return operations.flatMap((operation, at) => {
    const sender = scheme.recover(digests[at] as Hash, signature);
    return sender === undefined ? [] : [{ operation, sender, signature }];
  });
}
