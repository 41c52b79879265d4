/** Closes and the decisions that they imply (protocol 6.3). */
import { describe, expect, it } from "vitest";
import type { CheckpointNumber, Epoch, Sequence } from "../../../src/core/base/ids.ts";
import { type Slot, slotKey } from "../../../src/core/base/slot.ts";
import type { AnyCertificate } from "../../../src/core/consensus/certificate.ts";
import {
  closeFault,
  closesOf,
  closingEvidenceOf,
  firstQuorumOfCloses,
  showCloses,
} from "../../../src/core/consensus/close.ts";
import type { Close } from "../../../src/core/consensus/message.ts";
import { consensusRules } from "../../../src/core/consensus/rules.ts";
import { Kit, round, X, Y } from "./support/kit.ts";

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
