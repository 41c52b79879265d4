/** Protocol 4.2, 7.13: the first answer to a submission, recoveries included, by the reference ledger at the entry validator's place. */
import { expect, test } from "vitest";
import type { Address, PublicKey } from "../../src/core/base/ids.ts";
import type { Recovery, SignedOperation } from "../../src/core/base/operation.ts";
import type { Refusal } from "../../src/core/base/refusal.ts";
import { multisigAddress } from "../../src/invariants/constants.ts";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { validity } from "../../src/invariants/oracles/validity/validity.ts";
import { details, PENDING, refused, Stream } from "./support.ts";
import {
  ALICE,
  amount,
  BOB,
  CAROL,
  CHAIN,
  grant,
  hash,
  ISSUER,
  own,
  pause,
  payment,
  recovery,
  setting,
  signed,
  USD,
} from "./vocabulary.ts";

const X = payment(ALICE, 0, BOB, 1);

function found(stream: Stream): readonly string[] {
  return details(validity(stream.setting), stream.end());
}

function answered(one: SignedOperation, answer: ClientReply, stream = new Stream(setting())): Stream {
  return stream.submit("c", "one", one).ask("v1", "one").reply("v1", "one", answer);
}

const short = (nonce: number): Refusal => ({
  code: "business_insufficient_funds",
  token: USD,
  balance: amount(1000),
  need: amount(nonce),
});

/** Operations of the genesis state, with the refusal that is right for each. */
const WRONG: readonly (readonly [string, SignedOperation, Refusal])[] = [
  ["funds", payment(ALICE, 0, BOB, 1000), short(1001)],
  ["amount", payment(ALICE, 0, BOB, 0), { code: "validation_amount", field: "value", reason: "zero" }],
  ["token", payment(ALICE, 0, BOB, 1, CAROL), { code: "resource_token_not_found", token: CAROL }],
  [
    "chain",
    { ...X, operation: { ...X.operation, chainId: 7 } },
    { code: "validation_chain_id", expected: 1_212_101, got: 7 },
  ],
  ["role", pause(ALICE, 0), { code: "business_missing_role", token: USD, role: "Pause", signer: ALICE }],
  ["own burn", signed("burn", ISSUER, 0, { token: USD, value: amount(1) }), short(1)],
  [
    "memo",
    { ...X, operation: { ...X.operation, memo: { type: "", format: "", data: "" } } as typeof X.operation },
    { code: "validation_layout", field: "memo", reason: "the spec layout has none" },
  ],
  [
    "action",
    signed("pause", ISSUER, 0, { token: USD, action: "Freeze" }),
    { code: "validation_action", field: "action", got: "Freeze", expected: [] },
  ],
  [
    "name",
    signed("metadata", ISSUER, 0, { token: USD, name: "", uri: "", additional: [] }),
    { code: "validation_text", field: "name", reason: "is empty" },
  ],
  [
    "held role",
    signed("authority", ISSUER, 0, {
      token: USD,
      authorityAddress: BOB,
      action: "Revoke",
      authorityType: "Pause",
    }),
    { code: "business_role_not_held", token: USD, role: "Pause", address: BOB },
  ],
];

test.each(WRONG)("what the state refuses for its %s is refused and not admitted", (_part, one, refusal) => {
  expect(found(answered(one, refused(refusal)))).toEqual([]);
  expect(found(answered(one, PENDING))).toEqual([
    expect.stringContaining(`admitted it, though its state refuses it: ${refusal.code}`),
  ]);
});

test.each(WRONG)("a payment that the state allows is not refused for its %s", (_part, _one, refusal) => {
  expect(found(answered(X, refused(refusal)))).toEqual([
    expect.stringContaining(`refused it for ${refusal.code}, of which its state knows nothing`),
  ]);
});

test("the whole balance can be paid, and not a unit more", () => {
  expect(found(answered(payment(ALICE, 0, BOB, 999), PENDING))).toEqual([]);
  expect(found(answered(payment(ALICE, 0, BOB, 999), refused(short(1001))))).toHaveLength(1);
});

test("a used nonce is refused, and one ahead waits or is refused for the gap", () => {
  const used = (): Stream => new Stream(setting()).submitPending("c", "x", X).apply("v1", own("x", 0, X));
  const low: Refusal = { code: "business_nonce_too_low", expected: 1 as never, got: 0 as never };
  const gap: Refusal = { code: "business_nonce_gap", expected: 1 as never, got: 2 as never };
  const again = payment(ALICE, 0, CAROL, 2);
  expect(found(answered(again, refused(low), used()))).toEqual([]);
  expect(found(answered(again, PENDING, used()))).toEqual([expect.stringContaining("business_nonce_too_low")]);
  expect(found(answered(payment(ALICE, 2, CAROL, 2), refused(gap), used()))).toEqual([]);
  expect(found(answered(payment(ALICE, 1, CAROL, 2), refused(gap), used()))).toHaveLength(1);
  expect(found(answered(payment(ALICE, 1, CAROL, 2), refused(low), used()))).toHaveLength(1);
});

test("what waits for its list is not refused for the nonce that it used", () => {
  const low: Refusal = { code: "business_nonce_too_low", expected: 1 as never, got: 0 as never };
  const waits = new Stream(setting())
    .submitPending("c", "p", pause(ISSUER, 0))
    .apply("v1", own("p", 0, pause(ISSUER, 0)));
  expect(found(waits.ask("v1", "p").reply("v1", "p", refused(low)))).toEqual([
    expect.stringContaining("refused it for business_nonce_too_low"),
  ]);
});

test("a nonce is taken by another operation of the signer only", () => {
  const taken = (by: string): ClientReply =>
    refused({ code: "business_nonce_pending", nonce: 0 as never, pending: hash(by) });
  const other = (): Stream =>
    new Stream(setting()).submitPending("c", "x", X).submitPending("d", "b", payment(BOB, 0, ALICE, 1));
  expect(found(answered(payment(ALICE, 0, CAROL, 2), taken("x"), other()))).toEqual([]);
  for (const by of ["b", "one"])
    expect(found(answered(payment(ALICE, 0, CAROL, 2), taken(by), other()))).toHaveLength(1);
  // A peer can show another reading of a signature, which has an id of its own.
  expect(found(answered(payment(ALICE, 0, CAROL, 2), taken("reading"), other()))).toEqual([]);
  expect(found(answered(payment(BOB, 1, CAROL, 2), taken("reading"), other()))).toHaveLength(1);
});

test("a signature is another operation's only if both sign the same bytes", () => {
  const reused = (by: string): ClientReply => refused({ code: "business_signature_reused", pending: hash(by) });
  // Version 1 signs neither the kind nor the list: one signature is of either list.
  const listed = (list: "blacklist" | "whitelist") =>
    signed("list", ISSUER, 0, { list, token: USD, address: BOB, action: "Add" });
  const first = (): Stream => new Stream(setting()).submitPending("c", "b", listed("blacklist"));
  expect(found(answered(listed("whitelist"), reused("b"), first()))).toEqual([]);
  expect(found(answered(X, reused("b"), first()))).toHaveLength(1);
  expect(found(answered(listed("whitelist"), reused("one"), first()))).toHaveLength(1);
  // The first is over, and forgotten.
  const paid = (): Stream => new Stream(setting()).submitPending("c", "x", X).apply("v1", own("x", 0, X));
  expect(found(answered(payment(ALICE, 0, CAROL, 2), reused("gone"), paid()))).toEqual([]);
  expect(found(answered(payment(ALICE, 1, CAROL, 2), reused("gone"), paid()))).toHaveLength(1);
});

test("there is no room only at a bound of the protocol", () => {
  expect(found(answered(X, refused({ code: "system_queue_full", limit: 256 })))).toEqual([]);
  expect(found(answered(X, refused({ code: "system_queue_full", limit: 3 })))).toHaveLength(1);
});

test("open payments of the signer reserve funds", () => {
  const queue = (): Stream => new Stream(setting()).submitPending("c", "x", payment(ALICE, 0, BOB, 600));
  expect(found(answered(payment(ALICE, 1, BOB, 600), refused(short(1202)), queue()))).toEqual([]);
  expect(found(answered(payment(ALICE, 1, BOB, 300), refused(short(902)), queue()))).toHaveLength(1);
});

test("a payment is not admitted beyond what the cheapest queue there leaves, nor behind a gap", () => {
  const queue = (): Stream => new Stream(setting()).submitPending("c", "x", payment(ALICE, 0, BOB, 600));
  const short = expect.stringContaining("its state refuses it: business_insufficient_funds");
  expect(found(answered(payment(ALICE, 1, BOB, 398), PENDING, queue()))).toEqual([]);
  expect(found(answered(payment(ALICE, 1, BOB, 399), PENDING, queue()))).toEqual([short]);
  // A rival that costs less may be the one that is decided; a cancellation leaves the nonce to its operation.
  const rival = queue().submitPending("c", "r", payment(ALICE, 0, CAROL, 100));
  expect(found(answered(payment(ALICE, 1, BOB, 399), PENDING, rival))).toEqual([]);
  expect(
    found(
      answered(payment(ALICE, 1, BOB, 399), PENDING, queue().submit("c", "n", signed("cancellation", ALICE, 0, {}))),
    ),
  ).toEqual([short]);
  // Another validator's queue says nothing of this one, to which a peer may have shown a reading that costs nothing.
  const other = new Stream(setting()).submitPending("c", "x", payment(ALICE, 0, BOB, 600), "v2");
  expect(found(answered(payment(ALICE, 1, BOB, 399), PENDING, other))).toEqual([]);
  const gap = expect.stringContaining("its state refuses it: business_nonce_gap");
  expect(found(answered(payment(ALICE, 2, BOB, 1), PENDING, queue()))).toEqual([gap]);
});

const QUEUED = payment(ALICE, 1, BOB, 5);
const GAP: Refusal = { code: "business_nonce_gap", expected: 0 as never, got: 1 as never };

/** X waits at v1, and a payment behind it; then X is refused there. */
function refusedBefore(stream: Stream, refusal = refused(short(1001))): Stream {
  return stream.submitPending("c", "x", X).submitPending("c", "q", QUEUED).reply("v1", "x", refusal);
}

/** The last event takes place in the step of the one before it. */
function inOneStep(stream: Stream): Stream {
  const [before, last] = stream.records.splice(-2);
  if (before !== undefined && last !== undefined) stream.records.push(before, { ...last, step: before.step });
  return stream;
}

test("what waits behind a refused operation is refused in the same step", () => {
  const start = (): Stream => new Stream(setting());
  const left = expect.stringContaining("behind it without an answer");
  expect(found(inOneStep(refusedBefore(start()).reply("v1", "q", refused(GAP))))).toEqual([]);
  expect(found(refusedBefore(start()))).toEqual([left]);
  expect(found(refusedBefore(start()).reply("v1", "q", refused(GAP)))).toEqual([left]);
  const disclosed: ClientReply = { status: "refused", refusal: short(1001), disclosed: true };
  expect(found(refusedBefore(start(), disclosed))).toEqual([]);
});

test("nothing is owed where an operation of the nonce is left, others may have disclosed it, or the node is down", () => {
  const start = (byzantine: readonly string[] = []): Stream => new Stream(setting({ byzantine }));
  const rival = start().submitPending("d", "r", payment(ALICE, 0, CAROL, 2));
  expect(found(refusedBefore(rival))).toEqual([]);
  const told = start(["v4"]).submit("c", "q", QUEUED).ask("v4", "q");
  expect(found(refusedBefore(told))).toEqual([]);
  expect(found(refusedBefore(start()).crash("v1"))).toEqual([]);
});

test("a cancellation behind an open nonce is not refused while the operation that it cancels waits there", () => {
  const cancellation = (nonce: number): SignedOperation => signed("cancellation", ALICE, nonce, {});
  const nothing = (nonce: number): ClientReply =>
    refused({ code: "business_nothing_to_cancel", nonce: nonce as never });
  const both = (nonce: number): Stream =>
    new Stream(setting())
      .submit("c", "first", X)
      .submitPending("c", "x", payment(ALICE, nonce, BOB, 5))
      .submitPending("c", "n", cancellation(nonce));
  const held = expect.stringContaining("which has nothing to cancel, while");
  expect(found(both(1).reply("v1", "n", nothing(1)))).toEqual([held]);
  // The next nonce has its turn: the pair may be one that nobody pays for.
  expect(found(both(0).reply("v1", "n", nothing(0)))).toEqual([]);
  expect(found(both(1).crash("v1").restart("v1").reply("v1", "n", nothing(1)))).toEqual([]);
  const elsewhere = new Stream(setting()).submit("c", "first", X).submitPending("c", "x", QUEUED, "v2");
  expect(found(elsewhere.submitPending("c", "n", cancellation(1)).reply("v1", "n", nothing(1)))).toEqual([]);
});

test("a rule of the token is a reason while a restriction is on its way", () => {
  const paused: Refusal = { code: "business_token_paused", token: USD };
  const coming = (): Stream => new Stream(setting()).submit("c", "p", pause(ISSUER, 0));
  expect(found(answered(X, refused(paused)))).toHaveLength(1);
  expect(found(answered(X, refused(paused), coming()))).toEqual([]);
  const held = (): Stream => new Stream(setting()).submit("c", "g", grant(ISSUER, 0, "Pause", BOB, 0));
  const lacks: Refusal = { code: "business_missing_role", token: USD, role: "Pause", signer: BOB };
  expect(found(answered(pause(BOB, 0), refused(lacks), held()))).toEqual([]);
});

test("a restriction that was applied is no reason any more", () => {
  const stream = new Stream(setting())
    .govern("p", 0, 0, pause(ISSUER, 0))
    .govern("u", 1, 1, pause(ISSUER, 1, "Unpause"));
  expect(found(answered(X, refused({ code: "business_token_paused", token: USD }), stream))).toHaveLength(1);
});

test("only the first answer of the first receiver tells of an admission", () => {
  const poor = payment(ALICE, 0, BOB, 5000);
  const elsewhere = new Stream(setting()).submit("c", "one", poor).ask("v2", "one");
  expect(found(answered(poor, PENDING, elsewhere))).toEqual([]);
  expect(found(new Stream(setting()).submit("c", "one", poor).reply("v1", "one", PENDING))).toEqual([]);
  expect(found(answered(poor, refused(short(5001))).reply("v1", "one", PENDING))).toEqual([]);
});

test("a Byzantine entry validator may answer as it likes", () => {
  const stream = new Stream(setting({ byzantine: ["v1"] }));
  expect(found(answered(payment(ALICE, 0, BOB, 5000), PENDING, stream))).toEqual([]);
});

test("what too little weight signed, or an account that is not created asks for, is not admitted", () => {
  const keys = ["1", "2"].map((digit) => `0x02${digit.repeat(64)}` as PublicKey);
  const set = { threshold: 2, signers: keys.map((key) => ({ key, weight: 1 })) };
  const account = multisigAddress(set);
  const v2 = { layout: "v2", memo: { type: "", format: "", data: "" } } as const;
  const one = signed("payment", account, 0, { token: USD, recipient: BOB, value: amount(1), account, ...v2 });
  const asked = (by: readonly PublicKey[]): Stream => {
    const stream = new Stream(setting()).submitPending("c", "creation", signed("multisig", BOB, 0, { ...set, ...v2 }));
    const submitted = { client: "c", id: hash("one"), submission: one, to: "v1", correct: true };
    stream.push({ type: "submitted", ...submitted, signed: [{ signed: one, keys: by, isComplete: true }] });
    return stream.ask("v1", "one").reply("v1", "one", PENDING);
  };
  const admitted = "admitted it, though its state refuses it: ";
  expect(found(asked(keys.slice(1)))).toEqual([expect.stringContaining(`${admitted}validation_signature`)]);
  expect(found(asked(keys))).toEqual([expect.stringContaining(`${admitted}resource_multisig_not_found`)]);
});

const SHORT: Refusal = { code: "business_insufficient_funds", token: USD, balance: amount(0), need: amount(1) };

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
