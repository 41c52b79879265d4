import { describe, expect, it } from "vitest";
import type { Hash } from "../../../src/core/base/ids.ts";
import { ROUNDS_AHEAD } from "../../../src/core/consensus/limits.ts";
import type { ConsensusMessage } from "../../../src/core/consensus/message.ts";
import { Kit, TOKEN_SLOT, value, X, Y } from "./support/kit.ts";
import { only, reportTexts, Seat } from "./support/seat.ts";

const kit = new Kit(4);

function reportedPeers(messages: Parameters<Seat["takeAll"]>[0]): readonly string[] {
  return reportTexts(kit, new Seat(kit, 0).takeAll(messages));
}

const lockOfY = kit.lock(0, Y, [1, 2, 3]);
const finalityOfY = kit.finality(0, Y, [1, 2, 3]);
const change = kit.change(1, 1, kit.lock(0, X));

type Row = [what: string, messages: readonly ConsensusMessage[], reports: readonly string[]];

describe("a member is reported", () => {
  it.each<Row>([
    ["two votes in one round", [kit.vote(1, 0, X), kit.vote(1, 0, Y)], ["1: double vote"]],
    ["two commits in one round", [kit.commit(1, 2, X), kit.commit(1, 2, Y)], ["1: double commit"]],
    ["a vote beside its seal in a lock", [kit.vote(1, 0, X), lockOfY], ["1: double vote"]],
    ["the same once", [kit.vote(1, 0, X), lockOfY, lockOfY], ["1: double vote"]],
    ["a commit beside its seal in a decision", [kit.commit(1, 0, X), finalityOfY], ["1: double commit"]],
    ["two votes, and a seal beside", [kit.vote(1, 0, X), kit.vote(1, 0, Y), lockOfY], ["1: double vote"]],
    ["a vote after its seal in a lock", [lockOfY, kit.vote(1, 0, X)], ["1: double vote"]],
    ["a commit after its seal in a decision", [finalityOfY, kit.commit(1, 0, X)], ["1: double commit"]],
    ["seals in two locks of a round", [kit.lock(0, X, [0, 1, 2]), lockOfY], ["1: double vote", "2: double vote"]],
    ["two locks in round changes", [kit.change(1, 2), kit.change(1, 2, kit.lock(0, X))], ["1: double round change"]],
    ["locks of two rounds there", [1, 0].map((at) => kit.change(1, 2, kit.lock(at, X))), ["1: double round change"]],
    ["a forged lock", [kit.change(1, 1, { ...kit.lock(0, X), value: Y })], ["1: invalid certificate"]],
    ["a lock of the round itself", [kit.change(1, 1, kit.lock(1, X))], ["1: invalid certificate"]],
    ["a decision for a lock", [kit.change(1, 1, kit.finality(0, X) as never)], ["1: invalid certificate"]],
  ])("for %s", (_what, messages, reports) => {
    expect(reportedPeers(messages)).toEqual(reports);
  });

  it.each<Row>([
    ["without it", [kit.commit(1, 0, X), kit.change(1, 1)], ["1: hidden lock"]],
    ["with a lower one", [kit.commit(1, 1, X), kit.change(1, 3, kit.lock(0, Y))], ["1: hidden lock"]],
    ["of the round that it left for", [kit.commit(1, 1, X), kit.change(1, 1)], []],
    ["that names it", [kit.commit(1, 0, X), kit.change(1, 1, kit.lock(0, X))], []],
    ["with a higher one", [kit.commit(1, 0, X), kit.change(1, 2, kit.lock(1, Y))], []],
    ["after a vote only", [kit.vote(1, 0, X), kit.change(1, 1)], []],
    ["of another member", [kit.commit(2, 0, X), kit.change(1, 1)], []],
  ])(
    "for hiding the lock on which it committed, in either order, or not: a round change %s",
    (_what, both, reports) => {
      expect([both, both.toReversed()].map(reportedPeers)).toEqual([reports, reports]);
    },
  );

  it("for a vote after the decision of a token slot, which keeps its lock", () => {
    const tokens = new Kit(4, TOKEN_SLOT);
    const seen = new Seat(tokens, 0).takeAll([
      tokens.lock(0, Y, [1, 2, 3]),
      tokens.finality(0, Y, [1, 2, 3]),
      tokens.vote(1, 0, X),
    ]);
    expect(reportTexts(tokens, seen)).toEqual(["1: double vote"]);
  });

  it("for two proposals in one round of a token slot", () => {
    const tokens = new Kit(4, TOKEN_SLOT);
    const seen = new Seat(tokens, 0).takeAll([tokens.proposal(0, X, []), tokens.proposal(0, Y, [])]);
    expect(reportTexts(tokens, seen)).toEqual([`${tokens.proposer(0)}: double proposal`]);
  });
});

describe("no validator is reported", () => {
  it.each<[string, readonly ConsensusMessage[]]>([
    ["a vote of another round than the lock's", [kit.vote(1, 1, X), lockOfY]],
    ["a vote and a commit for its value", [kit.vote(1, 0, X), kit.commit(2, 0, X), kit.lock(0, X, [1, 2, 3])]],
    ["a vote that a lock leaves out", [kit.vote(1, 0, X), kit.lock(0, Y, [0, 2, 3])]],
    ["votes after a lock with its seal", [lockOfY, kit.vote(1, 0, Y), kit.vote(1, 1, X)]],
    ["a vote after a lock without its seal", [kit.lock(0, Y, [0, 2, 3]), kit.vote(1, 0, X)]],
    ["commits that a decision leaves out", [finalityOfY, kit.commit(1, 1, X), kit.commit(0, 0, X)]],
    ["a vote against a decision", [finalityOfY, kit.vote(1, 0, X)]],
    ["the same statement twice", [kit.vote(1, 0, X), kit.vote(1, 0, X), change, change]],
    ["a lock that other votes prove as well", [change, kit.change(1, 1, kit.lock(0, X, [1, 2, 3]))]],
    ["values of two rounds and kinds", [kit.vote(1, 0, X), kit.vote(1, 1, Y), kit.commit(1, 1, X)]],
    ["a proposal in a round that it left", [kit.proposal(1, X), kit.change(kit.proposer(1), 2)]],
    ["a stranger's vote", [kit.vote("stranger", 0, X), { ...kit.vote(1, 0, X), signer: kit.nonMember }]],
    ["a stranger's others", [kit.change("stranger", 1), { ...kit.proposal(1, X), signer: kit.nonMember }]],
  ])("for %s", (_what, messages) => {
    expect(reportedPeers(messages)).toEqual([]);
  });

  it("for learning a lock after it has left for the round: it repeats its round change", () => {
    const honest = new Seat(kit, 1);
    honest.leave(1);
    const first = kit.change(1, 1, honest.state.carried);
    honest.take(kit.change(2, 1, kit.lock(0, X)));
    expect(honest.state.lock).toEqual(kit.lock(0, X));
    expect(reportedPeers([first, kit.change(1, 1, honest.state.carried)])).toEqual([]);
    expect(only(honest.leave(2), "changeRound")[0]?.lock).toEqual(kit.lock(0, X));
  });
});

describe("memory that one Byzantine validator can fill", () => {
  it("is two values a round and kind", () => {
    const seat = new Seat(kit, 0);
    const seen = seat.takeAll(Array.from({ length: 20 }, (_, i) => kit.vote(1, 0, value(`${i}`))));
    expect(seat.state.ballots.length).toBe(2);
    expect(new Set(reportTexts(kit, seen))).toEqual(new Set(["1: double vote"]));
  });

  it("is two proposals a round, each noted once", () => {
    const tokens = new Kit(4, TOKEN_SLOT);
    const seat = new Seat(tokens, 0);
    const noted = (): readonly Hash[] => [...seat.state.proposedBy.values()].flat();
    seat.takeAll([tokens.proposal(0, X, []), tokens.proposal(0, X, [])]);
    expect(noted()).toEqual([X]);
    seat.takeAll(Array.from({ length: 20 }, (_, i) => tokens.proposal(0, value(`${i}`), [])));
    expect(noted()).toEqual([X, value("0")]);
  });

  it("is bounded in rounds for votes and commits, too", () => {
    const seat = new Seat(kit, 0);
    seat.takeAll(Array.from({ length: 200 }, (_, number) => kit.vote(1, number, X)));
    expect(seat.state.ballots.length).toBe(ROUNDS_AHEAD + 1);
  });
});
