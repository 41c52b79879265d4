/** Whole runs that several tests share. */
import type { EpochParameters } from "../../src/core/base/epoch.ts";
import { checkpointSlot, claim, POLICY } from "./closings.ts";
import { Stream } from "./support.ts";
import * as v from "./vocabulary.ts";

const { ALICE, BOB, CAROL } = v;

/** Alice's two payments of one nonce split the votes, and her cancellation frees the slot in round 1. */
export function freed(stream: Stream, name: string, sequence: number): Stream {
  const slot = v.accountSlot(ALICE, sequence);
  const [x, y] = [v.payment(ALICE, sequence, BOB, 5), v.payment(ALICE, sequence, CAROL, 5)];
  const cancel = v.signed("cancellation", ALICE, sequence, {});
  const [first, second, skip] = [v.hash(`value ${name}1`), v.hash(`value ${name}2`), v.hash(`value ${name} skip`)];
  stream.submit("alice", `${name}1`, x, "v1", false).submit("alice", `${name}2`, y, "v3", false);
  stream.content(first, v.own(`${name}1`, sequence, x)).content(second, v.own(`${name}2`, sequence, y));
  stream.vote(["v1", "v2"], slot, first).vote(["v3", "v4"], slot, second);
  stream.submit("alice", `${name} skip`, cancel);
  const decision = v.cancelled([`${name} skip`, cancel], [`${name}1`, x]);
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
  validators: v.members(SECOND),
  fees: { default: v.HIGHER_FEES, tokens: new Map() },
  checkpoints: POLICY,
  epochLength: 1,
};

/** Five nodes, of which the first four are the committee of epoch 0. */
export function handover(byzantine: readonly string[] = []): Stream {
  const base = v.setting({ validators: 5, byzantine });
  const genesis = { ...base.genesis, validators: v.members(FIRST), checkpoints: POLICY };
  return new Stream({ ...base, genesis });
}

/**
 * Three epochs without violations. A proposal closes the first: its closing decides a locked payment, and voids
 * another, which pays the higher fee in the second epoch. That epoch closes after its only checkpoint.
 */
export function epochRun(): Stream {
  const stream = handover().heal(SECOND);
  const [x, y, z] = [v.payment(ALICE, 0, BOB, 100), v.payment(ALICE, 1, BOB, 50), v.payment(BOB, 0, CAROL, 7)];
  const all = stream.names();
  stream.submit("alice", "x", x).settle("x", v.own("x", 0, x), { nodes: FIRST, appliers: all, submitted: false });
  stream.form(1, [[v.own("x", 0, x), "x"]], { nodes: FIRST, appliers: all });
  const locked = v.own("y", 1, y);
  stream.submit("alice", "y", y).content(v.hash("value y"), locked);
  stream.vote(["v1", "v2", "v3"], locked.slot, v.hash("value y")).commit(["v1"], locked.slot, v.hash("value y"));
  const late = v.own("z", 0, z);
  stream.submit("bob", "z", z).content(v.hash("value z"), late).vote(["v4"], late.slot, v.hash("value z"));
  const claims = [
    claim(locked.slot, v.hash("value y"), { locked: 0 }),
    claim(checkpointSlot(1), v.hash("checkpoint 1")),
  ];
  const ending = { number: 2, listing: [[locked, "y"]] as const, next: NEXT, brings: [locked] };
  stream.turn(claims, { ...ending, nodes: FIRST, appliers: all });
  stream.answer("bob", "z", { status: "void", epoch: 0 as never }, { from: "v4" });
  stream.submit("bob", "z", z).settle("z", late, { nodes: SECOND, appliers: all, submitted: false });
  stream.form(3, [[late, "z"]], { nodes: SECOND, appliers: all });
  const last = claim(checkpointSlot(3), v.hash("checkpoint 3"));
  stream.turn([last], { number: 4, next: NEXT, due: 3, nodes: SECOND, appliers: all });
  stream.crash("v1").restart("v1");
  for (const [decision, number] of [
    [v.own("x", 0, x), 1],
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
