/** Request of an operation (wire 1.2), in the spelling of the newest clients. */
import { unreachable } from "../../core/base/assert.ts";
import type { Operation, SignedOperation } from "../../core/base/operation.ts";
import type { Members } from "../http.ts";

/** Request of a write. */
export interface WriteRequest {
  readonly path: string;
  readonly body: Members;
}

/** Amounts are decimal text, r and s have 64 hex digits, and v is 0 or 1 (wire 3.5). */
export function writeOf({ operation, signature }: SignedOperation): WriteRequest {
  const { chainId, nonce, memo } = operation;
  const { path, fields } = fieldsOf(operation);
  const r = signature.slice(0, 66);
  const s = `0x${signature.slice(66, 130)}`;
  const v = Number(`0x${signature.slice(130)}`);
  const head = { chain_id: chainId, nonce, ...fields, ...(memo === undefined ? {} : { memo }) };
  return { path, body: { ...head, signature: { r, s, v } } };
}

/** JSON leaves out members without a value. */
function fieldsOf(operation: Operation): { readonly path: string; readonly fields: Members } {
  switch (operation.kind) {
    case "payment":
      return { path: "/v1/transactions/payment", fields: moved(operation) };
    case "cancellation":
      return { path: "/v1/transactions/cancellation", fields: {} };
    case "issue": {
      const { symbol, name, decimals, masterAuthority: master_authority, isPrivate: is_private } = operation;
      return { path: "/v1/tokens/issue", fields: { symbol, name, decimals, master_authority, is_private } };
    }
    case "mint":
      return { path: "/v1/tokens/mint", fields: moved(operation) };
    case "burn":
      return { path: "/v1/tokens/burn", fields: moved(operation) };
    case "metadata": {
      const { name, uri, token, additional } = operation;
      const additional_metadata = additional.map(([key, value]) => ({ key, value }));
      return { path: "/v1/tokens/update_metadata", fields: { name, uri, token, additional_metadata } };
    }
    case "list": {
      const { list, action, address, token } = operation;
      return { path: `/v1/tokens/manage_${list}`, fields: { action, address, token } };
    }
    case "authority": {
      const { action, authorityType: authority_type, authorityAddress: authority_address, token, value } = operation;
      const fields = { action, authority_type, authority_address, token, value: value?.toString() };
      return { path: "/v1/tokens/grant_authority", fields };
    }
    case "pause": {
      const { action, token } = operation;
      return { path: "/v1/tokens/pause", fields: { action, token } };
    }
    default:
      return unreachable(operation);
  }
}

function moved({
  recipient,
  value,
  token,
}: Extract<Operation, { readonly kind: "payment" | "mint" | "burn" }>): Members {
  return { recipient, value: value.toString(), token };
}
