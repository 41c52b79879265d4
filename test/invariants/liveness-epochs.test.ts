import { describe } from "vitest";
import type { Epoch } from "../../src/core/base/ids.ts";
import { liveness } from "../../src/invariants/oracles/liveness/liveness.ts";
import { claim, epochSlotOf, POLICY, parametersOf } from "./closings.ts";
import { handover, SECOND } from "./runs.ts";
import { finder, Stream, testRuns } from "./support.ts";
import * as v from "./vocabulary.ts";

const { ALICE, BOB } = v;

const SLOT = v.accountSlot(ALICE, 0);
const VX = v.hash("value x");
const X = v.payment(ALICE, 0, BOB, 5);
const POOR = v.payment(ALICE, 0, BOB, 2000);
const VOID = { status: "void", epoch: 0 as Epoch } as const;
const find = finder(liveness);

const fresh = (epochLength?: number): Stream =>
  new Stream(v.setting({ genesis: { checkpoints: POLICY, epochLength } })).content(VX, v.own("x", 0, X));

const asked = (): Stream => fresh().submitPending("alice", "x", X).heal();
/** Its epoch's closing leaves x out. */
const left = (): Stream => asked().vote(["v1"], SLOT, VX).turn();
const voided = (stream = left()): Stream => stream.answer("alice", "x", VOID);
const again = (one = X): Stream =>
  voided(fresh().submitPending("alice", "x", one).heal().turn()).submitPending("alice", "x", one, "v2");
/** A validator that lags says that x is void in the epoch before. */
const lagging = (stream: Stream): Stream => stream.later().answer("alice", "x", VOID, { from: "v3" });

const MINT = v.signed("mint", v.ISSUER, 0, { token: v.USD, recipient: BOB, value: v.amount(5) });
const authorised = (): Stream =>
  fresh().heal().submitPending("issuer", "m", MINT).settleOwn("m", MINT, { submitted: false });
const overClosing = (stream: Stream): Stream => stream.turn([], { listing: [[v.own("m", 0, MINT)]] });

describe("an operation that its epoch's closing leaves out is owed", () =>
  testRuns(find, [
    ["no more than a void reply", () => voided()],
    ["a void reply", () => left(), "Slot 0 of alice's account: no signatures"],
    ["a void reply within the bound", () => voided(left().later(4000))],
    ["a void reply not later", () => voided(left().later()), /was decided 60\d\d ms after its epoch's closing/],
    [
      "another reply once it is submitted again",
      () => voided().submitPending("alice", "x", X, "v2"),
      "payment 0x78000000… of alice (nonce 0), submitted to v2",
    ],
    [
      "none after its decision in the next epoch",
      () => voided().submitPending("alice", "x", X, "v2").settleOwn("x", X, { submitted: false }),
    ],
    [
      "a decision, whatever a validator that lags says of the epoch before",
      () => lagging(again()),
      /submitted to v2, is undecided; the bound is 5000 ms after its submission/,
    ],
    ["no decision without funds", () => lagging(again(POOR))],
    ["nothing once the one validator that has it drops it", () => lagging(again()).reply("v2", "x", VOID)],
    [
      "a decision before a late closing",
      () => voided(asked().vote(["v1"], SLOT, VX).later().turn()),
      "is undecided; the bound is 5000 ms after the healing. Slot 0 of alice's account: round 0: v1",
    ],
    [
      "a decision where it is authorised already",
      () => overClosing(authorised()),
      "It is authorised and due. Version 0 of USD: no signatures",
    ],
    [
      "its effect from its submission on, across closings",
      () =>
        overClosing(authorised().later(3000))
          .later(3000)
          .settle("m list", v.list(0, [["m", MINT]])),
      /was decided 60\d\d ms after its submission/,
    ],
    [
      "as much after a Byzantine validator's reply",
      () =>
        new Stream(v.setting({ byzantine: ["v4"] }))
          .submitPending("alice", "x", X)
          .heal()
          .answer("alice", "x", VOID, { from: "v4" }),
      "is undecided",
    ],
  ]));

/** v1 hands over to v5, and back again with higher fees. */
function backAgain(stream: Stream): Stream {
  const fees = { default: v.HIGHER_FEES, tokens: new Map() };
  const next = { ...parametersOf(stream.setting), validators: v.members(SECOND), fees };
  return stream.turn([], { next, nodes: ["v1", "v2", "v3", "v4"], appliers: stream.names() });
}

const strangers = (stream: Stream): Stream =>
  stream.turn([], { next: { ...parametersOf(stream.setting), validators: v.members(["w1", "w2", "v1"]) } });

describe("what waits is judged by the epoch that is open:", () =>
  testRuns(find, [
    // 990 and a fee of 20 exceed alice's balance: no validator is faulty.
    [
      "its fees",
      () =>
        backAgain(
          handover()
            .heal(SECOND)
            .submitPending("alice", "p", v.payment(ALICE, 0, BOB, 990)),
        ),
    ],
    [
      "its committee",
      () =>
        backAgain(
          handover()
            .heal(SECOND)
            .submitPending("alice", "x", X)
            .content(VX, v.own("x", 0, X)),
        ).vote(["v2", "v5"], SLOT, VX),
      "one more vote of v3 or v4 for payment 0x78",
    ],
    ["a core that is no quorum of it", () => strangers(fresh().heal()).submitPending("alice", "x", X), "undecided"],
  ]));

const closing = (...nodes: readonly string[]): Stream => fresh().heal().close(nodes);
const linked = (epochLength: number): Stream => fresh(epochLength).heal().form(1, []);
const ended = (): Stream => linked(1).turn([], { number: 2, due: 1 });

describe("an epoch closes", () =>
  testRuns(find, [
    ["within the bound", () => closing("v1")],
    [
      "after a close of an honest validator",
      () => closing("v1").later(),
      /^epoch 0 did not close within 60\d\d ms of its cause; the closing of epoch 0: closes of v1; no signatures/,
    ],
    [
      "not late",
      () => closing("v1").later().turn(),
      /^epoch 0 closed 60\d\d ms after its cause was known, the bound is 5000 ms$/,
    ],
    ["late where no healing was", () => fresh().close(["v1"]).later().heal().turn()],
    ["never where no healing was", () => fresh().close(["v1"]).later()],
    [
      "with more closes",
      () => closing("v1", "v2").later(),
      "closes of v1 and v2; no signatures. Needed to proceed: more closes (3 required).",
    ],
    [
      "with more votes",
      () => closing("v1", "v2", "v3", "v4").vote(["v1", "v2"], epochSlotOf(0), v.hash("end")).later(),
      "one more vote of v3 or v4 for value 0x65",
    ],
    ["after its last checkpoint", () => linked(1).later(), "epoch 0 did not close"],
    ["not after an earlier one", () => linked(2).later()],
    ["once", () => ended()],
    ["not for a cause unknown to the core", () => fresh().heal(["v1", "v2", "v3"]).close(["v4"]).later()],
    [
      "not for a Byzantine validator's close",
      () =>
        new Stream(v.setting({ byzantine: ["v4"] }))
          .heal()
          .close(["v4"], [claim(SLOT, VX)])
          .later(),
    ],
    ["each in its turn", () => ended().form(3, []).later(), "epoch 1 did not close"],
  ]));
