/** Protocol 4.2, 7.13: the first answer to a submission, recoveries included, by the reference ledger at the entry validator's place. */
import { describe, expect, test } from "vitest";
import type { Address, PublicKey } from "../../src/core/base/ids.ts";
import type { Recovery, SignedOperation } from "../../src/core/base/operation.ts";
import type { Refusal } from "../../src/core/base/refusal.ts";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { validity } from "../../src/invariants/oracles/validity/validity.ts";
import { multisigAddress } from "../../src/invariants/reference/addresses.ts";
import { finder, PENDING, refused, Stream, testRuns } from "./support.ts";
import * as v from "./vocabulary.ts";

const { ALICE, BOB, CAROL, CHAIN, ISSUER, USD } = v;

const [X, Y] = [v.payment(ALICE, 0, BOB, 1), v.payment(ALICE, 0, CAROL, 7)];
const find = finder(validity);
const fresh = (byzantine: readonly string[] = []): Stream => new Stream(v.setting({ byzantine }));
const pay = (nonce: number, value: number, to = BOB): SignedOperation => v.payment(ALICE, nonce, to, value);

const answered = (one: SignedOperation | Recovery, answer: ClientReply, stream = fresh()): Stream =>
  stream.submit("c", "one", one).ask("v1", "one").reply("v1", "one", answer);
const pending = (one: SignedOperation | Recovery, stream = fresh()): Stream => answered(one, PENDING, stream);

const insufficient = (need: number): Refusal => ({
  ...{ code: "business_insufficient_funds", token: USD, balance: v.amount(1000) },
  need: v.amount(need),
});
const short = (need: number): ClientReply => refused(insufficient(need));
const full = (limit: number): ClientReply => refused({ code: "system_queue_full", limit });
const ADMITTED = "admitted it, though its state refuses it: ";
const FUNDS = `${ADMITTED}business_insufficient_funds`;
const UNKNOWN = "of which its state knows nothing";

const authority = { token: USD, authorityAddress: BOB, action: "Revoke", authorityType: "Pause" };
const noted = { ...X.operation, memo: { type: "", format: "", data: "" } } as typeof X.operation;
const nameless = v.signed("metadata", ISSUER, 0, { token: USD, name: "", uri: "", additional: [] });

/** Operations of the genesis state, with the refusal that is right for each. */
const WRONG: readonly (readonly [string, SignedOperation, Refusal])[] = [
  ["funds", pay(0, 1000), insufficient(1001)],
  ["amount", pay(0, 0), { code: "validation_amount", field: "value", reason: "zero" }],
  ["token", v.payment(ALICE, 0, BOB, 1, CAROL), { code: "resource_token_not_found", token: CAROL }],
  [
    "chain",
    { ...X, operation: { ...X.operation, chainId: 7 } },
    { code: "validation_chain_id", expected: CHAIN, got: 7 },
  ],
  ["role", v.pause(ALICE, 0), { code: "business_missing_role", token: USD, role: "Pause", signer: ALICE }],
  ["own burn", v.signed("burn", ISSUER, 0, { token: USD, value: v.amount(1) }), insufficient(1)],
  [
    "memo",
    { ...X, operation: noted },
    { code: "validation_layout", field: "memo", reason: "the spec layout has none" },
  ],
  [
    "action",
    v.signed("pause", ISSUER, 0, { token: USD, action: "Freeze" }),
    { code: "validation_action", field: "action", got: "Freeze", expected: [] },
  ],
  ["name", nameless, { code: "validation_text", field: "name", reason: "is empty" }],
  [
    "held role",
    v.signed("authority", ISSUER, 0, authority),
    { code: "business_role_not_held", token: USD, role: "Pause", address: BOB },
  ],
];

test.each(WRONG)("what the state refuses for its %s is refused, and nothing else is", (_part, one, refusal) => {
  expect(find(answered(one, refused(refusal)))).toEqual([]);
  expect(find(pending(one))).toEqual([expect.stringContaining(`${ADMITTED}${refusal.code}`)]);
  expect(find(answered(X, refused(refusal)))).toEqual([
    expect.stringContaining(`refused it for ${refusal.code}, ${UNKNOWN}`),
  ]);
});

const used = (): Stream => fresh().submitPending("c", "x", X).applyOwn("v1", "x", X);
const LOW = refused({ code: "business_nonce_too_low", expected: 1 as never, got: 0 as never });
const GAP = refused({ code: "business_nonce_gap", expected: 1 as never, got: 2 as never });
const waits = (): Stream => fresh().submitPending("c", "p", v.pause(ISSUER, 0)).applyOwn("v1", "p", v.pause(ISSUER, 0));

const taken = (by: string): ClientReply =>
  refused({ code: "business_nonce_pending", nonce: 0 as never, pending: v.hash(by) });
const others = (): Stream =>
  fresh()
    .submitPending("c", "x", X)
    .submitPending("d", "b", v.payment(BOB, 0, ALICE, 1));
const takenBy = (by: string, one = pay(0, 2, CAROL)): Stream => answered(one, taken(by), others());

const reused = (by: string): ClientReply => refused({ code: "business_signature_reused", pending: v.hash(by) });
// Version 1 signs neither the kind nor the list: one signature is of either list.
const listed = (list: "blacklist" | "whitelist") =>
  v.signed("list", ISSUER, 0, { list, token: USD, address: BOB, action: "Add" });
const first = (): Stream => fresh().submitPending("c", "b", listed("blacklist"));

describe("an entry validator", () =>
  testRuns(find, [
    ["admits a payment of the whole balance", () => pending(pay(0, 999))],
    ["does not refuse it", () => answered(pay(0, 999), short(1001)), UNKNOWN],
    ["refuses a used nonce", () => answered(pay(0, 2, CAROL), LOW, used())],
    ["does not admit a used nonce", () => pending(pay(0, 2, CAROL), used()), "business_nonce_too_low"],
    ["refuses a nonce behind a gap", () => answered(pay(2, 2), GAP, used())],
    ["does not refuse the next nonce for a gap", () => answered(pay(1, 2), GAP, used()), UNKNOWN],
    ["does not refuse the next nonce as too low", () => answered(pay(1, 2), LOW, used()), UNKNOWN],
    [
      "does not refuse what waits for its list for the nonce that it used",
      () => waits().ask("v1", "p").reply("v1", "p", LOW),
      "refused it for business_nonce_too_low",
    ],
    ["refuses a nonce that the signer's other operation takes", () => takenBy("x")],
    ["does not refuse a nonce for another signer's", () => takenBy("b"), UNKNOWN],
    ["does not refuse a nonce for the operation itself", () => takenBy("one"), UNKNOWN],
    ["may know another reading of a signature, which has an id of its own", () => takenBy("reading")],
    ["cannot know one of another nonce", () => takenBy("reading", v.payment(BOB, 1, CAROL, 2)), UNKNOWN],
    ["refuses a signature of the same bytes", () => answered(listed("whitelist"), reused("b"), first())],
    ["does not refuse one of other bytes", () => answered(X, reused("b"), first()), UNKNOWN],
    ["does not refuse a signature for itself", () => answered(listed("whitelist"), reused("one"), first()), UNKNOWN],
    ["refuses a signature whose first reading is over", () => answered(pay(0, 2, CAROL), reused("gone"), used())],
    ["does not for a later nonce", () => answered(pay(1, 2, CAROL), reused("gone"), used()), UNKNOWN],
    ["lacks room at a bound of the protocol", () => answered(X, full(256))],
    ["lacks room at no other number", () => answered(X, full(3)), "system_queue_full"],
  ]));

const queue = (): Stream => fresh().submitPending("c", "x", pay(0, 600));
const cancellation = (nonce: number): SignedOperation => v.signed("cancellation", ALICE, nonce, {});

describe("the queue of an entry validator", () =>
  testRuns(find, [
    ["reserves funds", () => answered(pay(1, 600), short(1202), queue())],
    ["reserves no more than that", () => answered(pay(1, 300), short(902), queue()), UNKNOWN],
    ["leaves what its operations leave", () => pending(pay(1, 398), queue())],
    ["leaves not a unit more", () => pending(pay(1, 399), queue()), FUNDS],
    [
      "costs what the cheaper of two rivals costs",
      () => pending(pay(1, 399), queue().submitPending("c", "r", pay(0, 100, CAROL))),
    ],
    [
      "costs as much beside a cancellation",
      () => pending(pay(1, 399), queue().submit("c", "n", cancellation(0))),
      FUNDS,
    ],
    // A peer may have shown it a reading that costs nothing.
    [
      "says nothing of another validator's",
      () => pending(pay(1, 399), fresh().submitPending("c", "x", pay(0, 600), "v2")),
    ],
    ["has no gaps", () => pending(pay(2, 1), queue()), `${ADMITTED}business_nonce_gap`],
    [
      "takes what follows on what it holds",
      () =>
        answered(pay(1, 1), refused({ code: "business_nonce_gap", expected: 0 as never, got: 1 as never }), queue()),
      UNKNOWN,
    ],
  ]));

const QUEUED = pay(1, 5);
const BEHIND = refused({ code: "business_nonce_gap", expected: 0 as never, got: 1 as never });
const LEFT = "behind it without an answer";

/** X waits at v1, and a payment behind it; then X is refused there. */
const refusedBefore = (stream = fresh(), refusal = short(1001)): Stream =>
  stream.submitPending("c", "x", X).submitPending("c", "q", QUEUED).reply("v1", "x", refusal);

/** The last event takes place in the step of the one before it. */
function inOneStep(stream: Stream): Stream {
  const [before, last] = stream.records.splice(-2);
  if (before !== undefined && last !== undefined) stream.records.push(before, { ...last, step: before.step });
  return stream;
}

const nothing = (nonce: number): ClientReply => refused({ code: "business_nothing_to_cancel", nonce: nonce as never });
/** A payment and its cancellation of this nonce, behind X if it is not its own. */
const both = (nonce: number, to = "v1"): Stream =>
  fresh()
    .submit("c", "first", X)
    .submitPending("c", "x", pay(nonce, 5), to)
    .submitPending("c", "n", cancellation(nonce));

describe("behind an operation", () =>
  testRuns(find, [
    [
      "that is refused what waits is refused in the same step",
      () => inOneStep(refusedBefore().reply("v1", "q", BEHIND)),
    ],
    ["it is not forgotten", () => refusedBefore(), LEFT],
    ["nor refused later", () => refusedBefore().reply("v1", "q", BEHIND), LEFT],
    [
      "it is not refused where others know it",
      () => refusedBefore(fresh(), { ...short(1001), disclosed: true } as never),
    ],
    ["nor beside a rival", () => refusedBefore(fresh().submitPending("d", "r", pay(0, 2, CAROL)))],
    ["nor where it may be disclosed", () => refusedBefore(fresh(["v4"]).submit("c", "q", QUEUED).ask("v4", "q"))],
    ["nor where the node is down", () => refusedBefore().crash("v1")],
    [
      "a cancellation has something to cancel while that waits there",
      () => both(1).reply("v1", "n", nothing(1)),
      "which has nothing to cancel, while",
    ],
    // The pair may be one that nobody pays for.
    ["but in its turn", () => both(0).reply("v1", "n", nothing(0))],
    ["but after a crash", () => both(1).crash("v1").restart("v1").reply("v1", "n", nothing(1))],
    ["but where it waits elsewhere", () => both(1, "v2").reply("v1", "n", nothing(1))],
  ]));

const PAUSED = refused({ code: "business_token_paused", token: USD });
const LACKS = refused({ code: "business_missing_role", token: USD, role: "Pause", signer: BOB });
const lifted = (): Stream =>
  fresh()
    .govern("p", 0, 0, v.pause(ISSUER, 0))
    .govern("u", 1, 1, v.pause(ISSUER, 1, "Unpause"));
const POOR = pay(0, 5000);
const appliedByAll = (): Stream =>
  ["v1", "v2", "v3", "v4"].reduce((stream, node) => stream.applyOwn(node, "x", X), fresh().submitPending("c", "x", X));

describe("a rule of the token", () =>
  testRuns(find, [
    ["is no reason before its restriction", () => answered(X, PAUSED), UNKNOWN],
    [
      "is one while a restriction is on its way",
      () => answered(X, PAUSED, fresh().submit("c", "p", v.pause(ISSUER, 0))),
    ],
    [
      "is one while a grant is on its way",
      () => answered(v.pause(BOB, 0), LACKS, fresh().submit("c", "g", v.grant(ISSUER, 0, "Pause", BOB, 0))),
    ],
    [
      "is none while its restriction is authorised nowhere",
      () => answered(pay(1, 1), PAUSED, appliedByAll().submit("c", "p", v.pause(BOB, 0))),
      UNKNOWN,
    ],
    ["is none after its restriction was lifted", () => answered(X, PAUSED, lifted()), UNKNOWN],
    ["is not judged by a second receiver", () => pending(POOR, fresh().submit("c", "one", POOR).ask("v2", "one"))],
    ["is not judged without receipt", () => fresh().submit("c", "one", POOR).reply("v1", "one", PENDING)],
    ["is not judged by a second answer", () => answered(POOR, short(5001)).reply("v1", "one", PENDING)],
    ["is not judged by a Byzantine validator", () => pending(POOR, fresh(["v1"]))],
  ]));

const V2 = { layout: "v2", memo: { type: "", format: "", data: "" } } as const;
const KEYS = ["1", "2"].map((digit) => `0x02${digit.repeat(64)}` as PublicKey);
const SET = { threshold: 2, signers: KEYS.map((key) => ({ key, weight: 1 })) };
const ACCOUNT = multisigAddress(SET);
const ofAccount = (to: Address): SignedOperation =>
  v.signed("payment", ACCOUNT, 0, { token: USD, recipient: to, value: v.amount(1), account: ACCOUNT, ...V2 });

/** A payment of a multisig account that is not created yet, signed by these keys, is admitted. */
function admittedBy(keys: readonly PublicKey[]): Stream {
  const [one, id] = [ofAccount(BOB), v.hash("one")];
  const stream = fresh().submitPending("c", "creation", v.signed("multisig", BOB, 0, { ...SET, ...V2 }));
  const submitted = { type: "submitted", client: "c", id, submission: one, to: "v1", correct: true } as const;
  stream.push({ ...submitted, signed: [{ signed: one, keys, isComplete: true }] });
  return stream.ask("v1", "one").reply("v1", "one", PENDING);
}

const UNCREATED = { code: "resource_multisig_not_found", account: ACCOUNT } as const;
const OF_ACCOUNT = v.recovery(ACCOUNT, ofAccount(BOB), ofAccount(CAROL));

describe("a multisig account", () =>
  testRuns(find, [
    ["needs its weight", () => admittedBy(KEYS.slice(1)), `${ADMITTED}validation_signature`],
    ["needs its creation", () => admittedBy(KEYS), `${ADMITTED}resource_multisig_not_found`],
    ["is not recovered before its creation", () => answered(OF_ACCOUNT, refused(UNCREATED))],
    ["is not admitted before its creation", () => pending(OF_ACCOUNT), UNCREATED.code],
    ["is no reason about another one", () => answered(v.recovery(ALICE, X, Y), refused(UNCREATED)), UNKNOWN],
  ]));

const proof = (one = X, other = Y): Recovery => v.recovery(ALICE, one, other);
const ofNonce = (nonce: number): Recovery => proof(pay(nonce, 5), pay(nonce, 7, CAROL));
const no = { of: 1 as never, expected: 0 as never, got: 0 as never };

test.each<[string, Recovery, Refusal, () => Stream]>([
  ["an account without its nonce", ofNonce(1), { code: "business_nonce_gap", ...no }, fresh],
  ["a used nonce", ofNonce(0), { code: "business_nonce_too_low", ...no }, used],
  ["one operation twice", proof(X, X), { code: "validation_evidence", reason: "" }, fresh],
  ["another chain", { ...proof(), chainId: 7 }, { code: "validation_chain_id", expected: CHAIN, got: 7 }, fresh],
  ["what nobody can sign", proof(pay(0, 0)), { code: "validation_amount", field: "value", reason: "zero" }, fresh],
])("a recovery is refused for %s, and not admitted, and no other one is", (_what, one, refusal, stream) => {
  expect(find(answered(one, refused(refusal), stream()))).toEqual([]);
  expect(find(pending(one, stream()))).toEqual([expect.stringContaining(`${ADMITTED}${refusal.code}`)]);
  expect(find(answered(proof(), refused(refusal)))).toEqual([
    expect.stringContaining(`refused it for ${refusal.code}, ${UNKNOWN}`),
  ]);
});

const MUCH = pay(0, 5_000, CAROL);
/** A proof with an unfunded payment, which has arrived at a validator or not. */
const shown = (isHere: boolean): Stream => {
  const stream = fresh().submit("c", "r", proof(X, MUCH));
  return isHere ? stream.ask("v2", "r") : stream;
};
const POOR_ACCOUNT = v.recovery(CAROL, v.payment(CAROL, 0, BOB, 5), v.payment(CAROL, 0, ALICE, 7));

describe("a recovery", () =>
  testRuns(find, [
    ["is not refused for want of funds", () => answered(proof(), short(1)), UNKNOWN],
    ["is not refused for want of funds, though there are none", () => answered(POOR_ACCOUNT, short(1)), UNKNOWN],
    ["is refused for want of room at a bound", () => answered(proof(), full(256))],
    ["is refused for want of room at no other number", () => answered(proof(), full(3)), "system_queue_full"],
    ["that has arrived lets its operations wait unfunded", () => pending(MUCH, shown(true))],
    ["lets none wait before", () => pending(MUCH, shown(false)), FUNDS],
    ["that has arrived makes its operations pending", () => answered(pay(0, 3), taken("unasked"), shown(true))],
    ["makes none pending before", () => answered(pay(0, 3), taken("unasked"), shown(false)), UNKNOWN],
  ]));
