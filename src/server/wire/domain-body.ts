/** Authorization of a version 2 body, and its only reading (wire 1.3, 3.4). */
import { type Address, type PublicKey, type Signature, toAddress } from "../../core/base/ids.ts";
import type { Operation } from "../../core/base/operation.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { completeFields, multisigOperation, RECENT, type UnsignedFields } from "../../core/ledger/layout.ts";
import type { KeySignature } from "../../core/ledger/multisig.ts";
import type { Field } from "../../core/ledger/operations/kind.ts";
import { KINDS } from "../../core/ledger/operations/kinds.ts";
import type { PostedMultisig } from "./candidates.ts";
import { AUTHORIZATION_TYPES, type AuthorizationBody, authorizationOf, type WritePath } from "./schemas/bodies.ts";
import { readSignature } from "./values.ts";
import { memberOf, quoteValue, type WireFault, wireFault } from "./wire-error.ts";

/**
 * Returns the fault that clients tell apart by its code: a signature of version 1, none at all, or one of a type that
 * is not served; `undefined` for a body whose shape is to be checked.
 */
export function authorizationFault(body: unknown, root: string): WireFault | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  if (Object.hasOwn(body, "signature"))
    return domainSignatureFault(root, "signature", "expected authorization in its place");
  if (!Object.hasOwn(body, "authorization")) return domainSignatureFault(root, "authorization", "missing");
  const { authorization } = body as { readonly authorization: unknown };
  const type = (authorization as { readonly type?: unknown } | null)?.type;
  if (AUTHORIZATION_TYPES.some((known) => known === type)) return undefined;
  const problem = `expected ${AUTHORIZATION_TYPES.join(" or ")}, got ${quoteValue(type)}`;
  return wireFault("UNSUPPORTED_AUTHORIZATION_TYPE", `${root}.authorization.type`, problem);
}

function domainSignatureFault(root: string, member: string, problem: string): WireFault {
  return wireFault("DOMAIN_SEPARATED_SIGNATURE_REQUIRED", `${root}.${member}`, problem);
}

/** Returns the fault of a member that version 1 signs and version 2 does not: its author meant something by it. */
export function unsignedMember({ kind }: WritePath, body: object, root: string): WireFault | undefined {
  const fields = Object.values<Field>(KINDS[kind].fields).filter(({ v2 }) => v2 === "none");
  const unsigned = [...fields, ...RECENT].find(({ wire }) => Object.hasOwn(body, wire));
  if (unsigned === undefined) return undefined;
  return wireFault("validation_layout", memberOf(root, unsigned.wire), "version 2 does not sign it: expected none");
}

/** Returns the operation that a body of version 2 is. `account`: the multisig account that authorizes it. */
export function domainOperation(fields: UnsignedFields, account: Address | undefined): Operation {
  if (account !== undefined) return multisigOperation(fields, account);
  return { ...completeFields("v2", fields), layout: "v2" } as Operation;
}

/** Returns the signature of a body of a checked shape, or the account and the signatures of its members. */
export function authorizationIn(body: unknown, root: string): Result<Signature | PostedMultisig, WireFault> {
  const authorization = authorizationOf(body);
  const at = `${root}.authorization`;
  const missing = NEEDED[authorization.type].find((member) => authorization[member] === undefined);
  if (missing !== undefined) return err(wireFault("validation_signature", `${at}.${missing}`, "missing"));
  const surplus = OTHERS[authorization.type].find((member) => authorization[member] !== undefined);
  if (surplus !== undefined)
    return err(wireFault("validation_signature", `${at}.${surplus}`, `${authorization.type} has none`));
  const { signature, account, signatures = [] } = authorization;
  if (signature !== undefined) return readSignature(signature, `${at}.signature`);
  return membersIn(toAddress(account ?? ""), signatures, `${at}.signatures`);
}

type DomainMembers = readonly (keyof AuthorizationBody)[];
const NEEDED: Readonly<Record<AuthorizationBody["type"], DomainMembers>> = {
  single_secp256k1: ["signature"],
  multisig_secp256k1: ["account", "signatures"],
};
const OTHERS: Readonly<Record<AuthorizationBody["type"], DomainMembers>> = {
  single_secp256k1: ["account", "signatures"],
  multisig_secp256k1: ["signature"],
};

function membersIn(
  account: Address,
  posted: NonNullable<AuthorizationBody["signatures"]>,
  at: string,
): Result<PostedMultisig, WireFault> {
  const signatures: KeySignature[] = [];
  for (const [index, one] of posted.entries()) {
    const signature = readSignature(one.signature, `${at}[${index}].signature`);
    if (!signature.ok) return signature;
    signatures.push({ key: one.signer_pubkey.toLowerCase() as PublicKey, signature: signature.value });
  }
  return ok({ account, signatures });
}
