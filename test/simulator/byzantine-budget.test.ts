/**
 * Goal: Byzantine validators that answer each other terminate. Method: pairs of validators without an honest program,
 * one strategy chain each, which receive all messages of the other one; the first messages come from outside. Includes
 * chains that once climbed from epoch to epoch, or from round to round.
 */
import { describe, expect, test } from "vitest";
import type { Address, Epoch, Hash, Round, Signature } from "../../src/core/base/ids.ts";
import type { OperationId } from "../../src/core/base/operation.ts";
import type { PeerMessage, Reason } from "../../src/core/validator/message.ts";
import type { Output } from "../../src/core/validator/output.ts";
import { type StrategyPlan, strategyOf } from "../../src/simulator/byzantine/registry.ts";
import {
  afterInput,
  afterSend,
  FULL_BUDGET,
  type InterceptedStep,
  type Strategy,
} from "../../src/simulator/byzantine/strategy.ts";
import {
  STRATEGY_ADDED_MAX,
  STRATEGY_BUDGET_PER_INPUT,
  STRATEGY_BUDGET_PER_SECOND,
  STRATEGY_ROUNDS_MAX,
} from "../../src/simulator/settings.ts";
import { roundChange, sign, signed, slotOf } from "./player.ts";
import { addressOf, ms } from "./support.ts";

const ALICE = slotOf(0);
const ID = `0x${"c".repeat(64)}` as OperationId;
const VALUE = `0x${"a".repeat(64)}` as Hash;
/** Number of deliveries above which a pair counts as endless: four times what two chains of two strategies may add. */
const DELIVERIES_MAX = 16 * STRATEGY_ADDED_MAX;

type Program = (input: InterceptedStep["input"]) => readonly Output[];

interface Party {
  readonly self: Address;
  readonly program: Program;
  /** Strategies with their memories, in order of application. */
  chain: readonly { readonly strategy: Strategy; readonly memory: unknown }[];
}

function party(name: string, plans: readonly StrategyPlan[], program: Program = () => []): Party {
  const strategies = plans.map((plan) => strategyOf(plan, (one) => [addressOf(one)]));
  return {
    self: addressOf(name),
    program,
    chain: strategies.map((strategy) => ({ strategy, memory: strategy.memory })),
  };
}

function received(type: string, more: object = {}): PeerMessage {
  const body = { type, epoch: 0, slot: ALICE, round: 0, signer: addressOf("v1"), signature: "" as Signature, ...more };
  return { type: "consensus", body, contents: [], reason: undefined } as unknown as PeerMessage;
}

/**
 * Returns the answers of a party to a message: its program acts first, then each strategy on the outputs of the one
 * before it.
 */
function played(one: Party, peer: Address, message: PeerMessage): readonly PeerMessage[] {
  const input = { type: "message", at: ms(0), from: peer, message } as const;
  let outputs = one.program(input);
  one.chain = one.chain.map(({ strategy, memory }) => {
    const base = { now: ms(0), self: one.self, epoch: 0 as Epoch, peers: [peer] };
    const after = strategy.intercept({ ...base, input, outputs, choose: () => 0 }, memory);
    outputs = after.outputs;
    return { strategy, memory: after.memory };
  });
  return outputs.flatMap((output) => {
    if (output.type === "send") return [output.message];
    if (output.type !== "sign") return [];
    const body = { ...output.message.body, signer: one.self, signature: "" as Signature };
    return [{ ...output.message, body } as PeerMessage];
  });
}

/** Returns the messages that two parties deliver to each other until both are silent, at most `DELIVERIES_MAX`. */
function deliveries(one: Party, other: Party, first: readonly PeerMessage[]): number {
  let waiting = first.map((message) => ({ from: one, to: other, message }));
  let count = 0;
  for (; waiting.length > 0 && count < DELIVERIES_MAX; count++) {
    const [next, ...rest] = waiting as [(typeof waiting)[0], ...typeof waiting];
    const { from, to, message } = next;
    waiting = [...rest, ...played(to, from.self, message).map((more) => ({ from: to, to: from, message: more }))];
  }
  return count;
}

/** A vote for each of many slots, more than a strategy remembers. */
const MANY: readonly PeerMessage[] = Array.from({ length: 2 * STRATEGY_ROUNDS_MAX }, (_, sequence) =>
  received("vote", { slot: { ...ALICE, sequence }, value: VALUE }),
);

const always = { of: 1, in: 1 };
/** Signs its votes and commits for the next epoch. */
const otherEpoch: StrategyPlan = { name: "mutate", field: "epoch", mutation: "next", chance: always };

describe("two Byzantine validators that answer each other terminate", () => {
  test.each<[string, readonly StrategyPlan[]]>([
    ["double-vote", [{ name: "double-vote" }]],
    ["double-vote and the next epoch", [{ name: "double-vote" }, otherEpoch]],
    ["double-commit and the next epoch", [{ name: "double-commit" }, otherEpoch]],
    ["vote-for and the next epoch", [{ name: "vote-for", account: ALICE.address, operation: ID }, otherEpoch]],
    ["replay-stale", [{ name: "replay-stale", chance: always }]],
    ["mutants of what is received", [{ name: "mutate", mode: "received", chance: always }]],
    ["mutants beside double-vote", [{ name: "double-vote" }, { name: "mutate", mode: "beside", chance: always }]],
  ])("with %s", (_, plans) => {
    expect(deliveries(party("v1", plans), party("v2", plans), MANY)).toBeLessThan(DELIVERIES_MAX);
  });

  test("with double-vote beside votes for the next epoch, after two answers to one vote", () => {
    const plans = [{ name: "double-vote" }, otherEpoch] as const;
    const first = [received("vote", { value: VALUE })];
    expect(deliveries(party("v1", plans), party("v2", [{ name: "double-vote" }]), first)).toBeLessThan(8);
  });

  const offer = { type: "offer", slot: ALICE, content: { value: { type: "skip" }, operations: [] } };
  const offered = offer as unknown as PeerMessage;
  const answersOffers =
    (answers: readonly Output[]): Program =>
    (input) =>
      input.type === "message" && input.message.type === "offer" ? answers : [];
  const all = ["v1", "v2"].map(addressOf);

  test("with early-skip, although each program answers an offer with its round change", () => {
    const reason: Reason = { kind: "cancellation", cancellation: signed("cancellation"), displaced: signed("payment") };
    const plans = [{ name: "false-choices", mode: "early-skip" }] as const;
    const answersTo = (peer: string): Program =>
      answersOffers([sign(roundChange(ALICE), [], reason, [addressOf(peer)])]);
    const parties = [party("v1", plans, answersTo("v2")), party("v2", plans, answersTo("v1"))] as const;
    expect(deliveries(...parties, [offered])).toBe(1);
  });

  test("with mutants of what is sent and received, although each program answers each offer with two signatures", () => {
    const change = sign(roundChange(ALICE), [], undefined, all);
    const plans = [
      { name: "mutate", mode: "both", field: "offer.slot.sequence", mutation: "next", chance: always },
    ] as const;
    const parties = ["v1", "v2"].map((name) => party(name, plans, answersOffers([change, change]))) as [Party, Party];
    expect(deliveries(...parties, [offered])).toBeLessThan(DELIVERIES_MAX);
  });

  test("with inflated-rounds, although each program follows the received rounds", () => {
    /** A program that more than f round changes pull along: one is enough here. */
    const follows = (): Program => {
      let highest = 0;
      return (input) => {
        if (input.type !== "message" || input.message.type !== "consensus") return [];
        const { round, type } = input.message.body;
        if (type !== "roundChange" || round <= highest) return [];
        highest = round;
        return [sign({ ...roundChange(ALICE), round: round as Round }, [], undefined, all)];
      };
    };
    const plans = [{ name: "inflated-rounds" }] as const;
    const parties = ["v1", "v2"].map((name) => party(name, plans, follows())) as [Party, Party];
    expect(deliveries(...parties, [received("roundChange", { round: 1, lock: undefined })])).toBeLessThan(
      DELIVERIES_MAX,
    );
  });
});

describe("the budget of a strategy", () => {
  const own = { type: "sign" } as Output;
  const turn = (outputs: readonly Output[], now = 0): InterceptedStep =>
    ({ now, outputs }) as unknown as InterceptedStep;
  const empty = { ...FULL_BUDGET, left: 0 };

  test("allows as many messages as are left, the first ones", () => {
    expect(afterSend({ ...empty, left: 2 }, [own, own, own])).toEqual({ added: [own, own], left: empty });
    expect(afterSend(empty, [own])).toEqual({ added: [], left: empty });
  });

  test("grows with each signature of the program, and never past its beginning", () => {
    expect(afterInput(empty, turn([own, own])).left).toBe(2 * STRATEGY_BUDGET_PER_INPUT);
    expect(afterInput(empty, turn([{ type: "send" } as Output]))).toEqual(empty);
    expect(afterInput(FULL_BUDGET, turn([own])).left).toBe(FULL_BUDGET.left);
  });

  test("grows no further within one second of virtual time, and again in the next one", () => {
    const many = Array.from({ length: STRATEGY_BUDGET_PER_SECOND }, () => own);
    const first = afterInput(empty, turn(many, 400));
    expect(first.left).toBe(STRATEGY_BUDGET_PER_SECOND);
    const spent = afterSend(first, many).left;
    expect(afterInput(spent, turn(many, 999)).left).toBe(0);
    expect(afterInput(spent, turn(many, 1_000)).left).toBe(STRATEGY_BUDGET_PER_SECOND);
  });
});
