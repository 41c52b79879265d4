/** Decoder of operations that `operationItem` encodes. */
import { unreachable } from "../base/assert.ts";
import type { Item } from "../base/encoding.ts";
import type { Nonce } from "../base/ids.ts";
import {
  type Issue,
  LAYOUTS,
  type Layout,
  type List,
  type Memo,
  type Metadata,
  type Operation,
  type OperationKind,
} from "../base/operation.ts";
import { readAddress, readAmount, readBool, readCount, readList, readOptional, readText, readWord } from "./items.ts";

const LISTS: readonly List["list"][] = ["blacklist", "whitelist"];
/** Number of fields of each kind. */
const FIELD_COUNTS: Readonly<Record<OperationKind, number>> = {
  payment: 3,
  cancellation: 0,
  issue: 6,
  mint: 3,
  burn: 3,
  metadata: 4,
  list: 4,
  authority: 5,
  pause: 2,
};
const KINDS = Object.keys(FIELD_COUNTS) as OperationKind[];

interface Head {
  readonly layout: Layout;
  readonly chainId: number;
  readonly nonce: Nonce;
  readonly memo?: Memo;
}

/** Reads an operation. @throws Error, naming the field, on anything that `operationItem` does not write. */
export function readOperation(item: Item | undefined): Operation {
  const [kindItem, layout, chainId, nonce, memoItem, fieldsItem] = readList(item, "operation", 6);
  const kind = readWord(kindItem, "kind", KINDS);
  const memo = readOptional(memoItem, "memo", readMemo);
  const head: Head = {
    layout: readWord(layout, "layout", LAYOUTS),
    chainId: readCount(chainId, "chain id"),
    nonce: readCount(nonce, "nonce") as Nonce,
    ...(memo === undefined ? {} : { memo }),
  };
  return readFields(kind, head, readList(fieldsItem, `fields of ${kind}`, FIELD_COUNTS[kind]));
}

function readMemo(item: Item | undefined): Memo {
  const [type, format, data] = readList(item, "memo", 3);
  return {
    type: readText(type, "memo type"),
    format: readText(format, "memo format"),
    data: readText(data, "memo data"),
  };
}

function readFields(kind: OperationKind, head: Head, fields: readonly Item[]): Operation {
  const [a, b, c, d, e] = fields;
  switch (kind) {
    case "payment":
    case "mint":
      return {
        ...head,
        kind,
        token: readAddress(a, "token"),
        recipient: readAddress(b, "recipient"),
        value: readAmount(c, "value"),
      };
    case "cancellation":
      return { ...head, kind };
    case "issue":
      return readIssue(head, fields);
    case "burn": {
      const recipient = readOptional(c, "recipient", readAddress);
      const burn = { ...head, kind, token: readAddress(a, "token"), value: readAmount(b, "value") };
      return recipient === undefined ? burn : { ...burn, recipient };
    }
    case "metadata":
      return readMetadata(head, fields);
    case "list":
      return {
        ...head,
        kind,
        list: readWord(a, "list", LISTS),
        token: readAddress(b, "token"),
        address: readAddress(c, "address"),
        action: readText(d, "action"),
      };
    case "authority": {
      const value = readOptional(e, "value", readAmount);
      const authority = {
        ...head,
        kind,
        token: readAddress(a, "token"),
        authorityAddress: readAddress(b, "authority address"),
        action: readText(c, "action"),
        authorityType: readText(d, "authority type"),
      };
      return value === undefined ? authority : { ...authority, value };
    }
    case "pause":
      return { ...head, kind, token: readAddress(a, "token"), action: readText(b, "action") };
    default:
      return unreachable(kind);
  }
}

function readIssue(head: Head, [symbol, name, decimals, master, privacy, clawback]: readonly Item[]): Issue {
  const isPrivate = readOptional(privacy, "is private", readBool);
  const clawbackEnabled = readOptional(clawback, "clawback enabled", readBool);
  return {
    ...head,
    kind: "issue",
    symbol: readText(symbol, "symbol"),
    name: readText(name, "name"),
    decimals: readCount(decimals, "decimals"),
    masterAuthority: readAddress(master, "master authority"),
    ...(isPrivate === undefined ? {} : { isPrivate }),
    ...(clawbackEnabled === undefined ? {} : { clawbackEnabled }),
  };
}

function readMetadata(head: Head, [token, name, uri, additional]: readonly Item[]): Metadata {
  const pairs = readList(additional, "additional metadata").map((pair) => {
    const [key, value] = readList(pair, "pair", 2);
    return [readText(key, "key"), readText(value, "value")] as const;
  });
  return {
    ...head,
    kind: "metadata",
    token: readAddress(token, "token"),
    name: readText(name, "name"),
    uri: readText(uri, "uri"),
    additional: pairs,
  };
}
