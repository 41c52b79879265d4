/** Mutated messages of a Byzantine validator, and votes for one operation. */
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
const X = content("a");
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

describe("a validator that mutates its messages", () => {
  const vote = { type: "vote", ...PLACE, value: hashOf(X) } as const;
  const always = { of: 1, in: 1 };
  const plan = { name: "mutate", field: "vote.round", mutation: "next", chance: always } as const;
  const bodies = (outputs: readonly Output[]): readonly unknown[] =>
    outputs.map((output) => (output.type === "sign" ? [output.to.length, output.message.body] : output.type));

  test("signs the mutant for its victims, and leaves its own program and all others what it had", () => {
    const mutant = { ...vote, round: 2 };
    expect(bodies(player(plan, () => 0)([sign(vote)]))).toEqual([
      [1, vote],
      [3, mutant],
    ]);
    expect(bodies(player({ ...plan, towards: ["v1"] }, () => 0)([sign(vote)]))).toEqual([
      [3, vote],
      [1, mutant],
    ]);
  });

  test("signs its own statement again where the program only sends it", () => {
    const message = received({ ...vote, signer: SELF, signature: "s" });
    const outputs = player(plan, () => 0)([{ type: "send", to: PEERS, message }]);
    expect(bodies(outputs)).toEqual([[3, { ...vote, round: 2 }]]);
  });

  test("signs the mutant beside its statement, up to a bound", () => {
    const play = player({ ...plan, mode: "beside" }, () => 0);
    expect(bodies(play([sign(vote)]))).toEqual([
      [4, vote],
      [3, { ...vote, round: 2 }],
    ]);
    const signed = play(Array.from({ length: 2 * STRATEGY_ADDED_MAX }, () => sign(vote)));
    expect(signed).toHaveLength(3 * STRATEGY_ADDED_MAX);
  });

  test("passes what it receives on under the signature that it has", () => {
    const play = player({ ...plan, mode: "received" }, () => 0);
    const message = received({ ...vote, signer: PEERS[0], signature: "s" });
    const mutant = received({ ...vote, round: 2, signer: PEERS[0], signature: "s" });
    expect(play([sign(vote)], message)).toEqual([sign(vote), { type: "send", to: PEERS, message: mutant }]);
  });

  test("names the hash of a mutated content, and signs no part that nothing encodes", () => {
    const proposal = { type: "proposal", ...PLACE, value: hashOf(X), justification: [] } as const;
    const play = player({ name: "mutate", field: "contents[].value.id", mutation: "changed", chance: always }, () => 0);
    const [, mutant] = play([sign(proposal, [X])]);
    if (mutant?.type !== "sign" || mutant.message.body.type !== "proposal") throw new Error("expected a proposal");
    expect(mutant.message.contents).not.toEqual([X]);
    expect(mutant.message.body.value).toBe(hashOf(mutant.message.contents[0] as Content));
    const malformed = player({ name: "mutate", mutation: "malformed", chance: always }, () => 0);
    expect(malformed([sign(proposal, [X])])).toEqual([sign(proposal, [X])]);
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
