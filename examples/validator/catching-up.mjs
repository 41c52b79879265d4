// Comparison, and fetching what is missing (protocol 10).
import { nextNumber } from "./effects.mjs";
import { FETCH_COUNT, FETCH_MS, STATUS_SLOTS, SYNC_IDLE_MS, SYNC_MS } from "./limits.mjs";
import { checkpointSlot, epochSlot, slotAt, slotKey, slotNumber, valueHash } from "./values.mjs";

export const catchingUp = {
  /** Whether something may be asked or told again; at most once in 200 ms. */
  mayRepeat(what) {
    const last = this.lastTimes.get(what);
    if (last !== undefined && this.now < last + FETCH_MS) return false;
    this.lastTimes.set(what, this.now);
    return true;
  },

  fetch(peer, slots, values) {
    if (peer === this.key || slots.length + values.length === 0) return;
    this.send([peer], { type: "fetch", epoch: this.epoch, slots: slots.slice(0, FETCH_COUNT), values });
  },

  fetchValues(peer, values, s) {
    if (this.mayRepeat(`value ${peer} ${values[0]}`)) this.fetch(peer, [s.slot], values);
  },

  /** Asks the signers of a decision for its content. */
  fetchContent(s) {
    for (const seal of s.decided.seals) this.fetchValues(seal.signer, [s.decided.value], s);
  },

  /** Earlier slots of a sequence that a message made known. */
  fetchGap(slot, from) {
    if (slot.kind === "epoch" || from === this.key) return;
    const next = slot.kind === "checkpoint" ? this.base.number + 1 : nextNumber(this.state, slot);
    if (slotNumber(slot) <= next || !this.mayRepeat(`gap ${from} ${slot.kind} ${slot.address ?? slot.token ?? ""}`))
      return;
    this.cover("gap fetched");
    const slots = [];
    for (let number = next; number < slotNumber(slot) && slots.length < FETCH_COUNT; number++) {
      const earlier = slotAt(slot, number);
      if (!this.slots.get(slotKey(earlier))?.decided) slots.push(earlier);
    }
    this.fetch(from, slots, []);
  },

  /** The slot of a message, or null where the slot is decided, gone or closed: then it is answered (protocol 3.1). */
  openFor(slot, from) {
    if (this.isGone(slot)) {
      this.cover("settled slot requested");
      if (from !== this.key) this.sendStatus(from, true);
      return null;
    }
    const known = this.slots.get(slotKey(slot));
    if (known?.decided) {
      if (from !== this.key) this.answerDecided(known, from);
      return null;
    }
    if (this.close !== null && slot.kind !== "epoch") return null;
    this.fetchGap(slot, from);
    return this.slotState(slot);
  },

  /** Answers what is asked of a decided slot: with its certificate, or where a checkpoint decided it with the status. */
  answerDecided(s, from) {
    const decision = this.decisionOf(s.epoch, s.slot);
    if (decision !== null) this.send([from], { type: "decisions", decided: [decision], contents: [] });
    else if (slotKey(s.decided.slot) === s.key) this.sendCertificate([from], s.decided);
    else this.sendStatus(from, true);
  },

  /** Slots that no checkpoint lists; of more than a status shows, each shows the next part. */
  shownSlots() {
    const slots = [...this.unlisted.values()].map((s) => s.slot);
    if (slots.length <= STATUS_SLOTS) return slots;
    const from = this.statusFrom % slots.length;
    this.statusFrom = from + STATUS_SLOTS;
    return slots.slice(from, from + STATUS_SLOTS);
  },

  sendStatus(peer, answer) {
    if (answer && !this.mayRepeat(`status ${peer}`)) return;
    const applied = this.shownSlots();
    this.send([peer], { type: "status", epoch: this.epoch, checkpoint: this.base.number, applied, answer });
  },

  onSync() {
    const peers = this.others();
    if (peers.length > 0) {
      this.sendStatus(peers[this.nextPeer % peers.length], false);
      this.nextPeer += 1;
      for (const s of this.undone.values()) if (s.content === undefined) this.fetchContent(s);
    }
    this.syncPause = this.key === null ? SYNC_MS : Math.min(this.syncPause * 2, SYNC_IDLE_MS);
    this.setTimer("sync", this.now + this.syncPause, true);
  },

  /** Something was applied: comparison begins again after 1 s. */
  noteApplied() {
    if (this.syncPause === SYNC_MS && this.timers.has("sync")) return;
    this.syncPause = SYNC_MS;
    this.setTimer("sync", this.now + SYNC_MS, true);
  },

  compareAtOnce() {
    const peers = this.others();
    if (peers.length === 0 || !this.mayRepeat("comparison")) return;
    this.sendStatus(peers[this.nextPeer % peers.length], false);
    this.nextPeer += 1;
  },

  onStatus(message, from) {
    if (message.epoch > this.epoch) {
      this.cover("message from a later epoch");
      if (this.mayRepeat(`closing ${from}`)) this.fetch(from, [epochSlot(this.epoch)], []);
      return;
    }
    const sameEpoch = message.epoch === this.epoch;
    if (sameEpoch && message.checkpoint > this.base.number) this.fetchCheckpoints(message.checkpoint, from);
    if (sameEpoch && message.checkpoint === this.base.number) {
      const lacking = message.applied.filter((slot) => !this.isGone(slot) && !this.slots.get(slotKey(slot))?.decided);
      if (lacking.length > 0 && this.mayRepeat(`slots ${from}`)) {
        this.cover("applied slots requested");
        this.fetch(from, lacking, []);
      }
    }
    if (!message.answer && this.peerLacks(message)) this.sendStatus(from, true);
  },

  fetchCheckpoints(last, from) {
    if (!this.mayRepeat(`checkpoints ${from}`)) return;
    const slots = [];
    for (let n = this.base.number + 1; n <= last && slots.length < FETCH_COUNT; n++) {
      if (!this.slots.get(slotKey(checkpointSlot(n)))?.content) slots.push(checkpointSlot(n));
    }
    this.fetch(from, slots, []);
  },

  peerLacks(message) {
    if (message.epoch < this.epoch || message.checkpoint < this.base.number) return true;
    if (message.checkpoint > this.base.number) return false;
    const shown = new Set(message.applied.map(slotKey));
    return [...this.unlisted.keys()].some((key) => !shown.has(key));
  },

  onFetch({ epoch, slots, values }, from) {
    const decided = [];
    const contents = [];
    let lacks = false;
    for (const slot of slots) {
      const decision = this.decisionOf(epoch, slot);
      if (decision !== null) decided.push(decision);
      else if (epoch < this.epoch || this.isGone(slot)) lacks = true;
    }
    for (const value of values) {
      const content = this.findContent(slots, value);
      if (content !== undefined && !decided.some((d) => d.certificate.value === value)) contents.push(content);
    }
    if (decided.length + contents.length > 0) this.send([from], { type: "decisions", decided, contents });
    if (lacks) this.answerGone(epoch, slots, from, decided.length > 0);
  },

  /** What is pruned is answered with the state, or of ledger slots with the status. */
  answerGone(epoch, slots, from, isAnswered) {
    const asks = slots.some((slot) => slot.kind === "checkpoint" || slot.kind === "epoch");
    if (asks) this.offerState(from, epoch, null);
    else if (!isAnswered) this.sendStatus(from, true);
  },

  decisionOf(epoch, slot) {
    const s = epoch === this.epoch ? this.slots.get(slotKey(slot)) : undefined;
    if (s?.content !== undefined && slotKey(s.decided.slot) === s.key) {
      return { certificate: s.decided, content: s.content };
    }
    const kept = this.chain.find(
      ({ certificate }) =>
        certificate?.type === "finality" && certificate.epoch === epoch && slotKey(certificate.slot) === slotKey(slot),
    );
    return kept === undefined ? null : { certificate: kept.certificate, content: kept.content };
  },

  findContent(slots, value) {
    for (const slot of slots) {
      const content = this.slots.get(slotKey(slot))?.contents.get(value);
      if (content !== undefined) return content;
    }
    for (const s of this.slots.values()) if (s.contents.has(value)) return s.contents.get(value);
    return undefined;
  },

  onDecisions({ decided, contents }, from) {
    for (const { certificate, content } of decided) {
      if (certificate.epoch !== this.epoch || this.isGone(certificate.slot)) continue;
      if (certificate.value !== valueHash(content.value)) continue;
      if (!this.verifier.certificate(certificate, this.committee, certificate.type)) continue;
      const s = this.slotState(certificate.slot);
      if (!this.keepCertified(s, content, certificate.value)) continue;
      if (certificate.type === "finality") this.decide(s, certificate);
      else if (this.close === null) this.takeLock(s, certificate, from);
    }
    for (const content of contents) this.takeContent(content);
  },

  /** A content of a value that a certificate names. */
  keepCertified(s, content, hash) {
    if (s.contents.has(hash)) return true;
    if (!this.provesItself(s.slot, content, null, true)) return false;
    s.contents.set(hash, content);
    this.contentKept(s, content, hash);
    return true;
  },

  /** A content that was asked for by its value. */
  takeContent(content) {
    const hash = valueHash(content.value);
    for (const s of this.slots.values()) {
      if (s.isApplied || s.contents.has(hash)) continue;
      const locks = [s.lock, s.lockedBy?.lock, ...s.changesOf(s.round).map((change) => change.lock)];
      const certified = [s.decided, ...locks].some((c) => c?.value === hash);
      if (certified && this.keepCertified(s, content, hash)) this.propose(s);
    }
    this.takeSettledContent(content, hash);
    this.dirty = true;
  },
};
