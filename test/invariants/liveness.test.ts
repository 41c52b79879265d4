import { expect, test } from "vitest";
import type { Millis, PublicKey } from "../../src/core/base/ids.ts";
import type { Role, SignedOperation } from "../../src/core/base/operation.ts";
import { multisigAddress } from "../../src/invariants/constants.ts";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { liveness } from "../../src/invariants/oracles/liveness/liveness.ts";
import { freed } from "./runs.ts";
import { details, PENDING, Stream } from "./support.ts";
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
  recovery,
  setting,
  signed,
  tokenSlot,
  USD,
} from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const X = payment(ALICE, 0, BOB, 5);
const Y = payment(ALICE, 0, CAROL, 5);
const CANCEL = signed("cancellation", ALICE, 0, {});

function fresh(): Stream {
  return new Stream(setting()).content(hash("value x"), own("x", 0, X)).content(hash("value y"), own("y", 0, Y));
}

function found(stream: Stream): readonly string[] {
  return details(liveness(stream.setting), stream.end());
}

test("a payment one vote short is explained by the votes that would free it", () => {
  const stream = fresh().submitPending("alice", "x", X).vote(["v1", "v3"], SLOT, hash("value x")).heal();
  const [detail] = found(stream);
  expect(detail).toContain("payment 0x78000000… of alice (nonce 0), submitted to v1, is undecided");
  expect(detail).toContain("round 0: v1 and v3 voted for payment 0x78000000…, v2 and v4 did not vote");
  expect(detail).toContain("one more vote of v2 or v4 for payment 0x78000000…");
  expect(detail).toContain("round changes from 2 validators: no reason submitted; the owner's cancellation is one");
});

test("a cancellation is owed where its operation is, though others refuse one of them", () => {
  const refused = { status: "refused", refusal: { code: "system_queue_full", limit: 1 }, disclosed: false } as const;
  const told = (stream: Stream, name: string, from: string): Stream =>
    stream.ask(from, name).reply(from, name, refused).answer("alice", name, refused, { from });
  const asked = (): Stream => fresh().submitPending("alice", "x", X);
  // The payment alone is over for its client, unless another validator has it.
  expect(found(told(fresh().submit("alice", "x", X, "v2"), "x", "v2").heal())).toEqual([]);
  expect(found(told(asked(), "x", "v2").heal())).toHaveLength(1);
  const cancelled = told(told(asked(), "x", "v2").submit("alice", "c", CANCEL), "c", "v1");
  expect(found(told(cancelled, "c", "v2").heal())).toHaveLength(2);
});

test("split votes are explained by the submitted cancellation", () => {
  const stream = fresh()
    .submitPending("alice", "x", X)
    .vote(["v1", "v2"], SLOT, hash("value x"))
    .vote(["v3", "v4"], SLOT, hash("value y"));
  stream.submitPending("alice", "c", CANCEL, "v2").heal();
  const details = found(stream);
  expect(details).toHaveLength(2);
  expect(details[0]).toContain(
    "Needed to proceed: round changes from 2 validators: cancellation 0x63000000…, submitted to v2.",
  );
});

test("a started round change is explained by what is missing of it", () => {
  const stream = fresh()
    .submitPending("alice", "x", X)
    .vote(["v1", "v2"], SLOT, hash("value x"))
    .vote(["v3", "v4"], SLOT, hash("value y"));
  stream.change(["v1"], SLOT, 1).heal();
  expect(found(stream)[0]).toContain("2 more round changes to round 1 (so far v1)");
});

test("a round without a proposal and a lock without commits are explained", () => {
  const idle = fresh().submitPending("alice", "x", X).change(["v1", "v2", "v3"], SLOT, 1).heal();
  expect(found(idle)[0]).toContain("a proposal for round 1 (none so far)");
  const locked = fresh()
    .submitPending("alice", "x", X)
    .vote(["v1", "v2", "v3"], SLOT, hash("value x"))
    .commit(["v1", "v2"], SLOT, hash("value x"))
    .heal();
  expect(found(locked)[0]).toContain("one more commit of v3 or v4 for payment");
});

test("a token operation that is due and not listed is explained by its token's slot", () => {
  const mint = signed("mint", ISSUER, 0, { token: USD, recipient: BOB, value: amount(5) });
  const stream = fresh()
    .submitPending("issuer", "m", mint)
    .settle("m", own("m", 0, mint))
    .change(["v1"], tokenSlot(0), 1)
    .heal();
  const [detail] = found(stream);
  expect(detail).toContain("It is authorised and due. Version 0 of USD:");
  stream.settle("m list", list(0, [["m", mint]]));
  expect(found(new Stream(stream.setting))).toEqual([]);
});

test("an operation behind an undecided nonce says what it waits behind", () => {
  const second = payment(ALICE, 1, BOB, 5);
  const stream = fresh().submitPending("alice", "x", X).submitPending("alice", "z", second).heal();
  expect(found(stream)[1]).toContain("It waits behind 1 earlier nonce.");
});

test.each([
  [
    "final",
    {
      status: "final",
      receipt: { id: hash("x"), success: true, fee: amount(1), feeToken: USD, error: undefined, slot: "" },
    },
  ],
  ["superseded", { status: "superseded", by: hash("y") }],
  [
    "refused and shown to nobody",
    { status: "refused", refusal: { code: "system_queue_full", limit: 1 }, disclosed: false },
  ],
] as const)("an operation answered %s is settled", (_what, answer) => {
  expect(found(fresh().submitPending("alice", "x", X).heal().answer("alice", "x", answer))).toEqual([]);
});

test("an operation whose receipt an honest node wrote is settled, and one whose nonce went to another", () => {
  expect(
    found(
      fresh()
        .submitPending("alice", "x", X)
        .heal()
        .settle("x", own("x", 0, X)),
    ),
  ).toEqual([]);
  expect(
    found(
      fresh()
        .submitPending("alice", "x", X)
        .heal()
        .settle("y", own("y", 0, Y)),
    ),
  ).toEqual([]);
});

test("an operation decided after the bound is found", () => {
  const stream = fresh().submitPending("alice", "x", X).heal();
  stream.at += 6000;
  stream.settle("x", own("x", 0, X));
  expect(found(stream)).toEqual([expect.stringContaining("was decided 60")]);
  expect(stream.setting.livenessMs).toBe(5000 as Millis);
});

test("with slow disks each slot before its own in which a round failed makes the bound longer", () => {
  const slow = { ...setting(), slotMs: 1000 as Millis };
  const signers = ["v1", "v2", "v3"];
  const third = payment(ALICE, 2, BOB, 5);
  /** The first two nonces are decided in these rounds. */
  const late = (rounds: readonly number[]): Stream => {
    const stream = new Stream(slow).submitPending("alice", "z", third);
    rounds.forEach((_round, nonce) => {
      stream.submitPending("alice", `p${nonce}`, payment(ALICE, nonce, BOB, 1));
    });
    stream.heal();
    rounds.forEach((round, nonce) => {
      stream.decide("v1", accountSlot(ALICE, nonce), hash(`value p${nonce}`), signers, round);
      stream.settle(`p${nonce}`, own(`p${nonce}`, nonce, payment(ALICE, nonce, BOB, 1)));
    });
    stream.at += 6500;
    stream.decide("v1", accountSlot(ALICE, 2), hash("value z"), signers, 5);
    return stream.settle("z", own("z", 2, third));
  };
  expect(found(late([2, 4]))).toEqual([]);
  expect(found(late([2, 1]))).toEqual([expect.stringContaining("the bound is 6000 ms")]);
  expect(found(late([0, 1]))).toEqual([expect.stringContaining("the bound is 5000 ms")]);
});

test("with slow links each operation of the account before its own makes the bound longer", () => {
  const slow = { ...setting(), linkMs: 100 as Millis };
  const last = payment(ALICE, 2, BOB, 5);
  /** Two payments of the account come before it, decided before or after the healing. */
  const late = (healsFirst: boolean): Stream => {
    const stream = new Stream(slow).submitPending("alice", "z", last);
    const earlier = [0, 1].map((nonce) => payment(ALICE, nonce, BOB, 1));
    for (const [nonce, one] of earlier.entries()) stream.submitPending("alice", `p${nonce}`, one);
    if (healsFirst) stream.heal();
    for (const [nonce, one] of earlier.entries()) stream.settle(`p${nonce}`, own(`p${nonce}`, nonce, one));
    if (!healsFirst) stream.heal();
    stream.at += 5700;
    return stream.settle("z", own("z", 2, last));
  };
  expect(found(late(true))).toEqual([]);
  expect(found(late(false))).toEqual([expect.stringContaining("the bound is 5000 ms")]);
});

test("with slow disks the slots of the account that a burn debits, and those of the token that an operation changes, count too", () => {
  const slow = { ...setting(), slotMs: 1000 as Millis };
  const signers = ["v1", "v2", "v3"];
  const burn = signed("burn", ISSUER, 0, { token: USD, value: amount(5), recipient: ALICE });
  const burnt = new Stream(slow)
    .submitPending("issuer", "b", burn)
    .heal()
    .settle("b", own("b", 0, burn));
  burnt.decide("v1", SLOT, hash("value x"), signers, 2).settle("x", own("x", 0, X));
  burnt.at += 6500;
  expect(found(burnt)).toEqual([expect.stringContaining("the bound is 6000 ms")]);
  const [first, second] = [pause(ISSUER, 0), pause(ISSUER, 1, "Unpause")];
  const listed = new Stream(slow)
    .submitPending("issuer", "u", second)
    .heal()
    .settle("p", own("p", 0, first))
    .settle("u", own("u", 1, second))
    .decide("v1", tokenSlot(0), hash("value p list"), signers, 3)
    .settle("p list", list(0, [["p", first]]));
  listed.at += 6500;
  expect(found(listed)).toEqual([expect.stringContaining("the bound is 6000 ms")]);
});

test("clients that equivocate are owed nothing, until a recovery brings the proof to an honest node", () => {
  const split = (): Stream =>
    fresh()
      .submitPending("mallory", "x", X, "v1", false)
      .submitPending("mallory", "y", Y, "v3", false)
      .vote(["v1", "v2"], SLOT, hash("value x"))
      .vote(["v3", "v4"], SLOT, hash("value y"));
  expect(found(split().heal())).toEqual([]);
  const stuck = split()
    .submitPending("mallory", "r", recovery(ALICE, X, Y), "v2", false)
    .heal();
  expect(found(stuck)).toEqual([expect.stringContaining("the proof of recovery 0x72000000…, submitted to v2")]);
  // The account is free already: a late recovery can only be refused.
  const late = freed(new Stream(setting()), "y", 0).submitPending("mallory", "r", recovery(ALICE, X, Y));
  expect(found(late.heal())).toEqual([]);
});

test("a recovery whose two operations are one signed digest is owed no decision, and one of two digests is", () => {
  const plain = signed("mint", ALICE, 0, { token: USD, recipient: BOB, value: amount(3) });
  const mint: SignedOperation = { ...plain, operation: { ...plain.operation, layout: "client" } };
  const streamFrom = (first: number): Stream => {
    const paid = payment(ALICE, 0, BOB, first);
    return fresh()
      .submitPending("alice", "x", paid, "v1", false)
      .submitPending("alice", "m", mint, "v3", false)
      .vote(["v1", "v2"], SLOT, hash("value x"))
      .vote(["v3", "v4"], SLOT, hash("value y"))
      .submitPending("alice", "r", recovery(ALICE, paid, mint), "v1", false)
      .crash("v1")
      .restart("v1")
      .heal();
  };
  expect(found(streamFrom(3))).toEqual([]);
  expect(found(streamFrom(4))).toHaveLength(1);
});

test("the bound of a payment that waits for funds counts from their arrival", () => {
  const large = payment(ALICE, 0, CAROL, 1050);
  const funding = payment(BOB, 0, ALICE, 100);
  /** Alice's payment waits 4 s for funds, and is decided so much later. */
  const decidedAfter = (wait: number): readonly string[] => {
    const stream = fresh().submitPending("alice", "x", large).heal();
    stream.at += 4000;
    stream.submitPending("bob", "b", funding).settle("b", own("b", 0, funding)).at += wait;
    return found(stream.settle("x", own("x", 0, large)));
  };
  expect(decidedAfter(4000)).toEqual([]);
  expect(decidedAfter(6000)).toEqual([expect.stringMatching(/was decided 60\d\d ms after a decision became due/)]);
});

test("the bound of a payment of a multisig account counts from the account's creation", () => {
  const set = { signers: [{ key: "0x0a" as PublicKey, weight: 1 }], threshold: 1 };
  const account = multisigAddress(set);
  const funding = payment(BOB, 0, account, 100);
  const creation = signed("multisig", BOB, 1, set);
  const spent = signed("payment", account, 0, { token: USD, recipient: CAROL, value: amount(50), account });
  const waiting = (): Stream =>
    fresh()
      .submitPending("bob", "f", funding)
      .settle("f", own("f", 0, funding))
      .submitPending("treasury", "p", spent)
      .heal();
  /** The payment waits 4 s for the creation of its account, and is decided so much later, or never. */
  const found = (wait: number, isDecided: boolean): readonly string[] => {
    const stream = waiting();
    stream.at += 4000;
    stream.submitPending("bob", "c", creation).settle("c", own("c", 1, creation)).at += wait;
    return details(liveness(stream.setting), (isDecided ? stream.settle("p", own("p", 0, spent)) : stream).end());
  };
  expect(found(4000, true)).toEqual([]);
  expect(found(6000, true)).toEqual([expect.stringMatching(/was decided 60\d\d ms after a decision became due/)]);
  expect(found(6000, false)).toEqual([expect.stringContaining("payment 0x70000000… of treasury (nonce 0)")]);
  const uncreated = waiting();
  uncreated.at += 10000;
  expect(details(liveness(uncreated.setting), uncreated.end())).toEqual([]);
});

test("the votes for a forced burn make nothing of a payment that waits for funds", () => {
  const large = payment(ALICE, 0, CAROL, 1050);
  const funding = payment(BOB, 0, ALICE, 100);
  const burn = signed("burn", ISSUER, 0, { token: USD, value: amount(2000), recipient: ALICE });
  const burnt: Decision = {
    slot: SLOT,
    value: { type: "burn", id: hash("b"), outcome: "failed" },
    operations: [burn],
  };
  /** Funds arrive while the burn has its votes; it fails, and then the payment is decided so much later. */
  const decidedAfter = (wait: number): readonly string[] => {
    const stream = fresh().submitPending("alice", "x", large).submitPending("issuer", "b", burn).heal();
    stream.settle("b", own("b", 0, burn)).content(hash("value b burn"), burnt);
    stream.at += 4000;
    stream.vote(["v1", "v2", "v3"], SLOT, hash("value b burn"));
    stream
      .submitPending("bob", "f", funding)
      .settle("f", own("f", 0, funding))
      .settle("b burn", burnt).at += wait;
    return found(stream.settle("x", own("x", 1, large)));
  };
  expect(decidedAfter(4000)).toEqual([]);
  expect(decidedAfter(6000)).toEqual([expect.stringMatching(/was decided 60\d\d ms after a decision became due/)]);
});

const BARRED = { status: "pending", barred: { code: "business_token_paused", token: USD } } as const;

test("a payment that a later pause holds is excused once its client knows, until it cancels or the pause is lifted", () => {
  const stop = pause(ISSUER, 0);
  const held = (): Stream =>
    fresh().submitPending("alice", "x", X).vote(["v1", "v2"], SLOT, hash("value x")).govern("p", 0, 0, stop).heal();
  expect(found(held())).toHaveLength(1);
  expect(found(held().answer("alice", "x", BARRED))).toEqual([]);
  expect(found(held().answer("alice", "x", BARRED).submitPending("alice", "c", CANCEL))).toHaveLength(2);
  // The validators that its client asked to cancel it never had the operation, or lost the cancellation.
  const lost = held().answer("alice", "x", BARRED).submitPending("alice", "c", CANCEL, "v4").crash("v4").restart("v4");
  expect(found(lost)).toEqual([]);
  expect(
    found(
      held()
        .answer("alice", "x", BARRED)
        .govern("u", 1, 1, pause(ISSUER, 1, "Unpause")),
    ),
  ).toHaveLength(1);
});

test("a barred payment counts from the core's own quorum of votes, or its first commit, and so does what waits behind it", () => {
  const [x, core] = [hash("value x"), ["v1", "v2", "v3"]];
  const next = payment(ALICE, 1, CAROL, 5);
  /** The client knows that it is barred; it is decided 6 s later, so long after what these validators sign. */
  const decidedAfter = (wait: number, sign: (stream: Stream) => Stream): readonly string[] => {
    const stream = fresh()
      .submitPending("alice", "x", X)
      .submitPending("alice", "y", next)
      .content(x, own("x", 0, X))
      .vote(["v2", "v3"], SLOT, x)
      .govern("p", 0, 0, pause(ISSUER, 0))
      .heal(core)
      .answer("alice", "x", BARRED);
    stream.at += 6000;
    sign(stream.vote(["v4"], SLOT, x)).at += wait;
    return found(stream.settle("x", own("x", 0, X)).settle("y", own("y", 1, next)));
  };
  const late = expect.stringMatching(/was decided 6\d\d\d ms after a decision became due/);
  const supports = [
    (stream: Stream): Stream => stream.commit(["v4", "v1"], SLOT, x),
    (stream: Stream): Stream => stream.vote(["v1"], SLOT, x),
  ];
  expect(decidedAfter(6000, (stream) => stream.commit(["v4"], SLOT, x))).toEqual([]);
  for (const support of supports) {
    expect(decidedAfter(4000, support)).toEqual([]);
    expect(decidedAfter(6000, support)).toEqual([late, late]);
  }
});

test("nothing is owed before a healing", () => {
  expect(found(fresh().submitPending("alice", "x", X))).toEqual([]);
});

test("of a run that was cut short only what is past its bound is a stall", () => {
  const early = fresh().heal().submitPending("alice", "x", X);
  expect(details(liveness(early.setting), early.end({}, false))).toEqual([]);
  const late = fresh().submitPending("alice", "x", X).heal();
  late.at += 6000;
  late.submitPending("bob", "b", payment(BOB, 0, CAROL, 1));
  const found = details(liveness(late.setting), late.end({}, false));
  expect(found).toHaveLength(1);
  expect(found[0]).toContain("payment 0x78000000… of alice (nonce 0)");
});

test("a forced burn of what its account has spent meanwhile is decided all the same", () => {
  const burn = signed("burn", ISSUER, 0, { token: USD, value: amount(500), recipient: ALICE });
  const content = own("burn", 0, burn);
  const open = (spent: number): Stream => {
    const stream = new Stream(setting()).content(hash("value burn"), content).submitPending("issuer", "burn", burn);
    const pay = payment(ALICE, 0, BOB, spent);
    return stream
      .vote(["v1"], accountSlot(ISSUER, 0), hash("value burn"))
      .settle("pay", own("pay", 0, pay))
      .heal();
  };
  expect(found(open(400))).toHaveLength(1);
  expect(found(open(600))).toHaveLength(1);
});

test("a submission for a used nonce is owed a reply and no decision", () => {
  const stream = fresh()
    .submitPending("alice", "x", X)
    .settle("x", own("x", 0, X))
    .heal();
  expect(found(stream.submitPending("alice", "c", CANCEL, "v4"))).toEqual([]);
});

test("an operation that reached no live node is owed nothing; one with a vote is", () => {
  expect(found(fresh().submit("alice", "x", X).heal())).toEqual([]);
  expect(found(fresh().submitPending("alice", "x", X).crash("v1").restart("v1").heal())).toEqual([]);
  expect(found(fresh().submitPending("alice", "x", X).heal(["v2", "v3", "v4"]))).toEqual([]);
  expect(
    found(fresh().submitPending("alice", "x", X).vote(["v1"], SLOT, hash("value x")).crash("v1").heal()),
  ).toHaveLength(1);
  expect(
    found(
      fresh().submitPending("alice", "x", X).crash("v1").restart("v1").ask("v1", "x").reply("v1", "x", PENDING).heal(),
    ),
  ).toHaveLength(1);
});

test("votes and refusals of validators outside the core, and refusals inside, oblige nobody", () => {
  const core = ["v2", "v3", "v4"];
  const refused: ClientReply = {
    status: "refused",
    refusal: { code: "business_token_paused", token: USD },
    disclosed: false,
  };
  const known = (): Stream => fresh().submitPending("alice", "x", X);
  expect(found(known().vote(["v1"], SLOT, hash("value x")).heal(core))).toEqual([]);
  expect(found(known().vote(["v1", "v2"], SLOT, hash("value x")).heal(core))).toHaveLength(1);
  expect(found(fresh().submitPending("alice", "x", X, "v2").heal(core))).toHaveLength(1);
  expect(found(fresh().submitPending("alice", "x", X, "v2").reply("v2", "x", refused).heal(core))).toEqual([]);
});

test("the bound counts from the first time that the core has the operation: by its client or by a vote", () => {
  const core = ["v2", "v3", "v4"];
  const cut = (): Stream => {
    const stream = fresh().heal(core).submitPending("alice", "x", X, "v1");
    stream.at += 6000;
    return stream;
  };
  const decidedAfter = (stream: Stream, wait: number): readonly string[] => {
    stream.at += wait;
    return found(stream.settle("x", own("x", 0, X)));
  };
  const voted = (): Stream => cut().vote(["v1", "v2"], SLOT, hash("value x"));
  const again = (): Stream => cut().submitPending("alice", "x", X, "v2");
  expect(decidedAfter(voted(), 4000)).toEqual([]);
  expect(decidedAfter(voted(), 6000)).toEqual([expect.stringMatching(/decided 60\d\d ms after a decision became due/)]);
  expect(decidedAfter(again(), 4000)).toEqual([]);
  expect(decidedAfter(again(), 6000)).toEqual([expect.stringMatching(/decided 60\d\d ms after its submission/)]);
});

test("the bound of what only a validator outside the core kept counts from the core's first vote for its skip", () => {
  const skip = hash("value c");
  const decision = cancelled(["c", CANCEL], ["x", X]);
  const decidedAfter = (wait: number): readonly string[] => {
    const stream = fresh()
      .content(skip, decision)
      .heal(["v2", "v3", "v4"])
      .submitPending("alice", "x", X, "v1")
      .submitPending("alice", "c", CANCEL, "v1");
    stream.at += 6000;
    stream.vote(["v2"], SLOT, skip, 1).at += wait;
    stream.commit(["v2", "v3", "v4"], SLOT, skip, 1).decide("v2", SLOT, skip, ["v2", "v3", "v4"], 1);
    return found(stream.apply("v2", decision));
  };
  expect(decidedAfter(4000)).toEqual([]);
  const late = expect.stringMatching(/decided 60\d\d ms after a decision became due/);
  expect(decidedAfter(6000)).toEqual([late, late]);
});

test("an operation that the genesis refuses is owed a barred reply, and no decision", () => {
  const paused = (): Stream => new Stream(setting({ token: { isPaused: true } }));
  expect(found(paused().submitPending("alice", "x", X).heal())).toHaveLength(1);
  expect(found(paused().submitPending("alice", "x", X).heal().answer("alice", "x", BARRED))).toEqual([]);
});

test("a grant by a holder of MasterMintBurn is owed a decision for the minting role alone", () => {
  const granted = (role: Role): Stream => {
    const roles = [{ role: "MasterMintBurn" as Role, address: ALICE, allowance: amount(0) }];
    const lacks = { code: "business_missing_role", token: USD, role: "Master", signer: ALICE } as const;
    return new Stream(setting({ token: { roles } }))
      .submitPending("alice", "g", grant(ALICE, 0, role, BOB, 1))
      .heal()
      .answer("alice", "g", { status: "pending", barred: lacks });
  };
  expect(found(granted("MintBurnTokens"))).toHaveLength(1);
  expect(found(granted("UpdateMetadata"))).toEqual([]);
});
