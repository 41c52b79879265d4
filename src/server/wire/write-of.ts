/** Writes as clients post them: the path and the body of a signed operation (wire 1.2, 1.3). */
import { requireDefined } from "../../core/base/assert.ts";
import { fromHex } from "../../core/base/encoding.ts";
import { isMultisigSignature, type MultisigSignature } from "../../core/base/ids.ts";
import type { Leg, Operation, SignedOperation, WeightedKey } from "../../core/base/operation.ts";
import { RECENT } from "../../core/ledger/layout.ts";
import { decodeMultisig } from "../../core/ledger/multisig.ts";
import type { Field, FieldType } from "../../core/ledger/operations/kind.ts";
import { kindOf } from "../../core/ledger/operations/kinds.ts";
import { envelopeOf, isEnveloped } from "./envelope.ts";
import { ENVELOPE_PATH, type WriteForm, writePathsOf } from "./paths.ts";

type Members = Readonly<Record<string, unknown>>;

/** Request of a write. */
export type WriteRequest = Readonly<{ path: string; body: Members }>;

/** Of version 1, or of version 2 where only that signs it. Amounts are decimal text, r and s have 64 hex digits, and v is 0 or 1 (wire 3.5). */
export function writeOf({ operation, sender, signature }: SignedOperation): WriteRequest {
  const { chainId, nonce, memo, layout } = operation;
  const recent = RECENT.flatMap(({ name, wire }) => (operation[name] === undefined ? [] : [[wire, operation[name]]]));
  const head = {
    ...{ chain_id: chainId, nonce, ...fieldsOf(operation), ...Object.fromEntries(recent) },
    ...(memo === undefined ? {} : { memo }),
  };
  const numbers = signatureFields(signature);
  const signers = isMultisigSignature(signature)
    ? { account: sender, signatures: memberSignaturesOf(signature) }
    : undefined;
  if (isEnveloped(operation)) {
    const signed = signers === undefined ? { Single: numbers } : { Multi: signers };
    return { path: ENVELOPE_PATH, body: envelopeOf(operation, head, signed) };
  }
  const path = pathOf(operation);
  if (layout !== "v2") return { path, body: { ...head, signature: numbers } };
  const single = { type: "single_secp256k1", signature: numbers };
  return { path, body: { ...head, authorization: signers ? { type: "multisig_secp256k1", ...signers } : single } };
}

/** Returns the signatures of the signers of a multisig account. */
export function memberSignaturesOf(signature: MultisigSignature) {
  const { signatures } = requireDefined(decodeMultisig(signature), "signatures of a multisig account");
  return signatures.map((keySignature) => ({
    signer_pubkey: keySignature.key,
    signature: signatureFields(keySignature.signature),
  }));
}

/** Returns the numbers of a signature: r and s as 0x and 64 hex digits, v as 0 or 1 (wire 1.4, 3.5). */
export function signatureFields(signature: string): Readonly<{ r: string; s: string; v: number }> {
  return { r: signature.slice(0, 66), s: `0x${signature.slice(66, 130)}`, v: Number(`0x${signature.slice(130)}`) };
}

/** The newest path of the kind; of a list, the newest that names it or whose action does. */
function pathOf(operation: Operation): string {
  const paths = writePathsOf(operation.kind, operation.layout === "v2" ? 2 : 1);
  const isMeant = ({ list, actions }: WriteForm): boolean =>
    operation.kind !== "list" ||
    ((list ?? operation.list) === operation.list && actions?.includes(operation.action) === true);
  return requireDefined(
    paths.find(([, form]) => isMeant(form)),
    `path of a ${operation.kind}`,
  )[0];
}

/** JSON leaves out members without a value, and version 2 those that it does not sign. */
function fieldsOf(operation: Operation): Members {
  const fields = Object.entries<Field>(kindOf(operation).fields);
  return Object.fromEntries(
    fields.map(([name, { wire, type }]) => [wire, jsonOf(type, (operation as Operation & Members)[name])]),
  );
}

function jsonOf(type: FieldType, value: unknown): unknown {
  if (value === undefined) return undefined;
  switch (type) {
    case "amount":
      return String(value);
    case "time":
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case "legs":
      return (value as readonly Leg[]).map(({ recipient, amount }) => ({ recipient, amount: String(amount) }));
    case "pairs":
      return (value as readonly (readonly [string, string])[]).map(([key, text]) => ({ key, value: text }));
    case "signers":
      // Clients write keys as numbers.
      return (value as readonly WeightedKey[]).map(({ key, weight }) => ({ public_key: [...fromHex(key)], weight }));
    default:
      return value;
  }
}
