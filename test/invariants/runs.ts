/** Whole runs that several tests share. */
import type { EpochParameters } from "../../src/core/base/epoch.ts";
import { checkpointSlot, claim, POLICY } from "./closings.ts";
import { Stream } from "./support.ts";
import {
  ALICE,
  accountSlot,
  amount,
  BOB,
  CAROL,
  cancelled,
  grant,
  HIGHER_FEES,
  hash,
  ISSUER,
  members,
  own,
  pause,
  payment,
  receiptOf,
  setting,
  signed,
  USD,
} from "./vocabulary.ts";

/** Run without violations: payments, a grant and a mint, a pause, a forced burn, a skip, a restart. */
export function cleanRun(): Stream {
  const stream = new Stream(setting());
  const x = payment(ALICE, 0, BOB, 100);
  stream.submit("alice", "x", x).settle("x", own("x", 0, x));
  stream.answer(
    "alice",
    "x",
    { status: "final", receipt: receiptOf("x", accountSlot(ALICE, 0), 1) },
    {
      slot: accountSlot(ALICE, 0),
      value: hash("value x"),
      quorum: 3,
    },
  );
  const g = grant(ISSUER, 0, "MintBurnTokens", CAROL, 500);
  stream.submit("issuer", "g", g).govern("g", 0, 0, g);
  const m = signed("mint", CAROL, 0, { token: USD, recipient: CAROL, value: amount(300) });
  stream.submit("carol", "m", m).govern("m", 0, 1, m);
  const b = signed("burn", CAROL, 1, { token: USD, value: amount(40), recipient: BOB });
  stream.submit("carol", "b", b).settle("b", own("b", 1, b));
  stream.settle("b burn", {
    slot: accountSlot(BOB, 0),
    value: { type: "burn", id: hash("b"), outcome: "burned" },
    operations: [b],
  });
  freed(stream, "y", 1);
  const p = pause(ISSUER, 1);
  stream.submit("issuer", "p", p).govern("p", 1, 2, p);
  stream.heal();
  return stream.end(Object.fromEntries(stream.names().map((node) => [node, "same"])));
}

/** Alice's two payments of one nonce split the votes, and her cancellation frees the slot in round 1. */
export function freed(stream: Stream, name: string, sequence: number): Stream {
  const slot = accountSlot(ALICE, sequence);
  const [x, y] = [payment(ALICE, sequence, BOB, 5), payment(ALICE, sequence, CAROL, 5)];
  const cancel = signed("cancellation", ALICE, sequence, {});
  const [first, second, skip] = [hash(`value ${name}1`), hash(`value ${name}2`), hash(`value ${name} skip`)];
  stream.submit("alice", `${name}1`, x, "v1", false).submit("alice", `${name}2`, y, "v3", false);
  stream.content(first, own(`${name}1`, sequence, x)).content(second, own(`${name}2`, sequence, y));
  stream.vote(["v1", "v2"], slot, first).vote(["v3", "v4"], slot, second);
  stream.submit("alice", `${name} skip`, cancel);
  const decision = cancelled([`${name} skip`, cancel], [`${name}1`, x]);
  stream.content(skip, decision).change(stream.names(), slot, 1).propose("v2", slot, skip, 1);
  stream.vote(stream.names(), slot, skip, 1).commit(stream.names(), slot, skip, 1);
  for (const node of stream.names()) stream.decide(node, slot, skip, ["v1", "v2", "v3"], 1).apply(node, decision);
  return stream;
}

/** Committees of the epochs of `epochRun`. */
export const FIRST: readonly string[] = ["v1", "v2", "v3", "v4"];
export const SECOND: readonly string[] = ["v2", "v3", "v4", "v5"];

/** Parameters that the operator proposes in `epochRun`: v5 in place of v1, higher fees, and one checkpoint an epoch. */
export const NEXT: EpochParameters = {
  validators: members(SECOND),
  fees: { default: HIGHER_FEES, tokens: new Map() },
  checkpoints: POLICY,
  epochLength: 1,
};

/** Five nodes, of which the first four are the committee of epoch 0. */
export function handover(byzantine: readonly string[] = []): Stream {
  const base = setting({ validators: 5, byzantine });
  const genesis = { ...base.genesis, validators: members(FIRST), checkpoints: POLICY };
  return new Stream({ ...base, genesis });
}

/**
 * Three epochs without violations. A proposal closes the first: its closing decides a locked payment, and voids
 * another, which pays the higher fee in the second epoch. That epoch closes after its only checkpoint.
 */
export function epochRun(): Stream {
  const stream = handover().heal(SECOND);
  const [x, y, z] = [payment(ALICE, 0, BOB, 100), payment(ALICE, 1, BOB, 50), payment(BOB, 0, CAROL, 7)];
  const all = stream.names();
  stream.submit("alice", "x", x).settle("x", own("x", 0, x), { nodes: FIRST, appliers: all, submitted: false });
  stream.form(1, [[own("x", 0, x), "x"]], { nodes: FIRST, appliers: all });
  const locked = own("y", 1, y);
  stream.submit("alice", "y", y).content(hash("value y"), locked);
  stream.vote(["v1", "v2", "v3"], locked.slot, hash("value y")).commit(["v1"], locked.slot, hash("value y"));
  const late = own("z", 0, z);
  stream.submit("bob", "z", z).content(hash("value z"), late).vote(["v4"], late.slot, hash("value z"));
  const claims = [claim(locked.slot, hash("value y"), { locked: 0 }), claim(checkpointSlot(1), hash("checkpoint 1"))];
  const ending = { number: 2, listing: [[locked, "y"]] as const, next: NEXT, brings: [locked] };
  stream.turn(claims, { ...ending, nodes: FIRST, appliers: all });
  stream.answer("bob", "z", { status: "void", epoch: 0 as never }, { from: "v4" });
  stream.submit("bob", "z", z).settle("z", late, { nodes: SECOND, appliers: all, submitted: false });
  stream.form(3, [[late, "z"]], { nodes: SECOND, appliers: all });
  const last = claim(checkpointSlot(3), hash("checkpoint 3"));
  stream.turn([last], { number: 4, next: NEXT, due: 3, nodes: SECOND, appliers: all });
  stream.crash("v1").restart("v1");
  for (const [decision, number] of [
    [own("x", 0, x), 1],
    [locked, 2],
    [late, 3],
  ] as const) {
    stream.apply("v1", decision);
    again(stream, number);
  }
  again(stream, 4);
  return stream.end(Object.fromEntries(all.map((node) => [node, "same"])));
}

/** v1 applies again the slots that it had applied before its crash. */
function again(stream: Stream, number: number): void {
  const one = stream.records.find(
    (record) =>
      (record.type === "checkpointed" || record.type === "closed") &&
      record.node === "v1" &&
      record.value.header.number === number,
  );
  if (one?.type === "checkpointed") stream.checkpointed("v1", one.hash, one.value, { operations: one.operations });
  if (one?.type === "closed")
    stream.closed("v1", one.hash, one.value, { operations: one.operations, cause: one.cause });
}
