/** Operations as the bodies that clients would post. */
import { type Address, toAddress } from "../../../src/core/base/ids.ts";
import type { Operation } from "../../../src/core/base/operation.ts";
import type { Field, FieldType } from "../../../src/core/ledger/operations/kind.ts";
import { KINDS, OPERATION_KINDS } from "../../../src/core/ledger/operations/kinds.ts";
import { writePathsOf } from "../../../src/server/wire/paths.ts";
import { bodyOf as clientBodyOf } from "../client/core-bodies.ts";
import { PATHS } from "../client/layouts.ts";

export type Body = Record<string, unknown>;

/** The path of an operation's kind; of the two lists, the newer ones. */
export function pathOf(operation: Operation): string {
  if (operation.kind === "multisig") return "/v1/accounts/multisig";
  return PATHS[operation.kind === "list" ? operation.list : operation.kind];
}

/** The members of an operation without its signature. Amounts are decimal text. */
export function bodyOf(operation: Operation): Body {
  return { ...clientBodyOf(operation).body };
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
