/**
 * What was final or refused stays so; protocol 4.2: an operation refused undisclosed is never decided; 9.1: the client of
 * an operation that lost its nonce receives the winner, in the reply for its kind.
 */
import { describe } from "vitest";
import type { Epoch, Nonce } from "../../src/core/base/ids.ts";
import type { Refusal } from "../../src/core/base/refusal.ts";
import type { ClientReply } from "../../src/invariants/observation.ts";
import { irreversibility } from "../../src/invariants/oracles/irreversibility.ts";
import { finder, PENDING, refused, Stream, testRuns } from "./support.ts";
import * as v from "./vocabulary.ts";

const SLOT = v.accountSlot(v.ALICE, 0);
const [X, Y] = [v.payment(v.ALICE, 0, v.BOB, 1), v.payment(v.ALICE, 0, v.CAROL, 1)];
const CANCELLATION = v.signed("cancellation", v.ALICE, 0, {});
const STOP = { ...X, operation: { ...X.operation, kind: "pause" } as never };
const FINAL: ClientReply = { status: "final", receipt: v.receiptOf("x", SLOT, 1) };
const superseded = (by: string): ClientReply => ({ status: "superseded", by: v.hash(by) });
const late = (by: string, disclosed = true): ClientReply =>
  ({ ...refused({ code: "business_decided_otherwise", nonce: 0 as Nonce, by: v.hash(by) }), disclosed }) as ClientReply;
const voided = (epoch: number): ClientReply => ({ status: "void", epoch: epoch as Epoch });
const UNDISCLOSED = refused({ code: "system_queue_full", limit: 1 });
const FULL = { ...UNDISCLOSED, disclosed: true } as ClientReply;
const PROOF = { slot: SLOT, value: v.hash("value x"), quorum: 3 };
const THREE = ["v1", "v2", "v3"];

const fresh = (byzantine: readonly string[] = []): Stream =>
  new Stream(v.setting({ byzantine }))
    .content(v.hash("value x"), v.own("x", 0, X))
    .content(v.hash("value y"), v.own("y", 0, Y));
/** The client receives these answers about x, the last one from this validator. */
const told = (first: ClientReply, second: ClientReply, from = "v2"): Stream =>
  fresh(["v4"]).answer("alice", "x", first).answer("alice", "x", second, { from });
const applied = (): Stream => fresh().settleOwn("x", X);
const find = finder(irreversibility);

describe("changed is", () =>
  testRuns(find, [
    [
      "what a client saw as final and an honest node applies otherwise",
      () => fresh().answer("alice", "x", FINAL, PROOF).applyOwn("v2", "y", Y),
      "was final and changed",
    ],
    [
      "what a node applied before a restart",
      () => applied().crash("v1").restart("v1").applyOwn("v1", "y", Y),
      "operation 0x79",
    ],
    ["nothing where a node applies the same again", () => applied().crash("v1").restart("v1").applyOwn("v1", "x", X)],
    ["nothing by a Byzantine node", () => fresh(["v4"]).settleOwn("x", X, { nodes: THREE }).applyOwn("v4", "y", Y)],
    ["final to superseded", () => told(FINAL, superseded("y")), "contradictory replies"],
    ["superseded to final", () => told(superseded("y"), FINAL), "contradictory replies"],
    ["final to refused for good", () => told(FINAL, late("y")), "contradictory replies"],
    ["refused for good to final", () => told(late("y"), FINAL), "contradictory replies"],
    [
      "no undisclosed refusal",
      () => told(late("y", false), FINAL).answer("alice", "x", late("y", false), { from: "v3" }),
    ],
    ["no unproven reply of a Byzantine validator", () => told(FINAL, superseded("y"), "v4")],
    [
      "no refusal for lack of room, though it says disclosed: others may bring the operation",
      () =>
        fresh()
          .ask("v1", "x")
          .reply("v1", "x", FULL)
          .answer("alice", "x", FULL)
          .settleOwn("x", X)
          .answer("alice", "x", FINAL, { from: "v2" }),
    ],
    [
      "superseded by its effect",
      () => fresh().answer("alice", "x", superseded("y")).settleOwn("x", X),
      "took effect at v1",
    ],
    [
      "the failure at a node that calls it superseded",
      () =>
        fresh()
          .settleOwn("x", X, {
            alter: (effects) => ({
              ...effects,
              receipts: [
                {
                  ...v.receiptOf("x", SLOT, 0),
                  success: false,
                  error: { code: "business_insufficient_funds" } as Refusal,
                },
              ],
            }),
          })
          .answer("alice", "x", superseded("y"), { from: "v3" }),
      "but it ended there in slot 0 of account",
    ],
    [
      "the effect that any node calls superseded",
      () => applied().answer("alice", "x", superseded("y"), { from: "v3" }),
      "but it took effect at v1",
    ],
  ]));

describe("across epochs", () =>
  testRuns(find, [
    [
      "void in one epoch may be final in the next one, even after a late void reply",
      () =>
        fresh()
          .turn()
          .answer("alice", "x", voided(0))
          .settleOwn("x", X)
          .answer("alice", "x", FINAL, PROOF)
          .answer("alice", "x", voided(0), { from: "v3" }),
    ],
    [
      "a void slot may be decided otherwise",
      () => fresh().vote(["v1", "v2"], SLOT, v.hash("value x")).turn().settleOwn("y", Y),
    ],
    [
      "void is wrong for what was decided there",
      () =>
        applied()
          .turn([], { listing: [[v.own("x", 0, X), "x"]] })
          .answer("alice", "x", voided(0)),
      "void in epoch 0 from v1, but it was decided in epoch 0: 0x78",
    ],
    [
      "void is wrong for what was only authorised",
      () =>
        fresh()
          .settleOwn("p", STOP)
          .turn([], { listing: [[v.own("p", 0, STOP)]] })
          .answer("alice", "p", voided(0)),
      "void in epoch 0 from v1",
    ],
    [
      "no decision follows void in its epoch",
      () => fresh().answer("alice", "x", voided(0)).applyOwn("v1", "x", X),
      "in epoch 0, but client alice received void in epoch 0 from v1",
    ],
    [
      "no decision follows void in the next epoch",
      () => fresh().turn().answer("alice", "x", voided(1), { from: "v2" }).applyOwn("v1", "x", X),
      "in epoch 1, but client alice received void",
    ],
    [
      "a Byzantine validator may reply void",
      () => fresh(["v4"]).settleOwn("x", X).answer("alice", "x", voided(0), { from: "v4" }),
    ],
    [
      "what a node saw as final in one stays in the next",
      () => fresh().decide("v1", SLOT, v.hash("value x"), THREE).turn().applyOwn("v2", "y", Y),
      "was final and changed: v1 decided",
    ],
    [
      "a binding refusal holds",
      () => fresh().answer("alice", "x", late("y")).turn().applyOwn("v1", "x", X),
      "took effect at v1",
    ],
  ]));

/** Validators receive x and give these replies, in pairs of node and reply; `undefined`: none. */
function heard(...replies: readonly (readonly [node: string, ...answers: ClientReply[]])[]): Stream {
  const stream = fresh(["v4"]);
  for (const [node, ...answers] of replies) {
    stream.ask(node, "x");
    for (const answer of answers) stream.reply(node, "x", answer);
  }
  return stream;
}
const REFUSED = /was decided in slot 0 of account .* but v1( and v2)? refused it undisclosed/;
const SKIP = v.cancelled(["c", CANCELLATION], ["x", X]);

describe("an operation that was refused undisclosed is decided:", () =>
  testRuns(find, [
    ["by every receiver", () => heard(["v1", UNDISCLOSED], ["v2", UNDISCLOSED]).settleOwn("x", X), /v1 and v2 refused/],
    [
      "a cancellation that skips a nonce",
      () => fresh().ask("v1", "c").reply("v1", "c", PENDING).reply("v1", "c", UNDISCLOSED).settle("c", SKIP),
      REFUSED,
    ],
    ["after a pending reply", () => heard(["v1", PENDING, UNDISCLOSED]).applyOwn("v2", "x", X), REFUSED],
    [
      "with a later final reply of the same validator",
      () => heard(["v1", UNDISCLOSED]).applyOwn("v1", "x", X).reply("v1", "x", FINAL),
      REFUSED,
    ],
    [
      "after a crash",
      () =>
        heard(["v1", UNDISCLOSED])
          .crash("v1")
          .restart("v1")
          .ask("v1", "x")
          .reply("v1", "x", UNDISCLOSED)
          .settleOwn("x", X),
      REFUSED,
    ],
    ["rightly, where any validator admitted it", () => heard(["v1", UNDISCLOSED], ["v2", PENDING]).settleOwn("x", X)],
    ["rightly, submitted once more", () => heard(["v1", UNDISCLOSED], ["v1", PENDING]).settleOwn("x", X)],
    ["rightly, submitted without an answer", () => heard(["v1", UNDISCLOSED], ["v1"]).settleOwn("x", X)],
    [
      "rightly, with the second of two submissions admitted",
      () => heard(["v1"], ["v1", UNDISCLOSED, PENDING]).settleOwn("x", X),
    ],
    ["rightly, by a Byzantine validator", () => heard(["v4", UNDISCLOSED]).settleOwn("x", X, { nodes: THREE })],
    [
      "rightly, by one that crashed in between and may have disclosed it",
      () =>
        heard(["v1", PENDING]).crash("v1").restart("v1").ask("v1", "x").reply("v1", "x", UNDISCLOSED).settleOwn("x", X),
    ],
    [
      "rightly, where the refusal is late",
      () => fresh().applyOwn("v1", "x", X).ask("v2", "x").reply("v2", "x", UNDISCLOSED).applyOwn("v2", "x", X),
    ],
  ]));

/** Two payments and a cancellation compete for alice's first nonce, and x wins. */
const decided = (byzantine: readonly string[] = []): Stream =>
  new Stream(v.setting({ byzantine }))
    .submit("c", "x", X, "v1", false)
    .submit("c", "y", Y, "v2", false)
    .submit("c", "z", CANCELLATION, "v2", false)
    .applyOwn("v1", "x", X);
const LOW = refused({ code: "business_nonce_too_low", expected: 1 as never, got: 0 as never });

describe("for a nonce that another operation won", () =>
  testRuns(find, [
    [
      "an operation is superseded and a cancellation too late",
      () => decided().reply("v1", "y", superseded("x")).reply("v1", "z", late("x")),
    ],
    [
      "an operation is not too late",
      () => decided().reply("v1", "y", late("x")),
      /too late after .*, but an operation is superseded/,
    ],
    [
      "a cancellation is not superseded",
      () => decided().reply("v1", "z", superseded("x")),
      /superseded by .*, but a cancellation or a recovery is too late/,
    ],
    ["superseded names the winner", () => decided().reply("v1", "y", superseded("y")), "used its nonce"],
    ["too late names the winner", () => decided().reply("v1", "z", late("y")), "used its nonce"],
    [
      "nothing is said before the decision",
      () => new Stream(v.setting()).submit("c", "y", Y, "v1", false).reply("v1", "y", superseded("x")),
      "its nonce is unused",
    ],
    ["a Byzantine validator's reply is not binding", () => decided(["v4"]).reply("v4", "y", superseded("y"))],
    ["a refusal for a used nonce names no winner", () => decided().reply("v1", "y", LOW)],
  ]));
