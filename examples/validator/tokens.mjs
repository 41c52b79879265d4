// Token slots: the barrier of restrictions, and the proposer's list (protocol 3, 4.2).
import { nextNumber } from "./effects.mjs";
import { LIST_WAIT_MS, TOKEN_MS } from "./limits.mjs";
import { restrictionOf } from "./rules.mjs";
import { slotKey, tokenSlot } from "./values.mjs";

export const tokens = {
  /** Restrictions to which this validator has committed and which are not applied here. */
  restrictions(token) {
    const versions = this.barriers.get(token);
    return versions === undefined ? [] : [...versions.values()].flat();
  },

  /** A commit to a list with restrictions raises the barrier of its version. */
  raiseBarrier(s, value) {
    const content = s.contents.get(value);
    if (s.slot.kind !== "token" || content === undefined) return;
    const found = content.operations
      .map((o) => restrictionOf(o.operation, this.state.policies))
      .filter((r) => r !== null);
    if (found.length === 0) return;
    const { token, version } = s.slot;
    if (!this.barriers.has(token)) this.barriers.set(token, new Map());
    this.barriers.get(token).set(version, found);
    this.cover("barrier raised");
  },

  dropBarrier(slot) {
    this.barriers.get(slot.token)?.delete(slot.version);
  },

  /** Opens the next slot of a token that has due operations. */
  serveToken(token) {
    if (this.close !== null || this.state.due("token", token).length === 0) return;
    const slot = tokenSlot(token, nextNumber(this.state, { kind: "token", token }));
    const s = this.slotState(slot);
    if (s.decided !== null || !this.maySign(s)) return;
    if (!s.isOpen) {
      s.isOpen = true;
      this.setTimer(`token ${s.key}`, this.now + TOKEN_MS);
    }
    this.proposeList(s);
    this.propose(s);
  },

  proposeList(s) {
    if (s.round > 0 || s.proposed !== null || !this.isProposer(s, 0)) return;
    const content = this.listContent(s);
    if (content !== null) this.proposeContent(s, content, []);
  },

  onToken(key) {
    const s = this.slots.get(key);
    if (s === undefined || s.decided !== null || s.round > 0) return;
    if (this.state.due("token", s.slot.token).length === 0) return;
    this.cover("round change by due operation");
    this.moveTo(s, 1);
  },

  rankOf(entry) {
    const o = entry.signed.operation;
    if (o.kind === "issue") return 0;
    if (this.now >= entry.since + LIST_WAIT_MS) return 1;
    return restrictionOf(o, this.state.policies) === null ? 3 : 2;
  },

  /** What a proposer lists: by rank, then the longest due, then by key; earlier ones of a signer go first. */
  listContent(s) {
    const { token } = s.slot;
    if (slotKey(s.slot) !== slotKey(tokenSlot(token, nextNumber(this.state, s.slot)))) return null;
    const due = this.state.due("token", token).map(([key, entry]) => ({ key, ...entry, since: this.dueSince(key) }));
    const ranked = due.sort((a, b) => this.rankOf(a) - this.rankOf(b) || a.since - b.since || (a.key < b.key ? -1 : 1));
    const chosen = new Map();
    for (const entry of ranked) {
      const earlier = due.filter((e) => e.signed.sender === entry.signed.sender && e.sequence <= entry.sequence);
      const missing = earlier.filter((e) => !chosen.has(e.key)).sort((a, b) => a.sequence - b.sequence);
      for (const e of missing) if (chosen.size < this.state.listLimit) chosen.set(e.key, e);
    }
    if (chosen.size === 0) return null;
    return this.listOf([...chosen.values()]);
  },

  listOf(entries) {
    const certificates = [];
    for (const { authorisedBy } of entries) {
      const decided = this.slots.get(authorisedBy)?.decided;
      if (decided?.type === "finality" && decided.slot.kind === "account") certificates.push(decided);
    }
    const value = { type: "list", ids: entries.map((e) => e.id) };
    return { value, operations: entries.map((e) => e.signed), certificates };
  },
};
