/** Multisig accounts: addresses, hashes, creation, and the check of signatures (specification 4.1, 5.18; wire 3.4, 3.6). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Address,
  isMultisigSignature,
  type PublicKey,
  type Sequence,
  type Signature,
} from "../../../src/core/base/ids.ts";
import type { CreateMultisig, Operation, SignerSet } from "../../../src/core/base/operation.ts";
import { refusalText } from "../../../src/core/base/refusal.ts";
import type { LedgerSlot, LedgerValue } from "../../../src/core/base/slot.ts";
import { keyedHash } from "../../../src/core/crypto/keyed-hash.ts";
import { createVerifier, type PrivateKey, type Scheme } from "../../../src/core/crypto/scheme.ts";
import { secp256k1 } from "../../../src/core/crypto/secp256k1.ts";
import { operationId, transactionHash } from "../../../src/core/ledger/identity.ts";
import { digestOf, multisigOperation } from "../../../src/core/ledger/layout.ts";
import {
  decodeMultisig,
  encodeMultisig,
  type Multisig,
  multisigAddress,
  multisigFault,
  signersFault,
  sortSigners,
} from "../../../src/core/ledger/multisig.ts";
import { stateRoot } from "../../../src/core/ledger/roots.ts";
import { accountOf } from "../../../src/core/ledger/state.ts";
import addresses from "../../vectors/addresses.json" with { type: "json" };
import native from "../../vectors/native-v2.json" with { type: "json" };
import { type Draft, signed } from "./support/operations.ts";
import { apply, check } from "./support/real-rules.ts";
import * as w from "./support/world.ts";

const NO_MEMO = { type: "", format: "", data: "" };
const keyOf = (number: number): PrivateKey => `0x${number.toString(16).padStart(64, "0")}` as PrivateKey;

function setOf(scheme: Scheme, weights: readonly number[], threshold: number): SignerSet {
  return {
    signers: sortSigners(weights.map((weight, at) => ({ key: scheme.publicKeyOf(keyOf(at + 1)), weight }))),
    threshold,
  };
}

function creation({ signers, threshold }: SignerSet): Draft {
  return { kind: "multisig", layout: "v2", memo: NO_MEMO, signers, threshold } as unknown as Draft;
}

/** A payment of the account with signatures of these members, by their numbers, in the order given. */
function payment(scheme: Scheme, set: SignerSet, members: readonly number[], changes: Partial<Multisig> = {}) {
  const account = multisigAddress(set);
  const operation = multisigOperation(signed(account, 0, w.pay(w.BOB, 1)).operation, account);
  const signatures = members.map((number) => ({
    key: scheme.publicKeyOf(keyOf(number)),
    signature: scheme.sign(keyOf(number), digestOf(operation)),
  }));
  return { operation, sender: account, signature: encodeMultisig({ ...set, signatures, ...changes }) };
}

/** The first two members of the set have changed places; the set's address does not depend on their order. */
function withSwappedMembers(one: ReturnType<typeof payment>): ReturnType<typeof payment> {
  const [head, first, second, rest] = [0, 8, 76, 144].map((from, at, all) => one.signature.slice(from, all[at + 1]));
  return { ...one, signature: `${head}${second}${first}${rest}` as typeof one.signature };
}

const faultOf = (scheme: Scheme, one: ReturnType<typeof payment>): string | undefined =>
  multisigFault(createVerifier(scheme), digestOf(one.operation), one);

/** Numbers of members in the order of their keys. */
const inOrder = (scheme: Scheme, members: readonly number[]): readonly number[] =>
  [...members].sort((a, b) => (scheme.publicKeyOf(keyOf(a)) < scheme.publicKeyOf(keyOf(b)) ? -1 : 1));

describe("published vectors", () => {
  test.each(addresses.multisigAccounts)("address $address", ({ signers, threshold, address }) => {
    const set = { signers: signers.map(({ key, weight }) => ({ key: key as PublicKey, weight })), threshold };
    expect(multisigAddress(set)).toBe(address.toLowerCase());
    expect(multisigAddress({ ...set, signers: [...set.signers].reverse() })).toBe(address.toLowerCase());
  });

  test.each([
    ["payment", 0, native.multisig],
    ["burn", 2, native.multisig.burn],
  ] as const)("digest and hash of a %s", (_, at, { digest, hash }) => {
    const { account, signatures } = native.multisig;
    const plain = native.operations[at]?.operation;
    const drafted = { ...plain, value: BigInt(plain?.value ?? 0) } as unknown as Operation;
    const operation = multisigOperation(drafted, account as Address);
    expect(digestOf(operation)).toBe(digest);
    const posted = signatures.map(({ key, signature }) => ({
      key: key as PublicKey,
      signature: signature as Signature,
    }));
    const signature = encodeMultisig({ signers: [], threshold: 0, signatures: posted });
    expect(transactionHash({ operation, sender: account as Address, signature })).toBe(hash);
  });
});

describe.each([keyedHash, secp256k1])("the check under $name", (scheme) => {
  const set = setOf(scheme, [2, 1, 1], 3);
  const ordered = (...members: number[]): readonly number[] => inOrder(scheme, members);
  const good = payment(scheme, set, ordered(1, 2));

  test("accepts each sufficient choice of members", () => {
    expect(faultOf(scheme, good)).toBeUndefined();
    expect(faultOf(scheme, payment(scheme, set, ordered(1, 3)))).toBeUndefined();
    expect(faultOf(scheme, payment(scheme, set, ordered(1, 2, 3)))).toBeUndefined();
  });

  test.each([
    ["too little weight", payment(scheme, set, ordered(2, 3)), "its weight is 2"],
    ["one member twice", payment(scheme, set, [1, 1]), "do not ascend"],
    ["a descending order", payment(scheme, set, [...ordered(1, 2)].reverse()), "do not ascend"],
    ["a stranger", payment(scheme, set, ordered(1, 2, 4)), "is not in its signer set"],
    ["another set", payment(scheme, set, ordered(1, 2), { threshold: 2 }), "is not that of"],
    ["a heavier set", payment(scheme, set, ordered(1, 2), setOf(scheme, [3, 1, 1], 3)), "is not that of"],
    [
      "a member's signature of something else",
      { ...good, operation: { ...good.operation, nonce: 7 } as Operation },
      "does not recover",
    ],
    ["a set that nobody could have created", payment(scheme, { ...set, threshold: 0 }, ordered(1)), "is malformed"],
    ["the set in another order", withSwappedMembers(good), "the keys of its signer set do not ascend"],
    ["an account that is not its sender", { ...good, sender: w.BOB }, "is not that of"],
    [
      "the signature of one key",
      { ...good, signature: scheme.sign(keyOf(1), digestOf(good.operation)) as never },
      "no signer set",
    ],
  ])("refuses %s", (_, one, reason) => {
    expect(faultOf(scheme, one)).toContain(reason);
  });
});

test("an operation counts exactly if distinct members with enough weight signed it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 }),
      (weights, wanted, chosen) => {
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const set = setOf(keyedHash, weights, Math.min(wanted, total));
        const members = new Set(chosen);
        const isOfMembers = members.size === chosen.length && chosen.every((one) => one <= weights.length);
        const weight = [...members].reduce((sum, one) => sum + (weights[one - 1] ?? 0), 0);
        const fault = faultOf(keyedHash, payment(keyedHash, set, inOrder(keyedHash, chosen)));
        expect(fault === undefined).toBe(isOfMembers && weight >= set.threshold);
      },
    ),
  );
});

test("what is encoded is decoded, and no other text is", () => {
  const one = payment(keyedHash, setOf(keyedHash, [2, 1], 3), [1, 2]);
  const decoded = decodeMultisig(one.signature) as Multisig;
  expect(encodeMultisig(decoded)).toBe(one.signature);
  expect(isMultisigSignature(one.signature)).toBe(true);
  for (const text of ["", "0x", one.signature.slice(0, -2), `${one.signature}00`, one.signature.toUpperCase()])
    expect(decodeMultisig(text)).toBeUndefined();
});

test.each([
  [[], 1, "has 0 signers"],
  [Array.from({ length: 21 }, () => 1), 1, "has 21 signers"],
  [[256], 1, "weight: is 256"],
  [[0, 1], 1, "weight: is 0"],
  [[1, 1], 3, "threshold: is 3"],
  [[1, 1], 0, "threshold: is 0"],
])("a set with weights %j and threshold %i is refused", (weights, threshold, reason) => {
  const fault = signersFault(setOf(keyedHash, weights, threshold).signers, threshold);
  expect(fault && refusalText(fault)).toContain(reason);
});

test("a key stands in a set once, and is compressed", () => {
  const [one] = setOf(keyedHash, [1], 1).signers as [CreateMultisig["signers"][number]];
  expect(signersFault([one, one], 1)).toMatchObject({ field: "signers[1].public_key" });
  expect(signersFault([{ ...one, key: `0x04${one.key.slice(4)}` as PublicKey }], 1)).toMatchObject({
    field: "signers[0].public_key",
  });
});

describe("creation", () => {
  const set = setOf(keyedHash, [1, 1], 2);
  const account = multisigAddress(set);

  test("gives the account its set, by any creator and in any order of its signers", () => {
    const byAlice = w.play(w.start(), [w.ALICE, creation(set)], [w.BOB, creation(set)]);
    const reversed = creation({ ...set, signers: [...set.signers].reverse() });
    const byBob = w.play(w.start(), [w.BOB, creation(set)], [w.ALICE, reversed]);
    expect(accountOf(byAlice, account)).toEqual({ nonce: 0, sequence: 0, multisig: set });
    expect(stateRoot(byBob)).toBe(stateRoot(byAlice));
    expect(stateRoot(w.play(w.start(), [w.ALICE, creation(set)]))).not.toBe(
      stateRoot(w.play(w.start(), [w.ALICE, creation(setOf(keyedHash, [1, 1], 1))])),
    );
  });

  test("comes before anything that the account signs", () => {
    const state = w.play(w.start(), [w.ALICE, w.pay(account, 100)]);
    const paid = payment(keyedHash, set, inOrder(keyedHash, [1, 2]));
    expect(check(state, [], paid)).toMatchObject({ answer: "wait", missing: { code: "resource_multisig_not_found" } });
    const created = w.play(state, [w.ALICE, creation(set)]);
    expect(check(created, [], paid)).toEqual({ answer: "accept" });
  });

  test("comes before what is decided of the account, too", () => {
    const funded = w.play(w.start(), [w.ALICE, w.pay(account, 100)]);
    const paid = payment(keyedHash, set, inOrder(keyedHash, [1, 2]));
    const created = w.play(funded, [w.ALICE, creation(set)]);
    const slot: LedgerSlot = { kind: "account", address: account, sequence: 0 as Sequence };
    const id = operationId(paid);
    const skip: LedgerValue = {
      type: "skip",
      id,
      by: "cancellation",
      displaced: [id],
      feeToken: w.COIN,
    };
    for (const value of [{ type: "operation", id } as const, skip]) {
      const missing = { code: "resource_multisig_not_found", account };
      expect(apply(funded, slot, value, paid)).toMatchObject({ outcome: "waiting", missing });
      expect(apply(created, slot, value, paid).outcome).toBe("applied");
    }
  });

  test("is of a genesis, too", () => {
    const state = w.start({ multisigs: [set] });
    expect(accountOf(state, account).multisig).toEqual(set);
    expect(() => w.start({ multisigs: [set, set] })).toThrow("appears twice");
    expect(() => w.start({ multisigs: [{ ...set, threshold: 3 }] })).toThrow("threshold");
  });

  test("is signed by one key, in the layouts of today's clients", () => {
    const drafted = signed(w.ALICE, 0, creation(set));
    const changed = (changes: object) =>
      check(w.start(), [], { ...drafted, operation: { ...drafted.operation, ...changes } });
    for (const layout of ["client", "v2"]) expect(changed({ layout })).toEqual({ answer: "accept" });
    for (const changes of [{ account: w.ALICE }, { layout: "client-json" }, { layout: "spec", memo: undefined }])
      expect(changed(changes)).toMatchObject({ answer: "refuse", refusal: { code: "validation_layout" } });
  });
});
