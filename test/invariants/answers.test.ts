/** Protocol 7.14: a client is told the outcome that was applied, once it is applied, and nothing else afterwards. */
import { expect, test } from "vitest";
import type { Receipt } from "../../src/core/base/refusal.ts";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { answers } from "../../src/invariants/oracles/answers.ts";
import { details, Stream } from "./support.ts";
import { ALICE, accountSlot, amount, BOB, hash, own, payment, receiptOf, setting, USD } from "./vocabulary.ts";

const X = payment(ALICE, 0, BOB, 1);
const RECEIPT = receiptOf("x", accountSlot(ALICE, 0), 1);
const final = (change: Partial<Receipt> = {}): ClientReply => ({
  status: "final",
  receipt: { ...RECEIPT, ...change },
});
const late: ClientReply = {
  status: "refused",
  refusal: { code: "business_nonce_too_low", expected: 1 as never, got: 0 as never },
  disclosed: false,
};

function applied(byzantine: readonly string[] = []): Stream {
  return new Stream(setting({ byzantine })).submitPending("c", "x", X).apply("v1", own("x", 0, X));
}

function found(stream: Stream): readonly string[] {
  return details(answers(stream.setting), stream.end());
}

test("the receipt that was applied is no violation", () => {
  expect(found(applied().reply("v1", "x", final()))).toEqual([]);
});

test.each<[string, Partial<Receipt>, RegExp]>([
  ["fee", { fee: amount(0) }, /success with fee 0, but honest validators applied success with fee 1/],
  ["token of the fee", { feeToken: BOB }, /with fee 1 of .*, but honest validators applied/],
  [
    "outcome",
    { success: false, error: { code: "business_token_paused", token: USD } },
    /failure business_token_paused with fee 1/,
  ],
  ["operation", { id: hash("y") }, /the receipt of/],
  ["slot", { slot: "account/elsewhere/0" as never }, /that it is final in .*, but it was applied in/],
])("a receipt with another %s is found", (_part, change, words) => {
  expect(found(applied().reply("v1", "x", final(change)))).toEqual([expect.stringMatching(words)]);
});

test("a receipt before any application is found, and that of a node which lags behind another", () => {
  const early = new Stream(setting({})).submitPending("c", "x", X).reply("v1", "x", final());
  expect(found(early)).toEqual([expect.stringContaining("that it is final, but nobody applied it")]);
  expect(found(applied().reply("v1", "x", final()).ask("v2", "x").reply("v2", "x", final()))).toEqual([
    expect.stringContaining("that it is final, but has not applied it"),
  ]);
});

test.each<[string, ClientReply]>([
  ["refused", late],
  ["pending", { status: "pending" }],
  ["superseded", { status: "superseded", by: hash("y") }],
  ["void", { status: "void", epoch: 0 as never }],
])("a %s operation that this node has applied is found", (status, answer) => {
  const [first] = found(applied().reply("v1", "x", answer));
  expect(first).toMatch(new RegExp(`that it is ${status}.*, but had applied it`));
});

test("one that is settled is told so, and another node may lag behind", () => {
  expect(found(applied().reply("v1", "x", { status: "settled" }).ask("v2", "x").reply("v2", "x", late))).toEqual([]);
});

test("a crash takes what a node has applied", () => {
  const crashed = applied().push({ type: "crashed", node: "v1" });
  expect(found(crashed.reply("v1", "x", { status: "pending" }))).toEqual([]);
});

test("an old operation is no longer judged", () => {
  const old = applied().push({ type: "forgotten", slots: [], values: [], operations: [hash("x")], upTo: 1 });
  expect(found(old.reply("v1", "x", late).reply("v2", "x", final({ fee: amount(9) })))).toEqual([]);
});

test("a last response that nobody asked for again is found, and one for each submission is not", () => {
  const told = applied().reply("v1", "x", final());
  expect(found(applied().reply("v1", "x", final()).reply("v1", "x", final()))).toEqual([
    expect.stringContaining("a second time that it is final"),
  ]);
  expect(found(told.ask("v1", "x").reply("v1", "x", final()))).toEqual([]);
});

test("each client that listens is told what was applied, unless the node crashes", () => {
  const two = (): Stream => applied().ask("v1", "x", "bob").reply("v1", "x", final());
  const later = (stream: Stream): Stream => {
    stream.at += 10_000;
    return stream;
  };
  expect(found(later(two()))).toEqual([expect.stringMatching(/^v1 applied .* and never told client bob$/)]);
  expect(found(later(two().reply("v1", "x", final(), "bob")))).toEqual([]);
  expect(found(later(two().push({ type: "crashed", node: "v1" })))).toEqual([]);
});

test("a Byzantine node may say anything", () => {
  const told = applied(["v4"]).reply("v1", "x", final());
  expect(found(told.reply("v4", "x", final({ fee: amount(9) })))).toEqual([]);
});
