import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hex, type Item, text, uint } from "../../../src/core/base/encoding.ts";
import type { Address, Epoch, Sequence, Version } from "../../../src/core/base/ids.ts";
import { type Slot, slotItem, slotKey } from "../../../src/core/base/slot.ts";
import {
  createAuthenticator,
  type Statement,
  standInDigest,
  statementDigest,
  statementKey,
} from "../../../src/core/consensus/authenticator.ts";
import { taggedHash } from "../../../src/core/crypto/hash.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import type { Scheme } from "../../../src/core/crypto/scheme.ts";
import { CHAIN, Kit, keyNamed, round, X, Y } from "./support/kit.ts";

const kit = new Kit(4);
const small = fc.nat(3);
const address = fc.constantFrom(`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`) as fc.Arbitrary<Address>;
const slot: fc.Arbitrary<Slot> = fc.oneof(
  fc.record({ kind: fc.constant("account" as const), address, sequence: small as fc.Arbitrary<Sequence> }),
  fc.record({ kind: fc.constant("epoch" as const), epoch: small as fc.Arbitrary<Epoch> }),
  fc.record({ kind: fc.constant("token" as const), token: address, version: small as fc.Arbitrary<Version> }),
);
const locks = [undefined, kit.lock(0, X), kit.lock(0, Y), kit.lock(1, X)];
const claims = [[], [kit.lock(0, X)], [kit.lock(0, Y)], [kit.lock(1, X)], [kit.finality(0, X)], [kit.finality(1, X)]];
const place = { epoch: small as fc.Arbitrary<Epoch>, slot, round: small.map(round) };
const statement: fc.Arbitrary<Statement> = fc.oneof(
  fc.record({ type: fc.constantFrom("vote" as const, "commit" as const), ...place, value: fc.constantFrom(X, Y) }),
  fc.record({
    type: fc.constant("proposal" as const),
    ...place,
    value: fc.constantFrom(X, Y),
    justification: fc.constant([]),
  }),
  fc.record({ type: fc.constant("roundChange" as const), ...place, lock: fc.constantFrom(...locks) }),
  fc.record({ type: fc.constant("close" as const), ...place, claims: fc.constantFrom(...claims) }),
);

/** Everything that a signature covers, encoded by the test itself. */
function content(body: Statement): string {
  const rest =
    body.type === "roundChange"
      ? [body.lock?.round, body.lock?.value]
      : body.type === "close"
        ? body.claims.map(({ type, slot, round: at, value }) => [type, slotKey(slot), at, value])
        : [body.value];
  return JSON.stringify([body.type, body.epoch, slotKey(body.slot), body.round, ...rest]);
}

/** Last part of the signed list, in the order of protocol 3.0. */
function lastItem(body: Statement): Item {
  switch (body.type) {
    case "roundChange":
      return body.lock === undefined ? [] : [uint(body.lock.round), hex(body.lock.value)];
    case "close":
      return body.claims.map((claim) => [text(claim.type), slotItem(claim.slot), uint(claim.round), hex(claim.value)]);
    default:
      return hex(body.value);
  }
}

describe("what is signed", () => {
  it("is the hash of kind, chain, epoch, slot, round and content, and of nothing else", () => {
    const property = fc.property(statement, (body) => {
      const items = [uint(CHAIN), uint(body.epoch), slotItem(body.slot), uint(body.round), lastItem(body)];
      expect(statementDigest(CHAIN, body)).toBe(taggedHash(body.type, ...items));
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("is the same for the same statement and only then, and so is its cache key", () => {
    const property = fc.property(statement, statement, (a, b) => {
      const isSame = content(a) === content(b);
      expect(statementKey(a) === statementKey(b)).toBe(isSame);
      expect(statementDigest(CHAIN, a) === statementDigest(CHAIN, b)).toBe(isSame);
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it("names the chain", () => {
    const vote: Statement = { type: "vote", epoch: 0 as Epoch, slot: kit.slot, round: round(0), value: X };
    expect(statementDigest(CHAIN, vote)).not.toBe(statementDigest(CHAIN + 1, vote));
  });

  it("is told apart by the stand-in as well", () => {
    const property = fc.property(statement, statement, (a, b) => {
      expect(standInDigest(CHAIN, a) === standInDigest(CHAIN, b)).toBe(content(a) === content(b));
      expect(standInDigest(CHAIN, a)).not.toBe(standInDigest(CHAIN + 1, a));
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it("covers a lock by its round and value, since any q votes prove it alike", () => {
    const body = { type: "roundChange", epoch: 0 as Epoch, slot: kit.slot, round: round(2) } as const;
    const digests = [
      [0, 1, 2],
      [1, 2, 3],
    ].map((signers) => statementDigest(CHAIN, { ...body, lock: kit.lock(0, X, signers) }));
    expect(new Set(digests).size).toBe(1);
  });
});

describe("what is known of a statement", () => {
  const names = ["v1", "v2", "v3"].map((name) => ({
    key: keyNamed(name),
    address: keyedHash.addressOf(keyNamed(name)),
  }));

  it("never changes a result: a table of any size answers as the scheme does", () => {
    const asked = fc.record({ statement, signed: statement, by: fc.nat(2), named: fc.nat(2), isNoted: fc.boolean() });
    const property = fc.property(fc.integer({ min: 2, max: 8 }), fc.array(asked, { maxLength: 40 }), (limit, all) => {
      const authenticator = createAuthenticator(CHAIN, keyedHash, { limit });
      for (const { statement: body, signed, by, named, isNoted } of all) {
        const signer = names[by] as (typeof names)[number];
        const signature = keyedHash.sign(signer.key, standInDigest(CHAIN, signed));
        if (isNoted) authenticator.statement(signed).noteOwnSignature(signer.address, signature);
        const { address } = names[named] as (typeof names)[number];
        const isGenuine = content(body) === content(signed) && by === named;
        expect(authenticator.verifies(body, address, signature)).toBe(isGenuine);
        expect(authenticator.verifies(signed, signer.address, signature)).toBe(true);
        expect(authenticator.digest(body)).toBe(standInDigest(CHAIN, body));
      }
    });
    fc.assert(property);
  });

  it("is kept however many rounds a value is named in", () => {
    const authenticator = createAuthenticator(CHAIN, keyedHash);
    const vote = (at: number): Statement => ({
      type: "vote",
      epoch: 0 as Epoch,
      slot: kit.slot,
      round: round(at),
      value: X,
    });
    const { key, address } = names[0] as (typeof names)[number];
    for (let at = 0; at < 200; at++) {
      const signature = keyedHash.sign(key, standInDigest(CHAIN, vote(at)));
      expect(authenticator.verifies(vote(at), address, signature)).toBe(true);
      expect(authenticator.verifies(vote(at + 1), address, signature)).toBe(false);
    }
  });

  it("costs one recovery for any number of checks", () => {
    let recovered = 0;
    const counted: Scheme = {
      ...keyedHash,
      recover: (digest, signature) => {
        recovered++;
        return keyedHash.recover(digest, signature);
      },
    };
    const authenticator = createAuthenticator(CHAIN, counted);
    const body: Statement = { type: "vote", epoch: 0 as Epoch, slot: kit.slot, round: round(0), value: X };
    const { key, address } = names[0] as (typeof names)[number];
    const signature = keyedHash.sign(key, standInDigest(CHAIN, body));
    for (let again = 0; again < 5; again++) expect(authenticator.verifies({ ...body }, address, signature)).toBe(true);
    expect(recovered).toBe(1);
  });
});
