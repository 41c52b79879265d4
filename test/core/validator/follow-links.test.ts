/**
 * State of a later epoch: transferred only if closings lead there, each by the committee of its epoch (protocol 6.4).
 */
import { beforeAll, describe, expect, it } from "vitest";
import { requireDefined } from "../../../src/core/base/assert.ts";
import type { Member } from "../../../src/core/base/epoch.ts";
import type { Hash, Millis } from "../../../src/core/base/ids.ts";
import { slotKey } from "../../../src/core/base/slot.ts";
import { partRoots, stateRoot } from "../../../src/core/ledger/roots.ts";
import type { ClosingContent, Content } from "../../../src/core/validator/content.ts";
import type { EpochLink, SnapshotOffer } from "../../../src/core/validator/message.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { forkValidator, type ValidatorState } from "../../../src/core/validator/state.ts";
import { step } from "../../../src/core/validator/step.ts";
import { proofOf } from "../../../src/core/validator/transfer/state-transfer.ts";
import { Cluster, RARE } from "./support/cluster.ts";
import { addressOf, payment } from "./support/operations.ts";

const POLICY = { ...RARE, slots: 3 };
const members = (...names: readonly string[]): readonly Member[] =>
  names.map((name) => ({ key: addressOf(name), reward: addressOf(name) }));

/** Offers to a validator in its first epoch, made two epochs later: the last checkpoint, or the last closing. */
function offered(payments: number): {
  readonly of: Cluster;
  readonly offer: SnapshotOffer;
  /** A validator that has applied the first closing. */
  readonly halfway: ValidatorState;
} {
  const of = new Cluster(4, 5, rules, POLICY, { spares: 4 });
  of.begin();
  let nonce = 0;
  const pay = (count: number): void => {
    for (let i = 0; i < count; i++) {
      of.submit(0, payment("alice", nonce++, "bob", 1n));
      of.run(of.now + 50);
    }
  };
  pay(4);
  of.govern(0, { validators: members("v1", "v2", "v3/2", "v5") });
  of.run(of.now + 500);
  const halfway = forkValidator(of.node(1));
  pay(4);
  of.govern(0, { validators: members("v1/2", "v5", "v6", "v7", "v8") });
  of.run(of.now + 500);
  pay(payments);
  of.run(of.now + 500);
  const {
    checkpoints: { last: checkpoint },
    slots: { records: slots, contents },
    epochs: { links: known },
  } = of.node(0);
  const certificate = requireDefined(slots.get(slotKey(checkpoint.slot))?.decided, "certificate");
  const content = requireDefined(contents.get(checkpoint.hash), "content");
  const links = [...known.values()];
  return { of, halfway, offer: { type: "snapshot", insteadOf: undefined, links, certificate, content, parts: [] } };
}

describe.each([
  ["a checkpoint", 4],
  ["a closing", 0],
])("the state after %s", (title, payments) => {
  let of: Cluster;
  let offer: SnapshotOffer;
  let halfway: ValidatorState;
  beforeAll(() => {
    ({ of, offer, halfway } = offered(payments));
  });
  const proven = (parts: Partial<SnapshotOffer> = {}) => proofOf(of.fresh(3), { ...offer, ...parts } as never);
  const link = (at: number): EpochLink => requireDefined(offer.links[at], "link");

  it("is proved by the chain of closings", () => {
    const { ledger } = of.node(0);
    const header = { epoch: 2, opened: ledger.opened, parameters: ledger.parameters };
    expect(proven()).toMatchObject({ header });
    expect(offer.links).toHaveLength(2);
    expect(`a ${offer.content.value.type}`).toBe(title);
    expect(stateRoot(of.node(0).checkpoints.last.state)).toBe(
      (offer.content.value as { header: { stateRoot: Hash } }).header.stateRoot,
    );
  });

  it("is taken when it comes late, with outdated closings", () => {
    const late = forkValidator(halfway);
    expect(late.ledger.epoch).toBe(1);
    const message = { ...offer, parts: partRoots(of.node(0).checkpoints.last.state) };
    const outputs = step(late, { type: "message", at: of.now as Millis, from: addressOf("v1"), message });
    expect(outputs).toContainEqual({ type: "coverage", point: "state requested" });
    expect(late.transfer?.target.links).toEqual([link(1)]);
  });

  it.each<[string, () => Partial<SnapshotOffer>]>([
    ["without the first closing", () => ({ links: offer.links.slice(1) })],
    ["without the last closing", () => ({ links: offer.links.slice(0, 1) })],
    ["without any", () => ({ links: [] })],
    ["with the closings in another order", () => ({ links: offer.links.toReversed() })],
    ["with one closing twice", () => ({ links: [link(0), link(0), link(1)] })],
    [
      "with another next committee",
      () => ({
        links: [
          { ...link(0), head: { ...link(0).head, next: { ...link(0).head.next, validators: members("v4") } } },
          link(1),
        ],
      }),
    ],
    ["with another list under a closing", () => ({ links: [{ ...link(0), listedRoot: link(1).listedRoot }, link(1)] })],
    [
      "with a certificate of another epoch's committee",
      () => ({
        links: [{ ...link(0), certificate: { ...link(0).certificate, seals: link(1).certificate.seals } }, link(1)],
      }),
    ],
    [
      "with too few seals on a closing",
      () => ({
        links: [
          { ...link(0), certificate: { ...link(0).certificate, seals: link(0).certificate.seals.slice(1) } },
          link(1),
        ],
      }),
    ],
    ["with votes passed off as a decision", () => ({ certificate: { ...offer.certificate, type: "lock" } as never })],
    ["with the certificate of something else", () => ({ certificate: link(0).certificate })],
  ])("is not proved %s", (__, parts) => {
    expect(proven(parts())).toBeUndefined();
  });

  it("is not proved with a content of that value that does not prove itself", () => {
    const { content } = offer;
    const { closing } = content as ClosingContent;
    const other: Content =
      closing === undefined
        ? { ...content, operations: content.operations.slice(1) }
        : ({ ...content, closing: { ...closing, closes: closing.closes.slice(1) } } as Content);
    expect(proven({ content: other } as Partial<SnapshotOffer>)).toBeUndefined();
  });

  it("is not proved with too few seals on what it ends with", () => {
    const { certificate } = offer;
    expect(proven({ certificate: { ...certificate, seals: certificate.seals.slice(0, 1) } })).toBeUndefined();
  });
});
