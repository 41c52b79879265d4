/** Request of an operation (wire 1.2), in the spelling of the newest clients. */
import { required } from "../../core/base/assert.ts";
import type { Operation, SignedOperation } from "../../core/base/operation.ts";
import type { Field } from "../../core/ledger/operations/kind.ts";
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
  return { path: pathOf(operation), body: { ...head, signature: { r, s, v } } };
}

/** The newest path of the kind; of a list, the path that names it. */
function pathOf(operation: Operation): string {
  const paths = Object.entries(kindOf(operation).paths);
  const found = paths.find(([, { list }]) => operation.kind !== "list" || list === operation.list);
  return required(found, `path of a ${operation.kind}`)[0];
}

/** JSON leaves out members without a value. */
function fieldsOf(operation: Operation): Members {
  const fields = Object.entries<Field>(kindOf(operation).fields);
  return Object.fromEntries(fields.map(([name, { wire }]) => [wire, jsonOf((operation as Operation & Members)[name])]));
}

function jsonOf(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  return Array.isArray(value) ? value.map(([key, text]) => ({ key, value: text })) : value;
}
