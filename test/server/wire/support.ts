/** Operations as the bodies that clients would post. */
import { type Address, toAddress } from "../../../src/core/base/ids.ts";
import type { Leg, Operation, WeightedKey } from "../../../src/core/base/operation.ts";
import type { Field, FieldType } from "../../../src/core/ledger/operations/kind.ts";
import { KINDS, OPERATION_KINDS } from "../../../src/core/ledger/operations/kinds.ts";
import { writePathsOf } from "../../../src/server/wire/paths.ts";
import { PATHS } from "../client/layouts.ts";

export type Body = Record<string, unknown>;

/** The path of an operation's kind; of the two lists, the newer ones. */
export function pathOf(operation: Operation): string {
  if (operation.kind === "multisig") return "/v1/accounts/multisig";
  return PATHS[operation.kind === "list" ? operation.list : operation.kind];
}

/** The members of an operation without its signature. Amounts are decimal text. */
export function bodyOf(operation: Operation): Body {
  const { kind, layout, chainId, nonce, memo, ...fields } = operation;
  const head: Body = { chain_id: chainId, nonce, ...(memo === undefined ? {} : { memo }) };
  for (const [name, value] of Object.entries(fields)) {
    if (name === "list") continue;
    if (name === "legs")
      head["operations"] = (value as readonly Leg[]).map((leg) => ({ ...leg, amount: String(leg.amount) }));
    else if (name === "additional")
      head["additional_metadata"] = (value as [string, string][]).map(([k, v]) => ({ key: k, value: v }));
    else if (name === "signers")
      head[name] = (value as WeightedKey[]).map(({ key, weight }) => ({
        public_key: [...Buffer.from(key.slice(2), "hex")],
        weight,
      }));
    else
      head[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] =
        typeof value === "bigint" ? String(value) : value;
  }
  return head;
}

/** A signature in range, for bodies that nobody recovers. */
export const SOME_SIGNATURE: Body = { r: "0x1", s: "2", v: 0 };

export const A: Address = toAddress(`0x${"aa".repeat(20)}`);
export const B: Address = toAddress(`0x${"0b".repeat(20)}`);
export const HEAD: Body = { chain_id: 1212101, nonce: 3, signature: SOME_SIGNATURE };

/** One body for each path of version 1, with all its members: the descriptors of the kinds give them. */
export const VALID: Readonly<Record<string, Body>> = Object.fromEntries(
  OPERATION_KINDS.flatMap((kind) =>
    writePathsOf(kind, 1).map(([path, { actions }]) => {
      const members = Object.values<Field>(KINDS[kind].fields).map((field) => [field.wire, sampleOf(field)]);
      const body = {
        ...HEAD,
        ...Object.fromEntries(members),
        ...(actions === undefined ? {} : { action: actions[0] }),
      };
      return [path, body];
    }),
  ),
);

function sampleOf({ type, wire, spellings, example }: Field): unknown {
  const values: Readonly<Record<FieldType, unknown>> = {
    address: wire === "token" ? B : A,
    amount: "5",
    chain: 7,
    hex: "0x0102",
    count: 2,
    flag: true,
    legs: [{ recipient: A, amount: "1" }],
    pairs: [{ key: "k", value: "v" }],
    signers: [{ public_key: [2, ...Array.from({ length: 32 }, () => 7)], weight: 3 }],
    text: spellings?.[0] ?? example ?? "",
    time: 5,
  };
  return values[type];
}
