import { describe, expect, it } from "vitest";
import type { Epoch } from "../../../src/core/base/ids.ts";
import type { LockCertificate, Proposal, RoundChange } from "../../../src/core/consensus/message.ts";
import { forcedValue } from "../../../src/core/consensus/rules.ts";
import { Kit, TOKEN_SLOT, value, X, Y } from "./support/kit.ts";
import { only, reportTexts, Seat } from "./support/seat.ts";

const kit = new Kit(4);
const proposer = kit.proposer(2);

/** Response of a member in round 0 to a proposal. */
function judged(proposal: Proposal): { standing: string; reports: readonly string[]; round: number } {
  const seat = new Seat(kit, (proposer + 1) % 4);
  const reports = reportTexts(kit, seat.take(proposal));
  return { standing: seat.standing, reports, round: seat.state.round };
}

const REFUSED = { standing: "ignored", reports: [`${proposer}: unjustified proposal`], round: 0 };

function unsigned({ signer: _, signature: __, ...body }: Proposal): Omit<Proposal, "signer" | "signature"> {
  return body;
}

/** A proposal for round 2 with round changes of these members for it. */
const withChanges = (...members: readonly number[]): Proposal =>
  kit.proposal(
    2,
    X,
    members.map((at) => kit.change(at, 2)),
  );

/** A proposal for round 2 with round changes of members 0 and 1 for it, and another one. */
const withOne = (change: RoundChange, of = X): Proposal =>
  kit.proposal(2, of, [kit.change(0, 2), kit.change(1, 2), change]);

describe("a proposal above round 0", () => {
  it("is a free choice where no round change carries a lock", () => {
    expect(judged(kit.proposal(2, X))).toEqual({ standing: "free", reports: [], round: 2 });
  });

  it("is forced where it has the value of the highest lock that is carried", () => {
    const justification = kit.changes(2, [kit.lock(0, X), kit.lock(1, Y)]);
    expect(judged(kit.proposal(2, Y, justification))).toEqual({ standing: "forced", reports: [], round: 2 });
  });

  const forgedLock: LockCertificate = { ...kit.lock(0, X), value: Y };
  const thinLock: LockCertificate = kit.lock(0, X, [0, 1]);
  const elsewhere = kit.lock(0, X, [0, 1, 2], { slot: TOKEN_SLOT });
  const refused: readonly (readonly [name: string, proposal: Proposal])[] = [
    ["more round changes than a quorum", withChanges(0, 1, 2, 3)],
    ["too few round changes", kit.proposal(2, X, kit.changes(2).slice(1))],
    ["one round change, repeated", withChanges(0, 0, 0)],
    ["more round changes than a quorum, of a quorum's signers", withChanges(0, 1, 2, 2)],
    ["a vote in a round change's place", withOne(kit.vote(2, 2, X) as never)],
    ["a commit certificate in a lock's place", withOne(kit.change(2, 2, kit.finality(0, X) as never))],
    [
      "the round changes of another epoch than its own",
      kit.sign(proposer, { ...unsigned(kit.proposal(2, X)), epoch: 1 as Epoch }),
    ],
    ["round changes for a lower round", kit.proposal(2, X, kit.changes(1))],
    ["a round change for a higher round", withOne(kit.change(2, 3))],
    ["a round change of a stranger", withOne(kit.change("stranger", 2))],
    ["a round change in another's name", withOne({ ...kit.change(3, 2), signer: kit.member(2) })],
    ["a round change of another slot", withOne(kit.change(2, 2, undefined, { slot: TOKEN_SLOT }))],
    ["a round change of another epoch", withOne(kit.change(2, 2, undefined, { epoch: 1 }))],
    ["a round change whose lock was left out", withOne({ ...kit.change(2, 2, kit.lock(0, Y)), lock: undefined })],
    ["a round change with a forged lock", withOne(kit.change(2, 2, forgedLock), Y)],
    ["a round change with a lock of too few votes", withOne(kit.change(2, 2, thinLock))],
    ["a round change with a lock of its own round", withOne(kit.change(2, 2, kit.lock(2, X)))],
    ["a round change with a lock of another slot", withOne(kit.change(2, 2, elsewhere))],
    ["another value than the forced one", withOne(kit.change(2, 2, kit.lock(0, X)), Y)],
    [
      "the value of a lower lock than the highest",
      kit.proposal(2, X, kit.changes(2, [kit.lock(0, X), kit.lock(1, Y)])),
    ],
  ];
  for (const [name, proposal] of refused) {
    it(`is refused and reported with ${name}`, () => expect(judged(proposal)).toEqual(REFUSED));
  }

  it("is refused from another than the round's proposer", () => {
    const other = (proposer + 2) % 4;
    expect(judged(kit.proposal(2, X, kit.changes(2), other))).toEqual({
      ...REFUSED,
      reports: [`${other}: unjustified proposal`],
    });
  });

  it("is refused with a signature over another value", () => {
    const forged = { ...kit.proposal(2, X), value: Y };
    expect(judged(forged)).toEqual({ ...REFUSED, reports: [`${proposer}: invalid signature`] });
  });

  it("leaves the locks of its justification behind, so that they cannot be lost again", () => {
    const seat = new Seat(kit, (proposer + 1) % 4);
    seat.take(kit.proposal(2, X, kit.changes(2, [undefined, kit.lock(0, X)])));
    expect(seat.state.lock).toEqual(kit.lock(0, X));
  });

  it("is kept as the first of its round; a second one is reported and not voted for", () => {
    const seat = new Seat(kit, (proposer + 1) % 4);
    seat.take(kit.proposal(2, X));
    expect(reportTexts(kit, seat.take(kit.proposal(2, Y)))).toEqual([`${proposer}: double proposal`]);
    expect(seat.standing).toBe("ignored");
    expect([...seat.state.proposals.values()].map((kept) => kept.value)).toEqual([X]);
  });

  it("may be repeated", () => {
    const seat = new Seat(kit, (proposer + 1) % 4);
    seat.take(kit.proposal(2, X));
    expect(seat.take(kit.proposal(2, X))).toEqual([]);
    expect(seat.standing).toBe("free");
  });
});

describe("the forced value", () => {
  it("is none without a lock", () => expect(forcedValue(kit.changes(2))).toBeUndefined());
  it("is that of the highest lock, at any position", () => {
    const locks = [kit.lock(1, X), kit.lock(3, Y), kit.lock(0, value("Z"))];
    for (const turn of [0, 1, 2]) {
      const order = [0, 1, 2].map((at) => locks[(at + turn) % 3]);
      expect(forcedValue(kit.changes(4, order))).toBe(Y);
    }
  });
});

describe("a proposer", () => {
  it("justifies its proposal with exactly a quorum of round changes, also if it has more", () => {
    const seat = new Seat(kit, proposer);
    const asked = only(seat.takeAll([0, 1, 2, 3].map((at) => kit.change(at, 2))), "propose");
    expect(asked.map(({ justification }) => justification.length)).toEqual([3, 3]);
  });
});
