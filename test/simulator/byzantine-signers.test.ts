/** Signatures with which a validator passes operations of multisig accounts on (specification 4.1). */
import { describe, expect, test } from "vitest";
import type { PublicKey, Signature } from "../../src/core/base/ids.ts";
import type { SignedOperation } from "../../src/core/base/operation.ts";
import { operationId } from "../../src/core/ledger/identity.ts";
import { decodeMultisig, encodeMultisig, multisigAddress } from "../../src/core/ledger/multisig.ts";
import type { Output } from "../../src/core/validator/output.ts";
import { PEERS, player } from "./player.ts";
import { addressOf, CHAIN } from "./support.ts";

const keyOf = (digits: string): PublicKey => `0x02${digits.repeat(32)}` as PublicKey;
const KEYS = ["11", "22", "33"].map(keyOf);
const STRANGER = keyOf("44");

/** A payment of the account of these keys, with signatures that are told apart by their first byte. */
function paid(nonce: number, keys: readonly PublicKey[], of: readonly PublicKey[] = KEYS): SignedOperation {
  const set = { signers: of.map((key) => ({ key, weight: 1 })), threshold: 2 };
  const account = multisigAddress(set);
  const signatures = keys.map((key) => ({ key, signature: `0x0${nonce}${"00".repeat(64)}` as Signature }));
  const fields = { token: addressOf("USD"), recipient: addressOf("bob"), value: 5n, account };
  const memo = { type: "", format: "", data: "" };
  const operation = { kind: "payment", layout: "v2", chainId: CHAIN, nonce, memo, ...fields };
  return {
    operation,
    sender: account,
    signature: encodeMultisig({ ...set, signatures }),
  } as unknown as SignedOperation;
}

/** Keys and first bytes of the signatures that go out for each operation, one text each; none where nothing does. */
function passedOn(mode: string, submissions: readonly SignedOperation[]): readonly (readonly string[])[] {
  const play = player({ name: "false-signers", mode });
  return submissions.map((submission) =>
    play([], { submission }).flatMap((output) => signaturesIn(output, submission)),
  );
}

function signaturesIn(output: Output, { sender, operation, signature }: SignedOperation): readonly string[] {
  if (output.type !== "send" || output.message.type !== "offer") throw new Error(`a ${output.type}`);
  const { slot, content } = output.message;
  const [given] = content.operations;
  expect(output.to).toEqual(PEERS);
  expect(slot).toEqual({ kind: "account", address: sender, sequence: 0 });
  expect(given?.operation).toBe(operation);
  expect(content.value).toEqual({ type: "operation", id: operationId({ sender, operation, signature }) });
  const { signatures = [], ...set } = decodeMultisig(given?.signature ?? "") ?? {};
  expect(set).toEqual((({ signatures: _, ...own }) => own)(decodeMultisig(signature) ?? { signatures: [] }));
  return signatures.map((one) => `${one.key.slice(4, 6)} ${one.signature.slice(2, 4)}`);
}

const [one, two, three] = KEYS as [PublicKey, PublicKey, PublicKey];

describe("false signers", () => {
  test.each<readonly [string, readonly SignedOperation[], readonly (readonly string[])[]]>([
    ["drop", [paid(0, [one, two])], [["11 00"]]],
    ["double", [paid(0, [one, two])], [["11 00", "22 00", "22 00"]]],
    ["reverse", [paid(0, [one, two]), paid(1, [one])], [["22 00", "11 00"], []]],
    ["stranger", [paid(0, [STRANGER], [STRANGER, one]), paid(1, [one, two])], [[], ["11 01", "22 01", "44 00"]]],
    ["borrow", [paid(0, [one, two]), paid(1, [three])], [[], ["11 00", "22 00", "33 01"]]],
    ["replace", [paid(0, [one, two]), paid(1, [two, three]), paid(2, [one, two])], [[], [], ["11 02", "22 00"]]],
    ["any", [paid(0, [one, two]), paid(0, [one, two])], [["11 00"], []]],
  ])("%s", (mode, submissions, wanted) => {
    expect(passedOn(mode, submissions)).toEqual(wanted);
  });

  test("leave operations of a single key alone", () => {
    const { account: _, ...operation } = paid(0, [one]).operation;
    expect(passedOn("drop", [{ ...paid(0, [one]), operation }])).toEqual([[]]);
  });
});
