/** Byzantine validators: equivocation, false proofs, and certificates of another type. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Address, Hash, Millis, Round, Version } from "../../../src/core/base/ids.ts";
import type { EquivocationProof, SignedOperation } from "../../../src/core/base/operation.ts";
import { type Slot, slotKey, type TokenSlot, type Value } from "../../../src/core/base/slot.ts";
import type { AnyCertificate } from "../../../src/core/consensus/certificate.ts";
import type {
  LockCertificate,
  Proposal,
  RoundChange,
  SignedMessage,
  StatementContent,
} from "../../../src/core/consensus/message.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import { rules } from "../../../src/core/validator/rules.ts";
import type { ValidatorState } from "../../../src/core/validator/state.ts";
import { step } from "../../../src/core/validator/step.ts";
import {
  accountSlot,
  by,
  certificateOf,
  changeBy,
  contentOf,
  EPOCH,
  type Kind,
  NAMES,
  proposerIn,
} from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { Parts } from "./support/mutate.ts";
import { addressOf, burn, cancellation, idOf, mint, pause, payment, USD } from "./support/operations.ts";

const BYZANTINE = 0;

const OFTEN = { intervalMs: 100, slots: 2, limit: 3, periodSeconds: 0, empty: false };

/** Requests of all kinds, with a conflict; deliveries between honest ones are never cut. */
function busy(cluster: Cluster): Cluster {
  cluster.cut = (from, to, message) => cluster.now < 300 && message.type === "offer" && from < 2 !== to < 2;
  cluster.submit(1, payment("alice", 0, "bob", 100n));
  cluster.submit(2, payment("alice", 0, "carol", 100n));
  cluster.submit(3, burn("burner", 0, "carol", 20n));
  cluster.submit(2, pause("issuer", 0, "Unpause"));
  cluster.submit(2, mint("issuer", 0, "bob", 5n));
  cluster.submit(1, cancellation("bob", 0));
  return cluster;
}

/** The same with the Byzantine validator's signature, if it has one. */
function resigned(message: PeerMessage): PeerMessage {
  if (message.type !== "consensus" || !("signer" in message.body)) return message;
  const { signer: _, signature: __, ...body } = message.body;
  return { ...message, body: by("v1", body as StatementContent) as SignedMessage };
}

describe("any input in the shape of a message from a Byzantine validator", () => {
  const action = fc.record({
    seed: fc.array(fc.nat(1_000_000), { minLength: 30, maxLength: 60 }),
    sign: fc.boolean(),
    to: fc.nat(2),
  });

  /** An epoch that closes after two checkpoints, and one that the operator closes during these runs. */
  function closing(): Cluster {
    const cluster = busy(new Cluster(4, 5, rules, OFTEN, { epochLength: 2 }));
    cluster.govern(2, { epochLength: 3 });
    cluster.run(1);
    return cluster;
  }

  it.each([
    ["in one epoch", () => busy(new Cluster(4))],
    ["while epochs close", closing],
  ])("stops nobody %s, makes no honest validator contradict itself, and all agree in the end", (_, begin) => {
    const property = fc.property(fc.array(action, { minLength: 10, maxLength: 40 }), (actions) => {
      const cluster = begin();
      // Parts of this run only: statements of honest validators in another world would be forgeries here.
      const parts = new Parts();
      const { messages } = cluster;
      let seen = 0;
      for (const { seed, sign, to } of actions) {
        cluster.run(cluster.now + 25);
        for (; seen < messages.length; seen++) parts.collect(messages[seen]);
        let at = 0;
        const draw = (below: number): number => (seed[at++ % seed.length] as number) % below;
        const message = parts.mutate(messages[draw(messages.length)], draw, 6) as PeerMessage;
        cluster.inject(BYZANTINE, to + 1, sign ? resigned(message) : message);
      }
      cluster.run(60_000);
      expect(cluster.contradictions()).toEqual([]);
      expect(cluster.roots()).toHaveLength(1);
      const reported = new Set(cluster.reports.map(({ peer }) => peer));
      expect([...reported].filter((peer) => peer !== addressOf("v1"))).toEqual([]);
    });
    fc.assert(property, { numRuns: 60, endOnFailure: true });
  });
});

const DOLLAR: TokenSlot = { kind: "token", token: USD, version: 0 as Version };

/** The same value, its operation warranted by the given certificate. */
function warranted(value: Value, signed: SignedOperation, certificate: AnyCertificate): Content {
  return { value, operations: [signed], certificates: [certificate as never] };
}

const PAID = payment("alice", 0, "bob", 10n);
const PAYMENT = contentOf(PAID);
const PAYMENT_HASH = valueHash(PAYMENT.value);
const BURNED = burn("burner", 0, "alice", 10n);
const BURN: Value = { type: "burn", id: idOf(BURNED), outcome: "burned" };
const PAUSED = pause("issuer", 0, "Pause");
const LIST: Value = { type: "list", ids: [idOf(PAUSED)] };

/** Slot and value that a certificate must be about for each use. */
const ABOUT = {
  payment: [accountSlot("alice"), PAYMENT_HASH],
  burn: [accountSlot("burner"), valueHash(contentOf(BURNED).value)],
  pause: [accountSlot("issuer"), valueHash(contentOf(PAUSED).value)],
} as const;

const consensus = (body: unknown, contents: readonly Content[] = [], reason?: unknown): PeerMessage =>
  ({ type: "consensus", body, contents, reason }) as PeerMessage;

const burnContent = (certificate: AnyCertificate): Content => warranted(BURN, BURNED, certificate);
const listContent = (certificate: AnyCertificate): Content => warranted(LIST, PAUSED, certificate);

const cluster = new Cluster(4);

function proposal(slot: Slot, round: Round, value: Hash, justification: readonly RoundChange[]): Proposal {
  return by(proposerIn(slot, round), { type: "proposal", epoch: EPOCH, slot, round, value, justification });
}

const decided =
  (slot: Slot) =>
  (state: ValidatorState): boolean =>
    state.slots.records.get(slotKey(slot))?.decided !== undefined;
const knows =
  (value: Value) =>
  (state: ValidatorState): boolean =>
    state.slots.contents.has(valueHash(value));

interface Place {
  readonly where: string;
  readonly needs: Kind;
  readonly about: keyof typeof ABOUT;
  /** Message that carries the certificate. */
  readonly hand: (certificate: AnyCertificate) => PeerMessage;
  /** True if it counted. */
  readonly counts: (state: ValidatorState) => boolean;
}

const PLACES: readonly Place[] = [
  {
    where: "as a message of its own",
    needs: "finality",
    about: "payment",
    hand: (certificate) => consensus(certificate, [PAYMENT]),
    counts: decided(accountSlot("alice")),
  },
  {
    where: "as the answer to a fetch",
    needs: "finality",
    about: "payment",
    hand: (certificate) => ({
      type: "decisions",
      decided: [{ certificate: certificate as never, content: PAYMENT }],
      contents: [],
    }),
    counts: decided(accountSlot("alice")),
  },
  {
    where: "as the warrant of a content that comes with a lock certificate",
    needs: "finality",
    about: "pause",
    hand: (certificate) => consensus(certificateOf("lock", DOLLAR, valueHash(LIST)), [listContent(certificate)]),
    counts: knows(LIST),
  },
  {
    where: "as the warrant of an offered burn",
    needs: "finality",
    about: "burn",
    hand: (certificate) => ({ type: "offer", slot: accountSlot("alice"), content: burnContent(certificate) }),
    counts: knows(BURN),
  },
  {
    where: "as the warrant of a proposed list",
    needs: "finality",
    about: "pause",
    hand: (certificate) => consensus(proposal(DOLLAR, 0 as Round, valueHash(LIST), []), [listContent(certificate)]),
    counts: knows(LIST),
  },
  {
    where: "as a message of its own",
    needs: "lock",
    about: "payment",
    hand: (certificate) => consensus(certificate, [PAYMENT]),
    counts: (state) => (state.slots.records.get(slotKey(accountSlot("alice")))?.commits.length ?? 0) > 0,
  },
  {
    where: "in a round change",
    needs: "lock",
    about: "payment",
    hand: (certificate) => consensus(changeBy("v2", accountSlot("alice"), 1, certificate as LockCertificate)),
    counts: (state) => (state.slots.records.get(slotKey(accountSlot("alice")))?.changes.size ?? 0) > 0,
  },
  {
    where: "in the justification of a proposal",
    needs: "lock",
    about: "payment",
    hand: (certificate) => {
      const slot = accountSlot("alice");
      const changes = NAMES.slice(0, 3).map((name) => changeBy(name, slot, 1, certificate as LockCertificate));
      return consensus(proposal(slot, 1 as Round, PAYMENT_HASH, changes), [PAYMENT]);
    },
    counts: (state) => (state.slots.records.get(slotKey(accountSlot("alice")))?.proposals.size ?? 0) > 0,
  },
];

/** Returns a fresh validator after one message of a peer. */
function stateAfter(message: PeerMessage): ValidatorState {
  const state = cluster.fresh(0);
  step(state, { type: "message", at: 1 as Millis, from: addressOf("v4") as Address, message });
  return state;
}

describe.each(PLACES)(
  "a certificate $where, where a $needs certificate is needed",
  ({ needs, about, hand, counts }) => {
    const other: Kind = needs === "lock" ? "finality" : "lock";
    const [slot, value] = ABOUT[about];

    it("counts", () => expect(counts(stateAfter(hand(certificateOf(needs, slot, value))))).toBe(true));

    it(`does not count where it is a ${other} certificate`, () =>
      expect(counts(stateAfter(hand(certificateOf(other, slot, value))))).toBe(false));

    it(`does not count where it is a ${other} certificate under the other name`, () => {
      const renamed = { ...certificateOf(other, slot, value), type: needs } as AnyCertificate;
      expect(counts(stateAfter(hand(renamed)))).toBe(false);
    });
  },
);

const X = payment("alice", 0, "bob", 1n);

/** A round change of v1 that shows two operations of alice as a proof. */
function shown(first: EquivocationProof["first"], second: EquivocationProof["second"], sequence = 0): PeerMessage {
  const slot = accountSlot("alice", sequence);
  return {
    type: "consensus",
    body: changeBy("v1", slot),
    contents: [],
    reason: { kind: "equivocation", proof: { first, second } },
  };
}

it("a proof of a later nonce counts once that nonce is the next, and is not kept before", () => {
  const cluster = new Cluster(4);
  cluster.cut = (from, to, message) => from === 0 && to === 1 && "reason" in message && message.reason !== undefined;
  const proof = (nonce: number): PeerMessage =>
    shown(payment("alice", nonce, "bob", 1n), payment("alice", nonce, "carol", 1n), 1);
  const slot = slotKey(accountSlot("alice", 1));
  const known = (): unknown => [cluster.node(1).slots.reasons.size, cluster.node(1).slots.records.get(slot)?.round];
  for (let nonce = 20; nonce > 0; nonce--) cluster.inject(0, 1, proof(nonce));
  cluster.run(10);
  expect(known()).toEqual([0, 0]);
  cluster.submit(2, X);
  cluster.run(100);
  expect(known()).toEqual([0, 0]);
  for (const nonce of [2, 0, 1]) cluster.inject(0, 1, proof(nonce));
  cluster.run(110);
  expect(known()).toEqual([1, 1]);
});
