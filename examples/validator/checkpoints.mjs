// Checkpoints: when one is due, the proposer's list, what voters judge, and applying one (protocol 6.1).

import { raw, utf8 } from "./bytes.mjs";
import { applySlot, nextNumber } from "./effects.mjs";
import { CHECKPOINT_ROUND_MS, CHECKPOINTS_KEPT, CLOCK_AHEAD_MS, CLOCK_POLL_MS, EXTRA_DATA_BYTES } from "./limits.mjs";
import { copyOf, idOf } from "./operations.mjs";
import { listRoot } from "./tries.mjs";
import { checkpointSlot, receiptItem, slotKey, slotNumber, valueHash } from "./values.mjs";

const ZERO_HASH = `0x${"0".repeat(64)}`;

/** The genesis as checkpoint 0, which nobody signs. */
export function genesisBase(state) {
  const header = headerOf({ number: 0, parentHash: ZERO_HASH, state, receipts: [], timestamp: 0, size: 0 });
  const value = { type: "checkpoint", header, listed: [] };
  return { number: 0, hash: valueHash(value), timestamp: 0, certificate: null, content: null, state };
}

export function headerOf({ number, parentHash, state, receipts, timestamp, size }) {
  return {
    number,
    parentHash,
    stateRoot: state.root(),
    transactionsRoot: listRoot(receipts.map((receipt) => raw(receipt.id))),
    receiptsRoot: listRoot(receipts.map(receiptItem)),
    timestamp,
    size,
    extraData: "",
  };
}

/** Replays listed slots on a state; gives receipts, or what stands against it. */
export function replay(state, listed, operations) {
  const byCopy = new Map(operations.map((signed) => [copyOf(signed).hash, signed]));
  const receipts = [];
  for (const { slot, value, copies } of listed) {
    const shown = copies.map((hash) => byCopy.get(hash));
    if (shown.includes(undefined)) return { refused: "a copy is missing" };
    const result = applySlot(state, slot, value, shown);
    if (result.receipts === undefined) return { refused: result.halt ?? result.wait };
    receipts.push(...result.receipts);
  }
  return { receipts };
}

/** Bytes of the copies that a list fixes. */
export function sizeOf(listed, operations) {
  const sizes = new Map(operations.map((signed) => [copyOf(signed).hash, copyOf(signed).size]));
  return listed.flatMap((entry) => entry.copies).reduce((sum, hash) => sum + (sizes.get(hash) ?? 0), 0);
}

/** Ids that the operations of a listed value must have, in order. */
export function idsOfValue(value) {
  if (value.type === "list") return value.ids;
  if (value.type !== "skip") return [value.id];
  return value.by === "cancellation" ? [value.id, ...value.displaced] : value.displaced;
}

export function listingOf(s) {
  return { slot: s.slot, value: s.content.value, copies: s.content.operations.map((signed) => copyOf(signed).hash) };
}

/** Refusals of checkpoints and closings: of another history, or false whatever the history. */
export const OTHER_HISTORY = { verdict: "refuse", code: "validation_proposal", isFalse: false };
export const FALSE_PROPOSAL = { verdict: "refuse", code: "validation_proposal", isFalse: true };

export const checkpoints = {
  policy() {
    return this.state.parameters.checkpoints;
  },

  /** The last number that the epoch may have, or infinity. */
  lastNumber() {
    const { epochLength } = this.state.parameters;
    return epochLength === null ? Number.POSITIVE_INFINITY : this.base.state.opened + epochLength;
  },

  /** When the next checkpoint is due here: a time, or null where nothing makes it due. */
  checkpointDueAt() {
    const policy = this.policy();
    if (policy === null || this.close !== null || this.base.number >= this.lastNumber()) return null;
    if (this.unlisted.size >= policy.slots) return this.now;
    return this.unlisted.size > 0 || policy.empty ? this.checkpointAt + policy.intervalMs : null;
  },

  /** Whether the period lets others vote for the least timestamp (specification 10.2). */
  periodAllows() {
    return (this.base.timestamp + this.policy().periodSeconds) * 1000 <= this.clock + CLOCK_AHEAD_MS;
  },

  serveCheckpoints() {
    const due = this.checkpointDueAt();
    if (due === null) return;
    const background = this.unlisted.size === 0;
    if (due > this.now) {
      this.setTimerOnce("checkpoint due", due, background);
      return;
    }
    if (!this.periodAllows()) {
      const wait = (this.base.timestamp + this.policy().periodSeconds) * 1000 - this.clock - CLOCK_AHEAD_MS;
      this.setTimerOnce("checkpoint due", this.now + Math.min(wait, CLOCK_POLL_MS), background);
      return;
    }
    const s = this.slotState(checkpointSlot(this.base.number + 1));
    if (s.decided !== null || !this.maySign(s)) return;
    if (!s.isOpen) {
      s.isOpen = true;
      this.setTimer(`checkpoint ${s.key}`, this.now + CHECKPOINT_ROUND_MS, background);
    }
    if (s.round === 0 && s.proposed === null && this.isProposer(s, 0)) {
      const content = this.checkpointContent();
      if (content !== null) this.proposeContent(s, content, []);
    } else this.propose(s);
  },

  onCheckpoint(key) {
    const s = this.slots.get(key);
    if (key === "due") this.dirty = true;
    else if (s !== undefined && s.decided === null && s.round === 0 && !this.isGone(s.slot)) {
      this.cover("checkpoint timed out");
      this.moveTo(s, 1);
    }
  },

  /** A set: what is applied and listed nowhere, oldest first, at most M. */
  checkpointContent() {
    const policy = this.policy();
    if (policy === null || !this.periodAllows() || this.base.number >= this.lastNumber()) return null;
    const slots = [...this.unlisted.values()].slice(0, policy.limit);
    if (slots.length === 0 && !policy.empty) return null;
    return this.checkpointOf(slots, policy);
  },

  checkpointOf(slots, policy) {
    const listed = slots.map(listingOf);
    const operations = slots.flatMap((s) => s.content.operations);
    const state = this.base.state.fork();
    const { receipts } = replay(state, listed, operations);
    if (receipts === undefined) return null;
    const timestamp = Math.max(Math.floor(this.clock / 1000), this.base.timestamp + policy.periodSeconds);
    const number = this.base.number + 1;
    const size = sizeOf(listed, operations);
    const header = headerOf({ number, parentHash: this.base.hash, state, receipts, timestamp, size });
    return { value: { type: "checkpoint", header, listed }, operations, certificates: [] };
  },

  /** One verified copy of each listed operation. */
  checkpointProvesItself({ value, operations }) {
    const byCopy = new Map(operations.map((signed) => [copyOf(signed).hash, signed]));
    const complete = value.listed.every((entry) => {
      const ids = idsOfValue(entry.value);
      const shown = entry.copies.map((hash) => byCopy.get(hash));
      return ids.length === shown.length && shown.every((signed, i) => signed !== undefined && idOf(signed) === ids[i]);
    });
    return complete && operations.every((signed) => this.wellSigned(signed));
  },

  judgeCheckpoint(s, content) {
    const { value } = content;
    const { header, listed } = value;
    const policy = this.policy();
    if (header.parentHash !== this.base.hash) return OTHER_HISTORY;
    if (header.number !== this.base.number + 1) return FALSE_PROPOSAL;
    if (policy === null || header.number > this.lastNumber()) return FALSE_PROPOSAL;
    if (header.timestamp < this.base.timestamp + policy.periodSeconds) return FALSE_PROPOSAL;
    if (listed.length > policy.limit || (listed.length === 0 && !policy.empty)) return FALSE_PROPOSAL;
    return this.judgeListed(s, content) ?? this.judgeReplay(content, this.base.state.fork());
  },

  /** Waits for listed decisions that are missing, and for the clock. */
  judgeListed(s, { value }) {
    const waiting = { verdict: "wait", code: "validation_proposal" };
    const { header, listed } = value;
    if (utf8(header.extraData).length > EXTRA_DATA_BYTES) return FALSE_PROPOSAL;
    if (new Set(listed.map((entry) => slotKey(entry.slot))).size !== listed.length) return FALSE_PROPOSAL;
    const missing = [];
    for (const entry of listed) {
      if (slotNumber(entry.slot) < nextNumber(this.base.state, entry.slot)) return FALSE_PROPOSAL;
      const known = this.slots.get(slotKey(entry.slot));
      if (!known?.decided) missing.push(entry.slot);
      else if (known.decided.value !== valueHash(entry.value)) return OTHER_HISTORY;
    }
    if (missing.length > 0 && s.slot.kind === "checkpoint") {
      this.fetchListed(s, missing);
      return waiting;
    }
    const ahead = header.timestamp * 1000 > this.clock + CLOCK_AHEAD_MS && header.timestamp > this.base.timestamp;
    if (!ahead) return null;
    this.setTimerOnce("checkpoint due", this.now + CLOCK_POLL_MS, true);
    return waiting;
  },

  fetchListed(s, missing) {
    const proposer = this.proposerOf(s, s.round);
    if (this.mayRepeat(`listed ${proposer}`)) this.fetch(proposer, missing, []);
  },

  judgeReplay({ value, operations }, state) {
    const { header, listed } = value;
    const { receipts } = replay(state, listed, operations);
    if (receipts === undefined || header.size !== sizeOf(listed, operations)) return FALSE_PROPOSAL;
    const { number, parentHash, timestamp, size } = header;
    const expected = headerOf({ number, parentHash, state, receipts, timestamp, size });
    const fits =
      expected.stateRoot === header.stateRoot &&
      expected.transactionsRoot === header.transactionsRoot &&
      expected.receiptsRoot === header.receiptsRoot;
    return fits ? { verdict: "ok" } : FALSE_PROPOSAL;
  },

  /** A final checkpoint also decides what is not applied here (protocol 6.1). */
  applyCheckpoint(s) {
    if (s.slot.number !== this.base.number + 1) return false;
    if (!this.takeListed(s.content, s.decided, s.content)) return false;
    const open = s.content.value.listed.some((e) => slotNumber(e.slot) >= nextNumber(this.state, e.slot));
    if (open) return false;
    this.finishCheckpoint(s);
    return true;
  },

  /** Takes listed slots as decided by the certificate of their list; false where it contradicts. */
  takeListed(content, certificate, shown) {
    const byCopy = new Map(content.operations.map((signed) => [copyOf(signed).hash, signed]));
    for (const { slot, value, copies } of content.value.listed) {
      const hash = valueHash(value);
      const known = this.slots.get(slotKey(slot));
      if (known === undefined && slotNumber(slot) < nextNumber(this.state, slot)) continue;
      const l = this.slotState(slot);
      if (l.decided !== null && (l.decidedValue ?? l.decided.value) !== hash) {
        this.halt(certificate.slot, "it lists a slot for another value than was decided here");
        return false;
      }
      if (l.content !== undefined || l.isApplied) continue;
      l.contents.set(hash, { value, operations: copies.map((copy) => byCopy.get(copy)), certificates: [] });
      if (l.decided === null) this.decideListed(l, certificate, hash, shown);
    }
    return true;
  },

  decideListed(l, certificate, hash, content) {
    l.decided = { ...certificate, value: hash, slot: certificate.slot };
    l.decidedValue = hash;
    l.proof = { certificate, content };
    for (const name of ["retry", "round", "wait"]) this.cancelTimer(`${name} ${l.key}`);
    this.undone.set(l.key, l);
    if (content.value.type === "checkpoint") this.cover("checkpoint adopted");
    this.dirty = true;
  },

  finishCheckpoint(s) {
    const { value, operations } = s.content;
    const state = this.base.state.fork();
    const { receipts } = replay(state, value.listed, operations);
    if (receipts === undefined || state.root() !== value.header.stateRoot) {
      this.halt(s.slot, "it replays to another state root");
      return;
    }
    state.changes = [];
    this.undone.delete(s.key);
    s.isApplied = true;
    this.setBase(s.decided, s.content, state);
    this.persistSnapshot();
    this.event({ type: "checkpointed", certificate: s.decided, content: s.content, state: state.toJson() });
    this.prune([s.key, ...value.listed.map((entry) => slotKey(entry.slot))]);
    for (const signed of operations) this.digests.delete(this.digestKey(signed));
    this.checkpointAt = this.now;
    this.cancelTimer("checkpoint due");
    this.noteApplied();
    if (this.base.number === this.lastNumber()) this.noteCause({ kind: "checkpoint", certificate: s.decided });
    this.dirty = true;
  },

  setBase(certificate, content, state) {
    const { header } = content.value;
    const { number, timestamp } = header;
    this.base = { number, hash: certificate.value, timestamp, certificate, content, state };
    this.chain.push(this.base);
    if (this.target !== null && this.target.number <= number) this.endTransfer();
    while (this.chain.length > CHECKPOINTS_KEPT) this.forgetOutcomes(this.chain.shift().content);
  },

  /** Below the oldest checkpoint kept, nonces are settled (protocol 6.2). */
  forgetOutcomes(content) {
    if (content === null) return;
    for (const { sender, operation } of content.operations) this.used.delete(`${sender}/${operation.nonce}`);
    for (const { slot, value } of content.value.listed) {
      for (const id of value.ids ?? [value.id, ...(value.displaced ?? [])]) {
        const receipt = this.outcomes.get(id)?.receipt;
        if (receipt === undefined || receipt.slot === slotKey(slot)) this.outcomes.delete(id);
      }
    }
  },

  persistSnapshot() {
    const { certificate, content, state } = this.base;
    const record = { of: "snapshot", certificate, content, state: state.toJson() };
    this.output({ output: "persist", key: "snapshot", record });
  },

  prune(keys) {
    for (const key of keys) {
      const s = this.slots.get(key);
      this.unlisted.delete(key);
      this.undone.delete(key);
      this.slots.delete(key);
      if (s?.isDurable) this.output({ output: "erase", key });
    }
  },
};
