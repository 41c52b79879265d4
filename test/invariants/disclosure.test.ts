/** Protocol 4.2: an operation refused undisclosed is never decided. */
import { expect, test } from "vitest";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { irreversibility } from "../../src/invariants/oracles/irreversibility.ts";
import { details, PENDING, Stream } from "./support.ts";
import { ALICE, accountSlot, BOB, hash, own, payment, receiptOf, setting, signed } from "./vocabulary.ts";

const X = payment(ALICE, 0, BOB, 1);
const FIRST = own("x", 0, X);
const UNDISCLOSED: ClientReply = {
  status: "refused",
  refusal: { code: "system_queue_full", limit: 1 },
  disclosed: false,
};
const FINAL: ClientReply = { status: "final", receipt: receiptOf("x", accountSlot(ALICE, 0), 1) };

function fresh(byzantine: readonly string[] = []): Stream {
  return new Stream(setting({ byzantine })).content(hash("value x"), FIRST);
}

function found(stream: Stream): readonly string[] {
  return details(irreversibility(stream.setting), stream.end());
}

test("an operation that is decided after every receiver refused it undisclosed is found, once", () => {
  const stream = fresh().ask("v1", "x").reply("v1", "x", UNDISCLOSED).ask("v2", "x").reply("v2", "x", UNDISCLOSED);
  expect(found(stream.settle("x", FIRST))).toEqual([
    expect.stringMatching(/was decided in slot 0 of account .* but v1 and v2 refused it undisclosed/),
  ]);
});

test("a cancellation that skips a nonce after it was refused undisclosed is found", () => {
  const cancellation = signed("cancellation", ALICE, 0, {});
  const value = {
    type: "skip",
    by: "cancellation",
    id: hash("c"),
    displaced: [hash("x")],
    feeToken: undefined,
  } as const;
  const skip = { slot: accountSlot(ALICE, 0), value, operations: [cancellation, X] };
  const stream = fresh().ask("v1", "c").reply("v1", "c", PENDING).reply("v1", "c", UNDISCLOSED).settle("c", skip);
  expect(found(stream)).toEqual([expect.stringContaining("was decided in slot 0")]);
});

test("an undisclosed refusal after a pending reply is binding", () => {
  const stream = fresh().ask("v1", "x").reply("v1", "x", PENDING).reply("v1", "x", UNDISCLOSED).apply("v2", FIRST);
  expect(found(stream)).toHaveLength(1);
});

test("a later final reply of the same validator does not excuse it", () => {
  const stream = fresh().ask("v1", "x").reply("v1", "x", UNDISCLOSED).apply("v1", FIRST).reply("v1", "x", FINAL);
  expect(found(stream)).toHaveLength(1);
});

test("one that any validator admitted may be decided", () => {
  const stream = fresh().ask("v1", "x").reply("v1", "x", UNDISCLOSED).ask("v2", "x").reply("v2", "x", PENDING);
  expect(found(stream.settle("x", FIRST))).toEqual([]);
});

test("one that was submitted once more may be decided: a refusal is a reply and not durable", () => {
  const again = fresh().ask("v1", "x").reply("v1", "x", UNDISCLOSED).ask("v1", "x").reply("v1", "x", PENDING);
  expect(found(again.settle("x", FIRST))).toEqual([]);
  const unanswered = fresh().ask("v1", "x").reply("v1", "x", UNDISCLOSED).ask("v1", "x");
  expect(found(unanswered.settle("x", FIRST))).toEqual([]);
});

test("one of which two submissions were under way may be decided, once the second of them is admitted", () => {
  const stream = fresh().ask("v1", "x").ask("v1", "x").reply("v1", "x", UNDISCLOSED).reply("v1", "x", PENDING);
  expect(found(stream.settle("x", FIRST))).toEqual([]);
});

test("a Byzantine validator's reply is not binding", () => {
  const stream = fresh(["v4"]).ask("v4", "x").reply("v4", "x", UNDISCLOSED);
  expect(found(stream.settle("x", FIRST, { nodes: ["v1", "v2", "v3"] }))).toEqual([]);
});

test("a validator that crashed in between may have disclosed it", () => {
  const stream = fresh().ask("v1", "x").reply("v1", "x", PENDING).crash("v1").restart("v1");
  expect(found(stream.ask("v1", "x").reply("v1", "x", UNDISCLOSED).settle("x", FIRST))).toEqual([]);
});

test("a crash after the refusal does not revoke it", () => {
  const stream = fresh().ask("v1", "x").reply("v1", "x", UNDISCLOSED).crash("v1").restart("v1");
  expect(found(stream.ask("v1", "x").reply("v1", "x", UNDISCLOSED).settle("x", FIRST))).toHaveLength(1);
});

test("a refusal after the decision is late, not false", () => {
  const stream = fresh().apply("v1", FIRST).ask("v2", "x").reply("v2", "x", UNDISCLOSED).apply("v2", FIRST);
  expect(found(stream)).toEqual([]);
});
