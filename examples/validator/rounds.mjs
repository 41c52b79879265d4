// Changing rounds: reasons, round changes, proposals and their justification (protocol 3.2).
import { isEquivocation } from "./forms.mjs";
import { EVIDENCE_MS, ROUNDS_AHEAD, roundLength } from "./limits.mjs";
import { idOf } from "./operations.mjs";
import { skipFeeToken } from "./rules.mjs";
import { slotKey, valueHash } from "./values.mjs";

const REASON_ORDER = ["cancellation", "burn", "equivocation"];

const CAUSES = {
  cancellation: "round change by cancellation",
  burn: "round change by due burn",
  equivocation: "round change by equivocation proof",
};

/** Operations that the skip of a reason displaces, the lowest id first. */
export function displacedBy(reason) {
  if (reason.kind === "cancellation") return [reason.displaced];
  return [reason.proof.first, reason.proof.second].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

/** The lock of the highest round in a justification: its value is forced. */
function highestLock(justification) {
  let highest = null;
  for (const { lock } of justification)
    if (lock !== null && (highest === null || lock.round > highest.round)) highest = lock;
  return highest;
}

export const rounds = {
  /** Whether a reason counts: its operations are the owner's, for the next nonce here. */
  reasonCounts(s, reason) {
    if (s.slot.kind !== "account" || this.isGone(s.slot) || s.decided !== null) return false;
    if (reason.kind === "burn") return this.burnReasonCounts(s, reason);
    const account = this.state.account(s.slot.address);
    if (account.sequence !== s.slot.sequence) return false;
    const operations =
      reason.kind === "cancellation"
        ? [reason.cancellation, reason.displaced]
        : [reason.proof.first, reason.proof.second];
    const owned = operations.every(
      (signed) =>
        signed.sender === s.slot.address &&
        signed.operation.nonce === account.nonce &&
        signed.operation.chainId === this.chainId &&
        this.verifier.operation(signed),
    );
    if (!owned) return false;
    if (reason.kind === "equivocation") return isEquivocation(...operations);
    return operations[0].operation.kind === "cancellation" && operations[1].operation.kind !== "cancellation";
  },

  burnReasonCounts(s, { content, vote }) {
    if (vote.epoch !== this.epoch || slotKey(vote.slot) !== s.key || content.value.type !== "burn") return false;
    if (vote.value === valueHash(content.value) || !this.committee.index.has(vote.signer)) return false;
    return this.isOldestBurn(s.slot, content.value.id) && this.verifier.statement(vote);
  },

  skipPays(reason) {
    return reason.kind !== "burn" && skipFeeToken(this.state, displacedBy(reason)) !== null;
  },

  /** Keeps a reason that counts, one of each kind; gives whether it counts. */
  keepReason(s, reason) {
    if (!this.reasonCounts(s, reason)) return false;
    const known = s.reasons.get(reason.kind);
    if (known !== undefined && this.reasonCounts(s, known)) {
      if (known.kind === "burn" || this.skipPays(known) || !this.skipPays(reason)) return true;
    }
    s.reasons.set(reason.kind, reason);
    if (reason.kind === "equivocation") this.cover("proof formed");
    this.dirty = true;
    const isEvidence = reason.kind === "equivocation";
    for (const signed of operationsOfReason(reason)) this.noteShown(signed, isEvidence);
    this.noteEvidence(s);
    return true;
  },

  /** The wait of a proof begins with the proof and a vote of this validator for an operation. */
  noteEvidence(s) {
    if (!s.reasons.has("equivocation") || s.evidenceSince !== null || s.round > 0) return;
    if (!s.votedForOperation) return;
    s.evidenceSince = this.now;
    this.setTimer(`evidence ${s.key}`, this.now + EVIDENCE_MS);
  },

  onEvidence() {
    this.dirty = true;
  },

  isRipe(s, kind) {
    if (kind === "cancellation") return true;
    if (kind === "burn") return !this.isOwnersTurn(s.slot.address);
    return s.shownByChange || (s.evidenceSince !== null && this.now >= s.evidenceSince + EVIDENCE_MS);
  },

  /** Leaves round 0 for a ripe reason that counts. */
  actOnReasons(s) {
    if (this.key === null) this.showReason(s);
    if (s.round > 0 || s.decided !== null || !this.maySign(s)) return;
    for (const kind of REASON_ORDER) {
      const reason = s.reasons.get(kind);
      if (reason === undefined || !this.isRipe(s, kind) || !this.reasonCounts(s, reason)) continue;
      this.cover(CAUSES[kind]);
      this.moveTo(s, 1);
      return;
    }
  },

  /** A validator that signs nothing shows a reason in a disclosure (protocol 3.2). */
  showReason(s) {
    const reason = this.shownReason(s);
    if (s.decided !== null || reason === null || s.shown === reason) return;
    s.shown = reason;
    this.discloseReason(s, reason);
    if (!this.timers.has(`retry ${s.key}`)) this.setRetry(s);
  },

  discloseReason(s, reason) {
    this.disclose(operationsOfReason(reason));
    this.cover("reason disclosed unsigned");
    this.send(this.others(), { type: "disclosure", slot: s.slot, reason });
  },

  shownReason(s) {
    if (s.slot.kind === "epoch") return this.cause === null ? null : { kind: "closing", cause: this.cause };
    const shown = REASON_ORDER.filter((kind) => s.reasons.has(kind)).map((kind) => s.reasons.get(kind));
    const [first] = shown;
    if (first?.kind !== "cancellation" || this.skipPays(first)) return first ?? null;
    return shown.find((reason) => this.skipPays(reason)) ?? first;
  },

  /** Records the move and the lock that it carries, then says so to all. */
  moveTo(s, round) {
    if (!this.maySign(s) || round <= s.round) return;
    s.round = round;
    s.carried = s.lock;
    s.relayed = null;
    s.timedRound = null;
    s.attempts = 0;
    s.waiting.clear();
    this.save(s);
    this.repeatChange(s, this.members());
    this.setRetry(s);
    this.timeRound(s);
  },

  repeatChange(s, to) {
    if (s.round === 0 || s.decided !== null || !this.maySign(s) || to.length === 0) return;
    const reason = this.shownReason(s);
    if (reason !== null) this.disclose(operationsOfReason(reason));
    this.sign(to, this.statement(s, "roundChange", { lock: s.carried }), [], reason);
  },

  /** The timer of a round runs from when q round changes name it or a higher one. */
  timeRound(s) {
    if (s.round === 0 || s.timedRound === s.round || s.decided !== null) return;
    const named = s.highestChanges().filter(([, round]) => round >= s.round);
    if (named.length < this.committee.quorum) return;
    s.timedRound = s.round;
    this.setTimer(`round ${s.key}`, this.now + roundLength(s.round));
  },

  onRound(key) {
    const s = this.slots.get(key);
    if (s === undefined || s.decided !== null || s.timedRound !== s.round) return;
    this.cover("round change by timeout");
    this.moveTo(s, s.round + 1);
  },

  checkChange(change, from) {
    if (!this.committee.index.has(change.signer)) return false;
    if (!this.verifier.statement(change)) {
      this.report(from, "invalid signature", change.slot);
      return false;
    }
    if (change.lock === null) return true;
    const { lock } = change;
    const fits = slotKey(lock.slot) === slotKey(change.slot) && lock.round < change.round;
    if (fits && this.verifier.certificate(lock, this.committee, "lock")) return true;
    this.report(from, "invalid certificate", change.slot);
    return false;
  },

  /** A round change that hides a lock on which its signer committed. */
  noteHiddenLock(s, change) {
    for (const [round, bySigner] of s.ballots.commit) {
      const hidden = round < change.round && bySigner.has(change.signer) && (change.lock?.round ?? -1) < round;
      if (hidden) this.report(change.signer, "hidden lock", s.slot);
    }
  },

  keepChange(s, change) {
    this.noteHiddenLock(s, change);
    const rounds = s.changes.get(change.signer) ?? new Map();
    const known = rounds.get(change.round);
    if (known !== undefined && (known.lock?.value !== change.lock?.value || known.lock?.round !== change.lock?.round)) {
      this.report(change.signer, "double round change", s.slot);
      return;
    }
    rounds.set(change.round, change);
    for (const round of rounds.keys()) {
      const far = round > s.round + ROUNDS_AHEAD && round < Math.max(...rounds.keys());
      if (round < s.round || far) rounds.delete(round);
    }
    s.changes.set(change.signer, rounds);
    if (change.lock !== null && (s.lock === null || change.lock.round > s.lock.round) && change.lock.round < s.round) {
      s.lock = change.lock;
    }
  },

  onRoundChange(change, reason, from) {
    const s = this.openFor(change.slot, from);
    if (s === null || change.round < 1 || !this.checkChange(change, from)) return;
    this.keepChange(s, change);
    if (reason !== null && reason.kind !== "closing" && this.keepReason(s, reason)) {
      if (reason.kind === "equivocation") s.shownByChange = true;
      this.dirty = true;
    }
    this.followChanges(s);
    if (change.round < s.round && from !== this.key) this.repeatChange(s, [from]);
    this.timeRound(s);
    this.propose(s);
    const proposed = s.proposed !== null && s.proposed.round === s.round && change.round === s.round;
    if (proposed && from !== this.key && !s.ballots.vote.get(s.round)?.has(from)) this.sendProposal(s, [from]);
  },

  /** f + 1 distinct validators pull to the (f + 1)-th highest round named. */
  followChanges(s) {
    const rounds = s
      .highestChanges()
      .filter(([signer]) => signer !== this.key)
      .map(([, round]) => round)
      .sort((a, b) => b - a);
    const pulled = rounds[this.committee.faults];
    if (pulled === undefined || pulled <= s.round) return;
    this.cover("round change by pull");
    this.moveTo(s, pulled);
  },

  /** The proposer of the current round proposes once it has q round changes for exactly this round. */
  propose(s) {
    if (s.round === 0 || !this.isProposer(s, s.round) || !this.maySign(s) || s.decided !== null) return;
    if (s.proposed !== null && s.proposed.round >= s.round) return;
    if (!this.isNext(s.slot)) return;
    const justification = s.changesOf(s.round).slice(0, this.committee.quorum);
    if (justification.length < this.committee.quorum) return;
    const forced = highestLock(justification);
    if (forced === null) {
      const content = this.freeChoice(s);
      if (content !== null) this.proposeContent(s, content, justification);
      return;
    }
    const content = s.contents.get(forced.value);
    if (content !== undefined) this.cover("lock carried");
    if (content !== undefined) this.proposeContent(s, content, justification);
    else for (const seal of forced.seals) this.fetchValues(seal.signer, [forced.value], s);
  },

  proposeContent(s, content, justification) {
    const value = valueHash(content.value);
    s.contents.set(value, content);
    s.proposed = { round: s.round, value, justification };
    this.save(s);
    this.disclose(content.operations);
    this.sendProposal(s, this.members());
    s.attempts = 0;
    this.setRetry(s);
  },

  sendProposal(s, to) {
    if (to.length === 0 || !this.maySign(s)) return;
    const { value, justification } = s.proposed;
    this.sign(to, this.statement(s, "proposal", { value, justification }), [s.contents.get(value)]);
  },

  repeatProposal(s) {
    this.sendProposal(
      s,
      this.others().filter((key) => !s.ballots.vote.get(s.round)?.has(key)),
    );
  },

  /** Protocol 3.2, justification: exactly q round changes for exactly this round, from distinct members. */
  isJustified(body, from) {
    const { justification, round } = body;
    if (round === 0) return justification.length === 0 && body.slot.kind !== "account";
    if (justification.length !== this.committee.quorum) return false;
    const signers = new Set(justification.map((change) => change.signer));
    if (signers.size !== justification.length) return false;
    return justification.every(
      (change) =>
        change.round === round && slotKey(change.slot) === slotKey(body.slot) && this.checkChange(change, from),
    );
  },

  onProposal(body, from) {
    const s = this.openFor(body.slot, from);
    if (s === null || s.decided !== null) return;
    if (!this.verifier.statement(body)) {
      this.report(from, "invalid signature", body.slot);
      return;
    }
    if (body.signer !== this.proposerOf(s, body.round) || !this.isJustified(body, from)) {
      this.report(from, "unjustified proposal", body.slot);
      return;
    }
    const earlier = s.proposals.get(body.round);
    if (earlier !== undefined && earlier !== body.value) this.report(body.signer, "double proposal", body.slot);
    s.proposals.set(body.round, body.value);
    for (const change of body.justification) this.keepChange(s, change);
    if (body.round < s.round) {
      this.repeatChange(s, [from]);
      return;
    }
    if (body.round > s.round) this.moveTo(s, body.round);
    this.timeRound(s);
    const forced = highestLock(body.justification);
    if (forced !== null && forced.value !== body.value) {
      this.report(from, "unjustified proposal", body.slot);
      return;
    }
    this.consider(s, body.value, from, forced !== null);
  },
};

export function operationsOfReason(reason) {
  if (reason.kind === "cancellation") return [reason.cancellation, reason.displaced];
  if (reason.kind === "equivocation") return [reason.proof.first, reason.proof.second];
  return [];
}
