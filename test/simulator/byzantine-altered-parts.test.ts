/** Alterations of messages by the table of their fields. */
import { expect, test } from "vitest";
import type { Address, Epoch, Hash, Round, Sequence, Signature } from "../../src/core/base/ids.ts";
import type { PeerMessage } from "../../src/core/validator/message.ts";
import { altered } from "../../src/simulator/byzantine/alterations.ts";
import { addressOf } from "./support.ts";

const seal = (name: string): { signer: Address; signature: Signature } => ({
  signer: addressOf(name),
  signature: `0x${"1".repeat(130)}` as Signature,
});
const MESSAGE = {
  type: "consensus",
  body: {
    type: "finality",
    epoch: 0 as Epoch,
    slot: { kind: "account", address: addressOf("alice"), sequence: 1 as Sequence },
    round: 0 as Round,
    value: `0x${"a".repeat(64)}` as Hash,
    seals: ["v1", "v2", "v3"].map(seal),
  },
  contents: [],
  reason: undefined,
} as const satisfies PeerMessage;

/** Every alteration that the first hundred sequences of draws lead to. */
function alterations(extent: "all" | "lists" | "members"): readonly PeerMessage[] {
  return Array.from({ length: 100 }, (_, seed) => {
    let state = seed + 1;
    const choose = (bound: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % bound;
    };
    return altered(MESSAGE, { extent, known: [MESSAGE], choose });
  }).flatMap((message) => (message === undefined ? [] : [message]));
}

const bodiesOf = (extent: "lists" | "members"): readonly Record<string, unknown>[] =>
  alterations(extent).map((message) => (message as Extract<PeerMessage, { type: "consensus" }>).body as never);

test("the lists of a certificate get shorter, longer and out of order, and nothing else changes", () => {
  const lengths = new Set<number>();
  for (const { seals, ...rest } of bodiesOf("lists")) {
    lengths.add((seals as readonly unknown[]).length);
    expect({ ...rest, seals: undefined }).toEqual({ ...MESSAGE.body, seals: undefined });
  }
  expect(lengths.size).toBeGreaterThan(3);
});

test("single members of a certificate change one at a time, and each of them does", () => {
  const changed = new Set<string>();
  for (const body of bodiesOf("members")) {
    const names = Object.keys(MESSAGE.body).filter(
      (name) =>
        JSON.stringify(body[name]) !== JSON.stringify((MESSAGE.body as unknown as Record<string, unknown>)[name]),
    );
    expect(names.length).toBeLessThanOrEqual(1);
    for (const name of names) changed.add(name);
  }
  expect([...changed].sort()).toEqual(["epoch", "round", "seals", "slot", "value"]);
});
