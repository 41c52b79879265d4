/** State transfer against sources that lie in their offers and pieces, and against a quorum that certifies no state. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Amount } from "../../../src/core/base/amount.ts";
import type { Epoch, Hash } from "../../../src/core/base/ids.ts";
import { Trie } from "../../../src/core/base/trie.ts";
import type { Committee } from "../../../src/core/consensus/committee.ts";
import type { FinalityCertificate } from "../../../src/core/consensus/message.ts";
import { pieceAt, piecesAt, pieceWeight } from "../../../src/core/ledger/pieces.ts";
import { partRoots, STATE_PARTS, stateRoot } from "../../../src/core/ledger/roots.ts";
import { balanceKey, type LedgerState } from "../../../src/core/ledger/state.ts";
import { listedRootOf } from "../../../src/core/ledger/value.ts";
import type { ChainContent, CheckpointContent, ClosingContent } from "../../../src/core/validator/content.ts";
import {
  CHECKPOINTS_KEPT,
  PIECES_REQUESTED,
  RESPONSE_ENTRIES,
  TRANSFER_MS,
} from "../../../src/core/validator/limits.ts";
import type { EpochLink, PeerMessage, SnapshotOffer, StateRequest } from "../../../src/core/validator/message.ts";
import type { Output } from "../../../src/core/validator/output.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import type { OfferedState, Transfer } from "../../../src/core/validator/sub-states.ts";
import { proofOf } from "../../../src/core/validator/transfer/state-transfer.ts";
import { nextTarget } from "../../../src/core/validator/transfer/transfer-rules.ts";
import { contentOf, decisionOf } from "./support/certificates.ts";
import {
  A0,
  B0,
  baseAfter,
  CLOSING,
  checkpointOf,
  checkpointSlot,
  claimOf,
  claimsOf,
  closingOf,
  type Part,
} from "./support/closings.ts";
import { Cluster, RARE } from "./support/cluster.ts";
import { addressOf, mint, payment, USD } from "./support/operations.ts";
import { only, Single } from "./support/single.ts";

const FRESH = new Cluster(4, 5, rules, RARE).node(0);
const GENESIS = FRESH.checkpoints.last;
const FIRST = checkpointOf(FRESH, GENESIS, [A0]);
const AFTER = baseAfter(FRESH, GENESIS, FIRST).state;

function finalOf(content: ChainContent): FinalityCertificate {
  const slot = content.value.type === "closing" ? CLOSING : checkpointSlot(content.value.header.number);
  return claimOf("finality", slot, content) as FinalityCertificate;
}

function offerOf(content: ChainContent, state: LedgerState, changed: Partial<SnapshotOffer> = {}): SnapshotOffer {
  const [certificate, parts] = [finalOf(content), partRoots(state)];
  return { type: "snapshot", insteadOf: undefined, links: [], certificate, content, parts, ...changed };
}

describe("an offered state", () => {
  const proven = (offer: SnapshotOffer) => proofOf(FRESH, offer as never);
  const closing = (part: Part, next = FRESH.ledger.parameters): ClosingContent => {
    const made = closingOf(FRESH, GENESIS, [part], { claims: claimsOf("lock", [part]) });
    return { ...made, value: { ...made.value, next } };
  };
  const linkOf = (content: ClosingContent): EpochLink => {
    const { epoch, header, next, warrant, listed } = content.value;
    return { certificate: finalOf(content), head: { epoch, header, next, warrant }, listedRoot: listedRootOf(listed) };
  };

  it("is proved by its certificate, and the closing before it", () => {
    expect(proven(offerOf(FIRST, AFTER))).toMatchObject({ header: { epoch: 0 } });
    const content = closing(A0);
    expect(proven(offerOf(content, AFTER, { links: [linkOf(content)] }))).toMatchObject({
      header: { epoch: 1, opened: 1 },
    });
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

interface Asked {
  readonly source: string;
  readonly request: StateRequest;
}

const nameOf = (peer: string): string => ["v1", "v2", "v3", "v4"].find((name) => addressOf(name) === peer) ?? peer;

/** A fresh validator that takes the messages of sources, with what it asked them for. */
class Joining extends Single {
  readonly requests: Asked[] = [];

  constructor() {
    super(new Cluster(4, 5, rules, RARE).node(0));
  }

  override take(message: PeerMessage, from = "v2"): readonly Output[] {
    return this.#noted(super.take(message, from));
  }

  override fire(name: string): readonly Output[] {
    return this.#noted(super.fire(name));
  }

  #noted(outputs: readonly Output[]): readonly Output[] {
    for (const { to, message } of only(outputs, "send"))
      if (message.type === "stateRequest") this.requests.push({ source: nameOf(to[0] as string), request: message });
    return outputs;
  }

  /** Takes the responses of one source, until it is asked no more. Returns the outputs of the last step. */
  serve(source: string, state: LedgerState): readonly Output[] {
    let outputs: readonly Output[] = [];
    for (let done = 0; done < this.requests.length; done++) {
      const asked = this.requests[done] as Asked;
      if (asked.source === source && asked.request.number === this.#target())
        outputs = this.take(piecesOf(state, asked.request), source);
    }
    return outputs;
  }

  #target(): number | undefined {
    return this.state.transfer?.target.content.value.header.number;
  }

  /** Takes an offer and then its pieces, until it requests no more. Returns the outputs of the last step. */
  join(offer: SnapshotOffer, state: LedgerState): readonly Output[] {
    this.take(offer);
    return this.serve("v2", state);
  }
}

function piecesOf(state: LedgerState, { number, root, places }: StateRequest): PeerMessage {
  return { type: "statePieces", number, root, pieces: places.flatMap((place) => piecesAt(state, place)) };
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
  ])("ignores an offer with %s, and names nobody: it may be an answer to what it asked before", (_, changed) => {
    const joining = new Joining();
    expect(joining.take(offerOf(FIRST, AFTER, changed))).toEqual([]);
    expect(joining.state.transfer).toBeUndefined();
  });

  it("has f + 1 sources at work, so that one that sends a little, late, delays nothing", () => {
    const joining = new Joining();
    joining.take(offerOf(FIRST, AFTER));
    expect(joining.requests.map((asked) => asked.source)).toEqual(["v2", "v3"]);
    joining.serve("v3", AFTER);
    expect(stateRoot(joining.state.ledger)).toBe(FIRST.value.header.stateRoot);
  });

  it("asks others after a silence, and the silent again in their turn", () => {
    const joining = new Joining();
    joining.take(offerOf(FIRST, AFTER));
    joining.at = TRANSFER_MS;
    joining.fire("transfer");
    joining.at = 2 * TRANSFER_MS;
    joining.fire("transfer");
    expect(joining.requests.map((asked) => asked.source)).toEqual(["v2", "v3", "v4", "v2", "v3", "v2"]);
  });

  it("gives a transfer up once each source was asked in vain, and begins another with the next offer", () => {
    const joining = new Joining();
    joining.take(offerOf(FIRST, AFTER));
    for (let turn = 1; turn <= 2; turn++) {
      joining.at = turn * TRANSFER_MS;
      joining.fire("transfer");
      expect(joining.state.transfer).toBeDefined();
    }
    joining.at = 3 * TRANSFER_MS;
    joining.fire("transfer");
    expect(joining.state.transfer).toBeUndefined();
    joining.join(offerOf(FIRST, AFTER), AFTER);
    expect(stateRoot(joining.state.ledger)).toBe(FIRST.value.header.stateRoot);
  });

  describe("while its sources move on", () => {
    const SECOND = checkpointOf(FRESH, baseAfter(FRESH, GENESIS, FIRST), [B0]);
    const LATER = baseAfter(FRESH, baseAfter(FRESH, GENESIS, FIRST), SECOND).state;
    const moving = (): Joining => {
      const joining = new Joining();
      joining.take(offerOf(FIRST, AFTER));
      return joining;
    };

    it("keeps its target after an offer that it did not ask for, and after that of one source", () => {
      const joining = moving();
      joining.take(offerOf(SECOND, LATER, { insteadOf: 1 }), "v4");
      joining.take(offerOf(SECOND, LATER), "v3");
      joining.take(offerOf(SECOND, LATER, { insteadOf: 1 }), "v2");
      expect(joining.state.transfer?.target.certificate.slot).toEqual(checkpointSlot(1));
      expect(joining.requests.map((asked) => asked.source)).toEqual(["v2", "v3", "v4"]);
    });

    it("takes no older state for it, though f + 1 of them offer one, and begins none once it is there", () => {
      const joining = new Joining();
      joining.take(offerOf(SECOND, LATER));
      for (const source of ["v2", "v3"]) joining.take(offerOf(FIRST, AFTER, { insteadOf: 2 }), source);
      expect(joining.state.transfer?.target.certificate.slot).toEqual(checkpointSlot(2));
      joining.serve("v4", LATER);
      expect(stateRoot(joining.state.ledger)).toBe(SECOND.value.header.stateRoot);
      expect(joining.take(offerOf(FIRST, AFTER))).toEqual([]);
    });

    it("goes on with the newest state once f + 1 of them no longer have the other, and keeps what it has", () => {
      const joining = moving();
      const [, { request }] = joining.requests as [Asked, Asked];
      joining.take(piecesOf(AFTER, { ...request, places: [{ part: "accounts", path: "" }] }), "v3");
      const { size } = joining.state.transfer?.pieces ?? { size: 0 };
      joining.take(offerOf(SECOND, LATER, { insteadOf: 1 }), "v2");
      joining.take(offerOf(SECOND, LATER, { insteadOf: 1 }), "v3");
      expect(size).toBe(1);
      expect(joining.state.transfer?.target.certificate.slot).toEqual(checkpointSlot(2));
      expect(joining.state.transfer?.pieces.size).toBe(1);
      joining.serve("v2", LATER);
      expect(stateRoot(joining.state.ledger)).toBe(SECOND.value.header.stateRoot);
    });

    it("goes on with a newer state that anybody offers, once nothing has come for a while", () => {
      const joining = new Joining();
      joining.take(offerOf(FIRST, AFTER));
      joining.at = TRANSFER_MS - 1;
      joining.take(offerOf(SECOND, LATER), "v4");
      expect(joining.state.transfer?.target.certificate.slot).toEqual(checkpointSlot(1));
      joining.at = TRANSFER_MS;
      joining.take(offerOf(FIRST, AFTER), "v4");
      expect(joining.state.transfer?.target.certificate.slot).toEqual(checkpointSlot(1));
      joining.take(offerOf(SECOND, LATER), "v4");
      expect(joining.state.transfer?.target.certificate.slot).toEqual(checkpointSlot(2));
    });
  });

  it("takes no pieces of another state, nor any that it did not request", () => {
    const joining = new Joining();
    joining.take(offerOf(FIRST, AFTER));
    const { request } = joining.requests[0] as Asked;
    const missing = joining.state.transfer?.missing.size;
    expect(joining.take(piecesOf(AFTER, { ...request, number: 2 }))).toEqual([]);
    // An honest source of another checkpoint with this number holds these: none is a false piece of the one asked for.
    const rival = { ...request, root: stateRoot(GENESIS.state) };
    expect(joining.take(piecesOf(GENESIS.state, rival))).toEqual([]);
    const elsewhere = STATE_PARTS.map((part) => ({ part, path: "lr" }));
    const [place] = request.places as [StateRequest["places"][0]];
    const piece = pieceAt(AFTER, place);
    if (piece === undefined) throw new Error("no piece");
    const strange = elsewhere.map((other) => ({ place: other, piece }));
    const { root } = request;
    expect(joining.take({ type: "statePieces", number: 1, root, pieces: strange }, "v4")).toEqual([]);
    expect(joining.state.transfer).toMatchObject({ missing: { size: missing }, pieces: { size: 0 } });
    joining.take({ type: "statePieces", number: 1, root, pieces: [...strange, { place, piece }] }, "v4");
    expect(joining.state.transfer).toMatchObject({ missing: { size: (missing ?? 0) - 1 }, pieces: { size: 1 } });
  });

  it("asks nobody, and takes nothing, once no transfer is running", () => {
    const joining = new Joining();
    expect(joining.fire("transfer")).toEqual([]);
    const number = 1;
    const places = STATE_PARTS.map((part) => ({ part, path: "" }));
    const root = stateRoot(AFTER);
    expect(joining.take(piecesOf(AFTER, { type: "stateRequest", epoch: 0 as Epoch, number, root, places }))).toEqual(
      [],
    );
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

describe("a response with pieces", () => {
  const addresses = Array.from({ length: 70_000 }, (_, at) => (at * 40_503).toString(16).padStart(8, "0")).sort();
  const members = Trie.of(addresses.map((digits) => [`${USD}/0x${digits.padEnd(40, "0")}`, true] as const));
  const state: LedgerState = { ...AFTER, listed: members, bridged: members };

  function weightOf(places: StateRequest["places"]): number {
    const source = new Single(new Cluster(4, 5, rules, RARE).node(0));
    source.state.checkpoints.states.set(1, state);
    const root = stateRoot(state);
    const request: StateRequest = { type: "stateRequest", epoch: 0 as Epoch, number: 1, root, places };
    const [sent] = only(source.take(request, "v2"), "send").map(({ message }) => message);
    if (sent?.type !== "statePieces") throw new Error(`got ${sent?.type}, expected pieces`);
    return sent.pieces.reduce((sum, { piece }) => sum + pieceWeight(piece), 0);
  }

  it("weighs at most what the bound says, whatever is asked for and however long a list is", () => {
    const path = fc.array(fc.constantFrom("l", "r"), { maxLength: 20 }).map((sides) => sides.join(""));
    const places = fc.array(fc.record({ part: fc.constantFrom(...STATE_PARTS), path }), {
      maxLength: PIECES_REQUESTED,
    });
    fc.assert(
      fc.property(places, (asked) => {
        expect(weightOf(asked)).toBeLessThanOrEqual(RESPONSE_ENTRIES);
      }),
      { numRuns: 30 },
    );
  });

  it("weighs no more for many places of large pieces", () => {
    let path = "";
    while (pieceAt(state, { part: "listed", path })?.type === "branch") path += path.length % 2 === 0 ? "l" : "r";
    const weight = weightOf(Array.from({ length: PIECES_REQUESTED }, () => ({ part: "listed", path })));
    expect(weight).toBeGreaterThan(RESPONSE_ENTRIES / 8);
    expect(weight).toBeLessThanOrEqual(RESPONSE_ENTRIES);
  });
});

it("a validator offers no state while it has none but the genesis", () => {
  const root = stateRoot(AFTER);
  const request = { type: "stateRequest", epoch: 0 as Epoch, number: 5, root, places: [] } as const;
  expect(new Joining().take(request)).toEqual([]);
  const fetched = { type: "fetch", epoch: 0 as Epoch, slots: [checkpointSlot(0)], values: [] as Hash[] } as const;
  expect(new Joining().take(fetched)).toEqual([]);
});

describe("a validator that was away, offered a checkpoint that one Byzantine validator shows to it alone", () => {
  const [AWAY, HONEST, OTHER, HIDING] = [0, 1, 2, 3];
  const OFTEN = { ...RARE, intervalMs: 100, slots: 1 };

  it("shows its certificate to the others, which wait for its vote", () => {
    const cluster = new Cluster(4, 5, rules, OFTEN);
    cluster.begin();
    const at = (node: number): number => cluster.node(node).checkpoints.last.header.number;
    const isAhead = (): boolean => at(HIDING) > CHECKPOINTS_KEPT + 2 && at(HIDING) > Math.max(at(HONEST), at(OTHER));
    cluster.cut = (from, to) => from === AWAY || to === AWAY || (from === HIDING && isAhead());
    for (let nonce = 0; !isAhead(); nonce++) {
      cluster.submit(HONEST, mint("issuer", nonce, "bob", 1n));
      cluster.run(cluster.now + 300);
    }
    // Until the round is over in which the others would commit again.
    cluster.run(cluster.now + 8_000);
    cluster.cut = (from, _, message) => from === HIDING && message.type !== "snapshot";
    cluster.inject(AWAY, HIDING, { type: "fetch", epoch: 0 as Epoch, slots: [checkpointSlot(1)], values: [] });
    cluster.run(cluster.now + 12);
    expect(cluster.node(AWAY).transfer?.target.content.value.header.number).toBe(at(HIDING));
    cluster.cut = (from) => from === HIDING;
    const last = cluster.submit(HONEST, payment("alice", 0, "bob", 1n));
    cluster.run(cluster.now + 10_000);
    expect([AWAY, HONEST, OTHER].map((node) => at(node) > CHECKPOINTS_KEPT + 2)).toEqual([true, true, true]);
    expect(cluster.statuses(last)).toEqual(["pending", "final"]);
    expect(cluster.reports).toEqual([]);
  });
});

describe("the next target of a transfer", () => {
  const [four, seven] = [4, 7].map((n) => new Cluster(n).node(0).environment.committee) as [Committee, Committee];
  const target = (number: number): OfferedState =>
    ({ content: { value: { header: { number } } }, committees: [seven, four] }) as unknown as OfferedState;
  const offers = (names: readonly string[]): Transfer["sources"] =>
    new Map(names.map((name, at) => [addressOf(name), { at: 0, locations: [], newer: target(at + 2) }] as never));

  it("is the newest that was offered, once f + 1 of one committee did: the other one may be gone", () => {
    expect(nextTarget(target(1), offers(["v1"]))).toBeUndefined();
    expect(nextTarget(target(1), offers(["v5", "v6"]))).toBeUndefined();
    expect(nextTarget(target(1), offers(["v1", "v2"]))?.content.value.header.number).toBe(3);
  });
});
