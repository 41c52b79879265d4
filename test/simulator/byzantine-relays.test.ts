/** Deviations of strategies from submissions of clients, with their signatures, and offers of their program. */
import { describe, expect, test } from "vitest";
import type { Address, Epoch, PublicKey, Round, Signature, Version } from "../../src/core/base/ids.ts";
import type { SignedOperation } from "../../src/core/base/operation.ts";
import type { AccountSlot, LedgerSlot, LedgerValue, Slot } from "../../src/core/base/slot.ts";
import { operationId } from "../../src/core/ledger/identity.ts";
import { decodeMultisig, encodeMultisig, multisigAddress } from "../../src/core/ledger/multisig.ts";
import type { Content } from "../../src/core/validator/content.ts";
import type { Reason } from "../../src/core/validator/message.ts";
import type { Output } from "../../src/core/validator/output.ts";
import { hashOf } from "../../src/simulator/network/message-content.ts";
import {
  contentOf,
  PEERS,
  player,
  proposalOf,
  received,
  roundChange,
  SELF,
  sign,
  signed,
  signedChange,
  slotOf,
} from "./player.ts";
import { addressOf, CHAIN } from "./support.ts";

const ALICE = addressOf("alice");
const PEER = PEERS[0] as Address;
const X = signed("payment", 5);
const Y = signed("payment", 6);
const C = signed("cancellation");

function applied(at: LedgerSlot, content = contentOf(X)): Output {
  const value = content.value as LedgerValue;
  return { type: "event", event: { type: "applied", slot: at, value, content, receipts: [] } };
}

function offer(at: Slot, content: Content): Output {
  return { type: "send", to: PEERS, message: { type: "offer", slot: at, content } };
}

describe("a careless relay", () => {
  test("offers every submission, whatever its program does with it", () => {
    const play = player({ name: "careless-relay" });
    expect(play([], { submission: C })).toEqual([offer(slotOf(0), contentOf(C))]);
  });

  test("offers it for the slot that comes after those applied", () => {
    const play = player({ name: "careless-relay" });
    play([applied(slotOf(6)), applied({ kind: "token", token: ALICE, version: 9 as Version })]);
    expect(play([], { submission: C })).toEqual([offer(slotOf(7), contentOf(C))]);
  });

  test("names the first of two for a nonce and shows the second in its place", () => {
    const play = player({ name: "careless-relay" });
    play([], { submission: X });
    const [named, own] = play([], { submission: Y });
    expect([named, own]).toEqual([offer(slotOf(0), contentOf(X, Y)), offer(slotOf(0), contentOf(Y))]);
  });

  test("brings a payment in its payee's account, too", () => {
    const play = player({ name: "careless-relay" });
    const payees = slotOf(0, "bob");
    expect(play([], { submission: X })).toEqual([offer(slotOf(0), contentOf(X)), offer(payees, contentOf(X))]);
  });
});

describe("a validator with worthless reasons", () => {
  const change = (at: AccountSlot, reason: Reason): Output => sign(roundChange(at), [], reason, PEERS);
  const reason: Reason = { kind: "cancellation", cancellation: C, displaced: X };

  test.each([
    ["the cancellation last", X, C],
    ["the cancellation first", C, X],
  ])("shows an operation and its cancellation as soon as it has both, %s", (_what, first, second) => {
    const play = player({ name: "worthless-reasons" });
    expect(play([], { submission: first })).toEqual([]);
    expect(play([], { submission: second })).toEqual([change(slotOf(0), reason)]);
  });

  test("shows a burn's old reason with a vote of its own in the next slot", () => {
    const play = player({ name: "worthless-reasons" });
    const votes = { type: "vote", epoch: 0 as Epoch, round: 0 as Round, value: hashOf(contentOf(X)) } as const;
    const old = { ...votes, slot: slotOf(3), signer: PEERS[1] as Address, signature: "" as Signature };
    const due: Reason = { kind: "burn", content: contentOf(Y), vote: old };
    play([], received(signedChange(PEER, slotOf(3)), [], due));
    const [, own] = play([applied(slotOf(3))]);
    expect(own).toMatchObject({ type: "sign", to: [SELF], message: { body: { ...votes, slot: slotOf(4) } } });
    const made = { ...votes, slot: slotOf(4), signer: SELF, signature: "" as Signature };
    const message = received(made);
    expect(play([], { from: SELF, message })).toEqual([change(slotOf(4), { ...due, vote: made })]);
  });

  test("shows its own vote for a burn as a reason to leave round 0 for that burn", () => {
    const play = player({ name: "worthless-reasons" });
    const content: Content = { ...contentOf(X), value: { type: "burn", id: operationId(X), outcome: "burned" } };
    const statement = { type: "vote", epoch: 0 as Epoch, slot: slotOf(2), round: 0 as Round } as const;
    const body = { ...statement, value: hashOf(content), signer: SELF, signature: "" as Signature };
    expect(play([], { type: "offer", slot: slotOf(2), content })).toMatchObject([
      { type: "sign", to: [SELF], message: { body: { ...statement, value: hashOf(content) } } },
    ]);
    const message = received(body);
    expect(play([], { from: SELF, message })).toEqual([change(slotOf(2), { kind: "burn", content, vote: body })]);
  });

  test("shows a payment with a cancellation and a conflict that have its signature, and as its own conflict", () => {
    const play = player({ name: "worthless-reasons" });
    const outputs = play([], { type: "offer", slot: slotOf(2), content: contentOf(X) });
    const forged = { kind: "cancellation", nonce: 0 };
    const { signature } = X;
    expect(outputs).toMatchObject([
      { message: { reason: { kind: "cancellation", cancellation: { operation: forged, signature }, displaced: X } } },
      { message: { reason: { kind: "equivocation", proof: { first: X, second: { sender: ALICE, signature } } } } },
      { message: { reason: { kind: "equivocation", proof: { first: X, second: X } } } },
    ]);
  });

  test("shows the reason of one slot for the next one", () => {
    const play = player({ name: "worthless-reasons" });
    play([], received(signedChange(PEER, slotOf(3)), [], reason));
    expect(play([applied(slotOf(3))])).toEqual([applied(slotOf(3)), change(slotOf(4), reason)]);
    expect(play([applied(slotOf(4))])).toEqual([applied(slotOf(4))]);
  });
});

describe("a validator with false choices", () => {
  const token: Slot = { kind: "token", token: addressOf("USD"), version: 0 as Version };
  const proposal = (content: Content): Output => sign(proposalOf(token, content), [content], undefined, PEERS);

  /** The event that an operation was decided in its signer's slot. */
  function decided(operation: SignedOperation, sequence: number): Output {
    const content = contentOf(operation);
    const certificate = {
      type: "finality",
      epoch: 0 as Epoch,
      slot: slotOf(sequence),
      round: 0 as Round,
      value: hashOf(content),
      seals: [],
    } as const;
    return { type: "event", event: { type: "decided", certificate, content } };
  }

  function waits(kind: "mint" | "burn", tokenName: string, value: number): SignedOperation {
    const operation = { ...X.operation, kind, token: addressOf(tokenName), value: BigInt(value) };
    return { ...X, operation } as unknown as SignedOperation;
  }

  test("proposes all that waits for the token, or what waits for another one, until it has taken effect", () => {
    const [first, second, foreign] = [waits("mint", "USD", 1), waits("mint", "USD", 2), waits("mint", "EUR", 3)];
    const decisions = [first, second, foreign].map((operation, at) => decided(operation, at));
    const idsOf = (outputs: readonly Output[]): readonly string[] =>
      outputs.flatMap((output) => {
        if (output.type !== "sign") return [];
        const { value } = output.message.contents[0] as Content;
        return value.type === "list" ? value.ids : [];
      });
    const content: Content = {
      value: { type: "list", ids: [operationId(first)] },
      operations: [first],
      certificates: [],
    };
    const honest = proposal(content);
    for (const [mode, expected] of [
      ["long-list", [first, second]],
      ["other-token", [foreign]],
    ] as const) {
      const play = player({ name: "false-choices", mode });
      play(decisions);
      expect(idsOf(play([honest]))).toEqual(expected.map((operation) => operationId(operation)));
    }
    const play = player({ name: "false-choices", mode: "long-list" });
    play(decisions);
    play([applied(token, content)]);
    expect(idsOf(play([honest]))).toEqual([operationId(second)]);
  });

  test("brings the later of two burns first", () => {
    const play = player({ name: "false-choices", mode: "later-burn" });
    const [first, second] = [waits("burn", "USD", 1), waits("burn", "USD", 2)];
    play([decided(first, 0), decided(second, 1)]);
    const debited = slotOf(0, "bob");
    const due: Content = {
      value: { type: "burn", id: operationId(first), outcome: "burned" },
      operations: [first],
      certificates: [],
    };
    expect(play([offer(debited, due)])).toMatchObject([
      { message: { content: { value: { type: "burn", id: operationId(second) }, operations: [second] } } },
    ]);
  });

  test("brings a due burn with each outcome once a slot of its signer or of its account is applied", () => {
    const play = player({ name: "false-choices", mode: "hasty-burn" });
    const due = waits("burn", "USD", 1);
    const debited = (sequence: number): AccountSlot => slotOf(sequence, "bob");
    const outcomes = (outputs: readonly Output[]): readonly unknown[] =>
      outputs.flatMap((output) => {
        if (output.type !== "send" || output.message.type !== "offer") return [];
        const { slot: at, content } = output.message;
        return [[at, content.value.type === "burn" ? content.value.outcome : undefined]];
      });
    const each = (at: AccountSlot): readonly unknown[] => [
      [at, "burned"],
      [at, "failed"],
      [at, "paused"],
    ];
    expect(outcomes(play([decided(due, 0)]))).toEqual([]);
    expect(outcomes(play([applied(slotOf(0, "carol"))]))).toEqual([]);
    expect(outcomes(play([applied(slotOf(0))]))).toEqual(each(debited(0)));
    expect(outcomes(play([applied(debited(0))]))).toEqual(each(debited(1)));
  });
});

describe("a validator that shows false contents", () => {
  const reasoned = (reason: Reason): Output => sign(roundChange(slotOf(1)), [], reason, PEERS);
  const later = { ...X, operation: { ...X.operation, nonce: 1 } } as SignedOperation;
  const sent = (outputs: readonly Output[]): readonly (readonly SignedOperation[])[] =>
    outputs.flatMap((output) => {
      if (output.type !== "send" || output.message.type !== "consensus") return [];
      const { body, contents } = output.message;
      return contents
        .filter((content) => "value" in body && hashOf(content) === body.value)
        .map(({ operations }) => operations);
    });

  test("pairs a cancellation with an operation that it does not displace, once, before it sends the true one", () => {
    const play = player({ name: "false-contents" });
    for (const other of [later, Y]) play([], { type: "offer", slot: slotOf(1), content: contentOf(other) });
    const honest = reasoned({ kind: "cancellation", cancellation: C, displaced: X });
    const outputs = play([honest]);
    const reading = { ...X, operation: { ...X.operation, kind: "mint" } };
    // The first of them proves itself; the others name the payment.
    expect(sent(outputs)).toEqual([
      [C, reading],
      [C, Y],
      [C, reading],
      [C, C],
      [C, later],
    ]);
    expect(outputs.at(-1)).toEqual(honest);
    expect(play([honest])).toEqual([honest]);
  });

  test("shows one of two conflicting operations twice, or with a third one", () => {
    const third = { ...X, operation: { ...X.operation, value: 99n } } as SignedOperation;
    const play = player({ name: "false-contents" });
    play([], { type: "offer", slot: slotOf(1), content: contentOf(third) });
    const honest = reasoned({ kind: "equivocation", proof: { first: X, second: Y } });
    const [lowest] = operationId(X) < operationId(Y) ? [X] : [Y];
    const pair = [X, third].sort((a, b) => (operationId(a) < operationId(b) ? -1 : 1));
    expect(sent(play([honest]))).toEqual([pair, [lowest, lowest]]);
  });

  test("has nothing to say about other reasons", () => {
    const play = player({ name: "false-contents" });
    const statement = { type: "vote", epoch: 0 as Epoch, slot: slotOf(1), round: 0 as Round } as const;
    const vote = { ...statement, value: hashOf(contentOf(Y)), signer: SELF, signature: "" as Signature };
    const honest = reasoned({ kind: "burn", content: contentOf(X), vote });
    expect(play([honest])).toEqual([honest]);
  });
});

const keyOf = (digits: string): PublicKey => `0x02${digits.repeat(32)}` as PublicKey;
const KEYS = ["11", "22", "33"].map(keyOf);
const STRANGER = keyOf("44");

/** A payment of the account of these keys, with signatures that are told apart by their first byte. */
function paid(nonce: number, keys: readonly PublicKey[], of: readonly PublicKey[] = KEYS): SignedOperation {
  const set = { signers: of.map((key) => ({ key, weight: 1 })), threshold: 2 };
  const account = multisigAddress(set);
  const signatures = keys.map((key) => ({ key, signature: `0x0${nonce}${"00".repeat(64)}` as Signature }));
  const fields = { token: addressOf("USD"), recipient: addressOf("bob"), value: 5n, account };
  const memo = { type: "", format: "", data: "" };
  const operation = { kind: "payment", layout: "v2", chainId: CHAIN, nonce, memo, ...fields };
  return {
    operation,
    sender: account,
    signature: encodeMultisig({ ...set, signatures }),
  } as unknown as SignedOperation;
}

/** Keys and first bytes of the signatures that go out for each operation, one text each; none where nothing does. */
function passedOn(mode: string, submissions: readonly SignedOperation[]): readonly (readonly string[])[] {
  const play = player({ name: "false-signers", mode });
  return submissions.map((submission) =>
    play([], { submission }).flatMap((output) => signaturesIn(output, submission)),
  );
}

function signaturesIn(output: Output, { sender, operation, signature }: SignedOperation): readonly string[] {
  if (output.type !== "send" || output.message.type !== "offer") throw new Error(`a ${output.type}`);
  const { slot, content } = output.message;
  const [given] = content.operations;
  expect(output.to).toEqual(PEERS);
  expect(slot).toEqual({ kind: "account", address: sender, sequence: 0 });
  expect(given?.operation).toBe(operation);
  expect(content.value).toEqual({ type: "operation", id: operationId({ sender, operation, signature }) });
  const { signatures = [], ...set } = decodeMultisig(given?.signature ?? "") ?? {};
  expect(set).toEqual((({ signatures: _, ...own }) => own)(decodeMultisig(signature) ?? { signatures: [] }));
  return signatures.map((one) => `${one.key.slice(4, 6)} ${one.signature.slice(2, 4)}`);
}

const [one, two, three] = KEYS as [PublicKey, PublicKey, PublicKey];

/** Signatures with which a validator passes operations of multisig accounts on (specification 4.1). */
describe("false signers", () => {
  test.each<readonly [string, readonly SignedOperation[], readonly (readonly string[])[]]>([
    ["drop", [paid(0, [one, two])], [["11 00"]]],
    ["double", [paid(0, [one, two])], [["11 00", "22 00", "22 00"]]],
    ["reverse", [paid(0, [one, two]), paid(1, [one])], [["22 00", "11 00"], []]],
    ["stranger", [paid(0, [STRANGER], [STRANGER, one]), paid(1, [one, two])], [[], ["11 01", "22 01", "44 00"]]],
    ["borrow", [paid(0, [one, two]), paid(1, [three])], [[], ["11 00", "22 00", "33 01"]]],
    ["replace", [paid(0, [one, two]), paid(1, [two, three]), paid(2, [one, two])], [[], [], ["11 02", "22 00"]]],
    ["any", [paid(0, [one, two]), paid(0, [one, two])], [["11 00"], []]],
  ])("%s", (mode, submissions, wanted) => {
    expect(passedOn(mode, submissions)).toEqual(wanted);
  });

  test("leave operations of a single key alone", () => {
    const { account: _, ...operation } = paid(0, [one]).operation;
    expect(passedOn("drop", [{ ...paid(0, [one]), operation }])).toEqual([[]]);
  });
});
