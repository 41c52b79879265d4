/** Encoding of an operation's record as an RLP item: every field, in one order for both layouts. */
import { unreachable } from "../base/assert.ts";
import { bool, hex, type Item, text, uint } from "../base/encoding.ts";
import type { Memo, Operation } from "../base/operation.ts";
import { optional } from "./items.ts";

/** [kind, layout, chain id, nonce, memo or none, fields]. Read back by `readOperation`. */
export function operationItem(operation: Operation): Item {
  const { kind, layout, chainId, nonce, memo } = operation;
  return [text(kind), text(layout), uint(chainId), uint(nonce), optional(memo, memoItem), fieldItems(operation)];
}

function memoItem(memo: Memo): Item {
  return [text(memo.type), text(memo.format), text(memo.data)];
}

function fieldItems(operation: Operation): readonly Item[] {
  switch (operation.kind) {
    case "payment":
    case "mint":
      return [hex(operation.token), hex(operation.recipient), uint(operation.value)];
    case "cancellation":
      return [];
    case "issue": {
      const { symbol, name, decimals, masterAuthority, isPrivate, clawbackEnabled } = operation;
      const head = [text(symbol), text(name), uint(decimals), hex(masterAuthority)];
      return [...head, optional(isPrivate, bool), optional(clawbackEnabled, bool)];
    }
    case "burn":
      return [hex(operation.token), uint(operation.value), optional(operation.recipient, hex)];
    case "metadata": {
      const { token, name, uri, additional } = operation;
      return [hex(token), text(name), text(uri), additional.map(([key, value]) => [text(key), text(value)])];
    }
    case "list":
      return [text(operation.list), hex(operation.token), hex(operation.address), text(operation.action)];
    case "authority": {
      const { token, authorityAddress, action, authorityType, value } = operation;
      return [hex(token), hex(authorityAddress), text(action), text(authorityType), optional(value, uint)];
    }
    case "pause":
      return [hex(operation.token), text(operation.action)];
    default:
      return unreachable(operation);
  }
}
