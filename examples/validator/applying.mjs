// Applying decisions in the order of their sequences (protocol 4.3).
import { applySlot, nextNumber } from "./effects.mjs";
import { slotNumber } from "./values.mjs";

const BURN_POINTS = {
  burned: "forced burn",
  failed: "forced burn failed",
  paused: "forced burn of a paused token",
};

export const applying = {
  /** Applies what can be applied, until nothing more can. */
  applyDecisions() {
    let again = true;
    while (again && !this.isHalted) {
      again = false;
      for (const s of [...this.undone.values()]) {
        if (this.isHalted) return;
        if (this.applyDecision(s)) again = true;
      }
    }
  },

  applyDecision(s) {
    if (s.isApplied || s.content === undefined || !this.undone.has(s.key)) return false;
    if (s.slot.kind === "checkpoint") return this.applyCheckpoint(s);
    if (s.slot.kind === "epoch") return this.applyClosing(s);
    if (slotNumber(s.slot) < nextNumber(this.state, s.slot)) {
      this.undone.delete(s.key);
      return false;
    }
    const result = applySlot(this.state, s.slot, s.content.value, s.content.operations);
    if (result.halt !== undefined) this.halt(s.slot, result.halt);
    if (result.wait !== undefined && result.wait !== "sequence" && !s.isMissed) {
      s.isMissed = true;
      if (result.wait === "funds") this.cover("decision waited for funds");
      this.compareAtOnce();
    }
    if (result.receipts === undefined) return false;
    this.finishSlot(s, result, s.proof ?? { certificate: s.decided, content: s.content });
    return true;
  },

  /** Tells of an applied slot, and wakes what depends on it. */
  finishSlot(s, result, proof) {
    s.isApplied = true;
    this.undone.delete(s.key);
    const changes = this.tellChanges();
    this.event({
      type: "applied",
      slot: s.slot,
      value: s.content.value,
      content: s.content,
      receipts: result.receipts,
    });
    this.unlisted.set(s.key, s);
    if (s.slot.kind === "token") {
      this.dropBarrier(s.slot);
      this.dirtyTokens.add(s.slot.token);
    }
    this.coverEffect(s, result);
    this.answerApplied(s, result, proof);
    if (s.slot.kind === "account") {
      this.noteTurn(s);
      this.dirtyAccounts.add(s.slot.address);
    }
    this.wake(changes);
    this.noteApplied();
    this.dirty = true;
  },

  coverEffect(s, { receipts }) {
    const { value } = s.content;
    if (value.type === "burn") this.cover(BURN_POINTS[value.outcome]);
    if (value.type === "list" && receipts.some((receipt) => !receipt.success)) this.cover("token operation failed");
    if (value.type !== "skip") return;
    this.cover(`skip by ${value.by}`);
    if (value.feeToken !== null && this.state.balance(s.slot.address, value.feeToken) < 0n) {
      this.cover("fee of a skip owed");
    }
  },

  /** The output `ledger`: the entries that changed, with their new values. */
  tellChanges() {
    const last = new Map();
    for (const change of this.state.changes) last.set(`${change.part}/${change.key}`, change);
    this.state.changes = [];
    const changes = [...last.values()];
    this.output({ output: "ledger", changes });
    return changes;
  },

  /** Accounts that got credits or were created, and owners of what became due. */
  wake(changes) {
    for (const { part, key, value } of changes) {
      const [first, second] = key.split("/");
      if (part === "balances" || part === "accounts") this.dirtyAccounts.add(first);
      if (part === "tokens") {
        this.dirtyTokens.add(first);
        this.isPolicyChanged = true;
      }
      if (part !== "authorised") continue;
      if (value === null) this.dueTimes.delete(key);
      else this.dueSince(key);
      if (first === "account") this.dirtyAccounts.add(second);
      else this.dirtyTokens.add(second);
    }
  },
};
