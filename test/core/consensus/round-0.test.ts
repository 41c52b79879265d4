/** Votes, commits and certificates of round 0, and what agreement keeps of them (protocol 3.1). */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConsensusRules, consensusRules } from "../../../src/core/consensus/rules.ts";
import { roundValueIn } from "../../../src/core/consensus/slot-state.ts";
import { Kit, TOKEN_SLOT, X, Y } from "./support/kit.ts";
import { only, reportTexts, Seat, types } from "./support/seat.ts";
import { type Choice, SlotModel } from "./support/slot-model.ts";

const kit = new Kit(4);

describe("round 0", () => {
  it("votes once, and the vote is durable before it leaves", () => {
    const seat = new Seat(kit, 0);
    expect(types(seat.vote(0, X))).toEqual(["persist", "vote"]);
    expect(seat.vote(0, Y)).toEqual([]);
    expect(seat.vote(0, X)).toEqual([]);
    expect(seat.state.votes).toEqual([{ round: 0, value: X }]);
  });

  it("locks at exactly q votes for one value, and a later vote makes no second certificate", () => {
    const seat = new Seat(kit, 0);
    const seen = [seat.take(kit.vote(3, 0, X)), seat.take(kit.vote(1, 0, Y)), seat.take(kit.vote(0, 0, X))];
    expect(seen.flat()).toEqual([]);
    const [locked] = only(seat.take(kit.vote(2, 0, X)), "locked");
    expect(locked?.lock).toEqual(kit.lock(0, X, [0, 2, 3]));
    expect(seat.take(kit.vote(1, 0, X)).filter(({ type }) => type === "locked")).toEqual([]);
  });

  it("commits on a lock, once, durably, and only with the value's content", () => {
    const seat = new Seat(kit, 0);
    expect(types(seat.take(kit.lock(0, X), false))).toEqual([]);
    expect(seat.state.lock).toEqual(kit.lock(0, X));
    const effects = seat.take(kit.lock(0, X), true);
    expect(types(effects)).toEqual(["persist", "commit"]);
    expect(seat.state.commits).toEqual([{ round: 0, value: X }]);
    expect(seat.take(kit.lock(0, X, [1, 2, 3]))).toEqual([]);
  });

  it("commits on a lock for a value that it did not vote for", () => {
    const seat = new Seat(kit, 0);
    seat.vote(0, Y);
    expect(only(seat.take(kit.lock(0, X)), "commit")[0]?.lock.value).toBe(X);
  });

  it("decides at exactly q commits, reports that it formed the certificate, and drops the rest", () => {
    const seat = new Seat(kit, 0);
    expect(seat.takeAll([kit.commit(2, 0, X), kit.commit(1, 0, X)])).toEqual([]);
    const effects = seat.take(kit.commit(3, 0, X));
    expect(types(effects)).toEqual(["persist", "decided"]);
    expect(only(effects, "decided")[0]).toMatchObject({ assembled: true, certificate: kit.finality(0, X, [1, 2, 3]) });
    expect(seat.state.ballots.length).toBe(0);
    expect(seat.take(kit.commit(0, 0, X))).toEqual([]);
  });

  it("decides on a finality certificate alone, after any vote and in any round", () => {
    for (const number of [0, 1, 5]) {
      const seat = new Seat(kit, 0);
      seat.vote(0, Y);
      seat.leave(number);
      const effects = seat.take(kit.finality(2, X));
      expect(types(effects)).toEqual(["persist", "decided"]);
      expect(only(effects, "decided")[0]?.assembled).toBe(false);
    }
  });

  it("does nothing any more once it is decided", () => {
    const seat = new Seat(kit, kit.proposer(1));
    seat.take(kit.finality(0, X));
    const { state } = seat;
    const later = [kit.lock(1, X), kit.change(1, 1), kit.proposal(1, X), kit.finality(0, X), kit.vote(1, 0, Y)];
    expect(seat.takeAll(later)).toEqual([]);
    expect([...seat.vote(0, X), ...seat.leave(1), ...seat.timeOut(0)]).toEqual([]);
    expect(seat.state).toBe(state);
  });

  it("decides nothing on an invalid certificate", () => {
    const seat = new Seat(kit, 0);
    const { state } = seat;
    expect(seat.takeAll([kit.finality(0, X, [0, 1]), { ...kit.finality(0, X), value: Y }])).toEqual([]);
    expect(seat.state).toBe(state);
  });

  it("signs nothing once its epoch is closed", () => {
    const seat = new Seat(kit, 0);
    seat.isOpen = false;
    expect([...seat.vote(0, X), ...seat.leave(1), ...seat.timeOut(0)]).toEqual([]);
    expect(seat.takeAll([kit.lock(0, X), ...kit.changes(1)])).toEqual([]);
    expect(seat.state.lock).toEqual(kit.lock(0, X));
  });

  it("counts no vote of a stranger, and reports a member's bad signature", () => {
    const seat = new Seat(kit, 0);
    const forged = { ...kit.vote(1, 0, X), value: Y };
    expect(seat.take(kit.vote("stranger", 0, X))).toEqual([]);
    expect(reportTexts(kit, seat.take(forged))).toEqual(["1: invalid signature"]);
    expect(seat.state.ballots.length).toBe(0);
  });

  it("takes a proposal in round 0 of a token slot from the proposer only, and none in an account slot", () => {
    const tokens = new Kit(4, TOKEN_SLOT);
    const seat = new Seat(tokens, 0);
    const proposer = tokens.proposer(0);
    const other = (proposer + 1) % 4;
    expect(reportTexts(tokens, seat.take(tokens.proposal(0, X, [], other)))).toEqual([
      `${other}: unjustified proposal`,
    ]);
    expect(seat.take(tokens.proposal(0, X, []))).toEqual([]);
    expect(seat.standing).toBe("free");
    expect(reportTexts(tokens, new Seat(tokens, 0).take(tokens.proposal(0, X, tokens.changes(1))))).toEqual([
      `${proposer}: unjustified proposal`,
    ]);
    const account = new Seat(kit, 0);
    expect(reportTexts(kit, account.take(kit.proposal(0, X, [])))).toEqual([
      `${kit.proposer(0)}: unjustified proposal`,
    ]);
  });

  it("needs all members where one is a quorum of one, and two of two", () => {
    const alone = new Kit(1);
    expect(types(new Seat(alone, 0).take(alone.vote(0, 0, X)))).toEqual(["locked"]);
    const pair = new Kit(2);
    const seat = new Seat(pair, 0);
    expect(seat.take(pair.vote(0, 0, X))).toEqual([]);
    expect(types(seat.take(pair.vote(1, 0, X)))).toEqual(["locked"]);
  });
});

const kits = new Map([4, 5, 6, 7].map((n) => [n, new Kit(n)]));

const choice: fc.Arbitrary<Choice> = fc.record({
  act: fc.oneof(
    { weight: 6, arbitrary: fc.constant("spread" as const) },
    { weight: 2, arbitrary: fc.constantFrom("assemble" as const, "lie" as const) },
    { weight: 2, arbitrary: fc.constantFrom("vote" as const, "leave" as const, "propose" as const) },
  ),
  a: fc.nat(255),
  b: fc.nat(4095),
  c: fc.nat(255),
});

const choices = fc.array(choice, { minLength: 60, maxLength: 240, size: "max" });

/** Runs the choices in a slot model and returns it. */
function run(n: number, rules: ConsensusRules, made: readonly Choice[]): SlotModel {
  const model = new SlotModel(kits.get(n) as Kit, rules);
  for (const one of made) model.step(one);
  return model;
}

function breaks(n: number, rules: ConsensusRules, numRuns: number): boolean {
  const property = fc.property(choices, (made) => {
    const model = run(n, rules, made);
    return model.finals().size <= 1 && model.doubleLocks().length === 0;
  });
  return fc.check(property, { numRuns, seed: 7, endOnFailure: true }).failed;
}

describe("one slot with f Byzantine members, any order of delivery and rounds 0 to 3", () => {
  for (const n of kits.keys()) {
    // holds: 76
    it(`never has certificates of finality for two values, N = ${n}`, () => {
      const property = fc.property(choices, (made) => {
        const model = run(n, consensusRules, made);
        expect(model.finals().size).toBeLessThanOrEqual(1);
        expect(model.doubleLocks()).toEqual([]);
      });
      fc.assert(property, { numRuns: 500 });
    });
  }

  it("is exercised: some runs decide above round 0, and some stay undecided", () => {
    const seen = { decided: 0, undecided: 0, late: 0 };
    const property = fc.property(choices, (made) => {
      const model = run(4, consensusRules, made);
      seen[model.finals().size > 0 ? "decided" : "undecided"]++;
      if (model.finals().size > 0 && model.highestRound() > 1) seen.late++;
    });
    fc.assert(property, { numRuns: 200, seed: 3 });
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
  });
});

describe("the same runs find what is wrong with", () => {
  const broken: readonly (readonly [name: string, rules: Partial<ConsensusRules>])[] = [
    ["round changes that carry no lock", { carriedLock: () => undefined }],
    ["proposals that no lock forces", { forcedValue: () => undefined }],
    [
      "commits below the round that one has left for",
      { mayCommit: (state, lock) => roundValueIn(state.commits, lock.round) === undefined },
    ],
    ["votes that are given twice", { mayVote: (state, round) => state.round === round }],
    [
      "certificates that are never checked",
      { certificateFault: () => undefined, forcedValue: (changes) => changes[0]?.lock?.value },
    ],
  ];
  for (const [name, rules] of broken) {
    it(name, () => expect(breaks(4, { ...consensusRules, ...rules }, 4_000)).toBe(true));
  }
});
