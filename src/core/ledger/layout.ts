/** Bytes that a client signs, in both layouts (wire 3.1, 3.3, 3.9). The received texts are what is hashed. */
import { unreachable } from "../base/assert.ts";
import { bool, encode, hex, type Item, text, uint } from "../base/encoding.ts";
import type { Hash } from "../base/ids.ts";
import type { Authority, Burn, Issue, Layout, Memo, Metadata, Operation } from "../base/operation.ts";
import { keccak } from "../crypto/hash.ts";

/**
 * Returns the list that is signed, as an item: wrapped with its memo in `client`, plain in `spec`, which has no memo.
 */
export function signedItem(operation: Operation): Item {
  return itemIn(operation.layout, operation);
}

/** Returns the RLP bytes of the signed list. */
export function signedBytes(operation: Operation): Uint8Array {
  return encode(signedItem(operation));
}

/** Returns Keccak-256 of the signed bytes, which the signature covers. */
export function digestOf(operation: Operation): Hash {
  return keccak(signedBytes(operation));
}

/** Returns the canonical one of the layouts with identical bytes (protocol 3.0): `client` if its bytes are the same. */
export function canonicalLayout(operation: Operation): Layout {
  const { layout } = operation;
  if (layout === "client") return layout;
  return keccak(encode(itemIn("client", operation))) === digestOf(operation) ? "client" : layout;
}

function itemIn(layout: Layout, operation: Operation): Item {
  const fields = fieldsIn(layout, operation);
  const inner = [uint(operation.chainId), uint(operation.nonce), ...fields];
  return layout === "client" && operation.memo !== undefined ? [inner, memoItem(operation.memo)] : inner;
}

function fieldsIn(layout: Layout, operation: Operation): readonly Item[] {
  if (layout === "spec") return specFields(operation);
  return layout === "client-json" && operation.kind === "metadata" ? jsonMetadata(operation) : clientFields(operation);
}

function memoItem(memo: Memo): Item {
  return [text(memo.type), text(memo.format), text(memo.data)];
}

function clientFields(operation: Operation): readonly Item[] {
  switch (operation.kind) {
    case "payment":
    case "mint":
      return [hex(operation.recipient), uint(operation.value), hex(operation.token)];
    case "cancellation":
      return [];
    case "issue":
      return clientIssue(operation);
    case "burn":
      return [...burnRecipient(operation), uint(operation.value), hex(operation.token)];
    case "metadata":
      return [text(operation.name), text(operation.uri), hex(operation.token), additionalItem(operation)];
    case "list":
      return [text(operation.action), hex(operation.address), hex(operation.token)];
    case "authority":
      return clientAuthority(operation);
    case "pause":
      return [text(operation.action), hex(operation.token)];
    default:
      return unreachable(operation);
  }
}

function specFields(operation: Operation): readonly Item[] {
  switch (operation.kind) {
    case "payment":
      return [hex(operation.recipient), uint(operation.value), hex(operation.token)];
    case "cancellation":
      return [];
    case "issue":
      return specIssue(operation);
    case "mint":
      return [hex(operation.token), hex(operation.recipient), uint(operation.value)];
    case "burn":
      return [hex(operation.token), uint(operation.value), ...burnRecipient(operation)];
    case "metadata":
      return [hex(operation.token), text(operation.name), text(operation.uri), additionalItem(operation)];
    case "list":
      return [hex(operation.token), hex(operation.address), text(operation.action)];
    case "authority":
      return specAuthority(operation);
    case "pause":
      return [hex(operation.token), text(operation.action)];
    default:
      return unreachable(operation);
  }
}

function clientIssue(issue: Issue): readonly Item[] {
  const clawback = issue.clawbackEnabled === undefined ? [] : [bool(issue.clawbackEnabled)];
  const head = [text(issue.symbol), text(issue.name), uint(issue.decimals), hex(issue.masterAuthority)];
  return [...head, bool(issue.isPrivate ?? false), ...clawback];
}

/** Returns the pairs as one text (wire 3.8, 4): `[{"key":"k","value":"v"}]`. */
function jsonMetadata(metadata: Metadata): readonly Item[] {
  const { name, uri, token, additional } = metadata;
  return [text(name), text(uri), hex(token), text(JSON.stringify(additional.map(([key, value]) => ({ key, value }))))];
}

function specIssue(issue: Issue): readonly Item[] {
  const isPrivate = issue.isPrivate === undefined ? [] : [bool(issue.isPrivate)];
  return [text(issue.name), text(issue.symbol), uint(issue.decimals), hex(issue.masterAuthority), ...isPrivate];
}

/** Without a value the item is left out, as TS 2.0-2.1 clients sign it (wire 3.2). */
function clientAuthority(authority: Authority): readonly Item[] {
  const head = [text(authority.action), text(authority.authorityType), hex(authority.authorityAddress)];
  return [...head, hex(authority.token), ...(authority.value === undefined ? [] : [uint(authority.value)])];
}

/** Without a value the item is the integer 0 (wire 3.9). */
function specAuthority(authority: Authority): readonly Item[] {
  const head = [hex(authority.token), hex(authority.authorityAddress), text(authority.action)];
  return [...head, text(authority.authorityType), uint(authority.value ?? 0n)];
}

function burnRecipient(burn: Burn): readonly Item[] {
  return burn.recipient === undefined ? [] : [hex(burn.recipient)];
}

function additionalItem(metadata: Metadata): Item {
  return metadata.additional.map(([key, value]) => [text(key), text(value)]);
}
