/** Signed fields of an operation as text: equal texts are equal digests (wire 3.9, the table of both layouts). */
import { unreachable } from "../../core/base/assert.ts";
import type { Metadata, Operation } from "../../core/base/operation.ts";

type Field = string | number | bigint | boolean | undefined;

/** Returns the signed fields in the order of the layout. The kind is not among them: v1 signatures have no domain. */
export function signedFields(operation: Operation): string {
  const { chainId, nonce, memo } = operation;
  const fields = operation.layout === "spec" ? inSpecOrder(operation) : inClientOrder(operation);
  const wrapper = memo === undefined ? [] : ["memo", memo.type, memo.format, memo.data];
  return [chainId, nonce, ...fields, ...wrapper].filter((field) => field !== undefined).join("\n");
}

function inClientOrder(operation: Operation): readonly Field[] {
  switch (operation.kind) {
    case "payment":
    case "mint":
      return [operation.recipient, operation.value, operation.token];
    case "cancellation":
      return [];
    case "issue": {
      const { symbol, name, decimals, masterAuthority, isPrivate, clawbackEnabled } = operation;
      return [symbol, name, decimals, masterAuthority, isPrivate, clawbackEnabled];
    }
    case "burn":
      return [operation.recipient, operation.value, operation.token];
    case "metadata":
      return [operation.name, operation.uri, operation.token, ...pairs(operation)];
    case "list":
      return [operation.action, operation.address, operation.token];
    case "authority": {
      const { action, authorityType, authorityAddress, token, value } = operation;
      return [action, authorityType, authorityAddress, token, value];
    }
    case "pause":
      return [operation.action, operation.token];
    default:
      return unreachable(operation);
  }
}

function inSpecOrder(operation: Operation): readonly Field[] {
  switch (operation.kind) {
    case "payment":
      return [operation.recipient, operation.value, operation.token];
    case "cancellation":
      return [];
    case "issue": {
      const { symbol, name, decimals, masterAuthority, isPrivate } = operation;
      return [name, symbol, decimals, masterAuthority, isPrivate];
    }
    case "mint":
      return [operation.token, operation.recipient, operation.value];
    case "burn":
      return [operation.token, operation.value, operation.recipient];
    case "metadata":
      return [operation.token, operation.name, operation.uri, ...operation.additional.flat()];
    case "list":
      return [operation.token, operation.address, operation.action];
    case "authority": {
      const { action, authorityType, authorityAddress, token, value } = operation;
      return [token, authorityAddress, action, authorityType, value ?? 0];
    }
    case "pause":
      return [operation.token, operation.action];
    default:
      return unreachable(operation);
  }
}

/** Pair by pair, or as the single text of older clients. */
function pairs({ layout, additional }: Metadata): readonly string[] {
  if (layout !== "client-json") return additional.flat();
  return [additional.map(([key, value]) => `${key.length} ${key} ${value.length} ${value}`).join(" ")];
}
