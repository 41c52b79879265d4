// Restart from durable records, and recall of what only memory held (protocol 11.2).

import { operationsOfReason } from "./rounds.mjs";
import { SlotState } from "./slots.mjs";
import { stateFromJson } from "./state.mjs";
import { valueHash } from "./values.mjs";

export const restart = {
  /** Links first, then the snapshot, then the records of slots that are still needed. */
  restore(records) {
    const byKind = (kind) => records.filter(([, record]) => record.of === kind).map(([, record]) => record);
    this.links = byKind("link")
      .map((record) => record.link)
      .sort((a, b) => a.head.epoch - b.head.epoch);
    for (const { certificate, content, state } of byKind("snapshot")) this.restoreSnapshot(certificate, content, state);
    this.setCommittee();
    const [closed] = byKind("closed");
    if (closed !== undefined && closed.close.epoch === this.epoch) this.restoreClose(closed);
    for (const [key, record] of records) this.restoreSlot(key, record);
    if (closed !== undefined && this.close === null) this.output({ output: "erase", key: "closed" });
    this.recall();
  },

  restoreSnapshot(certificate, content, json) {
    const state = stateFromJson(json);
    this.setBase(certificate, { ...content }, state);
    this.base.hash = valueHash(content.value);
    this.state = state.fork();
  },

  restoreClose({ close, cause }) {
    this.close = close;
    this.cause = cause;
  },

  restoreSlot(key, record) {
    if (record.of !== "slot") return;
    const stale = record.epoch !== this.epoch || this.isGone(record.slot);
    if (stale) this.output({ output: "erase", key });
    else {
      const s = SlotState.fromRecord(record);
      this.slots.set(s.key, s);
      if (s.decided !== null) this.undone.set(s.key, s);
    }
  },

  /** Barriers of each commit; of open slots also pending operations, reasons and what was asked. */
  recall() {
    for (const s of this.slots.values()) {
      for (const commit of s.commits) this.raiseBarrier(s, commit.value);
      if (s.decided !== null) continue;
      for (const content of s.contents.values()) {
        if (s.slot.kind === "account" && content.value.type === "operation") this.noteShown(content.operations[0]);
      }
      for (const reason of s.reasons.values()) {
        for (const signed of operationsOfReason(reason)) this.noteShown(signed, reason.kind === "equivocation");
      }
      this.noteEvidence(s);
    }
  },

  /** Says again what was said, and asks again for what was open. */
  resume() {
    for (const s of [...this.slots.values()]) {
      if (s.decided !== null || !this.maySign(s) || this.isGone(s.slot)) continue;
      if (s.proposed?.round === s.round) this.repeatProposal(s);
      if (s.round > 0) this.repeatChange(s, this.members());
      if (s.slot.kind === "account" && s.round === 0 && s.voteIn(0) !== undefined) this.voted(s);
      else this.setRetry(s);
      if (s.slot.kind === "checkpoint" || s.slot.kind === "token") this.dirty = true;
    }
    if (this.close !== null && !this.slots.get(this.closingKey())?.decided) {
      this.closeAttempts = 0;
      this.sayClose();
      this.setTimer(`closing ${this.closingKey()}`, this.now + 1000);
    }
    if (this.base.number === this.lastNumber() && this.base.certificate?.slot.kind === "checkpoint") {
      this.noteCause({ kind: "checkpoint", certificate: this.base.certificate });
    }
    this.wakeDue();
  },
};
