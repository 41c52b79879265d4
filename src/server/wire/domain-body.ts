/** Authorization of a version 2 body, and its only reading (wire 1.3, 3.4). */
import type { Operation } from "../../core/base/operation.ts";
import { completed, RECENT, type UnsignedFields } from "../../core/ledger/layout.ts";
import type { Field } from "../../core/ledger/operations/kind.ts";
import { KINDS } from "../../core/ledger/operations/kinds.ts";
import { AUTHORIZATION_TYPE, type WritePath } from "./schemas/bodies.ts";
import { memberOf, quoted, type WireFault, wireFault } from "./wire-error.ts";

/**
 * Returns the fault that clients tell apart by its code: a signature of version 1, none at all, or one of a type that
 * is not served; `undefined` for a body whose shape is to be checked.
 */
export function authorizationFault(body: unknown, root: string): WireFault | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  if (Object.hasOwn(body, "signature")) return unauthorized(root, "signature", "expected authorization in its place");
  if (!Object.hasOwn(body, "authorization")) return unauthorized(root, "authorization", "missing");
  const { authorization } = body as { readonly authorization: unknown };
  const type = (authorization as { readonly type?: unknown } | null)?.type;
  if (type === AUTHORIZATION_TYPE) return undefined;
  const problem = `expected ${AUTHORIZATION_TYPE}, got ${quoted(type)}`;
  return wireFault("UNSUPPORTED_AUTHORIZATION_TYPE", `${root}.authorization.type`, problem);
}

function unauthorized(root: string, member: string, problem: string): WireFault {
  return wireFault("DOMAIN_SEPARATED_SIGNATURE_REQUIRED", `${root}.${member}`, problem);
}

/** Returns the fault of a member that version 1 signs and version 2 does not: its author meant something by it. */
export function unsignedMember({ kind }: WritePath, body: object, root: string): WireFault | undefined {
  const fields = Object.values<Field>(KINDS[kind].fields).filter(({ v2 }) => v2 === "none");
  const unsigned = [...fields, ...RECENT].find(({ wire }) => Object.hasOwn(body, wire));
  if (unsigned === undefined) return undefined;
  return wireFault("validation_layout", memberOf(root, unsigned.wire), "version 2 does not sign it: expected none");
}

/** Returns the operation that a body of version 2 is. */
export function domainOperation(fields: UnsignedFields): Operation {
  return { ...completed("v2", fields), layout: "v2" } as Operation;
}
