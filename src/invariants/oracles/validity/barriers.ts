/** Barriers of validators: what lists that they have committed to forbid before they are applied (protocol 4.2, Barrier). */
import { entryOf } from "../../../core/base/entry.ts";
import type { SignedOperation } from "../../../core/base/operation.ts";
import type { RefusalCode } from "../../../core/base/refusal.ts";
import type { SlotKey } from "../../../core/base/slot.ts";
import type { Chronicle } from "../../history/chronicle.ts";
import type { EventOf, NodeName } from "../../observation.ts";
import { tokenOf } from "../../reference/operation-meaning.ts";
import type { Policy } from "../../reference/policy.ts";
import type { LedgerState } from "../../reference/state.ts";
import { forbidsVote, isRestriction, policyAfter, policyOf, policyRefusals } from "../../reference/token-rules.ts";

/**
 * Barriers of honest validators (protocol 4.2, Barrier), by node and token slot: the operations of the list that each has
 * committed to last and not applied. From the commit on, a validator neither admits nor votes for what their restrictions
 * forbid. Commits are durable: a crash drops none.
 */
export type CommitBarriers = Map<NodeName, Map<SlotKey, readonly SignedOperation[]>>;

/** Notes a commit of an honest node to a list of a token. */
export function noteCommit(barriers: CommitBarriers, seen: Chronicle, { node, statement }: EventOf<"signed">): void {
  if (statement.kind !== "commit" || !statement.slot.startsWith("token/")) return;
  const content = seen.contents.get(statement.value);
  const barriersOfNode = entryOf(barriers, node, () => new Map<SlotKey, readonly SignedOperation[]>());
  if (content === undefined) barriersOfNode.delete(statement.slot);
  else barriersOfNode.set(statement.slot, content.operations);
}

/** Lists that a node has committed to and not applied, by slot. */
export type CommitBarrier = ReadonlyMap<SlotKey, readonly SignedOperation[]>;

/**
 * Returns the codes by which a restriction refuses an operation that the node has committed to and not applied (protocol
 * 4.2, Barrier).
 */
export function barrierRefusals(
  ledger: LedgerState,
  barrier: CommitBarrier | undefined,
  signed: SignedOperation,
): readonly RefusalCode[] {
  const restricted = restrictedPolicy(ledger, barrier, signed);
  return restricted === undefined ? NO_REFUSALS : policyRefusals(restricted, signed, ledger.genesis);
}

const NO_REFUSALS: readonly RefusalCode[] = [];

/**
 * Returns the policy of an operation's token as if the lists of a barrier were in force, in the order of those commits;
 * `undefined` if they restrict nothing.
 */
function restrictedPolicy(
  ledger: LedgerState,
  barrier: CommitBarrier | undefined,
  signed: SignedOperation,
): Policy | undefined {
  if (barrier === undefined || barrier.size === 0) return undefined;
  const { genesis } = ledger;
  const token = tokenOf(signed.operation);
  const policy = policyOf(ledger, signed);
  if (token === undefined || policy === undefined) return undefined;
  let restricted = policy;
  for (const [slot, operations] of barrier)
    for (const listed of slot.startsWith(`token/${token}/`) ? operations : [])
      if (tokenOf(listed.operation) === token && isRestriction(restricted, listed, genesis))
        restricted = policyAfter(restricted, listed, genesis) ?? restricted;
  return restricted === policy ? undefined : restricted;
}

/** Returns the reason in words. */
export function byBarrier(code: RefusalCode): string {
  return `${code}, by a list that it has committed to`;
}

/**
 * Returns why a list to which the voter has committed, and which it has not applied, forbids an operation or a forced burn
 * (protocol 4.2, Barrier; 5).
 */
export function barredVote(
  ledger: LedgerState,
  barrier: CommitBarrier | undefined,
  { value, operations }: Pick<EventOf<"content">, "value" | "operations">,
): readonly string[] {
  const [signed] = operations;
  if (signed === undefined) return [];
  if (value.type === "operation")
    return barrierRefusals(ledger, barrier, signed)
      .filter((code) => forbidsVote(signed, code))
      .map(byBarrier);
  const isBurned = value.type === "burn" && value.outcome === "burned";
  const isPaused = isBurned && restrictedPolicy(ledger, barrier, signed)?.isPaused === true;
  return isPaused ? [byBarrier("business_token_paused")] : [];
}
