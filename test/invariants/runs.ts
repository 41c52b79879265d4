/** Whole runs that several tests share. */
import { Stream } from "./support.ts";
import {
  ALICE,
  accountSlot,
  amount,
  BOB,
  CAROL,
  type Decision,
  grant,
  hash,
  ISSUER,
  own,
  pause,
  payment,
  receiptOf,
  setting,
  signed,
  USD,
} from "./vocabulary.ts";

/** A run in which nothing is wrong: payments, a grant and a mint, a pause, a forced burn, a skip, a restart. */
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
  const decision: Decision = {
    slot,
    value: { type: "skip", by: "cancellation", id: hash(`${name} skip`), feeToken: USD, feeStep: "full" },
    operations: [cancel, x],
  };
  stream.content(skip, decision).change(stream.names(), slot, 1).propose("v2", slot, skip, 1);
  stream.vote(stream.names(), slot, skip, 1).commit(stream.names(), slot, skip, 1);
  for (const node of stream.names()) stream.decide(node, slot, skip, ["v1", "v2", "v3"], 1).apply(node, decision);
  return stream;
}
