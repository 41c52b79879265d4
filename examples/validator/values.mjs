// Slots, values, parameters and statements: their items, keys and digests (validator wire 2 and 3).
import { H, raw } from "./bytes.mjs";
import { Mix } from "./mix.mjs";
import { listRoot } from "./tries.mjs";

const KIND_CODES = { account: 1, token: 2, checkpoint: 3, epoch: 4 };
const TYPE_CODES = { vote: 1, commit: 2, roundChange: 3, proposal: 4, close: 5, lock: 6, finality: 7 };

const pad = (number) => String(number).padStart(16, "0");

export const accountSlot = (address, sequence) => ({ kind: "account", address, sequence });
export const tokenSlot = (token, version) => ({ kind: "token", token, version });
export const checkpointSlot = (number) => ({ kind: "checkpoint", number });
export const epochSlot = (epoch) => ({ kind: "epoch", epoch });

export function slotNumber(slot) {
  return slot.sequence ?? slot.version ?? slot.number ?? slot.epoch;
}

export function slotOwner(slot) {
  return slot.address ?? slot.token ?? null;
}

export function slotKey(slot) {
  const owner = slotOwner(slot);
  return owner === null ? `${slot.kind}/${pad(slotNumber(slot))}` : `${slot.kind}/${owner}/${pad(slotNumber(slot))}`;
}

/** The same slot with another number. */
export function slotAt(slot, number) {
  if (slot.kind === "account") return accountSlot(slot.address, number);
  if (slot.kind === "token") return tokenSlot(slot.token, number);
  return slot.kind === "checkpoint" ? checkpointSlot(number) : epochSlot(number);
}

export function slotItem(slot) {
  const owner = slotOwner(slot);
  return owner === null ? [slot.kind, slotNumber(slot)] : [slot.kind, raw(owner), slotNumber(slot)];
}

/** `hash(slot)` of the rule of proposers. */
const slotHashes = new Map();
export function proposerIndex(slot, epoch, round, members) {
  const key = slotKey(slot);
  let hash = slotHashes.get(key);
  if (hash === undefined) {
    hash = BigInt(H("slot", key));
    if (slotHashes.size > 5000) slotHashes.clear();
    slotHashes.set(key, hash);
  }
  return Number((hash + BigInt(epoch) + BigInt(round)) % BigInt(members));
}

export function valueItem(value) {
  if (value.type === "operation") return ["operation", raw(value.id)];
  if (value.type === "burn") return ["burn", raw(value.id), value.outcome];
  if (value.type === "list") return ["list", value.ids.map(raw)];
  const feeToken = value.feeToken === null ? [] : [raw(value.feeToken)];
  return ["skip", value.by, raw(value.id), value.displaced.map(raw), feeToken];
}

export function headerItem(h) {
  const roots = [h.parentHash, h.stateRoot, h.transactionsRoot, h.receiptsRoot].map(raw);
  return [h.number, ...roots, BigInt(h.timestamp), h.size, h.extraData];
}

export function listedRoot(listed) {
  return listRoot(listed.map((entry) => [slotItem(entry.slot), valueItem(entry.value), entry.copies.map(raw)]));
}

const feesEntry = (fees) => [BigInt(fees.payment), BigInt(fees.cancellation), BigInt(fees.recovery)];

export function parametersItem(p) {
  const tokens = [...p.fees.tokens].sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const c = p.checkpoints;
  return [
    p.validators.map((member) => [raw(member.key), raw(member.reward)]),
    [feesEntry(p.fees.default), tokens.map(([token, entry]) => [raw(token), feesEntry(entry)])],
    c === null ? [] : [[c.intervalMs, c.slots, c.limit, c.periodSeconds, c.empty]],
    p.epochLength === null ? [] : [p.epochLength],
  ];
}

export function closingHash(head, root) {
  const { epoch, header, next, warrant } = head;
  return H("value", "closing", epoch, headerItem(header), raw(root), parametersItem(next), raw(warrant));
}

const valueHashes = new WeakMap();

function computeValueHash(value) {
  if (value.type === "checkpoint") {
    return H("value", "checkpoint", headerItem(value.header), raw(listedRoot(value.listed)));
  }
  if (value.type === "closing") return closingHash(value, listedRoot(value.listed));
  return H("value", value.type === "list" ? "token" : "account", valueItem(value));
}

export function valueHash(value) {
  let hash = valueHashes.get(value);
  if (hash === undefined) {
    hash = computeValueHash(value);
    valueHashes.set(value, hash);
  }
  return hash;
}

export function governanceDigest(proposal) {
  return H("governance", proposal.chainId, proposal.epoch, parametersItem(proposal.next));
}

function statementContent(s) {
  if (s.type === "roundChange") return s.lock === null ? [] : [s.lock.round, raw(s.lock.value)];
  if (s.type !== "close") return raw(s.value);
  return s.claims.map((claim) => [claim.type, slotItem(claim.slot), claim.round, raw(claim.value)]);
}

/** The Keccak digest of a statement (validator wire 2). */
export function statementDigest(chainId, s) {
  return H(s.type, chainId, s.epoch, slotItem(s.slot), s.round, statementContent(s));
}

function mixSlot(mix, slot) {
  mix.word(KIND_CODES[slot.kind]);
  const owner = slotOwner(slot);
  if (owner !== null) mix.hex(owner);
  mix.integer(slotNumber(slot));
}

function mixContent(mix, s) {
  if (s.type === "roundChange") {
    mix.integer(s.lock === null ? -1 : s.lock.round);
    if (s.lock !== null) mix.hex(s.lock.value);
  } else if (s.type === "close") {
    for (const claim of s.claims) {
      mix.word(TYPE_CODES[claim.type]);
      mixSlot(mix, claim.slot);
      mix.integer(claim.round).hex(claim.value);
    }
  } else mix.hex(s.value);
}

/** The digest under the stand-in (validator wire 3). */
export function standInDigest(chainId, s) {
  const mix = new Mix();
  mix.integer(chainId).word(TYPE_CODES[s.type]).integer(s.epoch);
  mixSlot(mix, s.slot);
  mix.integer(s.round);
  mixContent(mix, s);
  return `0x${mix.digits()}${"0".repeat(32)}`;
}

/** What a closing's value fixes of its warrant (validator wire 2). */
export function warrantHash(warrant, closeDigest) {
  const { cause } = warrant;
  const causeItem =
    cause.kind === "checkpoint"
      ? ["checkpoint", slotItem(cause.certificate.slot), raw(cause.certificate.value)]
      : ["proposal", raw(governanceDigest(cause.signed.proposal))];
  const closes = warrant.closes.map((close) => [raw(close.signer), raw(closeDigest(close))]);
  return H("closing warrant", causeItem, closes);
}

export function receiptItem(receipt) {
  return [
    raw(receipt.id),
    receipt.success,
    BigInt(receipt.fee),
    receipt.feeToken === null ? [] : [raw(receipt.feeToken)],
    receipt.error === null ? [] : [receipt.error.code],
    receipt.slot,
  ];
}
