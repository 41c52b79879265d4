/** State transfer against sources that lie in their offers and pieces, and against a quorum that certifies no state. */
import { describe, expect, it } from "vitest";
import type { Amount } from "../../../src/core/base/amount.ts";
import type { CheckpointPolicy } from "../../../src/core/base/epoch.ts";
import type { Epoch, Hash } from "../../../src/core/base/ids.ts";
import type { FinalityCertificate } from "../../../src/core/consensus/message.ts";
import { pieceAt } from "../../../src/core/ledger/pieces.ts";
import { partRoots, STATE_PARTS, stateRoot } from "../../../src/core/ledger/roots.ts";
import { balanceKey, type LedgerState } from "../../../src/core/ledger/state.ts";
import { listedRootOf } from "../../../src/core/ledger/value.ts";
import type { ChainContent, CheckpointContent, ClosingContent } from "../../../src/core/validator/content.ts";
import type { EpochLink, PeerMessage, SnapshotOffer, StateRequest } from "../../../src/core/validator/message.ts";
import type { Output } from "../../../src/core/validator/output.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import { provenHeader } from "../../../src/core/validator/transfer/follow-links.ts";
import { accountSlot, contentOf, decisionOf } from "./support/certificates.ts";
import {
  baseAfter,
  CLOSING,
  checkpointOf,
  checkpointSlot,
  claimOf,
  claimsOf,
  closingOf,
  type Part,
} from "./support/closings.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, payment, USD } from "./support/operations.ts";
import { only, Single, sent } from "./support/single.ts";

const POLICY: CheckpointPolicy = { intervalMs: 3_600_000, slots: 100, limit: 100, periodSeconds: 0, empty: false };
const FRESH = new Cluster(4, 5, rules, POLICY).node(0);
const GENESIS = FRESH.checkpoints.last;
const A0: Part = [accountSlot("alice"), payment("alice", 0, "bob", 10n)];
const B0: Part = [accountSlot("bob"), payment("bob", 0, "carol", 20n)];
const FIRST = checkpointOf(FRESH, GENESIS, [A0]);
const AFTER = baseAfter(FRESH, GENESIS, FIRST).state;
const SOURCE = addressOf("v2");

function finalOf(content: ChainContent): FinalityCertificate {
  const slot = content.value.type === "closing" ? CLOSING : checkpointSlot(content.value.header.number);
  return claimOf("finality", slot, content) as FinalityCertificate;
}

function offerOf(content: ChainContent, state: LedgerState, changed: Partial<SnapshotOffer> = {}): SnapshotOffer {
  return { type: "snapshot", links: [], certificate: finalOf(content), content, parts: partRoots(state), ...changed };
}

describe("an offered state", () => {
  const proven = (offer: SnapshotOffer) => provenHeader(FRESH, offer as never);
  const closing = (part: Part, next = FRESH.ledger.parameters): ClosingContent => {
    const made = closingOf(FRESH, GENESIS, [part], { claims: claimsOf("lock", [part]) });
    return { ...made, value: { ...made.value, next } };
  };
  const linkOf = (content: ClosingContent): EpochLink => {
    const { epoch, header, next, warrant, listed } = content.value;
    return { certificate: finalOf(content), head: { epoch, header, next, warrant }, listedRoot: listedRootOf(listed) };
  };

  it("is proved by its certificate, and the closing before it", () => {
    expect(proven(offerOf(FIRST, AFTER))).toMatchObject({ epoch: 0 });
    const content = closing(A0);
    expect(proven(offerOf(content, AFTER, { links: [linkOf(content)] }))).toMatchObject({ epoch: 1, opened: 1 });
  });

  it.each<[string, () => SnapshotOffer]>([
    [
      "if it is locked only",
      () => {
        const lock = claimOf("lock", checkpointSlot(1), FIRST);
        return offerOf(FIRST, AFTER, { certificate: lock as never });
      },
    ],
    [
      "by the decision of another checkpoint",
      () => offerOf(FIRST, AFTER, { certificate: finalOf(checkpointOf(FRESH, GENESIS, [B0])) }),
    ],
    ["by another closing of the same epoch", () => offerOf(closing(A0), AFTER, { links: [linkOf(closing(B0))] })],
    [
      "by a closing to an epoch that nobody can run",
      () => {
        const content = closing(A0, { ...FRESH.ledger.parameters, validators: [] });
        return offerOf(content, AFTER, { links: [linkOf(content)] });
      },
    ],
  ])("is not proved %s", (_, offer) => {
    expect(proven(offer())).toBeUndefined();
  });
});

/** A fresh validator that takes the messages of sources. */
class Joining extends Single {
  constructor() {
    super(new Cluster(4, 5, rules, POLICY).node(0));
  }

  /** Takes an offer and then its pieces, until it requests no more. Returns the outputs of the last step. */
  join(offer: SnapshotOffer, state: LedgerState): readonly Output[] {
    let outputs = this.take(offer);
    for (let [request] = requestsIn(outputs); request !== undefined; [request] = requestsIn(outputs))
      outputs = this.take(piecesOf(state, request));
    return outputs;
  }
}

const requestsIn = (outputs: readonly Output[]): readonly StateRequest[] => sent(outputs, "stateRequest");
const reportsIn = (outputs: readonly Output[]) =>
  only(outputs, "report").map(({ peer, misbehaviour }) => [peer, misbehaviour]);

function piecesOf(state: LedgerState, { number, places }: StateRequest): PeerMessage {
  const pieces = places.flatMap((place) => {
    const piece = pieceAt(state, place);
    return piece === undefined ? [] : [{ place, piece }];
  });
  return { type: "statePieces", number, pieces };
}

describe("a validator that joins", () => {
  it("installs the state that a source offers and proves", () => {
    const joining = new Joining();
    joining.join(offerOf(FIRST, AFTER), AFTER);
    expect(stateRoot(joining.state.ledger)).toBe(FIRST.value.header.stateRoot);
    expect(joining.state.transfer).toBeUndefined();
  });

  it.each<[string, () => SnapshotOffer]>([
    [
      "an account's decision in place of a checkpoint",
      () => offerOf(FIRST, AFTER, { certificate: decisionOf(A0[1], A0[0]), content: contentOf(A0[1]) }),
    ],
    ["the state that it has", () => offerOf({ ...FIRST, value: { ...FIRST.value, header: GENESIS.header } }, AFTER)],
  ])("ignores an offer of %s", (_, offer) => {
    const joining = new Joining();
    expect(joining.take(offer())).toEqual([]);
    expect(joining.state.transfer).toBeUndefined();
  });

  it.each<[string, Partial<SnapshotOffer>]>([
    ["parts of another state", { parts: partRoots(GENESIS.state) }],
    ["a certificate of something else", { certificate: finalOf(checkpointOf(FRESH, GENESIS, [B0])) }],
  ])("reports a source whose offer has %s", (_, changed) => {
    const joining = new Joining();
    expect(reportsIn(joining.take(offerOf(FIRST, AFTER, changed)))).toEqual([[SOURCE, "false state"]]);
    expect(joining.state.transfer).toBeUndefined();
  });

  it("takes no pieces of another state, nor any that it did not request", () => {
    const joining = new Joining();
    const [request] = requestsIn(joining.take(offerOf(FIRST, AFTER))) as [StateRequest];
    const wanted = joining.state.transfer?.missingPieces.size;
    expect(joining.take(piecesOf(AFTER, { ...request, number: 2 }))).toEqual([]);
    const elsewhere = STATE_PARTS.map((part) => ({ part, path: "lr" }));
    const [place] = request.places as [StateRequest["places"][0]];
    const piece = pieceAt(AFTER, place);
    if (piece === undefined) throw new Error("no piece");
    const strange = elsewhere.map((other) => ({ place: other, piece }));
    expect(joining.take({ type: "statePieces", number: 1, pieces: strange })).toEqual([]);
    expect(joining.state.transfer).toMatchObject({ source: SOURCE, missingPieces: { size: wanted } });
    joining.take({ type: "statePieces", number: 1, pieces: [...strange, { place, piece }] });
    expect(joining.state.transfer?.missingPieces.size).toBe((wanted ?? 0) - 1);
  });

  it("asks nobody, and takes nothing, once no transfer is running", () => {
    const joining = new Joining();
    expect(joining.fire("transfer")).toEqual([]);
    const number = 1;
    const places = STATE_PARTS.map((part) => ({ part, path: "" }));
    expect(joining.take(piecesOf(AFTER, { type: "stateRequest", epoch: 0 as Epoch, number, places }))).toEqual([]);
    expect(stateRoot(joining.state.ledger)).toBe(stateRoot(GENESIS.state));
  });

  it("halts at a state that a quorum certifies and that is none", () => {
    const carol = balanceKey(addressOf("carol"), USD);
    const balances = AFTER.balances.set(carol, 5_000n as Amount);
    const rich: LedgerState = { ...AFTER, balances };
    const content: CheckpointContent = {
      ...FIRST,
      value: { ...FIRST.value, header: { ...FIRST.value.header, stateRoot: stateRoot(rich) } },
    };
    const outputs = new Joining().join(offerOf(content, rich), rich);
    expect(outputs.at(-1)).toMatchObject({
      type: "event",
      event: {
        type: "halted",
        reason: `the state that it certifies is none: token ${USD}: balances and pool hold 7000, expected 3000`,
      },
    });
  });
});

it("a validator offers no state while it has none but the genesis", () => {
  const request = { type: "stateRequest", epoch: 0 as Epoch, number: 5, places: [] } as const;
  expect(new Joining().take(request)).toEqual([]);
  const fetched = { type: "fetch", epoch: 0 as Epoch, slots: [checkpointSlot(0)], values: [] as Hash[] } as const;
  expect(new Joining().take(fetched)).toEqual([]);
});
