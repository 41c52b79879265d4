/** Operations of the core as the bodies that clients post for them. */
import type { Leg, Operation, WeightedKey } from "../../../src/core/base/operation.ts";
import type { Fields, Head, Kind } from "./layouts.ts";

/** A body without its signature, and the kind of write that it is for. */
export interface KindAndBody {
  readonly kind: Kind;
  readonly body: Head & Fields[Kind];
}

/** Members that an operation lacks are left out; amounts are decimal text. */
export function bodyOf(operation: Operation): KindAndBody {
  const { chainId: chain_id, nonce, memo, account } = operation;
  const head = {
    chain_id,
    nonce,
    ...(account === undefined ? {} : { account }),
    ...(memo === undefined ? {} : { memo }),
  };
  const { kind, fields } = fieldsOf(operation);
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return { kind, body: { ...head, ...given } as Head & Fields[Kind] };
}

function fieldsOf(operation: Operation): { readonly kind: Kind; readonly fields: Readonly<Record<string, unknown>> } {
  const { kind, layout, chainId, nonce, memo, account, ...own } = operation;
  const fields = Object.entries(own).flatMap(([name, value]): [string, unknown][] => {
    if (name === "list") return [];
    if (name === "additional")
      return [["additional_metadata", (value as [string, string][]).map(([key, text]) => ({ key, value: text }))]];
    if (name === "legs")
      return [["operations", (value as readonly Leg[]).map((leg) => ({ ...leg, amount: String(leg.amount) }))]];
    if (name === "signers") {
      const signers = (value as WeightedKey[]).map(({ key, weight }) => ({
        public_key: [...Buffer.from(key.slice(2), "hex")],
        weight,
      }));
      return [["signers", signers]];
    }
    const member = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [[member, typeof value === "bigint" ? String(value) : value]];
  });
  return { kind: operation.kind === "list" ? operation.list : (kind as Kind), fields: Object.fromEntries(fields) };
}
