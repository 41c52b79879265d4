/**
 * Symmetry reduction over interchangeable validators: those that propose in no round within the bounds. Nothing else
 * distinguishes honest validators here: certificates, justifications and closes count independent of their signers, and
 * every message reaches everyone. One state therefore represents all its permutations.
 */
import type { Epoch, Round, Version } from "../core/base/ids.ts";
import type { Slot } from "../core/base/slot.ts";
import { targetOf } from "../core/ledger/target.ts";
import type { Arena } from "./arena.ts";
import { slotOf } from "./values.ts";

/** Returns the indices of the interchangeable honest validators; none if there are fewer than two. */
export function alikeIn(arena: Arena): readonly number[] {
  const { rules } = arena.compiled.commons;
  const proposers = new Set<string>();
  for (const { slot, from } of placesOf(arena)) {
    for (let round = from; round <= arena.bounds.rounds; round++)
      proposers.add(rules.consensus.proposerOf(arena.committee, slot, round as Round));
  }
  const alike = arena.honest.flatMap(({ key }, by) => (proposers.has(key) ? [] : [by]));
  return alike.length < 2 ? [] : alike;
}

/** Returns the slots that may be decided, each with its first round that has a proposer. */
function placesOf(arena: Arena): readonly { readonly slot: Slot; readonly from: number }[] {
  const accounts = arena.operations.map(({ signed }) => ({ slot: slotOf(signed), from: 1 }));
  const listed = arena.operations.flatMap(({ signed }) => {
    const target = targetOf(signed);
    return target.where === "token" ? [target.token] : [];
  });
  const { genesis } = arena.compiled.commons.shared;
  const lists = listed.map((token, place) => {
    const start = genesis.tokens.get(token)?.version ?? 0;
    const earlier = listed.slice(0, place).filter((one) => one === token).length;
    return { slot: { kind: "token", token, version: (start + earlier) as Version } as const, from: 0 };
  });
  const closings = arena.proposals.flatMap((signed) =>
    signed === undefined ? [] : [{ slot: { kind: "epoch", epoch: signed.proposal.epoch as Epoch } as const, from: 0 }],
  );
  return [...accounts, ...lists, ...closings];
}
