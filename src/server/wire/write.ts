/** Reader of POST bodies: their candidates, or the first error (wire 1.2, 1.3, 3.9). */
import { entryOf } from "../../core/base/entry.ts";
import { type Address, type Nonce, toAddress } from "../../core/base/ids.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { digestOf, type UnsignedFields } from "../../core/ledger/layout.ts";
import type { Shape } from "../../schema/shape.ts";
import { IGNORED_LISTED } from "../limits.ts";
import { readBodyFields } from "./body-fields.ts";
import { accountOfReading, type BodyReading, candidates } from "./candidates.ts";
import { authorizationFault, authorizationIn, domainOperation, unsignedMember } from "./domain-body.ts";
import {
  RECOVERY_PATH,
  type RecoveryBody,
  recoveryBody,
  signatureIn,
  WRITES,
  type WritePath,
} from "./schemas/bodies.ts";
import { type Validator, validatorOf } from "./schemas/schema-types.ts";
import { readSignature } from "./values.ts";
import { memberOf, quoteValue, type WireFault, wireFault } from "./wire-error.ts";

/** Evidence of a recovery: the account, and two signed bodies of one nonce. */
export interface RecoveryReading {
  readonly chainId: number;
  readonly account: Address;
  readonly nonce: Nonce;
  readonly first: EvidenceReading;
  readonly second: EvidenceReading;
  readonly ignored: readonly string[];
}

/** One of the two signed bodies, and its path. */
interface EvidenceReading extends BodyReading {
  readonly path: string;
}

/**
 * Reads the body of a POST to `path`, as `parseJson` returns it. Rejects paths outside `WRITES`. Never throws.
 * `digest`: may remember the digests of operations.
 */
export function readWrite(
  path: string,
  body: unknown,
  digest: typeof digestOf = digestOf,
): Result<BodyReading, WireFault> {
  return readBody(path, body, "body", digest);
}

/** Reads the body of a recovery: `{chain_id, account, nonce, evidence: [{path, body}, {path, body}]}` (wire 3.9). */
export function readRecovery(body: unknown): Result<RecoveryReading, WireFault> {
  const shapeFault = validatorFor(RECOVERY_PATH, recoveryBody)(body);
  if (shapeFault !== undefined) return err(shapeFault);
  const { chain_id, account, nonce, evidence } = body as RecoveryBody;
  const first = readBody(evidence[0].path, evidence[0].body, "body.evidence[0].body");
  if (!first.ok) return first;
  const second = readBody(evidence[1].path, evidence[1].body, "body.evidence[1].body");
  if (!second.ok) return second;
  return ok({
    chainId: chain_id,
    account: toAddress(account),
    nonce: nonce as Nonce,
    first: { ...first.value, path: evidence[0].path },
    second: { ...second.value, path: evidence[1].path },
    ignored: ignoredMembers(recoveryBody, body, "body"),
  });
}

function readBody(path: string, body: unknown, root: string, digest = digestOf): Result<BodyReading, WireFault> {
  const write = Object.hasOwn(WRITES, path) ? WRITES[path] : undefined;
  if (write === undefined)
    return err(wireFault("validation_body", "path", `expected the path of a write, got ${quoteValue(path)}`));
  const fault =
    (write.version === 2 ? authorizationFault(body, root) : undefined) ??
    validatorFor(path, write.body)(body, root) ??
    (write.version === 2 ? unsignedMember(write, body as object, root) : undefined);
  if (fault !== undefined) return err(fault);
  const fields = readBodyFields(write, body, root);
  if (!fields.ok) return fields;
  const signature =
    write.version === 1 ? readSignature(signatureIn(body), `${root}.signature`) : authorizationIn(body, root);
  if (!signature.ok) return signature;
  const { operations, digests } = readingsOf(
    write,
    fields.value,
    digest,
    accountOfReading({ signature: signature.value }),
  );
  if (operations.length > 0)
    return ok({ operations, digests, signature: signature.value, ignored: ignoredMembers(write.body, body, root) });
  // Only an issue has no client layout.
  const problem =
    "missing, but a body with memo, clawback_enabled or recent_* is signed in the client layout, which signs is_private";
  return err(wireFault("validation_layout", `${root}.is_private`, problem));
}

/** One operation for each layout that the body may be signed in; version 2 has one. */
function readingsOf(
  { version }: WritePath,
  meanings: readonly UnsignedFields[],
  digest: typeof digestOf,
  account: Address | undefined,
): Pick<BodyReading, "operations" | "digests"> {
  if (version === 1) return candidates(meanings, digest);
  const operations = meanings.map((fields) => domainOperation(fields, account));
  return { operations, digests: operations.map(digest) };
}

function validatorFor(path: string, schema: Shape<unknown>): Validator {
  return entryOf(compiled, path, () => validatorOf(schema));
}

/** Validators of bodies, compiled when a path is first used. */
const compiled = new Map<string, Validator>();

type SchemaNode = Readonly<{ properties?: Readonly<Record<string, SchemaNode>>; items?: SchemaNode }>;

/** Returns the paths of unknown members, at most `IGNORED_NAMED`, of a value that has the shape. */
export function ignoredMembers(schema: Shape<unknown>, value: unknown, path: string): readonly string[] {
  return walk(schema as SchemaNode, value, path).slice(0, IGNORED_LISTED);
}

function walk({ properties, items }: SchemaNode, value: unknown, path: string): readonly string[] {
  if (items !== undefined && Array.isArray(value))
    return value.flatMap((one, at) => walk(items, one, `${path}[${at}]`));
  if (properties === undefined || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const at = memberOf(path, name);
    return known === undefined ? [at] : walk(known, member, at);
  });
}
