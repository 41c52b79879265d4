/** Signed envelopes: operations of version 1 with the signatures of a multisig account, and its creation (wire 1.2, W16). */
import { requireDefined } from "../../core/base/assert.ts";
import type { Operation } from "../../core/base/operation.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { KINDS } from "../../core/ledger/operations/kinds.ts";
import { issuedTokenAddress } from "../../core/ledger/token.ts";
import { ENVELOPES, envelopeNameOf } from "./paths.ts";
import type { AuthorizationBody, EnvelopeSignature } from "./schemas/bodies.ts";
import { quoteValue, type WireFault, wireFault } from "./wire-error.ts";

type Members = Readonly<Record<string, unknown>>;

/** Opens a body of one member, which names the envelope; returns its content with its place in the body. */
export function openEnvelope(
  body: unknown,
  root: string,
): Result<Readonly<{ name: string; signed: unknown; at: string }>, WireFault> {
  const [entry, ...others] = typeof body === "object" && body !== null ? Object.entries(body) : [];
  const [name = "", value] = entry ?? [];
  if (others.length > 0 || !Object.hasOwn(ENVELOPES, name)) {
    const expected = `an object of one member: ${Object.keys(ENVELOPES).join(", ")}`;
    return err(wireFault("validation_body", root, `expected ${expected}, got ${quoteValue(body)}`));
  }
  const member = BESIDES[name as keyof typeof BESIDES];
  const at = `${root}.${name}`;
  if (member === undefined) return ok({ name, signed: value, at });
  const signed = (value as Members | null | undefined)?.[member];
  return ok({ name, signed, at: typeof member === "number" ? `${at}[${member}]` : `${at}.${member}` });
}

/** Members of envelopes that hold more than what is signed: a fee, and the address of the new token, both unsigned. */
const BESIDES = { Payment: "signed", TokenIssue: 0 } as const;

/** Returns who authorizes an envelope, with the place of the signatures. */
export function authorizationOfEnvelope(
  { Single, Multi }: EnvelopeSignature,
  at: string,
): Readonly<{ authorization: AuthorizationBody; signedAt: string }> {
  if (Multi !== undefined)
    return { authorization: { type: "multisig_secp256k1", ...Multi }, signedAt: `${at}.signature.Multi` };
  const signature = Single === undefined ? {} : { signature: Single };
  return { authorization: { type: "single_secp256k1", ...signature }, signedAt: at };
}

/** Returns the envelope of signed members. */
export function envelopeOf(operation: Operation, payload: Members, signature: EnvelopeSignature): Members {
  const signed = { payload, signature };
  const name = requireDefined(envelopeNameOf(operation), `envelope of a ${operation.kind}`);
  if (operation.kind === "payment") return { [name]: { signed, fee: "0x0" } };
  if (operation.kind !== "issue") return { [name]: signed };
  return { [name]: [signed, issuedTokenAddress(operation.masterAuthority, operation.symbol)] };
}

/** Returns true if an operation of version 1 is posted as an envelope. */
export function isEnveloped({ layout, account, kind }: Operation): boolean {
  return layout === "client" && (account !== undefined || KINDS[kind].version1 === "envelope");
}
