/** Form of messages, and the cache of their hashes. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Address, Hash } from "../../../src/core/base/ids.ts";
import type { SignedOperation } from "../../../src/core/base/operation.ts";
import type { LedgerSlot, ListedDecision, Slot } from "../../../src/core/base/slot.ts";
import { copiesOf } from "../../../src/core/validator/content.ts";
import { FETCH_COUNT, STATUS_SLOTS } from "../../../src/core/validator/limits.ts";
import type { PeerMessage, Reason } from "../../../src/core/validator/message.ts";
import { isWellFormed } from "../../../src/core/validator/message-form.ts";
import { accountSlot, changeBy, contentOf, EPOCH, envelope } from "./support/certificates.ts";
import { Cluster } from "./support/cluster.ts";
import { addressOf, payment, proposalOf, USD } from "./support/operations.ts";
import { Single } from "./support/single.ts";

const ALICE = addressOf("alice");
/** The bytes of an address in other letters, which one signature covers. */
const ADDRESSES = [ALICE.toUpperCase().replace("0X", "0x"), "0x12", "a b", "", `${ALICE} 1`, `${ALICE}/`] as Address[];
const COUNTS = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1];

const malformedSlot = fc.oneof(
  fc.constantFrom(...ADDRESSES).map((address) => ({ ...accountSlot("alice"), address }) as Slot),
  fc.constantFrom(...ADDRESSES).map((token) => ({ kind: "token", token, version: 0 }) as Slot),
  fc.constantFrom(...COUNTS).map((sequence) => ({ ...accountSlot("alice"), sequence }) as Slot),
  fc.constantFrom(...COUNTS).map((version) => ({ kind: "token", token: USD, version }) as Slot),
  fc.constantFrom(...COUNTS).map((number) => ({ kind: "checkpoint", number }) as Slot),
);

const PAID = payment("zoe", 0, "bob", 1n);
const CONTENT = contentOf(PAID);
const PROPOSAL = proposalOf(new Cluster(4).node(0).ledger.parameters, EPOCH);
const OFFER: PeerMessage = { type: "offer", slot: accountSlot("zoe"), content: CONTENT };

/** A round change of v4 about this slot, with the signature of one about a slot that bytes can be made of. */
function changed(slot: Slot): PeerMessage {
  return envelope({ ...changeBy("v4", accountSlot("alice")), slot });
}

/** The message with a word that nobody knows in this place. */
function withWord(message: PeerMessage, place: string): PeerMessage {
  const copy = structuredClone(message);
  const members = place.split(".");
  const holder = members.slice(0, -1).reduce<object>((part, member) => part[member as keyof typeof part], copy);
  Object.assign(holder, { [members.at(-1) as string]: "none" });
  return copy;
}

const FETCH: PeerMessage = { type: "fetch", epoch: EPOCH, slots: [accountSlot("zoe")], values: [] };
const disclosed = (reason: Reason): PeerMessage => ({ type: "disclosure", slot: accountSlot("zoe"), reason });
const PIECES: PeerMessage = {
  type: "statePieces",
  number: 1,
  root: `0x${"0".repeat(64)}` as Hash,
  pieces: [{ place: { part: "accounts", path: "" }, piece: { type: "entries", entries: [] } }],
};

describe("a malformed message", () => {
  it("changes nothing, whatever names the slot", () => {
    fc.assert(
      fc.property(malformedSlot, fc.boolean(), (slot, isReason) => {
        const one = new Single(new Cluster(4).node(0));
        const message: PeerMessage = isReason ? { type: "offer", slot, content: CONTENT } : changed(slot);
        const outputs = one.take(message, "v4");
        expect(outputs).toEqual([{ type: "coverage", point: "malformed message dropped" }]);
        expect([one.state.slots.records.size, one.state.slots.contents.size]).toEqual([0, 0]);
      }),
    );
  });

  it("is one with parts in parts, or a text, beyond any that a validator sends, and the parts stay well-formed", () => {
    const nested = (depth: number): object =>
      Array.from({ length: depth }).reduce<object>((part) => ({ part }), CONTENT);
    const holding = (more: object): PeerMessage => ({ ...OFFER, ...more }) as PeerMessage;
    for (const depth of [40, 100_000]) expect(isWellFormed(holding({ more: nested(depth) }))).toBe(false);
    expect(isWellFormed(holding({ more: Array.from({ length: 40 }).reduce<unknown>((list) => [list], []) }))).toBe(
      false,
    );
    expect([16_384, 16_385].map((length) => isWellFormed(holding({ more: "x".repeat(length) })))).toEqual([
      true,
      false,
    ]);
    expect(isWellFormed(OFFER)).toBe(true);
  });

  it("has the same form whatever was judged before: a part that is well-formed somewhere may be too deep elsewhere", () => {
    const slot = accountSlot("zoe");
    const chain = (): readonly PeerMessage[] => {
      const parts: object[] = [contentOf(payment("zoe", 0, "bob", 1n))];
      while (parts.length < 64) parts.push(parts.length % 3 === 0 ? { parts: [parts.at(-1)] } : { part: parts.at(-1) });
      return parts.map((part) => ({ type: "offer", slot, content: part }) as PeerMessage);
    };
    const alone = chain().map((_, depth) => isWellFormed(chain()[depth] as PeerMessage));
    expect(new Set(alone)).toEqual(new Set([true, false]));
    fc.assert(
      fc.property(fc.array(fc.nat(63), { maxLength: 20 }), (depths) => {
        const messages = chain();
        for (const depth of depths) expect(isWellFormed(messages[depth] as PeerMessage)).toBe(alone[depth]);
      }),
    );
  });

  it.each<[string, PeerMessage, string]>([
    ["message", OFFER, "type"],
    ["statement", changed(accountSlot("zoe")), "body.type"],
    ["slot", FETCH, "slots.0.kind"],
    ["value", OFFER, "content.value.type"],
    ["operation", OFFER, "content.operations.0.operation.kind"],
    ["layout", OFFER, "content.operations.0.operation.layout"],
    ["reason", disclosed({ kind: "equivocation", proof: { first: PAID, second: PAID } }), "reason.kind"],
    ["cause", disclosed({ kind: "closing", cause: { kind: "proposal", signed: PROPOSAL } }), "reason.cause.kind"],
    ["piece", PIECES, "pieces.0.piece.type"],
  ])("is one with an unknown word for a %s", (_, message, place) => {
    expect([message, withWord(message, place)].map(isWellFormed)).toEqual([true, false]);
  });

  it.each<[string, object]>([
    ["that every object has", { type: "toString" }],
    ["of an operation where a slot stands", { ...OFFER, slot: PAID.operation }],
  ])("is dropped with a name %s", (_, message) => {
    const outputs = new Single(new Cluster(4).node(0)).take(message as PeerMessage, "v4");
    expect(outputs).toEqual([{ type: "coverage", point: "malformed message dropped" }]);
  });

  it("is one with a longer list than any validator sends", () => {
    const slots = (count: number): Slot[] => Array.from({ length: count }, (_, at) => accountSlot("alice", at));
    const values = (count: number): Hash[] => Array.from({ length: count }, () => `0x${"00".repeat(32)}` as Hash);
    const status = (count: number) =>
      ({ type: "status", epoch: 0, checkpoint: 0, applied: slots(count), answer: true }) as unknown as PeerMessage;
    const fetch = (count: number): PeerMessage => ({ ...FETCH, values: values(count) }) as PeerMessage;
    expect([STATUS_SLOTS, STATUS_SLOTS + 1].map((count) => isWellFormed(status(count)))).toEqual([true, false]);
    expect([FETCH_COUNT, FETCH_COUNT + 1].map((count) => isWellFormed(fetch(count)))).toEqual([true, false]);
  });
});

const { environment, ledger } = new Cluster(4).node(0);

function part(
  slot: LedgerSlot,
  signed: SignedOperation,
): ListedDecision & { readonly operations: readonly SignedOperation[] } {
  const { value } = contentOf(signed);
  return { slot, value: value as ListedDecision["value"], copies: copiesOf([signed]), operations: [signed] };
}

const FIRST = part(accountSlot("alice"), payment("alice", 0, "bob", 900n));
const SECOND = part(accountSlot("alice", 1), payment("alice", 1, "carol", 1n));
const FUNDED_LATER = part(accountSlot("bob"), payment("bob", 0, "carol", 1_500n));

it("is by sequence and by funds", () => {
  const order = [FIRST, SECOND, FUNDED_LATER];
  const operations = order.flatMap((one) => one.operations);
  expect(environment.hashes.inOrder(ledger, [FUNDED_LATER, SECOND, FIRST])).toEqual(order);
  expect(environment.hashes.replay(ledger, order, operations).outcome).toBe("replayed");
});

it.each([
  ["whose earlier slot is not shown", part(accountSlot("carol", 1), payment("carol", 0, "bob", 1n))],
  ["that nobody can pay", part(accountSlot("carol"), payment("carol", 0, "bob", 10_000n))],
  ["with the operation of another account", part(accountSlot("carol"), payment("bob", 0, "carol", 1n))],
  ["with a nonce after the next", part(accountSlot("carol"), payment("carol", 1, "bob", 1n))],
])("leaves out a slot %s", (_, one) => {
  expect(environment.hashes.inOrder(ledger, [one, FIRST])).toEqual([FIRST]);
  expect(environment.hashes.inOrder(ledger, [FIRST, one])).toEqual([FIRST]);
});
