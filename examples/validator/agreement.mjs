// Votes, lock certificates, commits and decisions of one slot (protocol 3.1).

import { nextNumber } from "./effects.mjs";
import { retryPause, TAKEOVER_MS, TAKEOVER_STAGGER_MS } from "./limits.mjs";
import { SlotState } from "./slots.mjs";
import { proposerIndex, slotKey, slotNumber, valueHash } from "./values.mjs";

export const agreement = {
  /** The state of a slot, which is opened if its record is not gone. */
  slotState(slot) {
    const key = slotKey(slot);
    let s = this.slots.get(key);
    if (s === undefined) {
      s = new SlotState(slot, this.epoch);
      this.slots.set(key, s);
    }
    return s;
  },

  /** Protocol 6.2: a slot below the state whose record is gone is settled. */
  isGone(slot) {
    if (this.slots.get(slotKey(slot))?.decided) return false;
    if (slot.kind === "checkpoint") return slot.number <= this.base.number;
    if (slot.kind === "epoch") return slot.epoch < this.epoch;
    return slotNumber(slot) < nextNumber(this.state, slot);
  },

  save(s) {
    s.isDurable = true;
    this.output({ output: "persist", key: s.key, record: s.toRecord() });
  },

  /** Whether this validator may still vote and commit in the slot (protocol 1.4, 6.3). */
  maySign(s) {
    return this.key !== null && (this.close === null || s.slot.kind === "epoch") && !this.isGone(s.slot);
  },

  sign(to, body, contents, reason) {
    this.output({
      output: "sign",
      to,
      message: { type: "consensus", body, contents: contents ?? [], reason: reason ?? null },
    });
  },

  statement(s, type, fields) {
    return { type, epoch: s.epoch, slot: s.slot, round: s.round, ...fields };
  },

  sendCertificate(to, certificate, content) {
    if (to.length === 0) return;
    const contents = content === undefined ? [] : [content];
    this.send(to, { type: "consensus", body: certificate, contents, reason: null });
  },

  /** One vote in each round; a request is answered again with the same one. */
  vote(s, value, to) {
    const known = s.voteIn(s.round);
    if (known === undefined) {
      s.votes.push({ round: s.round, value });
      this.save(s);
      this.voted(s);
    }
    this.repeatVote(s, value, to);
  },

  repeatVote(s, asked, to) {
    const vote = s.voteIn(s.round);
    if (vote === undefined || !this.maySign(s)) return;
    const other = vote.value === asked ? undefined : s.contents.get(vote.value);
    this.sign([to], this.statement(s, "vote", { value: vote.value }), other === undefined ? [] : [other]);
  },

  /** Validators that have voted and see no certificate take the relay over. */
  voted(s) {
    if (s.slot.kind === "account" && s.round === 0 && s.relayed === null) {
      const place = this.committee.index.get(this.key) ?? 0;
      this.setTimer(`retry ${s.key}`, this.now + TAKEOVER_MS + TAKEOVER_STAGGER_MS * place);
    }
    this.noteEvidence(s);
  },

  onVote(body, from) {
    const s = this.slots.get(slotKey(body.slot));
    if (s === undefined || !this.checkBallot(s, body, from)) return;
    if (s.decided !== null) return;
    this.noteBurnVote(s, body);
    this.countVotes(s, body.round, body.value);
  },

  /** Checks and keeps a vote or commit. */
  checkBallot(s, body, from) {
    if (!this.committee.index.has(body.signer)) return false;
    if (body.round > s.round + 8) return false;
    if (s.hasBallot(body.type, body.round, body.value, body.signer)) return s.decided === null;
    if (!this.verifier.statement(body)) {
      this.report(from, "invalid signature", s.slot);
      return false;
    }
    const earlier = s.addBallot(body.type, body);
    if (earlier !== undefined) this.report(body.signer, `double ${body.type}`, s.slot);
    return true;
  },

  /** Seals of a certificate are compared with what their signers said elsewhere. */
  noteSeals(s, type, { round, value, seals }) {
    for (const { signer, signature } of seals) {
      const earlier = s.addBallot(type, { round, signer, value, signature });
      if (earlier !== undefined) this.report(signer, `double ${type}`, s.slot);
    }
  },

  countVotes(s, round, value) {
    const seals = s.seals("vote", round, value);
    if (round !== s.round || seals.length < this.committee.quorum) return;
    if (s.lock?.round === round) return;
    const lock = {
      type: "lock",
      epoch: s.epoch,
      slot: s.slot,
      round,
      value,
      seals: seals.slice(0, this.committee.quorum),
    };
    this.takeLock(s, lock, this.key ?? this.keys[0]);
    if (!s.contents.has(value)) this.sendCertificate(this.others(), lock);
    s.attempts = 0;
    this.drive(s);
  },

  onLock(lock, from) {
    const s = this.openFor(lock.slot, from);
    if (s === null) return;
    if (!this.verifier.certificate(lock, this.committee, "lock")) {
      this.report(from, "invalid certificate", lock.slot);
      return;
    }
    this.takeLock(s, lock, from);
  },

  /** A valid lock certificate: it moves the round, is recorded, and is committed on in its own round. */
  takeLock(s, lock, from) {
    if (s.decided !== null) return;
    this.noteSeals(s, "vote", lock);
    if (lock.round > s.round) this.moveTo(s, lock.round);
    if (s.lock === null || lock.round > s.lock.round) {
      if (lock.round < s.round) {
        s.lock = lock;
        this.save(s);
      }
    }
    if (lock.round < s.round) {
      this.repeatChange(s, [from]);
      return;
    }
    if (!s.contents.has(lock.value)) {
      s.lockedBy = { lock, from };
      this.fetchValues(from, [lock.value], s);
      return;
    }
    this.commit(s, lock, from);
  },

  commit(s, lock, to) {
    if (!this.maySign(s)) {
      if (s.lock === null || s.lock.round < lock.round) s.lock = lock;
      return;
    }
    const known = s.commitIn(lock.round);
    if (known === undefined) {
      s.lock = lock;
      s.commits.push({ round: lock.round, value: lock.value });
      this.save(s);
      this.raiseBarrier(s, lock.value);
      if (s.slot.kind === "account" && !this.timers.has(`retry ${s.key}`)) this.setRetry(s);
    }
    const value = known?.value ?? lock.value;
    this.sign([to], { type: "commit", epoch: s.epoch, slot: s.slot, round: lock.round, value });
  },

  onCommit(body, from) {
    const s = this.slots.get(slotKey(body.slot));
    if (s === undefined || !this.checkBallot(s, body, from) || s.decided !== null) return;
    const { quorum } = this.committee;
    const seals = s.seals("commit", body.round, body.value);
    if (seals.length < quorum) return;
    const { epoch, slot } = s;
    const certificate = {
      type: "finality",
      epoch,
      slot,
      round: body.round,
      value: body.value,
      seals: seals.slice(0, quorum),
    };
    this.decide(s, certificate);
    this.sendCertificate(this.audience(s), certificate, s.content);
  },

  /** Who hears of a decision: the committee, and of a closing the next one too (protocol 6.5). */
  audience(s) {
    const next = s.content?.value.next?.validators.map((member) => member.key) ?? [];
    return [...new Set([...this.others(), ...next])].filter((key) => !this.keys.includes(key));
  },

  onFinality(certificate, from) {
    if (this.isGone(certificate.slot)) return;
    if (!this.verifier.certificate(certificate, this.committee, "finality")) {
      this.report(from, "invalid certificate", certificate.slot);
      return;
    }
    const s = this.slotState(certificate.slot);
    this.decide(s, certificate);
    this.fetchGap(s.slot, from);
  },

  /** A finality certificate decides the slot at once (protocol 3.1). */
  decide(s, certificate) {
    if (s.decided !== null) {
      if (s.decided.value !== certificate.value) this.halt(s.slot, "two finality certificates");
      return;
    }
    s.decided = certificate;
    this.noteSeals(s, "commit", certificate);
    s.relayed = null;
    s.waiting.clear();
    for (const name of [`retry ${s.key}`, `round ${s.key}`, `wait ${s.key}`]) this.cancelTimer(name);
    this.save(s);
    this.event({ type: "decided", certificate, content: s.content ?? null });
    this.undone.set(s.key, s);
    if (s.round > 0 || certificate.round > 0) this.cover("decided in a later round");
    if (s.content === undefined) {
      this.cover("decision waited for content");
      this.fetchContent(s);
    }
    this.dirty = true;
  },

  setRetry(s) {
    this.setTimer(`retry ${s.key}`, this.now + retryPause(s.attempts), s.attempts > 8);
    s.attempts += 1;
  },

  onRetry(key) {
    const s = this.slots.get(key);
    if (s === undefined || s.decided !== null || this.isGone(s.slot)) return;
    if (this.close !== null && s.slot.kind !== "epoch") return;
    this.noteBarred(s);
    if (s.slot.kind === "account" && s.round === 0 && s.relayed === null) {
      s.relayed = s.voteIn(0)?.value ?? s.lock?.value ?? null;
      if (s.relayed !== null) this.cover("relay taken over");
    }
    this.propose(s);
    if (s.round === 0 && s.relayed !== null && s.lock !== null) this.offer(s);
    this.drive(s);
    this.setRetry(s);
  },

  /** Who collects needs the own vote and commit too, which went to another collector before. */
  collectOwn(s) {
    if (!this.maySign(s)) return;
    const vote = s.voteIn(s.round);
    if (vote !== undefined && !s.hasBallot("vote", s.round, vote.value, this.key))
      this.repeatVote(s, vote.value, this.key);
    const commit = s.commitIn(s.round);
    const isLocked = commit !== undefined && s.lock?.round === s.round;
    if (isLocked && !s.hasBallot("commit", s.round, commit.value, this.key)) this.commit(s, s.lock, this.key);
  },

  /** Asks again for what is missing: the votes, the commits, or the round. */
  drive(s) {
    if (s.decided !== null || (this.close !== null && s.slot.kind !== "epoch")) return;
    if (this.key === null && this.shownReason(s) !== null) this.discloseReason(s, this.shownReason(s));
    this.collectOwn(s);
    const locked = s.lock !== null && s.lock.round === s.round && s.contents.has(s.lock.value);
    if (locked) {
      const missing = this.others().filter((key) => !s.hasBallot("commit", s.round, s.lock.value, key));
      this.sendCertificate(missing, s.lock);
    } else if (s.round === 0 && s.relayed !== null) this.offer(s);
    else if (s.proposed !== null && s.proposed.round === s.round) this.repeatProposal(s);
    if (s.round > 0 && !locked) this.repeatChange(s, this.others());
  },

  offer(s) {
    const content = s.contents.get(s.relayed);
    if (content === undefined) return;
    const missing = this.others().filter((key) => !s.ballots.vote.get(0)?.has(key));
    this.disclose(content.operations);
    if (missing.length > 0) this.send(missing, { type: "offer", slot: s.slot, content });
  },

  isProposer(s, round) {
    return this.key !== null && this.proposerOf(s, round) === this.key;
  },

  proposerOf(s, round) {
    const { keys } = this.committee;
    return keys[proposerIndex(s.slot, s.epoch, round, keys.length)];
  },

  /** Keeps a content that proves itself; gives its value hash, or null. */
  keepContent(s, content, from) {
    const hash = valueHash(content.value);
    if (s.contents.has(hash)) return hash;
    if (!this.provesItself(s.slot, content, from)) return null;
    s.contents.set(hash, content);
    this.contentKept(s, content, hash);
    return hash;
  },

  contentKept(s, content, hash) {
    this.takeShownCertificates(content);
    if (s.slot.kind === "account" && content.value.type === "operation") this.noteShown(content.operations[0]);
    if (s.decided?.value === hash) {
      this.save(s);
      this.dirty = true;
    }
    if (s.lockedBy?.lock.value === hash && s.decided === null) {
      const { lock, from } = s.lockedBy;
      s.lockedBy = null;
      this.takeLock(s, lock, from);
    }
  },
};
