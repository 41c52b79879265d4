/** Deviations of strategies from an honest program's messages: proposals, justifications, rounds, responses. */
import { describe, expect, test } from "vitest";
import type { Address, Epoch, Round, Version } from "../../src/core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../src/core/base/operation.ts";
import type { TokenSlot } from "../../src/core/base/slot.ts";
import type { LockCertificate, RoundChange, StatementContent } from "../../src/core/consensus/message.ts";
import { operationId } from "../../src/core/ledger/identity.ts";
import type { Content } from "../../src/core/validator/content.ts";
import type { PeerMessage, Reason } from "../../src/core/validator/message.ts";
import type { Output } from "../../src/core/validator/output.ts";
import { hashOf } from "../../src/simulator/network/message-content.ts";
import { STRATEGY_ROUNDS_MAX } from "../../src/simulator/settings.ts";
import {
  ALL,
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
import { addressOf } from "./support.ts";

const TOKEN: TokenSlot = { kind: "token", token: addressOf("USD"), version: 3 as Version };
const ALICE = slotOf(2);
const PLACE = { epoch: 0 as Epoch };

/** Signed bodies in order. */
function bodiesIn(outputs: readonly Output[]): readonly StatementContent[] {
  return outputs.flatMap((output) => (output.type === "sign" ? [output.message.body] : []));
}

const CANCELLATION = signed("cancellation");
const PAYMENT = signed("payment", 5);
const X: Content = {
  value: { type: "operation", id: `0x${"a".repeat(64)}` as OperationId },
  operations: [PAYMENT],
  certificates: [],
};

describe("a proposer of two lists", () => {
  const ids = ["1", "2"].map((digit) => `0x${digit.repeat(64)}` as OperationId);
  const list = (count: number): Content => ({
    value: { type: "list", ids: ids.slice(0, count) },
    operations: [PAYMENT, PAYMENT].slice(0, count),
    certificates: [],
  });
  const proposal = (content: Content): Output => sign(proposalOf(TOKEN, content), [content]);

  test.each([2, 1])("of %i operations sends the whole to one half and less to the other, each once", (count) => {
    const [first, second, ...more] = player({ name: "double-proposal" })([proposal(list(count))]);
    expect(more).toEqual([]);
    expect(first).toEqual({ ...proposal(list(count)), to: [PEERS[0], PEERS[1], SELF] });
    expect(second).toEqual({ ...proposal(list(count - 1)), to: [PEERS[2]] });
  });

  test("has nothing to split where it proposes no list", () => {
    expect(player({ name: "double-proposal" })([proposal(X)])).toEqual([proposal(X)]);
  });
});

describe("a proposer with a false justification", () => {
  const lock = {
    type: "lock",
    ...PLACE,
    slot: ALICE,
    round: 0 as Round,
    value: hashOf(X),
    seals: [],
  } as LockCertificate;
  const change = (at: number): RoundChange => signedChange(PEERS[at] as Address, ALICE, lock);
  const justification = [0, 1, 2].map((at) => change(at));
  const honest = proposalOf(ALICE, X, 1, justification);
  const reason: Reason = { kind: "cancellation", cancellation: CANCELLATION, displaced: PAYMENT };

  /** Its output for an honest proposal, after it has received a cancellation and a round change of another slot. */
  function falsified(mode: string): Extract<StatementContent, { type: "proposal" }> {
    const play = player({ name: "false-justification", mode });
    play([], received(change(0), [], reason));
    const [made] = bodiesIn(play([sign(honest, [X])]));
    return made as Extract<StatementContent, { type: "proposal" }>;
  }

  test("leaves round 0 alone", () => {
    const first = sign(proposalOf(ALICE, X), [X]);
    expect(player({ name: "false-justification", mode: "no-lock" })([first])).toEqual([first]);
  });

  test("strikes the locks out, or leaves them, and proposes the skip of a cancellation", () => {
    const struck = falsified("no-lock");
    expect(struck.justification).toEqual(justification.map((one) => ({ ...one, lock: undefined })));
    expect(struck.value).not.toBe(honest.value);
    expect(falsified("other-value")).toEqual({ ...honest, value: struck.value });
  });
});

describe("a proposer out of turn", () => {
  const change = (at: number): RoundChange => signedChange(ALL[at] as Address, ALICE);
  const reason: Reason = { kind: "cancellation", cancellation: CANCELLATION, displaced: PAYMENT };

  test("proposes the skip as soon as q round changes are there, once", () => {
    const play = player({ name: "false-justification", mode: "out-of-turn" });
    const made = [0, 1, 2, 3].map((at) => bodiesIn(play([], received(change(at), [], reason))));
    expect(made.map((bodies) => bodies.length)).toEqual([0, 0, 1, 0]);
    expect(made[2]).toMatchObject([{ type: "proposal", round: 1, justification: [change(0), change(1), change(2)] }]);
  });
});

describe("a validator with false choices", () => {
  const skip = (feeToken: Address | undefined): Content => ({
    value: {
      type: "skip",
      by: "cancellation",
      id: X.value.type === "operation" ? X.value.id : ("" as never),
      displaced: [operationId(PAYMENT)],
      feeToken,
    },
    operations: [CANCELLATION, PAYMENT],
    certificates: [],
  });
  const free = roundChange(ALICE);
  const proposal = (content: Content): Output =>
    sign(proposalOf(ALICE, content, 1, [signedChange(SELF, ALICE)]), [content]);

  const PAID = skip(addressOf("USD"));

  test("proposes the operation that was offered in round 0", () => {
    const play = player({ name: "false-choices", mode: "operation" });
    expect(play([proposal(PAID)])).toEqual([proposal(PAID)]);
    play([], { type: "offer", slot: ALICE, content: X });
    expect(play([proposal(PAID)])).toEqual([proposal(X)]);
  });

  test("offers a skip in round 0 instead of changing rounds", () => {
    const play = player({ name: "false-choices", mode: "early-skip" });
    const reason: Reason = { kind: "cancellation", cancellation: CANCELLATION, displaced: PAYMENT };
    expect(play([sign(free, [], reason)])).toMatchObject([
      {
        type: "send",
        to: PEERS,
        message: { type: "offer", slot: ALICE, content: { value: { type: "skip" } } },
      },
    ]);
    expect(play([sign(free)])).toEqual([sign(free)]);
  });
});

describe("a validator that forges operations", () => {
  const offer = (signedOperation: SignedOperation): PeerMessage => ({
    type: "offer",
    slot: ALICE,
    content: { ...X, operations: [signedOperation] },
  });

  test("offers each slot's payment to itself, under this nonce and the next, with the signature it has", () => {
    const play = player({ name: "forged-operations" });
    const made = play([], offer(PAYMENT));
    const forged = made.flatMap((output) =>
      output.type === "send" && output.message.type === "offer" ? output.message.content.operations : [],
    );
    expect(forged.map(({ operation: one }) => one)).toEqual(
      [0, 1].map((nonce) => ({ ...PAYMENT.operation, recipient: SELF, nonce })),
    );
    for (const one of forged) expect(one.signature).toBe(PAYMENT.signature);
    expect(play([], offer(PAYMENT))).toEqual([]);
  });

  test("forges nothing from another strategy's forgery", () => {
    const stolen = { ...PAYMENT, operation: { ...PAYMENT.operation, recipient: PEERS[1] } } as SignedOperation;
    expect(player({ name: "forged-operations" })([], offer(stolen))).toEqual([]);
  });
});

describe("a validator that inflates rounds", () => {
  const change = roundChange(ALICE);
  const vote = received({ type: "vote", ...PLACE, slot: ALICE, round: 0, value: hashOf(X) });

  test("names rounds far above its own beside it", () => {
    const made = bodiesIn(player({ name: "inflated-rounds" })([sign(change)]));
    expect(made).toEqual([change, ...[2, 11, 1_001].map((round) => ({ ...change, round }))]);
  });

  test("changes rounds in unopened slots, each time in others, up to a bound", () => {
    const play = player({ name: "inflated-rounds" });
    const first = bodiesIn(play([], vote));
    expect(first).toEqual([3, 1_002].map((sequence) => ({ ...change, slot: { ...ALICE, sequence } })));
    const all = [...first];
    for (let times = 0; times < STRATEGY_ROUNDS_MAX; times++) all.push(...bodiesIn(play([], vote)));
    expect(new Set(all.map(({ slot }) => (slot.kind === "account" ? slot.sequence : -1))).size).toBe(all.length);
    expect(all.length).toBe(STRATEGY_ROUNDS_MAX);
  });
});

describe("false closes of an epoch", () => {
  const slot = { kind: "epoch", ...PLACE } as const;
  const claim = { type: "lock", ...PLACE, slot: ALICE, round: 0 as Round, value: hashOf(X), seals: [] } as const;
  const close = sign({ type: "close", ...PLACE, slot, round: 0 as Round, claims: [claim] });
  const claims = (outputs: readonly Output[]): (readonly [number, number])[] =>
    outputs.flatMap((output) =>
      output.type === "sign" && output.message.body.type === "close"
        ? [[output.to.length, output.message.body.claims.length] as const]
        : [],
    );

  test("omits every claim", () => {
    expect(claims(player({ name: "hide-locks" })([close]))).toEqual([[ALL.length, 0]]);
  });

  test("sends two halves two different closes, both signed", () => {
    const [first, second] = player({ name: "double-close" })([close]);
    expect(claims([first as Output, second as Output])).toEqual([
      [1 + ((PEERS.length + 1) >> 1), 1],
      [PEERS.length - ((PEERS.length + 1) >> 1), 0],
    ]);
  });

  test("leaves everything else as it is", () => {
    const other = sign({ type: "vote", ...PLACE, slot: ALICE, round: 0 as Round, value: hashOf(X) });
    expect(player({ name: "double-close" })([other])).toEqual([other]);
  });
});
