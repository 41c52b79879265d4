import { describe, expect, test } from "vitest";
import type { PublicKey } from "../../src/core/base/ids.ts";
import type { Role, SignedOperation } from "../../src/core/base/operation.ts";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { liveness } from "../../src/invariants/oracles/liveness/liveness.ts";
import { multisigAddress } from "../../src/invariants/reference/addresses.ts";
import { freed } from "./runs.ts";
import { details, finder, PENDING, refused, Stream, testRuns } from "./support.ts";
import {
  ALICE,
  accountSlot,
  amount,
  BOB,
  CAROL,
  cancelled,
  type Decision,
  grant,
  hash,
  ISSUER,
  list,
  own,
  pause,
  payment,
  receiptOf,
  recovery,
  type SettingOptions,
  setting,
  signed,
  tokenSlot,
  USD,
} from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const [X, Y] = [payment(ALICE, 0, BOB, 5), payment(ALICE, 0, CAROL, 5)];
const [VX, VY] = [hash("value x"), hash("value y")];
const CANCEL = signed("cancellation", ALICE, 0, {});
const SIGNERS = ["v1", "v2", "v3"];
const CORE = ["v2", "v3", "v4"];

const fresh = (options: SettingOptions = {}): Stream =>
  new Stream(setting(options)).content(VX, own("x", 0, X)).content(VY, own("y", 0, Y));
const asked = (one = X): Stream => fresh().submitPending("alice", "x", one);
/** The votes for x and y are split. */
const split = (stream = asked()): Stream => stream.vote(["v1", "v2"], SLOT, VX).vote(["v3", "v4"], SLOT, VY);
const find = finder(liveness);

const MINT = signed("mint", ISSUER, 0, { token: USD, recipient: BOB, value: amount(5) });
const listedMint = (): Stream => fresh().submitPending("issuer", "m", MINT).settleOwn("m", MINT);
const UNDECIDED = /is undecided/;

describe("an undecided operation is explained by", () =>
  testRuns(find, [
    [
      "the votes that would free it",
      () => asked().vote(["v1", "v3"], SLOT, VX).heal(),
      new RegExp(
        [
          "payment 0x78000000… of alice \\(nonce 0\\), submitted to v1, is undecided",
          "round 0: v1 and v3 voted for payment 0x78000000…, v2 and v4 did not vote",
          "one more vote of v2 or v4 for payment 0x78000000…",
          "round changes from 2 validators: no reason submitted; the owner's cancellation is one",
        ].join(".*"),
      ),
    ],
    [
      "the submitted cancellation where the votes are split",
      () => split().submitPending("alice", "c", CANCEL, "v2").heal(),
      "Needed to proceed: round changes from 2 validators: cancellation 0x63000000…, submitted to v2.",
      UNDECIDED,
    ],
    [
      "what a round change lacks",
      () => split().change(["v1"], SLOT, 1).heal(),
      "2 more round changes to round 1 (so far v1)",
    ],
    ["a missing proposal", () => asked().change(SIGNERS, SLOT, 1).heal(), "a proposal for round 1 (none so far)"],
    [
      "missing commits on a lock",
      () => asked().vote(SIGNERS, SLOT, VX).commit(["v1", "v2"], SLOT, VX).heal(),
      "one more commit of v3 or v4 for payment",
    ],
    [
      "the slot of its token, if it is due there",
      () => listedMint().change(["v1"], tokenSlot(0), 1).heal(),
      "It is authorised and due. Version 0 of USD:",
    ],
    [
      "the nonces before it",
      () =>
        asked()
          .submitPending("alice", "z", payment(ALICE, 1, BOB, 5))
          .heal(),
      UNDECIDED,
      "It waits behind 1 earlier nonce.",
    ],
  ]));

const FULL = refused({ code: "system_queue_full", limit: 1 });
const told = (stream: Stream, name: string, from: string): Stream =>
  stream.ask(from, name).reply(from, name, FULL).answer("alice", name, FULL, { from });
const FINAL: ClientReply = { status: "final", receipt: receiptOf("x", SLOT, 1) };

describe("a decision is owed", () =>
  testRuns(find, [
    ["to nobody where all refuse", () => told(fresh().submit("alice", "x", X, "v2"), "x", "v2").heal()],
    ["where another validator has it", () => told(asked(), "x", "v2").heal(), UNDECIDED],
    [
      "of a cancellation and its operation where one refuses it",
      () => told(told(told(asked(), "x", "v2").submit("alice", "c", CANCEL), "c", "v1"), "c", "v2").heal(),
      UNDECIDED,
      UNDECIDED,
    ],
    ["not after final", () => asked().heal().answer("alice", "x", FINAL)],
    [
      "not after superseded",
      () =>
        asked()
          .heal()
          .answer("alice", "x", { status: "superseded", by: hash("y") }),
    ],
    ["not after an undisclosed refusal", () => asked().heal().answer("alice", "x", FULL)],
    ["not after a receipt of an honest node", () => asked().heal().settleOwn("x", X)],
    ["not after another operation of the nonce", () => asked().heal().settleOwn("y", Y)],
    ["not before a healing", () => asked()],
    ["not for a used nonce", () => asked().settleOwn("x", X).heal().submitPending("alice", "c", CANCEL, "v4")],
    ["not of what reached no node", () => fresh().submit("alice", "x", X).heal()],
    ["not of what a crash took", () => asked().crash("v1").restart("v1").heal()],
    [
      "not of what is behind what a crash took",
      () =>
        asked()
          .submitPending("alice", "next", payment(ALICE, 1, BOB, 1), "v2")
          .crash("v1")
          .restart("v1")
          .heal(),
    ],
    [
      "of what is behind what another validator has",
      () =>
        asked()
          .submitPending("alice", "next", payment(ALICE, 1, BOB, 1), "v2")
          .heal(),
      UNDECIDED,
      UNDECIDED,
    ],
    ["not of what is outside the core", () => asked().heal(CORE)],
    ["of what has a vote", () => asked().vote(["v1"], SLOT, VX).crash("v1").heal(), UNDECIDED],
    [
      "of what is submitted again",
      () => asked().crash("v1").restart("v1").ask("v1", "x").reply("v1", "x", PENDING).heal(),
      UNDECIDED,
    ],
    ["not for a vote outside the core", () => asked().vote(["v1"], SLOT, VX).heal(CORE)],
    ["for a vote in the core", () => asked().vote(["v1", "v2"], SLOT, VX).heal(CORE), UNDECIDED],
    ["of what the core admitted", () => fresh().submitPending("alice", "x", X, "v2").heal(CORE), UNDECIDED],
    [
      "not of what the core refused",
      () => fresh().submitPending("alice", "x", X, "v2").reply("v2", "x", FULL).heal(CORE),
    ],
  ]));

const LATE = /was decided 60\d\d ms after a decision became due/;
const slow = (slotMs: number, linkMs = 0) => ({ ...setting(), slotMs: slotMs as never, linkMs: linkMs as never });
const nonce = (at: number): SignedOperation => payment(ALICE, at, BOB, 1);
const THIRD = payment(ALICE, 2, BOB, 5);

/** Alice's third payment is decided late, the first two in these rounds, with disks that take time. */
function behindRounds(...rounds: readonly number[]): Stream {
  const stream = new Stream(slow(1000)).submitPending("alice", "z", THIRD);
  for (const at of rounds.keys()) stream.submitPending("alice", `p${at}`, nonce(at));
  stream.heal();
  for (const [at, round] of rounds.entries())
    stream.decide("v1", accountSlot(ALICE, at), hash(`value p${at}`), SIGNERS, round).settleOwn(`p${at}`, nonce(at));
  return stream.later(6500).decide("v1", accountSlot(ALICE, 2), hash("value z"), SIGNERS, 5).settleOwn("z", THIRD);
}

/** The same, with links that take time: the first two decided before or after the healing. */
function behindLinks(healsFirst: boolean): Stream {
  const stream = new Stream(slow(0, 100)).submitPending("alice", "z", THIRD);
  for (const at of [0, 1]) stream.submitPending("alice", `p${at}`, nonce(at));
  if (healsFirst) stream.heal();
  for (const at of [0, 1]) stream.settleOwn(`p${at}`, nonce(at));
  return (healsFirst ? stream : stream.heal()).later(5700).settleOwn("z", THIRD);
}

const BURN = signed("burn", ISSUER, 0, { token: USD, value: amount(5), recipient: ALICE });
const [FIRST, SECOND] = [pause(ISSUER, 0), pause(ISSUER, 1, "Unpause")];
const burnt = (): Stream =>
  new Stream(slow(1000))
    .submitPending("issuer", "b", BURN)
    .heal()
    .settleOwn("b", BURN)
    .decide("v1", SLOT, VX, SIGNERS, 2)
    .settleOwn("x", X);
const listed = (): Stream =>
  new Stream(slow(1000))
    .submitPending("issuer", "u", SECOND)
    .heal()
    .settleOwn("p", FIRST)
    .settleOwn("u", SECOND)
    .decide("v1", tokenSlot(0), hash("value p list"), SIGNERS, 3)
    .settle("p list", list(0, [["p", FIRST]]));

/** A list of one operation precedes that of another, which is late, over links that take time. */
function behindList(listLimit: number): Stream {
  const links = slow(0, 100);
  const stream = new Stream({ ...links, genesis: { ...links.genesis, listLimit } });
  stream.submitPending("issuer", "p", FIRST).submitPending("issuer", "u", SECOND).heal();
  stream
    .settleOwn("p", FIRST)
    .settleOwn("u", SECOND)
    .settle("p list", list(0, [["p", FIRST]]));
  return stream.later(5700).settle("u list", list(1, [["u", SECOND]]));
}

const NEXT_BURN = signed("burn", ISSUER, 1, { token: USD, value: amount(5), recipient: ALICE });
const burnAt = (name: string, sequence: number, operation: SignedOperation): Decision => ({
  ...own(name, sequence, operation),
  slot: accountSlot(ALICE, sequence),
  value: { type: "burn", id: hash(name), outcome: "burned" },
});
/** A burn of an account precedes another one, which is late. */
function behindBurn(): Stream {
  const stream = new Stream(slow(0, 100)).submitPending("issuer", "b", BURN).submitPending("issuer", "c", NEXT_BURN);
  stream
    .heal()
    .settleOwn("b", BURN)
    .settleOwn("c", NEXT_BURN)
    .settle("b burn", burnAt("b", 0, BURN));
  return stream.later(5700).settle("c burn", burnAt("c", 1, NEXT_BURN));
}

describe("the bound", () =>
  testRuns(find, [
    ["is 5 s", () => asked().heal().later().settleOwn("x", X), "was decided 60"],
    ["is longer by failed rounds of the slots before", () => behindRounds(2, 4)],
    ["is longer by each slot in which a round failed", () => behindRounds(2, 1), "the bound is 6000 ms"],
    ["is not longer by other slots", () => behindRounds(0, 1), "the bound is 5000 ms"],
    ["is longer by operations of the account over slow links", () => behindLinks(true)],
    ["is not longer by those before the healing", () => behindLinks(false), "the bound is 5000 ms"],
    ["is longer by slots of the account that a burn debits", () => burnt().later(6500), "the bound is 6000 ms"],
    ["is longer by slots of the token that changes", () => listed().later(6500), "the bound is 6000 ms"],
    ["is longer by full lists of the token", () => behindList(1)],
    ["is not longer by lists with room", () => behindList(2), "the bound is 5400 ms"],
    ["is longer by burns of the account that a burn debits", () => behindBurn()],
  ]));

test("of a run that was cut short only what is past its bound is a stall", () => {
  const cut = (stream: Stream): readonly string[] => details(liveness(stream.setting), stream.end({}, false));
  expect(cut(fresh().heal().submitPending("alice", "x", X))).toEqual([]);
  expect(
    cut(
      asked()
        .heal()
        .later()
        .submitPending("bob", "b", payment(BOB, 0, CAROL, 1)),
    ),
  ).toEqual([expect.stringContaining("payment 0x78000000… of alice (nonce 0)")]);
});

/** Two payments of one nonce, the second possibly another reading of the first one's digest. */
const pair = (first: SignedOperation, second: SignedOperation, client = "mallory"): Stream =>
  split(fresh().submitPending(client, "x", first, "v1", false).submitPending(client, "y", second, "v3", false));
const PLAIN = signed("mint", ALICE, 0, { token: USD, recipient: BOB, value: amount(3) });
const READ: SignedOperation = { ...PLAIN, operation: { ...PLAIN.operation, layout: "client" } };
const paid = (value: number): SignedOperation => payment(ALICE, 0, BOB, value);
const recovering = (stream: Stream, first: SignedOperation, second: SignedOperation, to = "v2"): Stream =>
  stream.submitPending("mallory", "r", recovery(ALICE, first, second), to, false);
const restarted = (value: number): Stream =>
  recovering(pair(paid(value), READ, "alice"), paid(value), READ, "v1")
    .crash("v1")
    .restart("v1")
    .heal();

describe("clients that equivocate are owed", () =>
  testRuns(find, [
    ["nothing", () => pair(X, Y).heal()],
    [
      "a decision once a recovery brings the proof",
      () => recovering(pair(X, Y), X, Y).heal(),
      "the proof of recovery 0x72000000…, submitted to v2",
    ],
    [
      "none where the account is free already",
      () => recovering(freed(new Stream(setting()), "y", 0), X, Y, "v1").heal(),
    ],
    ["none for two readings of one digest", () => restarted(3)],
    ["one for two digests", () => restarted(4), UNDECIDED],
  ]));

const LARGE = payment(ALICE, 0, CAROL, 1050);
const FUNDING = payment(BOB, 0, ALICE, 100);
/** Alice's payment waits 4 s for funds, and is decided so much later. */
const funded = (wait: number): Stream =>
  asked(LARGE)
    .heal()
    .later(4000)
    .submitPending("bob", "b", FUNDING)
    .settleOwn("b", FUNDING)
    .later(wait)
    .settleOwn("x", LARGE);

const SET = { signers: [{ key: "0x0a" as PublicKey, weight: 1 }], threshold: 1 };
const ACCOUNT = multisigAddress(SET);
const TO_ACCOUNT = payment(BOB, 0, ACCOUNT, 100);
const CREATION = signed("multisig", BOB, 1, SET);
const SPENT = signed("payment", ACCOUNT, 0, { token: USD, recipient: CAROL, value: amount(50), account: ACCOUNT });
/** The payment waits 4 s for the creation of its account. */
const waiting = (): Stream =>
  fresh()
    .submitPending("bob", "f", TO_ACCOUNT)
    .settleOwn("f", TO_ACCOUNT)
    .submitPending("treasury", "p", SPENT)
    .heal()
    .later(4000);
const created = (wait: number): Stream =>
  waiting().submitPending("bob", "c", CREATION).settleOwn("c", CREATION).later(wait);

const FORCED = signed("burn", ISSUER, 0, { token: USD, value: amount(2000), recipient: ALICE });
const FAILED: Decision = {
  slot: SLOT,
  value: { type: "burn", id: hash("b"), outcome: "failed" },
  operations: [FORCED],
};
/** Funds arrive while a burn has its votes; it fails, and then the payment is decided so much later. */
function besideBurn(wait: number): Stream {
  const stream = asked(LARGE).submitPending("issuer", "b", FORCED).heal().settleOwn("b", FORCED);
  stream.content(hash("value b burn"), FAILED).later(4000).vote(SIGNERS, SLOT, hash("value b burn"));
  stream.submitPending("bob", "f", FUNDING).settleOwn("f", FUNDING).settle("b burn", FAILED);
  return stream.later(wait).settle("x", own("x", 1, LARGE));
}

const spentBeforeBurn = (spent: number): Stream => {
  const burn = signed("burn", ISSUER, 0, { token: USD, value: amount(500), recipient: ALICE });
  return new Stream(setting())
    .content(hash("value burn"), own("burn", 0, burn))
    .submitPending("issuer", "burn", burn)
    .vote(["v1"], accountSlot(ISSUER, 0), hash("value burn"))
    .settleOwn("pay", paid(spent))
    .heal();
};

/** A validator outside the core has x; 6 s later the core learns of it. */
const outside = (): Stream => fresh().heal(CORE).submitPending("alice", "x", X, "v1").later();
const voted = (wait: number): Stream => outside().vote(["v1", "v2"], SLOT, VX).later(wait).settleOwn("x", X);
const again = (wait: number): Stream => outside().submitPending("alice", "x", X, "v2").later(wait).settleOwn("x", X);
/** Its receiver lost x in a crash before the healing; its client brings it again 6 s after, and it is decided so long after that. */
function lost(wait: number): Stream {
  const stream = fresh().submitPending("alice", "x", X, "v2").crash("v2").restart("v2").heal().later();
  return stream.submitPending("alice", "x", X, "v2").later(wait).settleOwn("x", X);
}
/** Only a validator outside the core kept a cancellation; the core decides it so long after its first vote. */
function skipped(wait: number): Stream {
  const [skip, decision] = [hash("value c"), cancelled(["c", CANCEL], ["x", X])];
  const stream = fresh().content(skip, decision).heal(CORE);
  stream.submitPending("alice", "x", X, "v1").submitPending("alice", "c", CANCEL, "v1");
  stream.later().vote(["v2"], SLOT, skip, 1).later(wait).commit(CORE, SLOT, skip, 1);
  return stream.decide("v2", SLOT, skip, CORE, 1).apply("v2", decision);
}

describe("the bound counts", () =>
  testRuns(find, [
    ["from the arrival of funds", () => funded(4000)],
    ["from the arrival of funds, and is kept", () => funded(6000), LATE],
    ["from the creation of a multisig account", () => created(4000).settleOwn("p", SPENT)],
    ["from the creation, and is kept", () => created(6000).settleOwn("p", SPENT), LATE],
    ["from the creation where it is never decided", () => created(6000), "payment 0x70000000… of treasury (nonce 0)"],
    ["from no creation", () => waiting().later()],
    ["from no votes for a burn that fails", () => besideBurn(4000)],
    ["from no votes for a burn, and is kept", () => besideBurn(6000), LATE],
    ["for a forced burn of what is there", () => spentBeforeBurn(400), UNDECIDED],
    ["for a forced burn of what was spent", () => spentBeforeBurn(600), UNDECIDED],
    ["from the first vote in the core", () => voted(4000)],
    ["from the first vote in the core, and is kept", () => voted(6000), LATE],
    ["from the first submission to the core", () => again(4000)],
    ["from that submission, and is kept", () => again(6000), /decided 60\d\d ms after its submission/],
    ["from the retry of what a crash lost", () => lost(4000)],
    ["from that retry, and is kept", () => lost(6000), LATE],
    ["from the core's first vote for a skip", () => skipped(4000)],
    ["from that vote, and is kept", () => skipped(6000), LATE, LATE],
  ]));

const BARRED: ClientReply = { status: "pending", barred: { code: "business_token_paused", token: USD } };
const STOP = pause(ISSUER, 0);
const held = (): Stream => asked().vote(["v1", "v2"], SLOT, VX).govern("p", 0, 0, STOP).heal();
const barred = (): Stream => held().answer("alice", "x", BARRED);
const NEXT = payment(ALICE, 1, CAROL, 5);
/** A barred payment, and one behind it: decided so long after what these validators sign, 6 s after the healing. */
const barredUntil = (wait: number, type: "vote" | "commit", ...nodes: readonly string[]): Stream =>
  asked()
    .submitPending("alice", "y", NEXT)
    .vote(["v2", "v3"], SLOT, VX)
    .govern("p", 0, 0, STOP)
    .heal(SIGNERS)
    .answer("alice", "x", BARRED)
    .later()
    .vote(["v4"], SLOT, VX)
    [type](nodes, SLOT, VX)
    .later(wait)
    .settleOwn("x", X)
    .settleOwn("y", NEXT);
const LATER = /was decided 6\d\d\d ms after a decision became due/;

const pausedAtStart = (): Stream =>
  fresh({ token: { isPaused: true } })
    .submitPending("alice", "x", X)
    .heal();
const LACKS = { code: "business_missing_role", token: USD, role: "Master", signer: ALICE } as const;
const granted = (role: Role): Stream =>
  fresh({ token: { roles: [{ role: "MasterMintBurn", address: ALICE, allowance: amount(0) }] } })
    .submitPending("alice", "g", grant(ALICE, 0, role, BOB, 1))
    .heal()
    .answer("alice", "g", { status: "pending", barred: LACKS });

describe("a barred operation", () =>
  testRuns(find, [
    ["is owed until its client knows", () => held(), UNDECIDED],
    ["is excused then", () => barred()],
    ["is owed once it is cancelled", () => barred().submitPending("alice", "c", CANCEL), UNDECIDED, UNDECIDED],
    // The validators that its client asked to cancel it never had the operation, or lost the cancellation.
    [
      "is not owed by one that lost its cancellation",
      () => barred().submitPending("alice", "c", CANCEL, "v4").crash("v4").restart("v4"),
    ],
    ["is owed once the pause is lifted", () => barred().govern("u", 1, 1, SECOND), UNDECIDED],
    ["counts from no vote outside the core", () => barredUntil(6000, "commit", "v4")],
    ["counts from the first commit in the core", () => barredUntil(4000, "commit", "v4", "v1")],
    ["counts from that commit, with what is behind it", () => barredUntil(6000, "commit", "v4", "v1"), LATER, LATER],
    ["counts from the core's own quorum of votes", () => barredUntil(4000, "vote", "v1")],
    ["counts from those votes, with what is behind it", () => barredUntil(6000, "vote", "v1"), LATER, LATER],
    ["that the genesis refuses is owed a reply", () => pausedAtStart(), UNDECIDED],
    ["that the genesis refuses is owed nothing after it", () => pausedAtStart().answer("alice", "x", BARRED)],
    ["is a grant of minting, by a holder of MasterMintBurn", () => granted("MintBurnTokens"), UNDECIDED],
    ["is no grant of another role by that holder", () => granted("UpdateMetadata")],
  ]));
