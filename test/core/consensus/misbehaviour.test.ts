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

/** Reports for the two messages; the same in both orders of arrival. */
function reportedInAnyOrder(...[one, other]: readonly [ConsensusMessage, ConsensusMessage]): readonly string[] {
  const found = reportedPeers([one, other]);
  expect(reportedPeers([other, one])).toEqual(found);
  return found;
}

describe("a member is reported", () => {
  it("for two votes in one round", () => {
    expect(reportedPeers([kit.vote(1, 0, X), kit.vote(1, 0, Y)])).toEqual(["1: double vote"]);
  });

  it("for two commits in one round", () => {
    expect(reportedPeers([kit.commit(1, 2, X), kit.commit(1, 2, Y)])).toEqual(["1: double commit"]);
  });

  it("for a vote or commit that contradicts its seal in a certificate, once", () => {
    const doubleVote = ["1: double vote"];
    expect(reportedPeers([kit.vote(1, 0, X), kit.lock(0, Y, [1, 2, 3])])).toEqual(doubleVote);
    expect(reportedPeers([kit.vote(1, 0, X), kit.lock(0, Y, [1, 2, 3]), kit.lock(0, Y, [1, 2, 3])])).toEqual(
      doubleVote,
    );
    expect(reportedPeers([kit.commit(1, 0, X), kit.finality(0, Y, [1, 2, 3])])).toEqual(["1: double commit"]);
    expect(reportedPeers([kit.vote(1, 0, X), kit.vote(1, 0, Y), kit.lock(0, Y, [1, 2, 3])])).toEqual(doubleVote);
  });

  it("for a vote or commit that comes after a certificate with its seal for another value", () => {
    expect(reportedPeers([kit.lock(0, Y, [1, 2, 3]), kit.vote(1, 0, X)])).toEqual(["1: double vote"]);
    expect(reportedPeers([kit.finality(0, Y, [1, 2, 3]), kit.commit(1, 0, X)])).toEqual(["1: double commit"]);
  });

  it("for a vote after the decision of a token slot, which keeps its lock", () => {
    const tokens = new Kit(4, TOKEN_SLOT);
    const seen = new Seat(tokens, 0).takeAll([
      tokens.lock(0, Y, [1, 2, 3]),
      tokens.finality(0, Y, [1, 2, 3]),
      tokens.vote(1, 0, X),
    ]);
    expect(reportTexts(tokens, seen)).toEqual(["1: double vote"]);
  });

  it("for its seals in two certificates of one round", () => {
    const seen = reportedPeers([kit.lock(0, X, [0, 1, 2]), kit.lock(0, Y, [1, 2, 3])]);
    expect(seen).toEqual(["1: double vote", "2: double vote"]);
  });

  it("for two round changes for one round with different locks", () => {
    expect(reportedPeers([kit.change(1, 2), kit.change(1, 2, kit.lock(0, X))])).toEqual(["1: double round change"]);
    expect(reportedPeers([kit.change(1, 2, kit.lock(0, X)), kit.change(1, 2, kit.lock(1, X))])).toEqual([
      "1: double round change",
    ]);
  });

  it("for two proposals in one round of a token slot", () => {
    const tokens = new Kit(4, TOKEN_SLOT);
    const seat = new Seat(tokens, 0);
    const seen = seat.takeAll([tokens.proposal(0, X, []), tokens.proposal(0, Y, [])]);
    expect(reportTexts(tokens, seen)).toEqual([`${tokens.proposer(0)}: double proposal`]);
  });

  it("for a round change that hides a lock on which it has committed", () => {
    const hidden = ["1: hidden lock"];
    expect(reportedInAnyOrder(kit.commit(1, 0, X), kit.change(1, 1))).toEqual(hidden);
    expect(reportedInAnyOrder(kit.commit(1, 1, X), kit.change(1, 3, kit.lock(0, Y)))).toEqual(hidden);
  });

  it("for a round change with an invalid certificate", () => {
    expect(reportedPeers([kit.change(1, 1, { ...kit.lock(0, X), value: Y })])).toEqual(["1: invalid certificate"]);
    expect(reportedPeers([kit.change(1, 1, kit.lock(1, X))])).toEqual(["1: invalid certificate"]);
    expect(reportedPeers([kit.change(1, 1, kit.finality(0, X) as never)])).toEqual(["1: invalid certificate"]);
  });
});

describe("no validator is reported", () => {
  it("for the votes of other rounds and values that a certificate leaves out", () => {
    expect(reportedPeers([kit.vote(1, 1, X), kit.lock(0, Y, [1, 2, 3])])).toEqual([]);
    expect(reportedPeers([kit.vote(1, 0, X), kit.commit(2, 0, X), kit.lock(0, X, [1, 2, 3])])).toEqual([]);
    expect(reportedPeers([kit.vote(1, 0, X), kit.lock(0, Y, [0, 2, 3])])).toEqual([]);
  });

  it("for a vote or commit after a certificate that has its seal for the same value, or none of it in that round", () => {
    expect(reportedPeers([kit.lock(0, Y, [1, 2, 3]), kit.vote(1, 0, Y), kit.vote(1, 1, X)])).toEqual([]);
    expect(reportedPeers([kit.lock(0, Y, [0, 2, 3]), kit.vote(1, 0, X)])).toEqual([]);
    expect(reportedPeers([kit.finality(0, Y, [1, 2, 3]), kit.commit(1, 1, X), kit.commit(0, 0, X)])).toEqual([]);
    expect(reportedPeers([kit.finality(0, Y, [1, 2, 3]), kit.vote(1, 0, X)])).toEqual([]);
  });

  it("for the same statement twice", () => {
    const change = kit.change(1, 1, kit.lock(0, X));
    expect(reportedPeers([kit.vote(1, 0, X), kit.vote(1, 0, X), change, change])).toEqual([]);
  });

  it("for a lock that other votes prove as well", () => {
    expect(
      reportedPeers([kit.change(1, 1, kit.lock(0, X, [0, 1, 2])), kit.change(1, 1, kit.lock(0, X, [1, 2, 3]))]),
    ).toEqual([]);
  });

  it("for different values in different rounds, or a vote and a commit for different values", () => {
    expect(reportedPeers([kit.vote(1, 0, X), kit.vote(1, 1, Y), kit.commit(1, 1, X)])).toEqual([]);
  });

  it("for a commit at or above the round that it left for, or with the lock named", () => {
    expect(reportedInAnyOrder(kit.commit(1, 1, X), kit.change(1, 1))).toEqual([]);
    expect(reportedInAnyOrder(kit.commit(1, 0, X), kit.change(1, 1, kit.lock(0, X)))).toEqual([]);
    expect(reportedInAnyOrder(kit.commit(1, 0, X), kit.change(1, 2, kit.lock(1, Y)))).toEqual([]);
  });

  it("for a vote, a proposal or another's commit in a round that it left without a lock", () => {
    expect(reportedInAnyOrder(kit.vote(1, 0, X), kit.change(1, 1))).toEqual([]);
    expect(reportedInAnyOrder(kit.commit(2, 0, X), kit.change(1, 1))).toEqual([]);
    const proposer = kit.proposer(1);
    expect(reportedPeers([kit.proposal(1, X), kit.change(proposer, 2)])).toEqual([]);
  });

  it("outside the committee, whose messages are nothing at all", () => {
    const theirs = [
      kit.vote("stranger", 0, X),
      kit.change("stranger", 1),
      { ...kit.vote(1, 0, X), signer: kit.nonMember },
      { ...kit.proposal(1, X), signer: kit.nonMember },
    ];
    expect(reportedPeers(theirs)).toEqual([]);
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
