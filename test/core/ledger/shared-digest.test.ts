import { describe, expect, it } from "vitest";
import type { Address, Nonce } from "../../../src/core/base/ids.ts";
import type { Layout, Operation, OperationKind } from "../../../src/core/base/operation.ts";
import { digestOf } from "../../../src/core/ledger/layout.ts";
import { otherKindOf } from "../../../src/core/ledger/shared-digest.ts";

const [recipient, token] = ["0x".padEnd(42, "1"), "0x".padEnd(42, "2")] as [Address, Address];
const numberOf = (text: string): bigint => BigInt(`0x${Buffer.from(text).toString("hex")}`);
const of = (kind: OperationKind, fields: object, layout: Layout = "client"): Operation =>
  ({ kind, layout, chainId: 1, nonce: 0 as Nonce, ...fields }) as unknown as Operation;

describe("a signed list of version 1", () => {
  const value = 5n;
  const moved = { recipient, value, token };

  // Each row with the other operation of equal digest, so that a form is never claimed without one.
  it.each<readonly [string, Operation, Operation]>([
    ["a mint and a payment", of("mint", moved), of("payment", moved)],
    ["a payment and a mint", of("payment", moved), of("mint", moved)],
    ["a burn from an account and a payment", of("burn", moved), of("payment", moved)],
    ["a burn and a pause", of("burn", { value: numberOf("Pause"), token }), of("pause", { action: "Pause", token })],
    [
      "a burn as the specification lists it and a payment of a token at the recipient's address",
      of("burn", { token, value, recipient }, "spec"),
      of("payment", { recipient: token, value, token: recipient }),
    ],
    [
      "a mint as the specification lists it and a change of a list",
      of("mint", { token, recipient, value: numberOf("Add") }, "spec"),
      of("list", { token, address: recipient, action: "Add", list: "blacklist" }, "spec"),
    ],
    [
      "a mint with a memo and a payment with it",
      of("mint", { ...moved, memo: { type: "a", format: "b", data: "c" } }),
      of("payment", { ...moved, memo: { type: "a", format: "b", data: "c" } }),
    ],
    [
      "a mint behind a checkpoint and a payment behind it",
      of("mint", { ...moved, recentCheckpoint: 7 }),
      of("payment", { ...moved, recentCheckpoint: 7 }),
    ],
  ])("has two kinds: %s", (_, operation, other) => {
    expect(digestOf(operation)).toBe(digestOf(other));
    expect(otherKindOf(operation)).toBeDefined();
  });

  it.each<readonly [string, Operation]>([
    ["a burn of one's own", of("burn", { value: 5n, token })],
    ["a mint as the specification lists it", of("mint", { token, recipient, value: 5n }, "spec")],
    ["a mint of version 2", of("mint", { ...moved, memo: { type: "", format: "", data: "" } }, "v2")],
    [
      "a change of metadata, whose pairs stand where a clawback signs its value",
      of("metadata", { name: "n".repeat(20), uri: "u".repeat(20), token, additional: [] }),
    ],
    ["a clawback", of("clawback", { token, from: recipient, recipient, value: 5n })],
    ["a cancellation", of("cancellation", {})],
  ])("has one kind: %s", (_, operation) => {
    expect(otherKindOf(operation)).toBeUndefined();
  });
});
