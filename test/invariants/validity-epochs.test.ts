import { describe, expect, test } from "vitest";
import { validity } from "../../src/invariants/oracles/validity/validity.ts";
import { epochSlotOf, parametersOf } from "./closings.ts";
import { FIRST, handover, NEXT, SECOND } from "./runs.ts";
import { details, Stream } from "./support.ts";
import { ALICE, BOB, HIGHER_FEES, hash, own, payment, setting } from "./vocabulary.ts";

const X = own("x", 0, payment(ALICE, 0, BOB, 5));
const TIGHT = own("x", 0, payment(ALICE, 0, BOB, 990));

function found(stream: Stream): readonly string[] {
  return details(validity(stream.setting), stream.end());
}

function votes(stream: Stream, node = "v1", decision = X): Stream {
  return stream.content(hash("value"), decision).vote([node], decision.slot, hash("value"));
}

describe("an honest validator", () => {
  test("votes by the fees of the epoch in which it votes", () => {
    const higherFees = (stream: Stream) => ({
      ...parametersOf(stream.setting),
      fees: { default: HIGHER_FEES, tokens: new Map() },
    });
    expect(found(votes(new Stream(setting()), "v1", TIGHT))).toEqual([]);
    const stream = new Stream(setting());
    stream.turn([], { next: higherFees(stream) });
    expect(found(votes(stream, "v1", TIGHT))).toEqual([expect.stringContaining("business_insufficient_funds")]);
  });

  test("votes in an epoch once it has applied the closing of the one before", () => {
    const stream = new Stream(setting()).turn([], { appliers: ["v1", "v2", "v3"] });
    expect(found(votes(stream, "v4"))).toEqual([
      expect.stringMatching(
        /^v4 signed a vote in slot 0 of account .* of epoch 1, though it has applied the genesis only$/,
      ),
    ]);
    expect(found(votes(new Stream(setting()).turn()))).toEqual([]);
  });

  test("votes in it for what is next after the closing", () => {
    const stream = new Stream(setting()).turn([], { brings: [X], listing: [[X, "x"]] });
    expect(found(votes(stream))).toEqual([expect.stringContaining("slot 1 is next, not 0")]);
  });

  test("signs nothing new in an epoch that is over for it, but in the slot that ended it", () => {
    const stream = new Stream(setting()).turn();
    stream.epoch = 0;
    expect(found(votes(stream))).toEqual([
      expect.stringMatching(/^v1 signed a vote .* of epoch 0, though it had applied the closing of that epoch$/),
    ]);
    const again = new Stream(setting()).turn();
    again.epoch = 0;
    expect(found(again.commit(["v1"], epochSlotOf(0), hash("checkpoint 1"), 1))).toEqual([]);
  });

  test("signs again what it signed before, whatever epoch it is", () => {
    const stream = votes(new Stream(setting())).turn();
    stream.epoch = 0;
    expect(found(votes(stream))).toEqual([]);
  });

  test("signs as a member only", () => {
    const stream = handover();
    expect(found(votes(stream, "v5"))).toEqual([
      expect.stringMatching(/^v5 signed a vote in slot 0 .* of epoch 0, but is not in its committee$/),
    ]);
    const after = handover().turn([], { next: NEXT, nodes: FIRST, appliers: handover().names() });
    expect(found(votes(after, "v1"))).toEqual([expect.stringContaining("of epoch 1, but is not in its committee")]);
    const good = handover().turn([], { next: NEXT, nodes: FIRST, appliers: handover().names() });
    expect(found(good.content(hash("value"), X).vote(SECOND, X.slot, hash("value")))).toEqual([]);
  });
});

test("a closing of another epoch than the node's is found", () => {
  const stream = new Stream(setting()).turn();
  const again = stream.records.find((record) => record.type === "closed");
  if (again?.type === "closed") stream.closed("v1", again.hash, again.value);
  expect(found(stream)).toEqual([
    expect.stringContaining("v1 applied the closing of epoch 0 unlike the reference ledger: epoch 1 is open, not 0"),
  ]);
});
