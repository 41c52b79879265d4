/** Canonical items of what governance fixes for an epoch (protocol 6.3). */
import { bool, encode, hex, type Item, optional, toHex, uint } from "../base/encoding.ts";
import type { CheckpointPolicy, EpochParameters, FeeEntry, FeeSchedule, GovernanceProposal } from "../base/epoch.ts";
import type { Hash } from "../base/ids.ts";
import { taggedHash } from "../crypto/hash.ts";

/** Returns the digest that the operator signs: nothing else on any chain or in any epoch has the same one. */
export function proposalDigest({ chainId, epoch, next }: GovernanceProposal): Hash {
  return taggedHash("governance", uint(chainId), uint(epoch), parametersItem(next));
}

/** [members, fees, checkpoint policy or none, epoch length or none]. */
export function parametersItem({ validators, fees, checkpoints, epochLength }: EpochParameters): Item {
  const members = validators.map(({ key, reward }) => [hex(key), hex(reward)]);
  return [members, feesItem(fees), optional(checkpoints, policyItem), optional(epochLength, uint)];
}

/** The canonical bytes, as 0x and hex digits: equal parameters have equal texts. */
export function encodeParameters(parameters: EpochParameters): string {
  return toHex(encode(parametersItem(parameters)));
}

/** The schedule with its tokens in order. */
function feesItem(fees: FeeSchedule): Item {
  const tokens = [...fees.tokens].sort(([a], [b]) => (a < b ? -1 : 1));
  return [feeEntryItem(fees.default), tokens.map(([token, entry]) => [hex(token), feeEntryItem(entry)])];
}

function feeEntryItem({ payment, cancellation, recovery }: FeeEntry): Item {
  return [uint(payment), uint(cancellation), uint(recovery)];
}

function policyItem({ intervalMs, slots, limit, periodSeconds, empty }: CheckpointPolicy): Item {
  return [uint(intervalMs), uint(slots), uint(limit), uint(periodSeconds), bool(empty)];
}
