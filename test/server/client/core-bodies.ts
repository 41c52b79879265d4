/** Operations of the core as the bodies that clients post for them. */
import { unreachable } from "../../../src/core/base/assert.ts";
import type { Operation } from "../../../src/core/base/operation.ts";
import type { Fields, Head, Kind } from "./layouts.ts";

/** A body without its signature, and the kind of write that it is for. */
export interface KindAndBody {
  readonly kind: Kind;
  readonly body: Head & Fields[Kind];
}

/** Members that an operation lacks are left out; amounts are decimal text. */
export function bodyOf(operation: Operation): KindAndBody {
  const { chainId: chain_id, nonce, memo } = operation;
  const head = { chain_id, nonce, ...(memo === undefined ? {} : { memo }) };
  const { kind, fields } = fieldsOf(operation);
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { kind, body: { ...head, ...given } as Head & Fields[Kind] };
}

function fieldsOf(operation: Operation): { readonly kind: Kind; readonly fields: Readonly<Record<string, unknown>> } {
  switch (operation.kind) {
    case "payment":
    case "mint":
    case "burn": {
      const { kind, recipient, value, token } = operation;
      return { kind, fields: { recipient, value: String(value), token } };
    }
    case "cancellation":
      return { kind: "cancellation", fields: {} };
    case "issue": {
      const { kind, symbol, name, decimals, masterAuthority, isPrivate, clawbackEnabled } = operation;
      const flags = { is_private: isPrivate, clawback_enabled: clawbackEnabled };
      return { kind, fields: { symbol, name, decimals, master_authority: masterAuthority, ...flags } };
    }
    case "metadata": {
      const { kind, name, uri, token, additional } = operation;
      const additional_metadata = additional.map(([key, value]) => ({ key, value }));
      return { kind, fields: { name, uri, token, additional_metadata } };
    }
    case "list": {
      const { list, action, address, token } = operation;
      return { kind: list, fields: { action, address, token } };
    }
    case "authority": {
      const { kind, action, authorityType, authorityAddress, token, value } = operation;
      const who = { authority_type: authorityType, authority_address: authorityAddress };
      return { kind, fields: { action, ...who, token, value: value?.toString() } };
    }
    case "pause": {
      const { kind, action, token } = operation;
      return { kind, fields: { action, token } };
    }
    default:
      return unreachable(operation);
  }
}
