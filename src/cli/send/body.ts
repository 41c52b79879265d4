/** Request of an operation (wire 1.2), in the spelling of the newest clients. */
import { required } from "../../core/base/assert.ts";
import type { Leg, Operation, SignedOperation } from "../../core/base/operation.ts";
import { domainPathsOf, type Field, type FieldType } from "../../core/ledger/operations/kind.ts";
import { kindOf } from "../../core/ledger/operations/kinds.ts";
import type { Members } from "../http.ts";

/** Request of a write. */
export type WriteRequest = Readonly<{ path: string; body: Members }>;

/** Amounts are decimal text, r and s have 64 hex digits, and v is 0 or 1 (wire 3.5). */
export function writeOf({ operation, signature }: SignedOperation): WriteRequest {
  const { chainId, nonce, memo } = operation;
  const r = signature.slice(0, 66);
  const s = `0x${signature.slice(66, 130)}`;
  const v = Number(`0x${signature.slice(130)}`);
  const head = { chain_id: chainId, nonce, ...fieldsOf(operation), ...(memo === undefined ? {} : { memo }) };
  const signed = { r, s, v };
  const isDomain = operation.layout === "v2";
  const authorization = { type: "single_secp256k1", signature: signed };
  return { path: pathOf(operation), body: { ...head, ...(isDomain ? { authorization } : { signature: signed }) } };
}

/** The newest path of the kind; of a list, the path that names it. */
function pathOf(operation: Operation): string {
  const kind = kindOf(operation);
  const paths = operation.layout === "v2" ? domainPathsOf(kind) : Object.entries(kind.paths);
  const found = paths.find(([, { list }]) => operation.kind !== "list" || list === operation.list);
  return required(found, `path of a ${operation.kind}`)[0];
}

/** JSON leaves out members without a value. */
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
      return Number(value);
    case "legs":
      return (value as readonly Leg[]).map(({ recipient, amount }) => ({ recipient, amount: String(amount) }));
    case "pairs":
      return (value as readonly (readonly [string, string])[]).map(([key, text]) => ({ key, value: text }));
    default:
      return value;
  }
}
