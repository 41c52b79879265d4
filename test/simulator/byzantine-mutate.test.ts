/** Mutants of statements, and votes for one operation. */
import { describe, expect, test } from "vitest";
import type { Address, Epoch, Hash, Round, Sequence } from "../../src/core/base/ids.ts";
import type { OperationId } from "../../src/core/base/operation.ts";
import type { AccountSlot } from "../../src/core/base/slot.ts";
import type { LockCertificate, StatementContent } from "../../src/core/consensus/message.ts";
import { valueHash } from "../../src/core/ledger/value.ts";
import type { Content } from "../../src/core/validator/content.ts";
import type { PeerMessage } from "../../src/core/validator/message.ts";
import type { Output } from "../../src/core/validator/output.ts";
import { type StrategyPlan, strategyOf } from "../../src/simulator/byzantine/registry.ts";
import { hashOf } from "../../src/simulator/network/message-content.ts";
import { STRATEGY_ADDED_MAX } from "../../src/simulator/settings.ts";
import { addressOf, ms } from "./support.ts";

const PEERS = ["v1", "v2", "v3"].map(addressOf);
const SELF = addressOf("v4");
const ALICE: AccountSlot = { kind: "account", address: addressOf("alice"), sequence: 2 as Sequence };
const PLACE = { epoch: 1 as Epoch, slot: ALICE, round: 1 as Round };
const content = (digit: string): Content => ({
  value: { type: "operation", id: `0x${digit.repeat(64)}` as OperationId },
  operations: [],
  certificates: [],
});
const [X, Y] = [content("a"), content("b")] as const;
const LOCK: LockCertificate = { type: "lock", ...PLACE, value: hashOf(X), seals: [] };

type Play = (outputs: readonly Output[], message?: PeerMessage) => readonly Output[];

/** Strategy with its memory; `choices` are its draws, the last one repeated. */
function player(plan: StrategyPlan, choose: (bound: number) => number): Play {
  const strategy = strategyOf(plan, (name) => [addressOf(name)]);
  let { memory } = strategy;
  return (outputs, message) => {
    const input =
      message === undefined
        ? ({ type: "start", at: ms(0) } as const)
        : ({ type: "message", at: ms(0), from: PEERS[0] as Address, message } as const);
    const played = strategy.intercept(
      { now: ms(0), self: SELF, epoch: PLACE.epoch, peers: PEERS, input, outputs, choose },
      memory,
    );
    memory = played.memory;
    return played.outputs;
  };
}

function sign(body: StatementContent, contents: readonly Content[] = []): Output {
  return { type: "sign", to: [...PEERS, SELF], message: { type: "consensus", body, contents, reason: undefined } };
}

function received(body: unknown, contents: readonly Content[] = []): PeerMessage {
  return { type: "consensus", body, contents, reason: undefined } as PeerMessage;
}

/** Every mutant of a statement, after the strategy has received a lock and another value. */
function mutations(body: StatementContent, contents: readonly Content[] = []): readonly StatementContent[] {
  const found: StatementContent[] = [];
  let count = 1;
  for (let at = 0; at < count; at++) {
    const play = player({ name: "mutate" }, (bound) => {
      count = bound;
      return at;
    });
    play([], received(LOCK, [Y]));
    const [own, other, ...more] = play([sign(body, contents)]);
    expect(own).toEqual(sign(body, contents));
    expect(more).toEqual([]);
    if (other?.type !== "sign") throw new Error("expected a signed word beside its own");
    expect(other.to).toEqual(PEERS);
    found.push(other.message.body);
  }
  return found;
}

describe("a validator that mutates its messages", () => {
  const vote = { type: "vote", ...PLACE, value: hashOf(X) } as const;

  test("changes one thing of a vote, by one or to another one that it knows", () => {
    const slot = (sequence: number): AccountSlot => ({ ...ALICE, sequence: sequence as Sequence });
    expect(mutations(vote, [X])).toEqual([
      { ...vote, round: 2 },
      { ...vote, round: 0 },
      { ...vote, epoch: 2 },
      { ...vote, epoch: 0 },
      { ...vote, slot: slot(3) },
      { ...vote, slot: slot(1) },
      { ...vote, value: hashOf(Y) },
    ]);
  });

  test("changes the lock of a round change, and the value of a proposal with its content", () => {
    const other = { ...LOCK, round: 0 as Round };
    const change = { type: "roundChange", ...PLACE, lock: other } as const;
    const locks = mutations(change).flatMap((body) =>
      body.type === "roundChange" && body.lock !== other ? [body.lock] : [],
    );
    expect(locks).toEqual([undefined, { ...other, round: 1 }, LOCK]);
    const proposal = { type: "proposal", ...PLACE, value: hashOf(X), justification: [] } as const;
    expect(mutations(proposal, [X])).toContainEqual({ ...proposal, value: hashOf(Y) });
  });

  test("has a bound, and sends its own messages beyond it", () => {
    const play = player({ name: "mutate" }, () => 0);
    const signed = play(Array.from({ length: STRATEGY_ADDED_MAX + 5 }, () => sign(vote)));
    expect(signed).toHaveLength(2 * STRATEGY_ADDED_MAX + 5);
    expect(play([sign(vote)])).toHaveLength(1);
  });
});

describe("a validator that votes for one operation", () => {
  const id = `0x${"c".repeat(64)}` as OperationId;
  const plan = { name: "vote-for", account: addressOf("alice"), operation: id } as const;

  test("does so once in each round that it receives, in slots of its account only", () => {
    const play = player(plan, () => 0);
    const value: Hash = valueHash({ type: "operation", id });
    const vote = { type: "vote", ...PLACE, value };
    const message = { type: "consensus", body: vote, contents: [], reason: undefined };
    expect(play([], received(LOCK))).toEqual([{ type: "sign", to: PEERS, message }]);
    expect(play([], received(LOCK))).toEqual([]);
    expect(play([], received({ ...LOCK, round: 2 }))).toHaveLength(1);
    expect(play([], received({ ...LOCK, slot: { ...ALICE, address: addressOf("bob") } }))).toEqual([]);
    expect(play([])).toEqual([]);
  });
});
