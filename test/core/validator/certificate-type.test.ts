/** Each use of a certificate accepts only the kind that it needs: q votes decide nothing (protocol 3.0). */
import { describe, expect, it } from "vitest";
import type { Address, Hash, Millis, Round, Version } from "../../../src/core/base/ids.ts";
import type { SignedOperation } from "../../../src/core/base/operation.ts";
import { type Slot, slotKey, type TokenSlot, type Value } from "../../../src/core/base/slot.ts";
import type { AnyCertificate } from "../../../src/core/consensus/certificate.ts";
import { proposerOf } from "../../../src/core/consensus/committee.ts";
import type { Proposal, RoundChange } from "../../../src/core/consensus/message.ts";
import { valueHash } from "../../../src/core/ledger/value.ts";
import type { Content } from "../../../src/core/validator/content.ts";
import type { PeerMessage } from "../../../src/core/validator/message.ts";
import type { ValidatorState } from "../../../src/core/validator/state.ts";
import { step } from "../../../src/core/validator/step.ts";
import { accountSlot, by, certificateOf, contentOf, EPOCH, type Kind, NAMES } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, burn, idOf, pause, payment, USD } from "./support/operations.ts";

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

function change(name: string, slot: Slot, lock: AnyCertificate | undefined): RoundChange {
  return by(name, { type: "roundChange", epoch: EPOCH, slot, round: 1 as Round, lock: lock as never });
}

const cluster = new Cluster(4);

function proposal(slot: Slot, round: Round, value: Hash, justification: readonly RoundChange[]): Proposal {
  const proposer = proposerOf(cluster.node(0).environment.committee, slot, round);
  const name = NAMES.find((one) => addressOf(one) === proposer) as string;
  return by(name, { type: "proposal", epoch: EPOCH, slot, round, value, justification });
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
    hand: (certificate) => consensus(change("v2", accountSlot("alice"), certificate)),
    counts: (state) => (state.slots.records.get(slotKey(accountSlot("alice")))?.changes.size ?? 0) > 0,
  },
  {
    where: "in the justification of a proposal",
    needs: "lock",
    about: "payment",
    hand: (certificate) => {
      const slot = accountSlot("alice");
      const changes = NAMES.slice(0, 3).map((name) => change(name, slot, certificate));
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
