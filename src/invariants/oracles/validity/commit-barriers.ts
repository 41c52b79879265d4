/**
 * Barriers of honest validators (protocol 4.2, Barrier): the lists that each has committed to and not applied. From the
 * commit on, an entry validator refuses what their restrictions forbid.
 */
import { entryOf } from "../../../core/base/entry.ts";
import type { Address } from "../../../core/base/ids.ts";
import type { SignedOperation } from "../../../core/base/operation.ts";
import { type LedgerSlot, type SlotKey, slotKey } from "../../../core/base/slot.ts";
import type { Chronicle } from "../../history/chronicle.ts";
import type { EventOf, NodeName } from "../../observation.ts";
import { tokenOf } from "../../reference/operation-meaning.ts";
import type { JudgedGenesis, Policy } from "../../reference/policy.ts";
import { isRestriction, policyAfter } from "../../reference/token-rules.ts";

/** Operations of the list that a node committed to last, by node and token slot. Commits are durable: a crash drops none. */
export type CommitBarriers = Map<NodeName, Map<SlotKey, readonly SignedOperation[]>>;

/** Notes a commit of an honest node to a list of a token. */
export function noteCommit(barriers: CommitBarriers, seen: Chronicle, { node, statement }: EventOf<"signed">): void {
  if (statement.kind !== "commit" || !statement.slot.startsWith("token/")) return;
  const content = seen.contents.get(statement.value);
  const barriersOfNode = entryOf(barriers, node, () => new Map<SlotKey, readonly SignedOperation[]>());
  if (content === undefined) barriersOfNode.delete(statement.slot);
  else barriersOfNode.set(statement.slot, content.operations);
}

/** Drops the barrier of a slot that its node has applied. */
export function dropBarrier(barriers: CommitBarriers, node: NodeName, slot: LedgerSlot): void {
  if (slot.kind === "token") barriers.get(node)?.delete(slotKey(slot));
}

/** Returns the policy of a token as if what a node has committed to were in force, in that order of slots. */
export function restrictedPolicy(
  barriersOfNode: ReadonlyMap<SlotKey, readonly SignedOperation[]> | undefined,
  token: Address,
  policy: Policy,
  genesis: JudgedGenesis,
): Policy {
  let restricted = policy;
  for (const [slot, operations] of barriersOfNode ?? [])
    if (slot.startsWith(`token/${token}/`))
      for (const signed of operations)
        if (tokenOf(signed.operation) === token && isRestriction(restricted, signed, genesis))
          restricted = policyAfter(restricted, signed, genesis) ?? restricted;
  return restricted;
}
