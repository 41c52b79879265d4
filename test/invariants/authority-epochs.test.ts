import { describe, expect, test } from "vitest";
import { authority } from "../../src/invariants/oracles/authority/authority.ts";
import { claim, closing, epochSlotOf, parametersOf } from "./closings.ts";
import { details, Stream } from "./support.ts";
import {
  ALICE,
  accountSlot,
  BOB,
  CAROL,
  HIGHER_FEES,
  hash,
  ISSUER,
  list,
  own,
  pause,
  payment,
  setting,
} from "./vocabulary.ts";

function found(stream: Stream): readonly string[] {
  return details(authority(stream.setting), stream.end());
}

describe("who decides is changed", () => {
  const higherFees = (stream: Stream) => ({
    ...parametersOf(stream.setting),
    fees: { default: HIGHER_FEES, tokens: new Map() },
  });
  const proposed = (
    build: (stream: Stream) => Stream,
    alter: { chainId?: number; epoch?: number; same?: boolean } = {},
  ): readonly string[] => {
    const stream = build(new Stream(setting()));
    const value = closing({ next: higherFees(stream) });
    const { chainId = stream.setting.genesis.chainId, epoch = 0, same = true } = alter;
    const proposal = { chainId, epoch: epoch as never, next: same ? value.next : parametersOf(stream.setting) };
    return found(stream.closed("v1", hash("end"), value, { cause: { kind: "proposal", proposal } }));
  };

  test("by the operator's proposal", () => {
    expect(proposed((s) => s.proposal("v2", higherFees(s)))).toEqual([]);
  });

  test.each<[string, (stream: Stream) => Stream, Parameters<typeof proposed>[1], string]>([
    ["that nobody submitted", (s) => s, {}, "the operator signed no such proposal"],
    [
      "that somebody else signed",
      (s) => s.proposal("v2", higherFees(s), { authentic: false }),
      {},
      "the operator signed no such proposal",
    ],
    ["for another epoch", (s) => s.proposal("v2", higherFees(s), { epoch: 1 }), { epoch: 1 }, "it is for epoch 1"],
    ["for another chain", (s) => s, { chainId: 5 }, "it is for chain 5"],
    [
      "for other parameters",
      (s) => s.proposal("v2", parametersOf(s.setting)),
      { same: false },
      "it names other parameters",
    ],
  ])("not by a proposal %s", (_what, build, alter, words) => {
    const details = proposed(build, alter);
    expect(details).toHaveLength(1);
    expect(details[0]).toContain("v1 applied the closing of epoch 0 on a proposal without authority");
    expect(details[0]).toContain(words);
  });
});

describe("a pause that only a lock and a closing decide", () => {
  const stop = pause(ISSUER, 0);
  const decided = list(0, [["p", stop]]);
  const paused = (): Stream => {
    const stream = new Stream(setting())
      .submit("issuer", "p", stop)
      .settle("p", own("p", 0, stop), { submitted: false });
    stream.content(hash("value list"), decided).vote(["v1", "v2", "v3"], decided.slot, hash("value list"));
    const listing = [[own("p", 0, stop)], [decided, "p"]] as const;
    const value = closing({ next: parametersOf(stream.setting), listing });
    const operations = listing.flatMap(([one]) => one.operations);
    stream.close(stream.names(), [claim(decided.slot, hash("value list"), { locked: 0 })]);
    stream.content(hash("end"), { value, operations });
    return stream
      .vote(stream.names(), epochSlotOf(0), hash("end"))
      .commit(["v1", "v2", "v3"], epochSlotOf(0), hash("end"));
  };

  test("bars later submissions, though no node has applied it", () => {
    const late = payment(ALICE, 0, BOB, 1);
    const stream = paused()
      .submit("alice", "late", late)
      .content(hash("value late"), own("late", 0, late));
    stream
      .vote(stream.names(), accountSlot(ALICE, 0), hash("value late"))
      .commit(stream.names(), accountSlot(ALICE, 0), hash("value late"));
    expect(found(stream)).toEqual([expect.stringContaining("barred by business_token_paused since version 1 of USD")]);
  });

  test("bars no earlier submission", () => {
    const early = payment(ALICE, 0, BOB, 1);
    const stream = new Stream(setting()).submit("alice", "early", early);
    for (const record of paused().records) stream.records.push(record);
    stream.content(hash("value early"), own("early", 0, early));
    stream
      .vote(stream.names(), accountSlot(ALICE, 0), hash("value early"))
      .commit(stream.names(), accountSlot(ALICE, 0), hash("value early"));
    expect(found(stream)).toEqual([]);
  });
});

test("a locked operation that a closing finalizes needs a submission", () => {
  const end = (submitted: boolean): readonly string[] => {
    const stream = new Stream(setting());
    const made = own("x", 0, payment(CAROL, 0, BOB, 1));
    if (submitted) stream.submit("carol", "x", payment(CAROL, 0, BOB, 1));
    return found(
      stream.turn([claim(made.slot, hash("value x"), { locked: 0 })], { listing: [[made, "x"]], brings: [made] }),
    );
  };
  expect(end(true)).toEqual([]);
  expect(end(false)).toEqual([expect.stringContaining("but no client submitted it")]);
});

test("what is final and then listed by a closing is judged once", () => {
  const stream = new Stream(setting());
  const made = own("x", 0, payment(CAROL, 0, BOB, 1));
  stream.settle("x", made, { submitted: false }).turn([], { listing: [[made, "x"]] });
  expect(found(stream)).toEqual([expect.stringContaining("but no client submitted it")]);
});
