import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ROUND_CAP_MS, ROUND_MS, ROUNDS_AHEAD, roundLength } from "../../../src/core/consensus/limits.ts";
import { carriedLock } from "../../../src/core/consensus/rules.ts";
import { Kit, round, X, Y } from "./support/kit.ts";
import { only, reportTexts, Seat, types } from "./support/seat.ts";

const kit = new Kit(4);

describe("changing round", () => {
  it("is durable before it is sent, and names the highest lock of a lower round", () => {
    const seat = new Seat(kit, 0);
    expect(types(seat.leave(1))).toEqual(["persist", "changeRound"]);
    seat.take(kit.lock(1, X));
    expect(only(seat.leave(2), "changeRound")).toMatchObject([{ round: 2, lock: kit.lock(1, X), cause: "reason" }]);
    const bare = new Seat(kit, 1);
    expect(only(bare.leave(1), "changeRound")).toMatchObject([{ round: 1, lock: undefined }]);
  });

  it("names no lock of the round itself or of a higher one", () => {
    const state = { ...new Seat(kit, 0).state, lock: kit.lock(2, X) };
    const carried = [1, 2, 3].map((number) => carriedLock(state, round(number)));
    expect(carried).toEqual([undefined, undefined, kit.lock(2, X)]);
  });

  it("goes up only", () => {
    const seat = new Seat(kit, 0);
    seat.leave(3);
    expect([...seat.leave(3), ...seat.leave(1), ...seat.timeOut(2)]).toEqual([]);
    expect(seat.state.round).toBe(3);
  });

  it("ends votes and commits in every round below", () => {
    const seat = new Seat(kit, 0);
    seat.leave(2);
    expect([...seat.vote(0, X), ...seat.vote(1, X), ...seat.vote(3, X)]).toEqual([]);
    expect(seat.takeAll([kit.lock(0, X), kit.lock(1, X)])).toEqual([]);
    expect(seat.state.commits).toEqual([]);
    expect(types(seat.vote(2, X))).toEqual(["persist", "vote"]);
  });

  it("leaves one vote for each round", () => {
    const seat = new Seat(kit, 0);
    seat.vote(0, X);
    seat.leave(1);
    expect(types(seat.vote(1, Y))).toEqual(["persist", "vote"]);
    expect(seat.vote(1, X)).toEqual([]);
    expect(seat.state.votes).toEqual([
      { round: 0, value: X },
      { round: 1, value: Y },
    ]);
  });

  it("follows a lock of a higher round, and commits there", () => {
    const seat = new Seat(kit, 0);
    const effects = seat.take(kit.lock(2, X));
    expect(types(effects)).toEqual(["persist", "changeRound", "persist", "commit"]);
    expect(only(effects, "changeRound")).toMatchObject([{ round: 2, lock: undefined, cause: "lock" }]);
  });

  it("carries the lock that it committed on, for any locks of one round by more than f Byzantine members", () => {
    const locks = fc.array(fc.tuple(fc.nat(3), fc.constantFrom(X, Y), fc.boolean()), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(locks, fc.nat(4), (disclosed, to) => {
        const seat = new Seat(kit, 0);
        for (const [number, value, holdsContent] of disclosed) {
          const before = seat.state.commits.length;
          const effects = seat.take(kit.lock(number, value), holdsContent);
          if (seat.state.commits.length > before)
            expect(seat.state.lock).toMatchObject(only(effects, "commit")[0]?.lock ?? {});
        }
        const last = seat.state.commits.at(-1);
        const next = Math.max(to, seat.state.round + 1);
        const [change] = only(seat.leave(next), "changeRound");
        if (last === undefined) return;
        const carried = change?.lock;
        expect(carried?.round).toBeGreaterThanOrEqual(last.round);
        if (carried?.round === last.round) expect(carried.value).toBe(last.value);
      }),
    );
  });

  it("commits on no other lock of a round than the one that it has recorded", () => {
    const seat = new Seat(kit, 0);
    seat.take(kit.lock(0, X), false);
    expect(only(seat.take(kit.lock(0, Y)), "commit")).toEqual([]);
    expect(only(seat.take(kit.lock(0, X)), "commit")).toMatchObject([{ lock: { value: X } }]);
  });

  it("follows a justified proposal of a higher round", () => {
    const seat = new Seat(kit, 0);
    expect(only(seat.take(kit.proposal(2, X)), "changeRound")).toMatchObject([{ round: 2, cause: "proposal" }]);
    expect(seat.take(kit.proposal(1, Y))).toEqual([]);
    expect(seat.standing).toBe("ignored");
  });

  it("keeps the lock of the highest round, for any order of locks", () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const seat = new Seat(kit, 0);
      seat.takeAll(order.map((number) => kit.lock(number, X)));
      expect(seat.state.lock?.round).toBe(2);
    }
  });

  it("learns of a lock from a round change that carries it", () => {
    const seat = new Seat(kit, 0);
    seat.take(kit.change(1, 1, kit.lock(0, X)));
    expect(only(seat.leave(1), "changeRound")[0]?.lock?.value).toBe(X);
  });
});

describe("f + 1 round changes", () => {
  it("pull a validator to the (f + 1)-th highest round named", () => {
    const seat = new Seat(kit, 0);
    expect(seat.take(kit.change(3, 7))).toEqual([]);
    expect(only(seat.take(kit.change(1, 2)), "changeRound")).toMatchObject([{ round: 2, cause: "pull" }]);
    expect(only(seat.take(kit.change(2, 5)), "changeRound")).toMatchObject([{ round: 5, cause: "pull" }]);
  });

  it("are of distinct validators: one Byzantine validator pulls no one, for any number of rounds", () => {
    const seat = new Seat(kit, 0);
    for (let number = 1; number <= ROUNDS_AHEAD; number++) seat.take(kit.change(3, number));
    expect(seat.state.round).toBe(0);
  });

  it("are more than f in larger committees: f Byzantine validators pull no one", () => {
    const seven = new Kit(7);
    const seat = new Seat(seven, 0);
    seat.takeAll([seven.change(5, 9), seven.change(6, 9), seven.change(6, 12)]);
    expect(seat.state.round).toBe(0);
    seat.take(seven.change(4, 1));
    expect(seat.state.round).toBe(1);
  });

  it("further ahead than the bound are kept of each validator's highest round only", () => {
    const seat = new Seat(kit, 0);
    const numbers = [2, 5, 3, 4].map((times) => times * ROUNDS_AHEAD);
    seat.takeAll(numbers.map((number) => kit.change(3, number)));
    expect([...seat.state.changes.values()].map((change) => change.round)).toEqual([5 * ROUNDS_AHEAD]);
    seat.takeAll([kit.change(3, ROUNDS_AHEAD), kit.change(3, ROUNDS_AHEAD + 1)]);
    expect([...seat.state.changes.values()].map((change) => change.round)).toEqual([ROUNDS_AHEAD, 5 * ROUNDS_AHEAD]);
    expect(seat.state.round).toBe(0);
  });

  it("near by stay where one further ahead than the bound follows", () => {
    const seat = new Seat(kit, 0);
    const numbers = [1, ROUNDS_AHEAD, ROUNDS_AHEAD + 1];
    seat.takeAll(numbers.map((number) => kit.change(3, number)));
    expect([...seat.state.changes.values()].map((change) => change.round)).toEqual(numbers);
  });

  it("are for rounds above 0 and of this epoch, and signed", () => {
    const seat = new Seat(kit, 0);
    const { state } = seat;
    expect(seat.take(kit.change(1, 0))).toEqual([]);
    const foreign = [kit.change(1, 1, undefined, { epoch: 1 }), { ...kit.change(2, 1), round: round(2) }];
    expect(reportTexts(kit, seat.takeAll(foreign))).toEqual(["1: invalid signature", "2: invalid signature"]);
    expect(seat.state).toBe(state);
  });

  it("pull a validator over any distance", () => {
    const seat = new Seat(kit, 0);
    seat.takeAll([kit.change(1, 9 * ROUNDS_AHEAD), kit.change(2, 7 * ROUNDS_AHEAD)]);
    expect(seat.state.round).toBe(7 * ROUNDS_AHEAD);
  });
});

describe("the timer of a round", () => {
  it("starts at q round changes for it or a higher one", () => {
    const seat = new Seat(kit, 0);
    const seen = [kit.change(1, 1), kit.change(2, 2)].flatMap((change) => seat.take(change));
    expect(types(seen)).not.toContain("roundTimer");
    expect(only(seat.take(kit.change(3, 1)), "roundTimer")).toEqual([{ type: "roundTimer", round: 1 }]);
  });

  it("does not start by round changes for lower ones", () => {
    const seat = new Seat(kit, 0);
    seat.leave(2);
    expect(types(seat.takeAll([kit.change(1, 1), kit.change(2, 1), kit.change(3, 1)]))).toEqual([]);
  });

  it("leads to the next round, and a late one to nothing", () => {
    const seat = new Seat(kit, 0);
    seat.leave(1);
    expect(only(seat.timeOut(1), "changeRound")).toMatchObject([{ round: 2, cause: "timeout" }]);
    expect(seat.timeOut(1)).toEqual([]);
  });

  it("runs longer in each round, up to a cap, in whole milliseconds", () => {
    const lengths = [0, 1, 2, 3, 20, 1000].map((number) => roundLength(round(number)));
    expect(lengths).toEqual([ROUND_MS, 600, 900, 1350, ROUND_CAP_MS, ROUND_CAP_MS]);
    expect(roundLength(round(Number.MAX_SAFE_INTEGER))).toBe(ROUND_CAP_MS);
    for (let number = 0; number < 200; number++)
      expect(roundLength(round(number + 1))).toBeGreaterThanOrEqual(roundLength(round(number)));
  });
});

describe("the proposer of a round", () => {
  const proposer = kit.proposer(1);

  it("proposes at q round changes for exactly that round, freely where none carries a lock", () => {
    const seat = new Seat(kit, proposer);
    seat.leave(1);
    const seen = seat.takeAll([kit.change(0, 1), kit.change(1, 1), kit.change(3, 2)]);
    expect(types(seen)).not.toContain("propose");
    const [asked] = only(seat.take(kit.change(2, 1)), "propose");
    expect(asked).toMatchObject({ round: 1, forced: undefined });
    expect(asked?.justification).toHaveLength(3);
  });

  it("proposes the value of the highest lock that its justification carries", () => {
    const seat = new Seat(kit, kit.proposer(3));
    seat.leave(3);
    const effects = seat.takeAll(kit.changes(3, [kit.lock(0, X), kit.lock(2, Y), kit.lock(1, X)]));
    expect(only(effects, "propose")[0]?.forced).toBe(Y);
  });

  it("makes no request once its epoch is closed", () => {
    const seat = new Seat(kit, proposer);
    seat.leave(1);
    seat.takeAll(kit.changes(1));
    expect(types(seat.proposeIfDue())).toEqual(["propose"]);
    seat.isOpen = false;
    expect(seat.proposeIfDue()).toEqual([]);
  });

  it("is the only one to propose", () => {
    const seat = new Seat(kit, (proposer + 1) % 4);
    seat.leave(1);
    expect(types(seat.takeAll(kit.changes(1)))).not.toContain("propose");
  });
});
