/** Mutations of chosen fields of messages. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Epoch, Hash, Round, Sequence, Signature } from "../../src/core/base/ids.ts";
import type { FinalityCertificate } from "../../src/core/consensus/message.ts";
import type { PeerMessage } from "../../src/core/validator/message.ts";
import {
  MUTATIONS,
  type Mutation,
  mutatedAt,
  mutateMessage,
  mutationsAt,
  mutationsOf,
} from "../../src/simulator/byzantine/field-mutations.ts";
import { drawPath, formsAt, placesOf } from "../../src/simulator/byzantine/field-places.ts";
import { fieldsOfKind, MESSAGE_KINDS, possibleFields } from "../../src/simulator/byzantine/message-fields.ts";
import { addressOf } from "./support.ts";

const MUTATION_NAMES = Object.keys(MUTATIONS) as readonly Mutation[];

function finality(sequence: number): FinalityCertificate {
  return {
    type: "finality",
    epoch: 0 as Epoch,
    slot: { kind: "account", address: addressOf("alice"), sequence: sequence as Sequence },
    round: 1 as Round,
    value: `0x${String(sequence).repeat(64)}` as Hash,
    seals: ["v1", "v2", "v3"].map((name, at) => ({
      signer: addressOf(name),
      signature: `0x${String(sequence + at).repeat(130)}` as Signature,
    })),
  };
}

const message = (sequence: number): PeerMessage => ({
  type: "consensus",
  body: finality(sequence),
  contents: [],
  reason: undefined,
});
const FIRST = (bound: number): number => Math.min(0, bound);
const SOURCE = { known: [message(2)], members: 4, choose: FIRST };

function after(path: string, mutation: Mutation): FinalityCertificate | undefined {
  const result = mutateMessage(message(1), path, mutation, SOURCE);
  return result?.type === "consensus" ? (result.body as FinalityCertificate) : undefined;
}

test("a path from a kind and the end of a path name the same field", () => {
  expect(after("finality.round", "next")).toEqual({ ...finality(1), round: 2 });
  expect(after("round", "next")).toEqual({ ...finality(1), round: 2 });
  expect(after("vote.round", "next")).toBeUndefined();
});

test("each mutation of a list changes the list as it says", () => {
  const [a, b, c] = finality(1).seals;
  const foreign = finality(2).seals[0];
  const lists: Partial<Record<Mutation, readonly unknown[]>> = {
    dropped: [b, c],
    truncated: [],
    emptied: [],
    doubled: [a, a, b, c],
    repeated: [a, a, c],
    "doubled-tail": [a, b, c, a, b, c],
    swapped: [b, c, a],
    padded: [a, b, c, foreign],
    inserted: [foreign, a, b, c],
    other: finality(2).seals,
  };
  for (const [mutation, seals] of Object.entries(lists))
    expect([mutation, after("finality.seals", mutation as Mutation)?.seals]).toEqual([mutation, seals]);
  const forged = after("seals", "forged")?.seals ?? [];
  expect(forged.slice(1)).toEqual([a, b, c]);
  expect(forged[0]).not.toEqual(a);
});

test("two Byzantine validators that lengthen a list in turn come to an end", () => {
  for (const mutation of ["doubled", "doubled-tail", "padded", "inserted", "forged"] as const) {
    let [longer, rounds]: [PeerMessage | undefined, number] = [message(1), 0];
    let last = 0;
    for (; longer !== undefined && rounds < 1_000; rounds++) {
      last = longer.type === "consensus" && "seals" in longer.body ? longer.body.seals.length : 0;
      longer = mutateMessage(longer, "finality.seals", mutation, SOURCE);
    }
    expect([mutation, longer, last < 600]).toEqual([mutation, undefined, true]);
  }
});

test("numbers, texts and types are replaced by neighbours, others and their counterparts", () => {
  expect(after("finality.round", "previous")?.round).toBe(0);
  expect(after("finality.epoch", "previous")).toBeUndefined();
  expect(after("slot.sequence", "far")?.slot).toMatchObject({ sequence: 1_001 });
  expect(after("finality.round", "next-turn")?.round).toBe(5);
  expect(after("finality.round", "zero")?.round).toBe(0);
  expect(after("finality.round", "largest")?.round).toBe(Number.MAX_SAFE_INTEGER);
  expect(after("slot.sequence", "foreign")?.slot).toMatchObject({ sequence: 0 });
  expect(after("finality.value", "other")?.value).toBe(finality(2).value);
  expect(after("finality.value", "changed")?.value).not.toBe(finality(1).value);
  expect(after("seals[].signer", "changed")?.seals[0]?.signer).not.toBe(finality(1).seals[0]?.signer);
});

test("a lock that a round change lacks cannot be retyped", () => {
  const { epoch, slot, round } = finality(1);
  const body = { type: "roundChange", epoch, slot, round, lock: undefined } as const;
  const unlocked = { type: "consensus", body, contents: [], reason: undefined } as const;
  expect(mutateMessage(unlocked, "roundChange.lock", "retyped", SOURCE)).toBeUndefined();
  const locked = { ...unlocked, body: { ...body, lock: { ...finality(1), type: "lock" as const } } };
  expect(mutateMessage(locked, "roundChange.lock", "retyped", SOURCE)?.body).toMatchObject({
    lock: { type: "finality" },
  });
});

test("a whole statement or certificate is retyped, and a whole certificate is another one", () => {
  expect(after("finality", "retyped")).toEqual({ ...finality(1), type: "lock" });
  expect(after("finality", "foreign")).toEqual(finality(2));
  expect(after("lock", "retyped")).toBeUndefined();
});

test("an equal part of another message is no other part, whichever record holds it", () => {
  const copies = { ...SOURCE, known: [message(1)] };
  for (const path of ["finality.slot", "finality.seals", "finality.value"])
    expect(mutateMessage(message(1), path, "other", copies)).toBeUndefined();
  const known = [message(2), message(1)];
  const mutant = mutateMessage(message(1), "finality.slot", "other", { ...SOURCE, known });
  expect(mutant).toMatchObject({ body: { ...finality(1), slot: finality(2).slot } });
});

test("an opaque list takes an entry of its own kind from other messages, or none", () => {
  const offer = (additional: readonly (readonly [string, string])[]): PeerMessage => {
    const operation = { kind: "metadata", token: addressOf("USD"), name: "N", uri: "", additional } as const;
    const signed = { operation, sender: addressOf("issuer"), nonce: 0, layout: "v2", signatures: [] };
    const content = { value: { type: "operation", id: finality(1).value }, operations: [signed], certificates: [] };
    return { type: "offer", slot: finality(1).slot, content } as unknown as PeerMessage;
  };
  const parameters = { validators: [], fees: { default: 1, tokens: new Map() }, epochLength: 5 };
  const proposal = { proposal: { number: 0, parameters }, signers: [] };
  const closing = { type: "closing", epoch: 0, next: parameters, warrant: finality(1).value, listed: [], proposal };
  const known = {
    ...offer([]),
    content: { value: closing, operations: [], certificates: [] },
  } as unknown as PeerMessage;
  expect(placesOf(known, { choose: FIRST }).some((place) => place.single === "opaque")).toBe(true);
  for (const mutation of ["padded", "inserted"] as const) {
    const mutate = (messages: readonly PeerMessage[]) =>
      mutateMessage(offer([["a", "b"]]), "additional", mutation, { ...SOURCE, known: messages });
    expect(mutate([known])).toBeUndefined();
    expect(mutate([known, offer([["c", "d"]])])).toEqual(
      offer(
        mutation === "padded"
          ? [
              ["a", "b"],
              ["c", "d"],
            ]
          : [
              ["c", "d"],
              ["a", "b"],
            ],
      ),
    );
  }
});

test("any path that is drawn leads to a field with a mutation", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { minLength: 1 }), (numbers) => {
      let next = 0;
      const choose = (bound: number): number => (numbers[next++ % numbers.length] as number) % bound;
      expect(mutationsAt(drawPath(choose)).length).toBeGreaterThan(0);
      expect(mutationsAt(drawPath(choose, ["decisions.decided"])).length).toBeGreaterThan(0);
    }),
  );
});

test("without a path and a way any place is mutated in any way", () => {
  const changed = new Set<string>();
  for (let seed = 1; seed <= 100; seed++) {
    let state = seed;
    const choose = (bound: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return Math.floor((state / 2_147_483_647) * bound);
    };
    const mutant = mutateMessage(message(1), undefined, undefined, { ...SOURCE, choose });
    if (mutant?.type !== "consensus") continue;
    const body = mutant.body as unknown as Record<string, unknown>;
    for (const [name, value] of Object.entries(finality(1)))
      if (JSON.stringify(body[name]) !== JSON.stringify(value)) changed.add(name);
  }
  expect([...changed].sort()).toEqual(["epoch", "round", "seals", "slot", "type", "value"]);
});

test("a path that leads to no field has no form, and every form has mutations that exist", () => {
  for (const path of ["nothing", "vote.seals", "close.claims.seals", "vote.round[]", ""])
    expect(formsAt(path)).toEqual([]);
  for (const kind of MESSAGE_KINDS)
    for (const { name } of fieldsOfKind(kind)) {
      const mutations = formsAt(`${kind}.${name}`).flatMap(mutationsOf);
      expect(mutations.length).toBeGreaterThan(0);
      expect(MUTATION_NAMES).toEqual(expect.arrayContaining([...mutations]));
    }
});

test("each form below a message has fields, or is a text, a number or a flag", () => {
  const leaves = ["address", "amount", "flag", "hash", "number", "opaque", "signature", "text", "word"];
  const seen = new Set<string>();
  const look = (single: Parameters<typeof possibleFields>[0]): void => {
    if (seen.has(single)) return;
    seen.add(single);
    const below = possibleFields(single);
    if (below.length === 0) expect(leaves).toContain(single);
    for (const field of below) look(field.single);
  };
  for (const kind of MESSAGE_KINDS) for (const { single } of fieldsOfKind(kind)) look(single);
});

test("a mutation leaves the message itself and every other place as they were", () => {
  const draws = fc.array(fc.nat(1_000), { minLength: 1 });
  fc.assert(
    fc.property(draws, fc.nat(), fc.constantFrom(...MUTATION_NAMES), (numbers, at, mutation) => {
      let next = 0;
      const choose = (bound: number): number => (numbers[next++ % numbers.length] as number) % bound;
      const before = message(1);
      const places = placesOf(before, { choose: FIRST });
      const place = places[at % places.length];
      if (place === undefined) return;
      const result = mutatedAt(before, place, mutation, { known: [message(2)], members: 4, choose });
      expect(before).toEqual(message(1));
      if (result === undefined) return;
      for (const other of places) {
        if (place.path.startsWith(other.path) || other.path.startsWith(place.path)) continue;
        expect(valueAt(result, other.keys)).toEqual(other.value);
      }
    }),
  );
});

function valueAt(part: unknown, keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>((value, key) => (value as Readonly<Record<string | number, unknown>>)[key], part);
}
