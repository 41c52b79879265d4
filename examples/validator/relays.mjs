// Offers in account slots, due burns and turns (protocol 3.1, 5).
import { oldestBurns } from "./effects.mjs";
import { BURN_RELAY_MS, FAILED_BURN_MS, OWNERS_TURN_MS } from "./limits.mjs";
import { voteCode } from "./rules.mjs";
import { slotKey, valueHash } from "./values.mjs";

export const relays = {
  /** Does for an account what its state, its queue and its due burns ask for now. */
  serveAccount(address) {
    if (this.close !== null) return;
    this.deriveReasons(address);
    const burns = oldestBurns(this.state, address);
    const waits = this.queueOf(address).length > 0 || burns.length > 0;
    const known = this.slots.get(this.openKeyOf(address));
    if (!waits && known === undefined) return;
    const s = known ?? this.slotState(this.openSlotOf(address));
    if (s.decided !== null) return;
    if (burns.length > 0) this.noteDue(s, burns);
    this.actOnReasons(s);
    if (s.round > 0) {
      this.propose(s);
      return;
    }
    if (burns.length > 0 && !this.isOwnersTurn(address)) this.relayBurn(s);
    else this.relayOperation(s);
  },

  openKeyOf(address) {
    return slotKey(this.openSlotOf(address));
  },

  /** Offers the pending operation of the next nonce, or refuses it. */
  relayOperation(s) {
    const { address } = s.slot;
    const { nonce } = this.state.account(address);
    for (const entry of this.queueOf(address)) {
      if (entry.nonce !== nonce || !entry.isAdmitted || !entry.signed) continue;
      if (entry.signed.operation.kind === "cancellation") continue;
      this.relayEntry(s, entry);
    }
  },

  relayEntry(s, entry) {
    const content = { value: { type: "operation", id: entry.id }, operations: [entry.signed], certificates: [] };
    const hash = valueHash(content.value);
    if (s.relayed !== null || s.voteIn(0) !== undefined) return;
    const judgement = this.judge(s, content, false);
    if (judgement.verdict === "ok") {
      s.contents.set(hash, content);
      this.relay(s, hash);
    } else if (!entry.isDisclosed && judgement.code !== "business_decided_otherwise") {
      this.refuseUndisclosed(entry, judgement.code);
    } else if (entry.isDisclosed && !this.timers.has(`retry ${s.key}`)) {
      s.contents.set(hash, content);
      this.setRetry(s);
      this.noteBarred(s);
    }
  },

  /** Votes for a value in round 0 and collects the votes of the others. */
  relay(s, hash) {
    s.relayed = hash;
    s.attempts = 0;
    if (this.maySign(s)) this.vote(s, hash, this.key);
    this.offer(s);
    this.setRetry(s);
  },

  onOffer({ slot, content }, from) {
    if (slot.kind !== "account") return;
    const s = this.openFor(slot, from);
    if (s === null) return;
    const hash = this.keepContent(s, content, from);
    if (hash === null) return;
    if (s.round > 0) {
      this.repeatChange(s, [from]);
      return;
    }
    this.dirtyAccounts.add(slot.address);
    this.consider(s, hash, from, false);
  },

  dueSince(key) {
    if (!this.dueTimes.has(key)) this.dueTimes.set(key, this.now);
    return this.dueTimes.get(key);
  },

  /** Remembers since when burns are due, and looks at the account again when time allows more. */
  noteDue(s, burns) {
    const { address } = s.slot;
    for (const burn of burns) {
      const since = this.dueSince(burn.key);
      const times = [since + BURN_RELAY_MS, since + FAILED_BURN_MS].filter((time) => time > this.now);
      const turn = this.turns.get(address);
      if (turn !== undefined && turn > this.now) times.push(turn);
      if (times.length > 0) this.setTimer(`burn ${address}`, Math.min(...times));
    }
    for (const bySigner of s.ballots.vote.values()) {
      for (const ballots of bySigner.values()) for (const ballot of ballots) this.noteBurnVote(s, ballot);
    }
  },

  onBurn(address) {
    this.dirtyAccounts.add(address);
    this.dirty = true;
  },

  /** Authorities take turns in the order of their addresses (protocol 5, rotation). */
  nextBurn(address) {
    const burns = oldestBurns(this.state, address);
    const last = this.lastAuthorities.get(address);
    if (burns.length === 0) return undefined;
    return burns.find((burn) => last === undefined || burn.signed.sender > last) ?? burns[0];
  },

  burnContent(address) {
    const burn = this.nextBurn(address);
    if (burn === undefined) return null;
    const { id, signed, authorisedBy } = burn;
    const outcome = this.outcomeOf(address, signed.operation);
    if (outcome === "burned" && this.view().isPaused(signed.operation.token)) return null;
    const certificate = this.slots.get(authorisedBy)?.decided;
    const certificates = certificate?.type === "finality" && certificate.slot.kind === "account" ? [certificate] : [];
    return { value: { type: "burn", id, outcome }, operations: [signed], certificates };
  },

  relayBurn(s) {
    const { address } = s.slot;
    const content = this.burnContent(address);
    if (content === null || s.relayed !== null || s.voteIn(0) !== undefined) return;
    const isEntry = this.entries.get(content.value.id)?.isAdmitted === true;
    const burn = this.nextBurn(address);
    if (!isEntry && this.now < this.dueSince(burn.key) + BURN_RELAY_MS) return;
    if (this.judge(s, content, false).verdict !== "ok") return;
    const hash = valueHash(content.value);
    s.contents.set(hash, content);
    this.relay(s, hash);
  },

  /** A vote for another value while a burn is due is a reason to leave round 0 (protocol 3.2, c). */
  noteBurnVote(s, ballot) {
    if (s.slot.kind !== "account" || ballot.round !== 0 || s.round > 0 || s.decided !== null) return;
    if (!this.isNext(s.slot) || s.reasons.has("burn")) return;
    const content = this.burnContent(s.slot.address);
    if (content === null || valueHash(content.value) === ballot.value) return;
    const { signer, signature, value } = ballot;
    const vote = { type: "vote", epoch: s.epoch, slot: s.slot, round: 0, value, signer, signature };
    this.keepReason(s, { kind: "burn", content, vote });
  },

  isOwnersTurn(address) {
    return (this.turns.get(address) ?? 0) > this.now;
  },

  /** After a burn that displaced what the owner could have decided, the owner has a turn (protocol 5). */
  noteTurn(s) {
    const { address } = s.slot;
    const { value, operations } = s.content;
    if (value.type !== "burn") {
      this.turns.delete(address);
      return;
    }
    this.lastAuthorities.set(address, operations[0].sender);
    const { nonce } = this.state.account(address);
    const open = this.queueOf(address).filter((e) => e.nonce === nonce && e.signed && !e.isEvidence);
    const operationsOpen = open.filter((e) => e.signed.operation.kind !== "cancellation");
    const decidable = operationsOpen.some((e) => voteCode(this.view(), e.signed) === null && this.isFunded(e.signed));
    const cancelled = operationsOpen.length > 0 && open.length > operationsOpen.length;
    if (!decidable && !cancelled) return;
    this.turns.set(address, this.now + OWNERS_TURN_MS);
    this.setTimer(`turn ${address}`, this.now + OWNERS_TURN_MS);
  },
};
