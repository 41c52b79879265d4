/** Canonical items of epoch parameters (protocol 6.3). */
import type { CheckpointPolicy } from "../base/checkpoint.ts";
import { bool, encode, hex, type Item, toHex, uint } from "../base/encoding.ts";
import type { EpochParameters, FeeEntry, FeeSchedule, GovernanceProposal, Member } from "../base/epoch.ts";
import type { Address, Hash } from "../base/ids.ts";
import { taggedHash } from "../crypto/hash.ts";
import { optional, readAddress, readAmount, readBool, readCount, readList, readOptional } from "./items.ts";

/** Returns the digest that the operator signs: unique to this chain and epoch. */
export function proposalDigest({ chainId, epoch, next }: GovernanceProposal): Hash {
  return taggedHash("governance", uint(chainId), uint(epoch), parametersItem(next));
}

/** [members, fees, checkpoint policy or none, epoch length or none]. */
export function parametersItem({ validators, fees, checkpoints, epochLength }: EpochParameters): Item {
  const members = validators.map(({ key, reward }) => [hex(key), hex(reward)]);
  return [members, feesItem(fees), optional(checkpoints, policyItem), optional(epochLength, uint)];
}

/** Returns the canonical bytes, as 0x and hex digits: equal parameters have equal texts. */
export function encodeParameters(parameters: EpochParameters): string {
  return toHex(encode(parametersItem(parameters)));
}

/** Reads parameters. @throws RangeError, naming the field, on anything not canonical. */
export function readParameters(item: Item | undefined): EpochParameters {
  const [members, fees, checkpoints, epochLength] = readList(item, "epoch parameters", 4);
  return {
    validators: readList(members, "validators").map(readMember),
    fees: readFees(fees),
    checkpoints: readOptional(checkpoints, "checkpoint policy", readPolicy),
    epochLength: readOptional(epochLength, "epoch length", readCount),
  };
}

function readMember(item: Item): Member {
  const [key, reward] = readList(item, "validator", 2);
  return { key: readAddress(key, "validator key"), reward: readAddress(reward, "reward account") };
}

/** Returns the schedule with its tokens in order. */
function feesItem(fees: FeeSchedule): Item {
  const tokens = [...fees.tokens].sort(([a], [b]) => (a < b ? -1 : 1));
  return [feeEntryItem(fees.default), tokens.map(([token, entry]) => [hex(token), feeEntryItem(entry)])];
}

function readFees(item: Item | undefined): FeeSchedule {
  const [first, rest] = readList(item, "fees", 2);
  const tokens = new Map<Address, FeeEntry>();
  let previous = "";
  for (const one of readList(rest, "fees by token")) {
    const [token, entry] = readList(one, "fee of a token", 2);
    const address = readAddress(token, "token");
    if (address <= previous) throw new RangeError("fees by token: expected ascending addresses");
    tokens.set(address, readFeeEntry(entry));
    previous = address;
  }
  return { default: readFeeEntry(first), tokens };
}

function feeEntryItem({ payment, cancellation, recovery }: FeeEntry): Item {
  return [uint(payment), uint(cancellation), uint(recovery)];
}

function readFeeEntry(item: Item | undefined): FeeEntry {
  const [payment, cancellation, recovery] = readList(item, "fee entry", 3);
  return {
    payment: readAmount(payment, "payment fee"),
    cancellation: readAmount(cancellation, "cancellation fee"),
    recovery: readAmount(recovery, "recovery fee"),
  };
}

function policyItem({ intervalMs, slots, limit, periodSeconds, empty }: CheckpointPolicy): Item {
  return [uint(intervalMs), uint(slots), uint(limit), uint(periodSeconds), bool(empty)];
}

function readPolicy(item: Item | undefined): CheckpointPolicy {
  const [intervalMs, slots, limit, periodSeconds, empty] = readList(item, "checkpoint policy", 5);
  return {
    intervalMs: readCount(intervalMs, "interval"),
    slots: readCount(slots, "slots"),
    limit: readCount(limit, "limit"),
    periodSeconds: readCount(periodSeconds, "period"),
    empty: readBool(empty, "empty"),
  };
}
