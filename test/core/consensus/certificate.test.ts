/** Certificates, committees, ballots and closes (protocol 3.0, 6.3). */

import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { text } from "../../../src/core/base/encoding.ts";
import type { Address, CheckpointNumber, Epoch, Hash, Round, Sequence, Signature } from "../../../src/core/base/ids.ts";
import { type Slot, slotKey } from "../../../src/core/base/slot.ts";
import { receiveFinality, receiveLock } from "../../../src/core/consensus/agreement.ts";
import { createAuthenticator } from "../../../src/core/consensus/authenticator.ts";
import {
  type Ballots,
  hasSigned,
  NO_BALLOTS,
  sealsFor,
  valuesOf,
  withBallot,
} from "../../../src/core/consensus/ballots.ts";
import { type AnyCertificate, certificateFault } from "../../../src/core/consensus/certificate.ts";
import {
  closeFault,
  closesOf,
  closingEvidenceOf,
  firstQuorumOfCloses,
  showCloses,
} from "../../../src/core/consensus/close.ts";
import { committeeOf, faultyOf, quorumOf } from "../../../src/core/consensus/committee.ts";
import type {
  Close,
  Commit,
  FinalityCertificate,
  LockCertificate,
  Seal,
  Vote,
} from "../../../src/core/consensus/message.ts";
import { type AgreementContext, consensusRules } from "../../../src/core/consensus/rules.ts";
import { newSlot, SlotUpdate } from "../../../src/core/consensus/slot-state.ts";
import { taggedHash } from "../../../src/core/crypto/hash.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import type { Scheme } from "../../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import { CHAIN, Kit, round, sealOf, TOKEN_SLOT, X, Y } from "./support/kit.ts";

const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature that the curve allows for the same key and digest. */
function highS(signature: Signature): Signature {
  const s = N - BigInt(`0x${signature.slice(66, 130)}`);
  const parity = signature.endsWith("00") ? "01" : "00";
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${parity}` as Signature;
}

/** Changes the digit at this index. */
function flipped(signature: Signature, at: number): Signature {
  const digit = (Number.parseInt(signature[at] as string, 16) ^ 1).toString(16);
  return `${signature.slice(0, at)}${digit}${signature.slice(at + 1)}` as Signature;
}

for (const scheme of [keyedHash, secp256k1] as readonly Scheme[]) {
  describe(`a certificate with ${scheme.name}`, () => {
    const kit = new Kit(4, undefined, scheme);
    const lock = kit.lock(1, X);
    const finality = kit.finality(1, X);
    const [first, second, third] = lock.seals as readonly [Seal, Seal, Seal];
    const fault = (certificate: AnyCertificate): string | undefined =>
      certificateFault(kit.committee, kit.authenticator, certificate);
    const withSeal = (seal: Seal): AnyCertificate => ({ ...lock, seals: [first, second, seal] });

    it("holds with q members' signatures, and with more", () => {
      for (const certificate of [lock, finality, kit.lock(1, X, [0, 1, 2, 3])])
        expect(fault(certificate)).toBeUndefined();
    });

    it("is the same for any order of its votes", () => {
      expect(kit.lock(1, X, [2, 0, 1])).toEqual(lock);
    });

    const foreign = sealOf(kit.vote("stranger", 1, X));
    const withForeign = [first, second, foreign].sort((a, b) => (a.signer < b.signer ? -1 : 1));
    const signedElsewhere = kit.lock(1, X, [0, 1, 2], { epoch: 1 });
    it.each<[string, AnyCertificate, string]>([
      // holds: 4
      ["fewer than q signatures", { ...lock, seals: [first, second] }, "too few signatures"],
      ["none", { ...lock, seals: [] }, "too few signatures"],
      ["one signer twice", withSeal(second), "repeated signer"],
      ["one signer twice, apart", withSeal(first), "signers out of order"],
      ["its signers in another order", { ...lock, seals: [second, first, third] }, "signers out of order"],
      // holds: 4
      ["an outsider's signature", { ...lock, seals: withForeign }, "foreign signer"],
      [
        "an outsider's signature under a member's name",
        withSeal({ signer: third.signer, signature: foreign.signature }),
        "invalid signature",
      ],
      ["a high s", withSeal({ ...third, signature: highS(third.signature) }), "invalid signature"],
      ["another value than was signed", { ...lock, value: Y }, "invalid signature"],
      ["another round", { ...lock, round: round(2) }, "invalid signature"],
      ["another slot", { ...lock, slot: TOKEN_SLOT }, "invalid signature"],
      ["another epoch", { ...lock, epoch: 1 as Epoch }, "wrong epoch"],
      ["votes as commits", { ...lock, type: "finality" }, "invalid signature"],
      ["commits as votes", { ...finality, type: "lock" }, "invalid signature"],
      ["signatures of another epoch", { ...signedElsewhere, epoch: lock.epoch }, "invalid signature"],
    ])("is invalid with %s", (_, certificate, expected) => expect(fault(certificate)).toBe(expected));

    it("is invalid with a changed byte anywhere in a signature", () => {
      const faults = [2, 40, 65, 66, 100, 129, 131].map((at) =>
        fault(withSeal({ ...third, signature: flipped(third.signature, at) })),
      );
      expect(new Set(faults)).toEqual(new Set(["invalid signature"]));
    });

    it("is invalid for the closing of another epoch than its own", () => {
      const closing = new Kit(4, { kind: "epoch", epoch: 5 as Epoch }, scheme);
      expect(certificateFault(closing.committee, closing.authenticator, closing.lock(1, X))).toBe("wrong epoch");
    });

    it("is invalid on another chain", () => {
      const elsewhere = createAuthenticator(CHAIN + 1, scheme);
      expect(certificateFault(kit.committee, elsewhere, lock)).toBe("invalid signature");
    });

    // holds: 9
    it("is invalid for another committee", () => {
      const authenticator = createAuthenticator(CHAIN, scheme);
      const others = committeeOf(CHAIN, kit.committee.epoch, [kit.nonMember, kit.member(0)], consensusRules);
      expect(certificateFault(others, authenticator, lock)).toBe("foreign signer");
      const nextEpoch = committeeOf(CHAIN, 1 as Epoch, kit.committee.members, consensusRules);
      expect(certificateFault(nextEpoch, authenticator, lock)).toBe("wrong epoch");
    });
  });
}

describe("the cache of certificate checks", () => {
  const kit = new Kit(4);

  it("never changes a result, at any size", () => {
    const tiny = createAuthenticator(CHAIN, keyedHash, { limit: 2 });
    const bad = { ...kit.lock(0, X), value: Y };
    for (let i = 0; i < 3; i++) {
      expect(certificateFault(kit.committee, tiny, kit.lock(0, X))).toBeUndefined();
      expect(certificateFault(kit.committee, tiny, bad)).toBe("invalid signature");
    }
  });

  it("tells two committees of one epoch apart", () => {
    const lock = kit.lock(0, X);
    expect(certificateFault(kit.committee, kit.authenticator, lock)).toBeUndefined();
    const others = committeeOf(CHAIN, kit.committee.epoch, [kit.nonMember, kit.member(0) as Address], consensusRules);
    expect(certificateFault(others, kit.authenticator, lock)).toBe("foreign signer");
  });

  it("judges one record once", () => {
    let asked = 0;
    const [a, b] = [{}, {}];
    const judged = [a, a, b, a].map((record) => kit.authenticator.once(kit.committee, record, () => `${++asked}`));
    expect(judged).toEqual(["1", "1", "2", "1"]);
  });

  it("of votes decides nothing, and one of commits locks nothing, in any message", () => {
    const context: AgreementContext = {
      self: kit.member(0) as Address,
      committee: kit.committee,
      authenticator: kit.authenticator,
      rules: consensusRules,
      isOpen: true,
    };
    const lock = kit.lock(0, X);
    const votes = new SlotUpdate(newSlot(lock.slot, kit.committee.epoch));
    receiveFinality(context, votes, lock as unknown as FinalityCertificate, false);
    expect(votes).toMatchObject({ state: { decided: undefined }, effects: [] });
    receiveLock(context, votes, { ...lock, type: "finality" } as unknown as LockCertificate, true);
    expect(votes).toMatchObject({ state: { lock: undefined, commits: [] }, effects: [] });
    receiveLock(context, votes, lock, true);
    expect(votes.state.lock).toEqual(lock);
  });
});

// holds: 4
it("quorums are those of protocol 1.1", () => {
  expect([4, 6, 7].map((n) => [faultyOf(n), quorumOf(n)])).toEqual([
    [1, 3],
    [1, 4],
    [2, 5],
  ]);
});

describe("a committee", () => {
  it("knows the position of each member", () => {
    const { members, index } = new Kit(4).committee;
    expect([...index]).toEqual(members.map((member, at) => [member, at]));
  });

  it("has at least one member, and each once", () => {
    const kit = new Kit(4);
    expect(() => committeeOf(1, 0 as Epoch, [], consensusRules)).toThrow("at least one validator");
    expect(() => committeeOf(1, 0 as Epoch, [kit.member(0), kit.member(0)], consensusRules)).toThrow("listed twice");
  });

  it("lets validator (hash(slot) + r) mod N propose", () => {
    const kit = new Kit(7);
    const start = Number(BigInt(taggedHash("slot", text(slotKey(kit.slot)))) % 7n);
    for (let r = 0; r < 10; r++) expect(kit.proposer(r)).toBe((start + r) % 7);
  });
});

const ballot: fc.Arbitrary<Vote | Commit> = fc
  .record({
    type: fc.constantFrom("vote" as const, "commit" as const),
    round: fc.nat(2),
    value: fc.constantFrom("a", "b", "c"),
    signer: fc.constantFrom("v1", "v2", "v3", "v4", "v5"),
  })
  .map(({ type, round, value, signer }) => ({
    type,
    epoch: 0 as never,
    slot: { kind: "epoch", epoch: 0 as never },
    round: round as Round,
    value: value as Hash,
    signer: signer as Address,
    signature: `${type} ${round} ${value} ${signer}` as Signature,
  }));

const distinct = fc.uniqueArray(ballot, { selector: ({ signature }) => signature, maxLength: 30 });

function ballotsOf(all: readonly (Vote | Commit)[]): Ballots {
  return all.reduce<Ballots>((ballots, one) => withBallot(ballots, one), NO_BALLOTS);
}

test("do not depend on the order of arrival", () => {
  fc.assert(
    fc.property(distinct, fc.infiniteStream(fc.nat()), (all, ranks) => {
      const shuffled = all.map((one) => ({ one, rank: ranks.next().value })).sort((a, b) => a.rank - b.rank);
      expect(ballotsOf(shuffled.map(({ one }) => one))).toEqual(ballotsOf(all));
    }),
  );
});

test("name for each value its signers, ascending, and for each signer its values", () => {
  fc.assert(
    fc.property(distinct, ballot, (all, asked) => {
      const alike = all.filter(({ type, round }) => type === asked.type && round === asked.round);
      const expected = alike.filter(({ value }) => value === asked.value).map(({ signer }) => signer);
      const seals = sealsFor(ballotsOf(all), asked);
      expect(seals.map(({ signer }) => signer)).toEqual(expected.sort());
      expect(hasSigned(seals, asked.signer)).toBe(expected.includes(asked.signer));
      const values = valuesOf(ballotsOf(all), asked.type, asked.round, asked.signer);
      expect(values).toEqual(
        alike
          .filter(({ signer }) => signer === asked.signer)
          .map(({ value }) => value)
          .sort(),
      );
    }),
  );
});

const kit = new Kit(4);
const EPOCH: Slot = { kind: "epoch", epoch: 0 as Epoch };
const account = (sequence: number): Slot => ({ ...kit.slot, sequence: sequence as Sequence }) as Slot;
const checkpoint = (number: number): Slot => ({ kind: "checkpoint", number: number as CheckpointNumber });
const lock = (slot: Slot, at: number, value = X): AnyCertificate => kit.lock(at, value, [0, 1, 2], { slot });
const final = (slot: Slot, at: number, value = X): AnyCertificate => kit.finality(at, value, [0, 1, 2], { slot });
const close = (at: number, claims: readonly AnyCertificate[], parts: Partial<Close> = {}): Close =>
  kit.sign(at, { type: "close", epoch: 0 as Epoch, slot: EPOCH, round: round(0), claims, ...parts } as never) as never;
const judges = { committee: kit.committee, authenticator: kit.authenticator, rules: consensusRules };

describe("a close", () => {
  const fine = [lock(account(0), 1), final(account(1), 0), lock(checkpoint(3), 0)];

  it("holds with its signature and every certificate, each slot once and in order", () => {
    expect(closeFault(judges, close(1, fine))).toBeUndefined();
    expect(closeFault(judges, close(1, []))).toBeUndefined();
  });

  it.each<[string, Close]>([
    ["signed by another", { ...close(1, fine), signer: kit.member(2) as never }],
    [
      "of a stranger",
      kit.sign("stranger", { type: "close", epoch: 0, slot: EPOCH, round: 0, claims: [] } as never) as never,
    ],
    ["with claims changed after it was signed", { ...close(1, fine), claims: fine.slice(1) }],
    ["of another epoch", close(1, fine, { epoch: 1 as Epoch, slot: { kind: "epoch", epoch: 1 as Epoch } })],
    ["in the slot of another epoch", close(1, fine, { slot: { kind: "epoch", epoch: 1 as Epoch } })],
    ["in another slot", close(1, fine, { slot: account(0) })],
    ["in a round", close(1, fine, { round: round(1) })],
  ])("does not hold %s", (_, made) => {
    expect(closeFault(judges, made)).toBe("invalid signature");
  });

  const [, seal, ...seals] = lock(account(0), 1).seals;
  it.each<[string, readonly AnyCertificate[]]>([
    ["too few votes", [{ ...lock(account(0), 1), seals } as AnyCertificate]],
    ["a seal twice", [{ ...lock(account(0), 1), seals: [seal, seal, ...seals] } as AnyCertificate]],
    ["votes passed off as commits", [{ ...lock(account(0), 1), type: "finality" } as AnyCertificate]],
    ["a certificate of another epoch", [kit.lock(1, X, [0, 1, 2], { slot: account(0), epoch: 1 as Epoch })]],
    ["a slot twice", [lock(account(0), 1), lock(account(0), 2)]],
    ["slots out of order", [lock(account(1), 1), lock(account(0), 1)]],
    ["a claim about the closing itself", [lock(EPOCH, 0)]],
  ])("does not hold with %s", (_, claims) => {
    expect(closeFault(judges, close(1, claims))).toBe("invalid certificate");
  });
});

describe("closes that are shown together", () => {
  const [first, second, third] = [lock(account(0), 1), final(account(0), 1), lock(account(1), 1)];
  // The same certificate with the seals of another quorum.
  const other = kit.lock(1, X, [1, 2, 3], { slot: account(0) });
  const closes = [close(0, [first, third]), close(1, [other]), close(2, [second, third])];
  const shown = showCloses(closes);

  it("show each certificate once, in one copy of it", () => {
    expect(shown.certificates).toEqual([first, third, second]);
    expect(closesOf(shown, 0 as Epoch)).toEqual([closes[0], { ...closes[1], claims: [first] }, closes[2]]);
    expect(closesOf(shown, 0 as Epoch)?.map((one) => closeFault(judges, one))).toEqual(Array(3).fill(undefined));
  });

  it.each<[string, Partial<typeof shown>]>([
    ["a certificate that none claims", { certificates: [...shown.certificates, lock(account(2), 1)] }],
    ["a second copy of one", { certificates: [first, third, second, other] }],
    ["a certificate less", { certificates: shown.certificates.slice(0, 2) }],
    ["a place that is none", { closes: shown.closes.map((one) => ({ ...one, claims: [...one.claims, -1] })) }],
  ])("are none with %s", (_, changed) => {
    expect(closesOf({ ...shown, ...changed }, 0 as Epoch)).toBeUndefined();
  });
});

describe("q closes imply", () => {
  const settled = (...claims: readonly (readonly AnyCertificate[])[]) => {
    const { checkpoints, decided } = closingEvidenceOf(claims.map((some, at) => close(at, some)));
    const text = ({ type, slot, round: at, value }: AnyCertificate) => `${type} ${slotKey(slot)} ${at} ${value}`;
    return { checkpoints: checkpoints.map(text), decided: [...decided.values()].map(text) };
  };
  const of = (...claims: readonly AnyCertificate[]) => settled(claims);

  it("the claims themselves, checkpoints apart", () => {
    const claims = [final(account(0), 0), lock(account(1), 2), lock(checkpoint(3), 0), lock(checkpoint(4), 1, Y)];
    expect(closingEvidenceOf([close(0, claims)])).toEqual({
      checkpoints: claims.slice(2),
      decided: new Map(claims.slice(0, 2).map((claim) => [slotKey(claim.slot), claim])),
    });
  });

  it("each slot once: a certificate before a lock, and of locks the one of the highest round", () => {
    const slot = account(0);
    expect(settled([lock(slot, 1, Y)], [lock(slot, 3)], [lock(slot, 2, Y)])).toEqual(of(lock(slot, 3)));
    expect(settled([lock(slot, 5, Y)], [final(slot, 0)], [])).toEqual(of(final(slot, 0)));
    expect(settled([final(slot, 0)], [lock(slot, 5)], [final(slot, 0)])).toEqual(of(final(slot, 0)));
  });

  it("of checkpoints the highest final one, and the locked ones above it", () => {
    const four = [final(checkpoint(2), 0), lock(checkpoint(3), 0), lock(checkpoint(4), 1)];
    expect(settled(four, [final(checkpoint(1), 0), lock(checkpoint(2), 0)], []).checkpoints).toEqual(
      of(...four).checkpoints,
    );
    expect(settled(four, [final(checkpoint(4), 1)], []).checkpoints).toEqual(of(final(checkpoint(4), 1)).checkpoints);
    expect(settled([lock(checkpoint(1), 0)], [], []).checkpoints).toEqual(of(lock(checkpoint(1), 0)).checkpoints);
  });

  it("nothing where nothing is claimed", () => {
    expect(settled([], [], [])).toEqual({ checkpoints: [], decided: [] });
  });

  it("are those of the first signers, exactly as many as a quorum", () => {
    const all = [3, 1, 2, 0].map((at) => [kit.member(at), close(at, [])] as const) as never;
    const expected = [0, 1, 2, 3]
      .map((at) => kit.member(at))
      .sort()
      .slice(0, 3);
    expect(firstQuorumOfCloses(all, 3)?.map(({ signer }) => signer)).toEqual(expected);
    expect(firstQuorumOfCloses((all as []).slice(0, 2), 3)).toBeUndefined();
  });
});
