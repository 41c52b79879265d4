/** Mutated messages of a Byzantine validator, and votes for one operation. */
import { describe, expect, test } from "vitest";
import type { Epoch, Hash, Round } from "../../src/core/base/ids.ts";
import type { OperationId } from "../../src/core/base/operation.ts";
import type { LockCertificate } from "../../src/core/consensus/message.ts";
import { valueHash } from "../../src/core/ledger/value.ts";
import type { Content } from "../../src/core/validator/content.ts";
import type { Output } from "../../src/core/validator/output.ts";
import type { StrategyPlan } from "../../src/simulator/byzantine/registry.ts";
import { hashOf } from "../../src/simulator/network/message-content.ts";
import { STRATEGY_ADDED_MAX } from "../../src/simulator/settings.ts";
import { contentOf, PEERS, type Play, player, received, SELF, sign, signed, slotOf } from "./player.ts";
import { addressOf } from "./support.ts";

const ALICE = slotOf(2);
const PLACE = { epoch: 1 as Epoch, slot: ALICE, round: 1 as Round };
const X = contentOf(signed("payment", 5));
const LOCK: LockCertificate = { type: "lock", ...PLACE, value: hashOf(X), seals: [] };
const playerOf = (plan: StrategyPlan): Play => player(plan, { epoch: PLACE.epoch });

describe("a validator that mutates its messages", () => {
  const vote = { type: "vote", ...PLACE, value: hashOf(X) } as const;
  const always = { of: 1, in: 1 };
  const plan = { name: "mutate", field: "vote.round", mutation: "next", chance: always } as const;
  const bodies = (outputs: readonly Output[]): readonly unknown[] =>
    outputs.map((output) => (output.type === "sign" ? [output.to.length, output.message.body] : output.type));

  test("signs the mutant for its victims, and leaves its own program and all others what it had", () => {
    const mutant = { ...vote, round: 2 };
    expect(bodies(playerOf(plan)([sign(vote)]))).toEqual([
      [1, vote],
      [3, mutant],
    ]);
    expect(bodies(playerOf({ ...plan, towards: ["v1"] })([sign(vote)]))).toEqual([
      [3, vote],
      [1, mutant],
    ]);
  });

  test("signs its own statement again where the program only sends it", () => {
    const message = received({ ...vote, signer: SELF, signature: "s" });
    const outputs = playerOf(plan)([{ type: "send", to: PEERS, message }]);
    expect(bodies(outputs)).toEqual([[3, { ...vote, round: 2 }]]);
  });

  test("signs the mutant beside its statement, up to a bound", () => {
    const play = playerOf({ ...plan, mode: "beside" });
    expect(bodies(play([sign(vote)]))).toEqual([
      [4, vote],
      [3, { ...vote, round: 2 }],
    ]);
    const signed = play(Array.from({ length: 2 * STRATEGY_ADDED_MAX }, () => sign(vote)));
    expect(signed).toHaveLength(3 * STRATEGY_ADDED_MAX);
  });

  test("passes what it receives on under the signature that it has", () => {
    const play = playerOf({ ...plan, mode: "received" });
    const message = received({ ...vote, signer: PEERS[0], signature: "s" });
    const mutant = received({ ...vote, round: 2, signer: PEERS[0], signature: "s" });
    expect(play([sign(vote)], message)).toEqual([sign(vote), { type: "send", to: PEERS, message: mutant }]);
  });

  test("names the hash of a mutated content, and signs no part that nothing encodes", () => {
    const proposal = { type: "proposal", ...PLACE, value: hashOf(X), justification: [] } as const;
    const play = playerOf({ name: "mutate", field: "contents[].value.id", mutation: "changed", chance: always });
    const [, mutant] = play([sign(proposal, [X])]);
    if (mutant?.type !== "sign" || mutant.message.body.type !== "proposal") throw new Error("expected a proposal");
    expect(mutant.message.contents).not.toEqual([X]);
    expect(mutant.message.body.value).toBe(hashOf(mutant.message.contents[0] as Content));
    const malformed = playerOf({ name: "mutate", mutation: "malformed", chance: always });
    expect(malformed([sign(proposal, [X])])).toEqual([sign(proposal, [X])]);
  });
});

describe("a validator that votes for one operation", () => {
  const id = `0x${"c".repeat(64)}` as OperationId;
  const plan = { name: "vote-for", account: addressOf("alice"), operation: id } as const;

  test("does so once in each round that it receives, in slots of its account only", () => {
    const play = playerOf(plan);
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
