/** Protocol 4.2, 7.13: the first answer to a recovery by the reference ledger at the validator's place. */
import { expect, test } from "vitest";
import type { Address, PublicKey } from "../../src/core/base/ids.ts";
import type { Recovery } from "../../src/core/base/operation.ts";
import type { Refusal } from "../../src/core/base/refusal.ts";
import { multisigAddress } from "../../src/invariants/constants.ts";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { validity } from "../../src/invariants/oracles/validity/validity.ts";
import { details, PENDING, refused, Stream } from "./support.ts";
import { ALICE, amount, BOB, CAROL, CHAIN, hash, own, payment, recovery, setting, signed, USD } from "./vocabulary.ts";

const X = payment(ALICE, 0, BOB, 1);
const SHORT: Refusal = { code: "business_insufficient_funds", token: USD, balance: amount(0), need: amount(1) };

function found(stream: Stream): readonly string[] {
  return details(validity(stream.setting), stream.end());
}

const Y = payment(ALICE, 0, CAROL, 7);
const proof = (first = X, second = Y): Recovery => recovery(ALICE, first, second);
const asked = (one: Recovery, answer: ClientReply, stream = new Stream(setting())): Stream =>
  stream.submit("c", "r", one).ask("v1", "r").reply("v1", "r", answer);
const ofNonce = (nonce: number): Recovery => proof(payment(ALICE, nonce, BOB, 5), payment(ALICE, nonce, CAROL, 7));
const used = (): Stream => new Stream(setting()).submitPending("c", "x", X).apply("v1", own("x", 0, X));
const no = { of: 1 as never, expected: 0 as never, got: 0 as never };

test.each<[string, Recovery, Refusal, () => Stream]>([
  ["an account without its nonce", ofNonce(1), { code: "business_nonce_gap", ...no }, () => new Stream(setting())],
  ["a used nonce", ofNonce(0), { code: "business_nonce_too_low", ...no }, used],
  ["one operation twice", proof(X, X), { code: "validation_evidence", reason: "" }, () => new Stream(setting())],
  [
    "another chain",
    { ...proof(), chainId: 7 },
    { code: "validation_chain_id", expected: CHAIN, got: 7 },
    () => new Stream(setting()),
  ],
  [
    "an operation that nobody can sign",
    proof(payment(ALICE, 0, BOB, 0)),
    { code: "validation_amount", field: "value", reason: "zero" },
    () => new Stream(setting()),
  ],
])("a recovery is refused for %s, and not admitted, and no other one is", (_what, one, refusal, stream) => {
  expect(found(asked(one, refused(refusal), stream()))).toEqual([]);
  expect(found(asked(one, PENDING, stream()))).toEqual([
    expect.stringContaining(`admitted it, though its state refuses it: ${refusal.code}`),
  ]);
  expect(found(asked(proof(), refused(refusal)))).toEqual([
    expect.stringContaining(`refused it for ${refusal.code}, of which its state knows nothing`),
  ]);
});

test("a recovery is never refused for want of funds", () => {
  expect(found(asked(proof(), refused(SHORT)))).toHaveLength(1);
  const [first, second] = [payment(CAROL, 0, BOB, 5), payment(CAROL, 0, ALICE, 7)];
  expect(found(asked(recovery(CAROL, first, second), refused(SHORT)))).toHaveLength(1);
});

test("a recovery of a multisig account is refused before its creation", () => {
  const set = { threshold: 1, signers: [{ key: `0x02${"1".repeat(64)}` as PublicKey, weight: 1 }] };
  const account = multisigAddress(set);
  const paying = (to: Address) => {
    const v2 = { layout: "v2", memo: { type: "", format: "", data: "" } } as const;
    return signed("payment", account, 0, { token: USD, recipient: to, value: amount(1), account, ...v2 });
  };
  const one = recovery(account, paying(BOB), paying(CAROL));
  const unknown: Refusal = { code: "resource_multisig_not_found", account };
  expect(found(asked(one, refused(unknown)))).toEqual([]);
  expect(found(asked(one, PENDING))).toEqual([expect.stringContaining(unknown.code)]);
  expect(found(asked(proof(), refused(unknown)))).toHaveLength(1);
});

test("a recovery is refused for want of room only at a bound of the protocol", () => {
  expect(found(asked(proof(), refused({ code: "system_queue_full", limit: 256 })))).toEqual([]);
  expect(found(asked(proof(), refused({ code: "system_queue_full", limit: 3 })))).toHaveLength(1);
});

test("an operation that an arrived proof shows may wait unfunded, and counts as pending", () => {
  const much = payment(ALICE, 0, CAROL, 5_000);
  const shown = (isHere: boolean): Stream => {
    const stream = new Stream(setting()).submit("c", "r", recovery(ALICE, X, much));
    return isHere ? stream.ask("v2", "r") : stream;
  };
  const admitted = (stream: Stream): Stream => stream.submit("c", "y", much).ask("v1", "y").reply("v1", "y", PENDING);
  expect(found(admitted(shown(true)))).toEqual([]);
  expect(found(admitted(shown(false)))).toEqual([expect.stringContaining("business_insufficient_funds")]);
  const taken = refused({ code: "business_nonce_pending", nonce: 0 as never, pending: hash("unasked") });
  const beside = (stream: Stream): Stream =>
    stream
      .submit("c", "z", payment(ALICE, 0, BOB, 3))
      .ask("v1", "z")
      .reply("v1", "z", taken);
  expect(found(beside(shown(true)))).toEqual([]);
  expect(found(beside(shown(false)))).toHaveLength(1);
});
