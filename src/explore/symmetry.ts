/**
 * Symmetry reduction over interchangeable validators: those that propose in no round within the bounds. Nothing else
 * distinguishes honest validators here: certificates, justifications and closes count independent of their signers, and
 * every message reaches everyone. One state therefore represents all its permutations.
 */
import type { Epoch, Round, Version } from "../core/base/ids.ts";
import type { Slot } from "../core/base/slot.ts";
import { effectSlotOf } from "../core/ledger/effect-slot.ts";
import type { System } from "./system.ts";
import { slotOf } from "./values.ts";

/** Returns the indices of the interchangeable honest validators; none if there are fewer than two. */
export function interchangeableIn(system: System): readonly number[] {
  const { rules } = system.compiled.commons;
  const proposers = new Set<string>();
  for (const { slot, from } of indicesOf(system)) {
    for (let round = from; round <= system.bounds.rounds; round++)
      proposers.add(rules.consensus.proposerOf(system.committee, slot, round as Round));
  }
  const alike = system.honest.flatMap(({ key }, by) => (proposers.has(key) ? [] : [by]));
  return alike.length < 2 ? [] : alike;
}

/** Returns the slots that may be decided, each with its first round that has a proposer. */
function indicesOf(system: System): readonly { readonly slot: Slot; readonly from: number }[] {
  const accounts = system.operations.map(({ signed }) => ({ slot: slotOf(signed), from: 1 }));
  const listed = system.operations.flatMap(({ signed }) => {
    const target = effectSlotOf(signed);
    return target.where === "token" ? [target.token] : [];
  });
  const { genesis } = system.compiled.commons.shared;
  const lists = listed.map((token, index) => {
    const start = genesis.tokens.get(token)?.version ?? 0;
    const earlier = listed.slice(0, index).filter((one) => one === token).length;
    return { slot: { kind: "token", token, version: (start + earlier) as Version } as const, from: 0 };
  });
  const closings = system.proposals.flatMap((signed) =>
    signed === undefined ? [] : [{ slot: { kind: "epoch", epoch: signed.proposal.epoch as Epoch } as const, from: 0 }],
  );
  return [...accounts, ...lists, ...closings];
}
