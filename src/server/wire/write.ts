/** Reader of POST bodies: their candidates, or the first error (wire 1.2, 1.3, 3.9). */
import { AMOUNT_MAX, type Amount, ZERO } from "../../core/base/amount.ts";
import { requireDefined, unreachable } from "../../core/base/assert.ts";
import { toHex } from "../../core/base/encoding.ts";
import { entryOf } from "../../core/base/entry.ts";
import {
  type Address,
  type Nonce,
  type PublicKey,
  type Signature,
  toAddress,
  toSignature,
} from "../../core/base/ids.ts";
import type { Operation } from "../../core/base/operation.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { completeFields, digestOf, multisigOperation, RECENT, type UnsignedFields } from "../../core/ledger/layout.ts";
import type { KeySignature } from "../../core/ledger/multisig.ts";
import type { Field } from "../../core/ledger/operations/kind.ts";
import { KINDS } from "../../core/ledger/operations/kinds.ts";
import { listsOf } from "../../core/ledger/spelling.ts";
import type { Shape } from "../../schema/shape.ts";
import { IGNORED_LISTED } from "../limits.ts";
import { accountOfReading, type BodyReading, candidates, type PostedMultisig } from "./candidates.ts";
import { authorizationOfEnvelope, openEnvelope } from "./envelope.ts";
import { ENVELOPE_PATH } from "./paths.ts";
import {
  AUTHORIZATION_TYPES,
  type AuthorizationBody,
  type Body,
  ENVELOPE_WRITES,
  type EnvelopeSignature,
  type LegBody,
  type PairBody,
  RECOVERY_PATH,
  type RecoveryBody,
  recoveryBody,
  type SignatureBody,
  type WeightedKeyBody,
  WRITES,
  type WritePath,
} from "./schemas/bodies.ts";
import { type Validator, validatorOf } from "./schemas/schema-types.ts";
import { memberOf, quoteValue, type WireFault, wireFault } from "./wire-error.ts";

/** Evidence of a recovery: the account, and two signed bodies of one nonce. */
export interface RecoveryReading {
  readonly chainId: number;
  readonly account: Address;
  readonly nonce: Nonce;
  readonly first: BodyReading;
  readonly second: BodyReading;
  readonly ignored: readonly string[];
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
    first: first.value,
    second: second.value,
    ignored: ignoredMembers(recoveryBody, body, "body"),
  });
}

function readBody(path: string, body: unknown, root: string, digest = digestOf): Result<BodyReading, WireFault> {
  const opened = path === ENVELOPE_PATH ? openedEnvelope(body, root) : openedBody(path, body, root);
  if (!opened.ok) return opened;
  const { write, payload, authorization, at, ignored } = opened.value;
  const reader = new BodyReader(at);
  const meanings = fieldsOf(write, payload as Body, reader);
  if (reader.fault !== undefined) return err(reader.fault);
  const signature = authorizationIn(authorization, opened.value.signedAt);
  if (!signature.ok) return signature;
  const account = accountOfReading({ signature: signature.value });
  const { operations, digests } = candidatesOf(write, meanings, digest, account);
  if (operations.length > 0) return ok({ operations, digests, signature: signature.value, ignored });
  // Only an issue has no client layout.
  const problem =
    "missing, but a body with memo, clawback_enabled or recent_* is signed in the client layout, which signs is_private";
  return err(wireFault("validation_layout", `${at}.is_private`, problem));
}

/** Parts of a body of a checked shape, with their places. */
interface OpenedBody {
  readonly write: WritePath;
  readonly payload: unknown;
  readonly at: string;
  readonly authorization: AuthorizationBody;
  readonly signedAt: string;
  readonly ignored: readonly string[];
}

function openedBody(path: string, body: unknown, root: string): Result<OpenedBody, WireFault> {
  const write = Object.hasOwn(WRITES, path) ? WRITES[path] : undefined;
  if (write === undefined)
    return err(wireFault("validation_body", "path", `expected the path of a write, got ${quoteValue(path)}`));
  const fault =
    (write.version === 2 ? authorizationFault(body, root) : undefined) ??
    validatorFor(path, write.body)(body, root) ??
    (write.version === 2 ? unsignedMember(write, body as object, root) : undefined);
  if (fault !== undefined) return err(fault);
  const ignored = ignoredMembers(write.body, body, root);
  const parts = { write, payload: body, at: root, ignored };
  const { authorization, signature } = body as { authorization: AuthorizationBody; signature: SignatureBody };
  if (write.version === 2) return ok({ ...parts, authorization, signedAt: `${root}.authorization` });
  return ok({ ...parts, authorization: { type: "single_secp256k1", signature }, signedAt: root });
}

function openedEnvelope(body: unknown, root: string): Result<OpenedBody, WireFault> {
  const envelope = openEnvelope(body, root);
  if (!envelope.ok) return envelope;
  const { name, at } = envelope.value;
  const write = requireDefined(ENVELOPE_WRITES[name], name);
  const signed = withDecimalAmounts(write, envelope.value.signed);
  const fault = validatorFor(`${ENVELOPE_PATH} ${name}`, write.body)(signed, at);
  if (fault !== undefined) return err(fault);
  const { payload, signature } = signed as { readonly payload: unknown; readonly signature: EnvelopeSignature };
  const ignored = ignoredMembers(write.body, signed, at);
  return ok({ write, payload, at: `${at}.payload`, ignored, ...authorizationOfEnvelope(signature, at) });
}

/** The client of envelopes writes amounts as 0x and hex digits. */
function withDecimalAmounts({ kind }: WritePath, signed: unknown): unknown {
  const payload = (signed as { readonly payload?: unknown } | null | undefined)?.payload;
  if (typeof payload !== "object" || payload === null) return signed;
  const amounts = Object.values<Field>(KINDS[kind].fields).filter(({ type }) => type === "amount");
  const isAmount = (member: string): boolean => amounts.some(({ wire }) => wire === member);
  const decimal = Object.entries(payload).map(([member, value]) =>
    isAmount(member) && typeof value === "string" && /^0x[0-9a-f]{1,64}$/i.test(value)
      ? [member, String(BigInt(value))]
      : [member, value],
  );
  return { ...(signed as object), payload: Object.fromEntries(decimal) };
}

/** One operation for each layout that the body may be signed in; version 2 and a multisig account have one. */
function candidatesOf(
  { version }: WritePath,
  meanings: readonly UnsignedFields[],
  digest: typeof digestOf,
  account: Address | undefined,
): Pick<BodyReading, "operations" | "digests"> {
  if (version === 1 && account === undefined) return candidates(meanings, digest);
  const layout = version === 1 ? "client" : "v2";
  const operations = meanings.map((fields) =>
    account === undefined
      ? ({ ...completeFields(layout, fields), layout } as Operation)
      : multisigOperation(fields, account, layout),
  );
  return { operations, digests: operations.map(digest) };
}

function validatorFor(path: string, schema: Shape<unknown>): Validator {
  return entryOf(compiled, path, () => validatorOf(schema));
}

/** Validators of bodies, compiled when a path is first used. */
const compiled = new Map<string, Validator>();

type SchemaNode = Readonly<{ properties?: Readonly<Record<string, SchemaNode>>; items?: SchemaNode }>;

/** Returns the paths of unknown members, at most `IGNORED_LISTED`, of a value that has the shape. */
export function ignoredMembers(schema: Shape<unknown>, value: unknown, path: string): readonly string[] {
  return walk(schema as SchemaNode, value, path).slice(0, IGNORED_LISTED);
}

function walk({ properties, items }: SchemaNode, value: unknown, path: string): readonly string[] {
  if (items !== undefined && Array.isArray(value))
    return value.flatMap((item, at) => walk(items, item, `${path}[${at}]`));
  if (properties === undefined || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const at = memberOf(path, name);
    return property === undefined ? [at] : walk(property, member, at);
  });
}

/** Collects the first error, so that reading a body is one expression. */
class BodyReader {
  fault: WireFault | undefined;
  readonly #root: string;

  /** `root`: name of the body in errors. */
  constructor(root: string) {
    this.#root = root;
  }

  #refuse(code: WireFault["code"], member: string, problem: string): void {
    this.fault ??= wireFault(code, `${this.#root}.${member}`, problem);
  }

  amount(member: string, value: string | number): Amount {
    const amount = BigInt(value);
    if (amount <= AMOUNT_MAX) return amount as Amount;
    this.#refuse("validation_amount", member, `expected at most 2^256 - 1, got ${quoteValue(value)}`);
    return ZERO;
  }

  /** Rejects lone surrogates: encoding replaces them, so two texts would have the same signed bytes. */
  text(member: string, text: string): string {
    if (/\p{Surrogate}/u.test(text)) this.#refuse("validation_text", member, "expected Unicode, got a lone surrogate");
    return text;
  }
}

/** Returns the fields of a body of this path, once for each list that it may mean. */
function fieldsOf({ kind, list }: WritePath, body: Body, reader: BodyReader): readonly UnsignedFields[] {
  const fields: Record<string, unknown> = headOf(body, reader);
  for (const [name, field] of Object.entries<Field>(KINDS[kind].fields)) {
    const posted = body[field.wire];
    const isNone = posted === undefined || (posted === null && (field.type === "text" || field.type === "hex"));
    if (!isNone) fields[name] = fieldOf(field, posted, reader);
  }
  if (kind !== "list") return [{ kind, ...fields } as UnsignedFields];
  // The shapes of the older paths allow only the two actions that name a list.
  const lists = list === undefined ? listsOf(String(fields["action"])) : [list];
  return lists.map((listName) => ({ kind, ...fields, list: listName }) as UnsignedFields);
}

function headOf({ chain_id, nonce, memo, ...body }: Body, reader: BodyReader): Record<string, unknown> {
  const recent = RECENT.flatMap(({ name, wire }) => (body[wire] === undefined ? [] : [[name, body[wire]] as const]));
  const head = { chainId: chain_id, nonce, ...Object.fromEntries(recent) };
  if (memo === undefined || memo === null) return head;
  const { type = "", format = "", data = "" } = memo;
  const text = (member: string, value: string): string => reader.text(`memo.${member}`, value);
  return { ...head, memo: { type: text("type", type), format: text("format", format), data: text("data", data) } };
}

/** Null is zero or none: only nullable members pass the shape with it. */
function fieldOf({ type, wire }: Field, posted: unknown, reader: BodyReader): unknown {
  switch (type) {
    case "address":
      return toAddress(posted as string);
    case "amount":
      return posted === null ? ZERO : reader.amount(wire, posted as string | number);
    case "pairs":
      return ((posted ?? []) as readonly PairBody[]).map(({ key, value }, at) => {
        const member = `${wire}[${at}]`;
        return [reader.text(`${member}.key`, key), reader.text(`${member}.value`, value)];
      });
    case "legs":
      return (posted as readonly LegBody[]).map(({ recipient, amount }, at) => ({
        recipient: toAddress(recipient),
        amount: reader.amount(`${wire}[${at}].amount`, amount),
      }));
    case "time":
      return BigInt(posted as string | number);
    case "signers":
      return (posted as readonly WeightedKeyBody[]).map(({ public_key, weight }) => ({
        key: toHex(Uint8Array.from(public_key)) as PublicKey,
        weight,
      }));
    case "text":
      return reader.text(wire, posted as string);
    case "hex":
      return (posted as string).toLowerCase();
    case "chain":
    case "count":
    case "flag":
      return posted;
    default:
      return unreachable(type);
  }
}

/**
 * Returns the fault that clients tell apart by its code: a signature of version 1, none at all, or one of a type that
 * is not served; `undefined` for a body whose shape is to be checked.
 */
function authorizationFault(body: unknown, root: string): WireFault | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  if (Object.hasOwn(body, "signature"))
    return domainSignatureFault(root, "signature", "expected authorization in its place");
  if (!Object.hasOwn(body, "authorization")) return domainSignatureFault(root, "authorization", "missing");
  const { authorization } = body as { readonly authorization: unknown };
  const type = (authorization as { readonly type?: unknown } | null)?.type;
  if (AUTHORIZATION_TYPES.some((served) => served === type)) return undefined;
  const problem = `expected ${AUTHORIZATION_TYPES.join(" or ")}, got ${quoteValue(type)}`;
  return wireFault("UNSUPPORTED_AUTHORIZATION_TYPE", `${root}.authorization.type`, problem);
}

function domainSignatureFault(root: string, member: string, problem: string): WireFault {
  return wireFault("DOMAIN_SEPARATED_SIGNATURE_REQUIRED", `${root}.${member}`, problem);
}

/** Returns the fault of a member that version 1 signs and version 2 does not: its author meant something by it. */
function unsignedMember({ kind }: WritePath, body: object, root: string): WireFault | undefined {
  const fields = Object.values<Field>(KINDS[kind].fields).filter(({ v2 }) => v2 === "none");
  const unsigned = [...fields, ...RECENT].find(({ wire }) => Object.hasOwn(body, wire));
  if (unsigned === undefined) return undefined;
  return wireFault("validation_layout", memberOf(root, unsigned.wire), "version 2 does not sign it: expected none");
}

/** Returns the signature of a body of a checked shape, or the account and the signatures of its members. */
function authorizationIn(authorization: AuthorizationBody, at: string): Result<Signature | PostedMultisig, WireFault> {
  const needed = NEEDED[authorization.type];
  const missing = needed.find((member) => authorization[member] === undefined);
  if (missing !== undefined) return err(wireFault("validation_signature", `${at}.${missing}`, "missing"));
  const foreign = Object.values(NEEDED).filter((members) => members !== needed);
  const surplus = foreign.flat().find((member) => authorization[member] !== undefined);
  if (surplus !== undefined)
    return err(wireFault("validation_signature", `${at}.${surplus}`, `${authorization.type} has none`));
  const { signature, account, signatures = [] } = authorization;
  if (signature !== undefined) return readSignature(signature, `${at}.signature`);
  return membersIn(toAddress(account ?? ""), signatures, `${at}.signatures`);
}

/** Members of an authorization by its type; it has none of those of another type. */
const NEEDED: Readonly<Record<AuthorizationBody["type"], readonly (keyof AuthorizationBody)[]>> = {
  single_secp256k1: ["signature"],
  multisig_secp256k1: ["account", "signatures"],
};

function membersIn(
  account: Address,
  posted: NonNullable<AuthorizationBody["signatures"]>,
  at: string,
): Result<PostedMultisig, WireFault> {
  const signatures: KeySignature[] = [];
  for (const [index, member] of posted.entries()) {
    const signature = readSignature(member.signature, `${at}[${index}].signature`);
    if (!signature.ok) return signature;
    signatures.push({ key: member.signer_pubkey.toLowerCase() as PublicKey, signature: signature.value });
  }
  return ok({ account, signatures });
}

/** Order of the group of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Rejects r and s outside 1 .. n - 1, and a high s, which would give one operation a second hash. Of a checked shape. */
function readSignature({ r, s, v }: SignatureBody, path: string): Result<Signature, WireFault> {
  const [first, second] = [BigInt(r), BigInt(s)];
  for (const [name, got, number] of [["r", r, first] as const, ["s", s, second] as const]) {
    if (number <= 0n || number >= ORDER)
      return signatureFault(`${path}.${name}`, `expected 1 to n - 1, n the order of secp256k1, got ${quoteValue(got)}`);
  }
  if (second > ORDER >> 1n)
    return signatureFault(`${path}.s`, `expected the lower of its two values (low s), got ${quoteValue(s)}`);
  const parity = Number(v) % 27;
  return ok(toSignature(`0x${paddedHex(first)}${paddedHex(second)}0${parity}`));
}

function paddedHex(number: bigint): string {
  return number.toString(16).padStart(64, "0");
}

function signatureFault(member: string, problem: string): Result<Signature, WireFault> {
  return err(wireFault("validation_signature", member, problem));
}
