import { describe, expect, test } from "vitest";
import type { Epoch } from "../../src/core/base/ids.ts";
import { liveness } from "../../src/invariants/oracles/liveness/liveness.ts";
import { claim, epochSlotOf, POLICY, parametersOf } from "./closings.ts";
import { handover, SECOND } from "./runs.ts";
import { details, Stream } from "./support.ts";
import {
  ALICE,
  accountSlot,
  amount,
  BOB,
  HIGHER_FEES,
  hash,
  ISSUER,
  list,
  members,
  own,
  payment,
  setting,
  signed,
  USD,
} from "./vocabulary.ts";

const SLOT = accountSlot(ALICE, 0);
const X = payment(ALICE, 0, BOB, 5);
const VOID = { status: "void", epoch: 0 as Epoch } as const;

function fresh(epochLength?: number): Stream {
  const stream = new Stream(setting({ genesis: { checkpoints: POLICY, epochLength } }));
  return stream.content(hash("value x"), own("x", 0, X));
}

function found(stream: Stream, quiescent = true): readonly string[] {
  return details(liveness(stream.setting), stream.end({}, quiescent));
}

function later(stream: Stream, by = 6000): Stream {
  stream.at += by;
  return stream;
}

describe("an operation that its epoch's closing leaves out", () => {
  const left = (): Stream => fresh().submitPending("alice", "x", X).heal().vote(["v1"], SLOT, hash("value x")).turn();

  test("is owed a void reply", () => {
    expect(found(left().answer("alice", "x", VOID))).toEqual([]);
    expect(found(left())).toEqual([expect.stringContaining("Slot 0 of alice's account: no signatures")]);
  });

  test("is owed it within the bound after the closing", () => {
    expect(found(later(left(), 4000).answer("alice", "x", VOID))).toEqual([]);
    expect(found(later(left()).answer("alice", "x", VOID))).toEqual([
      expect.stringMatching(/was decided 60\d\d ms after its epoch's closing/),
    ]);
  });

  test("is owed another reply once it is submitted again", () => {
    const again = left().answer("alice", "x", VOID).submitPending("alice", "x", X, "v2");
    expect(found(again)).toEqual([expect.stringContaining("payment 0x78000000… of alice (nonce 0), submitted to v2")]);
    const done = left().answer("alice", "x", VOID).submitPending("alice", "x", X, "v2");
    expect(found(done.settle("x", own("x", 0, X), { submitted: false }))).toEqual([]);
  });

  test("is owed what it is owed whatever a validator that lags says of the epoch before its new submission", () => {
    const again = (submission = X): Stream =>
      fresh()
        .submitPending("alice", "x", submission)
        .heal()
        .turn()
        .answer("alice", "x", VOID)
        .submitPending("alice", "x", submission, "v2");
    const lagging = (stream: Stream): Stream => later(stream).answer("alice", "x", VOID, { from: "v3" });
    expect(found(lagging(again()))).toEqual([
      expect.stringMatching(/submitted to v2, is undecided; the bound is 5000 ms after its submission/),
    ]);
    // A payment that waits for funds is owed no decision, and none came.
    expect(found(lagging(again(payment(ALICE, 0, BOB, 2000))))).toEqual([]);
    // The one validator that has it drops it, and no other knows of it.
    expect(found(lagging(again()).reply("v2", "x", VOID))).toEqual([]);
  });

  test("was owed a decision before, if the closing came late", () => {
    const stream = later(fresh().submitPending("alice", "x", X).heal().vote(["v1"], SLOT, hash("value x"))).turn();
    expect(found(stream.answer("alice", "x", VOID))).toEqual([
      expect.stringContaining(
        "is undecided; the bound is 5000 ms after the healing. Slot 0 of alice's account: round 0: v1",
      ),
    ]);
  });

  test("is still owed a decision where it is authorised already", () => {
    const mint = signed("mint", ISSUER, 0, { token: USD, recipient: BOB, value: amount(5) });
    const stream = fresh()
      .heal()
      .submitPending("issuer", "m", mint)
      .settle("m", own("m", 0, mint), { submitted: false });
    expect(found(stream.turn([], { listing: [[own("m", 0, mint)]] }))).toEqual([
      expect.stringContaining("It is authorised and due. Version 0 of USD: no signatures"),
    ]);
  });
});

test("an authorised operation is owed its effect from its submission on, across closings", () => {
  const mint = signed("mint", ISSUER, 0, { token: USD, recipient: BOB, value: amount(5) });
  const stream = fresh()
    .heal()
    .submitPending("issuer", "m", mint)
    .settle("m", own("m", 0, mint), { submitted: false });
  later(stream, 3000).turn([], { listing: [[own("m", 0, mint)]] });
  later(stream, 3000).settle("m list", list(0, [["m", mint]]));
  expect(found(stream)).toEqual([expect.stringMatching(/was decided 60\d\d ms after its submission/)]);
});

test("a Byzantine validator's reply voids nothing while its epoch is open", () => {
  const base = setting({ byzantine: ["v4"] });
  const stream = new Stream(base).submitPending("alice", "x", X).heal().answer("alice", "x", VOID, { from: "v4" });
  expect(found(stream)).toHaveLength(1);
});

test("what waits is judged by the epoch that is open: its fees and its committee", () => {
  const poor = payment(ALICE, 0, BOB, 990);
  const stream = handover().heal(SECOND).submitPending("alice", "p", poor);
  const next = {
    ...parametersOf(stream.setting),
    validators: members(SECOND),
    fees: { default: HIGHER_FEES, tokens: new Map() },
  };
  stream.turn([], { next, nodes: ["v1", "v2", "v3", "v4"], appliers: stream.names() });
  // 990 and a fee of 20 exceed alice's balance: no validator is faulty.
  expect(found(stream)).toEqual([]);
  const rich = handover()
    .heal(SECOND)
    .submitPending("alice", "x", X)
    .content(hash("value x"), own("x", 0, X));
  rich
    .turn([], { next, nodes: ["v1", "v2", "v3", "v4"], appliers: rich.names() })
    .vote(["v2", "v5"], SLOT, hash("value x"));
  expect(found(rich)[0]).toContain("one more vote of v3 or v4 for payment 0x78");
});

test("a core that is no quorum of the committee that is open decides nothing, and that is a stall", () => {
  const stream = fresh().heal();
  stream.turn([], { next: { ...parametersOf(stream.setting), validators: members(["w1", "w2", "v1"]) } });
  stream.submitPending("alice", "x", X);
  expect(found(stream)[0]).toMatch(/undecided/);
});

describe("epochs go on", () => {
  test("a close that an honest validator signed leads to a closing within the bound", () => {
    expect(found(fresh().heal().close(["v1"]))).toEqual([]);
    expect(found(later(fresh().heal().close(["v1"])))).toEqual([
      expect.stringMatching(
        /^epoch 0 did not close within 60\d\d ms of its cause; the closing of epoch 0: closes of v1; no signatures/,
      ),
    ]);
    expect(found(later(fresh().heal().close(["v1"])).turn())).toEqual([
      expect.stringMatching(/^epoch 0 closed 60\d\d ms after its cause was known, the bound is 5000 ms$/),
    ]);
  });

  test("before the healing nothing is owed", () => {
    expect(
      found(
        later(fresh().close(["v1"]))
          .heal()
          .turn(),
      ),
    ).toEqual([]);
    expect(found(later(fresh().close(["v1"])))).toEqual([]);
  });

  test("the explanation names the missing signatures", () => {
    const few = fresh().heal().close(["v1", "v2"]);
    expect(found(later(few))[0]).toContain(
      "closes of v1 and v2; no signatures. Needed to proceed: more closes (3 required).",
    );
    const slot = epochSlotOf(0);
    const voted = fresh().heal().close(few.names()).vote(["v1", "v2"], slot, hash("end"));
    expect(found(later(voted))[0]).toContain("one more vote of v3 or v4 for value 0x65");
  });

  test("the last checkpoint of an epoch leads to a closing too", () => {
    expect(found(later(fresh(1).heal().form(1, [])))).toEqual([expect.stringContaining("epoch 0 did not close")]);
    expect(found(later(fresh(2).heal().form(1, [])))).toEqual([]);
    expect(found(fresh(1).heal().form(1, []).turn([], { number: 2, due: 1 }))).toEqual([]);
  });

  test("a cause unknown to the core creates no obligation", () => {
    expect(found(later(fresh().heal(["v1", "v2", "v3"]).close(["v4"])))).toEqual([]);
  });

  test("a Byzantine validator's close is no cause", () => {
    const stream = new Stream(setting({ byzantine: ["v4"] })).heal().close(["v4"], [claim(SLOT, hash("value x"))]);
    expect(found(later(stream))).toEqual([]);
  });

  test("each epoch is owed its own end", () => {
    const stream = fresh(1).heal().form(1, []).turn([], { number: 2, due: 1 });
    expect(found(later(stream.form(3, [])))).toEqual([expect.stringContaining("epoch 1 did not close")]);
  });
});
