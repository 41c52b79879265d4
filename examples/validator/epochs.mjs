// Closing an epoch: causes, closes, settlement, the closing and its application (protocol 6.3, 6.4).
import { FALSE_PROPOSAL, headerOf, listingOf, OTHER_HISTORY, replay, sizeOf } from "./checkpoints.mjs";
import { applySlot, nextNumber, sharePools } from "./effects.mjs";
import { CLOSING_ROUND_MS, retryPause } from "./limits.mjs";
import { committeeOf } from "./signatures.mjs";
import { closingHash, epochSlot, listedRoot, slotKey, slotNumber, valueHash, warrantHash } from "./values.mjs";

const isLedgerSlot = (slot) => slot.kind === "account" || slot.kind === "token";
const claimKey = (c) => `${c.type} ${slotKey(c.slot)} ${c.round} ${c.value}`;

function parametersHold(p) {
  const keys = p.validators.map((member) => member.key);
  const distinct = new Set(keys).size === keys.length && keys.length >= 1 && keys.length <= 1000;
  const entries = [p.fees.default, ...p.fees.tokens.map(([, entry]) => entry)];
  const dearer = entries.every(
    (e) => BigInt(e.cancellation) > BigInt(e.payment) && BigInt(e.recovery) > BigInt(e.payment),
  );
  const length = p.epochLength === null || (p.checkpoints !== null && p.epochLength >= 1 && p.epochLength <= 1000000);
  return distinct && dearer && length && policyHolds(p.checkpoints);
}

function policyHolds(c) {
  if (c === null) return true;
  const within = (n, least, most) => n >= least && n <= most;
  const counts = within(c.slots, 1, 65536) && within(c.limit, 1, 65536);
  return counts && within(c.intervalMs, 1, 86400000) && within(c.periodSeconds, 0, 86400);
}

/** What q closes decide for each slot: a finality certificate, else the lock of the highest round. */
function settlementOf(claims) {
  const settled = new Map();
  for (const claim of claims) {
    const key = slotKey(claim.slot);
    const known = settled.get(key);
    const better =
      known === undefined || (known.type === "lock" && (claim.type === "finality" || claim.round > known.round));
    if (better) settled.set(key, claim);
  }
  return settled;
}

export const epochs = {
  causeHolds(cause) {
    if (cause.kind === "checkpoint") {
      const { certificate } = cause;
      const last = certificate.slot.kind === "checkpoint" && certificate.slot.number === this.lastNumber();
      return last && this.verifier.certificate(certificate, this.committee, "finality");
    }
    const { proposal } = cause.signed;
    const fits = proposal.chainId === this.chainId && proposal.epoch === this.epoch && parametersHold(proposal.next);
    return fits && this.verifier.proposal(cause.signed, this.state.operator);
  },

  onGovern(signed) {
    const cause = { kind: "proposal", signed };
    if (!this.causeHolds(cause)) this.cover("governance refused");
    this.noteCause(cause);
  },

  /** Takes a valid cause: the epoch closes. */
  noteCause(cause) {
    if (this.cause !== null || !this.causeHolds(cause)) return;
    this.cause = cause;
    if (cause.kind === "checkpoint" && !this.isGone(cause.certificate.slot)) {
      this.decide(this.slotState(cause.certificate.slot), cause.certificate);
    }
    this.closeEpoch();
    this.dirty = true;
  },

  /** The close claims what is final or locked here (protocol 6.3). */
  claimsHere() {
    const claims = [];
    const { certificate } = this.base;
    if (certificate !== null && certificate.slot.kind === "checkpoint") claims.push(certificate);
    for (const s of this.slots.values()) {
      if (s.slot.kind === "epoch") continue;
      if (s.decided !== null && s.decidedValue === undefined) claims.push(s.decided);
      else if (s.lock !== null && s.decidedValue === undefined) claims.push(s.lock);
    }
    return claims.sort((a, b) => (slotKey(a.slot) < slotKey(b.slot) ? -1 : 1));
  },

  closeEpoch() {
    for (const name of [...this.timers]) {
      if (/^(retry|round|token|checkpoint|burn|evidence) (?!epoch)/.test(name)) this.cancelTimer(name);
    }
    const slot = epochSlot(this.epoch);
    this.close = {
      type: "close",
      epoch: this.epoch,
      slot,
      round: 0,
      claims: this.key === null ? [] : this.claimsHere(),
    };
    if (this.key !== null) {
      const record = { of: "closed", close: this.close, cause: this.cause };
      this.output({ output: "persist", key: "closed", record });
      this.setTimer(`closing ${slotKey(slot)}`, this.now + CLOSING_ROUND_MS);
      this.cover("epoch closed");
    }
    this.closeAttempts = 0;
    this.sayClose();
  },

  /** Shows the close with its cause, or the cause alone, until the closing is here. */
  sayClose() {
    const reason = { kind: "closing", cause: this.cause };
    if (this.key !== null) this.sign(this.members(), this.close, [], reason);
    else {
      this.cover("reason disclosed unsigned");
      this.send(this.others(), { type: "disclosure", slot: this.close.slot, reason });
    }
    this.setTimer("close", this.now + retryPause(this.closeAttempts), this.closeAttempts > 8);
    this.closeAttempts += 1;
  },

  onCloseTimer() {
    if (this.close !== null && !this.slots.get(slotKey(this.close.slot))?.decided) this.sayClose();
  },

  onClosing(key) {
    const s = this.slots.get(key) ?? this.slotState(epochSlot(this.epoch));
    if (s.key !== key || s.decided !== null || s.round > 0) return;
    this.cover("round change by timeout");
    this.moveTo(s, 1);
  },

  onClose(body, reason, from) {
    const slot = epochSlot(this.epoch);
    if (slotKey(body.slot) !== slotKey(slot) || !this.committee.index.has(body.signer)) return;
    const s = this.slotState(slot);
    if (s.decided !== null) {
      if (from !== this.key) this.answerDecided(s, from);
      return;
    }
    const isSigned = body.round === 0 && this.verifier.statement(body);
    if (!isSigned || !this.closeHolds(body)) {
      this.report(from, isSigned ? "invalid certificate" : "invalid signature", slot);
      return;
    }
    this.keepClose(body);
    if (reason?.kind === "closing") this.noteCause(reason.cause);
    for (const claim of body.claims) this.takeClaimedCheckpoint(claim);
    this.dirty = true;
  },

  /** The first close of each member counts; a second, different one is reported. */
  keepClose(body) {
    const known = this.closes.get(body.signer);
    if (known === undefined) this.closes.set(body.signer, body);
    else if (this.verifier.digest(known) !== this.verifier.digest(body)) {
      this.report(body.signer, "double close", body.slot);
    }
  },

  takeClaimedCheckpoint(claim) {
    if (claim.slot.kind !== "checkpoint" || claim.type !== "finality" || this.isGone(claim.slot)) return;
    this.decide(this.slotState(claim.slot), claim);
  },

  /** Signature and claims: sorted, one for each slot, and each certificate holds. */
  closeHolds(body) {
    if (!this.verifier.statement(body)) return false;
    let last = "";
    for (const claim of body.claims) {
      const key = slotKey(claim.slot);
      if (key <= last || claim.slot.kind === "epoch") return false;
      if (!this.verifier.certificate(claim, this.committee, claim.type)) return false;
      last = key;
    }
    return true;
  },

  serveClosing() {
    if (this.close === null || this.key === null) return;
    const s = this.slotState(this.close.slot);
    if (s.decided !== null) return;
    if (s.round > 0) this.propose(s);
    else if (s.proposed === null && this.isProposer(s, 0)) {
      const content = this.closingContent();
      if (content !== null) this.proposeContent(s, content, []);
    }
  },

  /** The warrant of the first q signers by address. */
  warrantHere() {
    const signers = [...this.closes.keys()].sort().slice(0, this.committee.quorum);
    if (signers.length < this.committee.quorum) return null;
    const certificates = new Map();
    const closes = signers.map((signer) => {
      const { signature, claims } = this.closes.get(signer);
      for (const claim of claims) if (!certificates.has(claimKey(claim))) certificates.set(claimKey(claim), claim);
      const places = [...certificates.keys()];
      return { signer, signature, claims: claims.map((claim) => places.indexOf(claimKey(claim))) };
    });
    return { certificates: [...certificates.values()], closes, cause: this.cause, locked: [] };
  },

  /** Contents of the checkpoints between the base here and the base of the settlement, or null where one is missing. */
  chainTo(settled, locked) {
    const chain = [];
    const claims = [...settled.values()].filter((claim) => claim.slot.kind === "checkpoint");
    const highest = Math.max(0, ...claims.map((claim) => claim.slot.number));
    for (let number = this.base.number + 1; number <= highest; number++) {
      const claim = settled.get(slotKey({ kind: "checkpoint", number }));
      if (claim === undefined || claim.type === "finality") {
        for (const claimed of claims) this.takeClaimedCheckpoint(claimed);
        const { signer } = (claim ?? claims[0]).seals[0];
        this.fetchCheckpoints(highest, signer);
        return null;
      }
      const s = this.slotState(claim.slot);
      const content = s.contents.get(claim.value) ?? locked.find((c) => valueHash(c.value) === claim.value);
      if (content === undefined) {
        for (const seal of claim.seals) this.fetchValues(seal.signer, [claim.value], s);
        return null;
      }
      chain.push({ claim, content });
    }
    return chain;
  },

  /** Whether the closes show the last final checkpoint that is applied here. */
  showsBase(settled) {
    const { certificate, number } = this.base;
    if (certificate === null || certificate.slot.kind !== "checkpoint") return true;
    return [...settled.values()].some((claim) => claim.slot.kind === "checkpoint" && claim.slot.number >= number);
  },

  /** The base of a settlement with the state after it: hash, number, timestamp, state. */
  settledBase(chain) {
    let { hash, number, timestamp } = this.base;
    const state = this.base.state.fork();
    for (const { claim, content } of chain) {
      if (replay(state, content.value.listed, content.operations).receipts === undefined) return null;
      const { header } = content.value;
      if (state.root() !== header.stateRoot || header.parentHash !== hash) return null;
      hash = claim.value;
      ({ number, timestamp } = header);
    }
    return { hash, number, timestamp, state };
  },

  /** The closing that the first q closes settle, or null while something is missing. */
  closingContent() {
    const warrant = this.warrantHere();
    if (warrant === null) return null;
    const settled = settlementOf(warrant.certificates);
    const chain = this.chainTo(settled, []);
    const base = chain === null ? null : this.settledBase(chain);
    if (base === null) return null;
    warrant.locked = this.lockedContents(settled);
    const slots = this.settledSlots(settled, base.state);
    const ordered = slots === null ? null : this.replayable(slots, base.state);
    if (ordered === null) return null;
    this.cover("closing proposed");
    return this.closingOf(warrant, base, ordered);
  },

  /** Contents of the checkpoints that the closes show locked above the last final one, although one may be final here. */
  lockedContents(settled) {
    const shown = [...settled.values()].filter((claim) => claim.slot.kind === "checkpoint");
    const final = Math.max(0, ...shown.filter((claim) => claim.type === "finality").map((claim) => claim.slot.number));
    const claims = shown.filter((claim) => claim.slot.number > final);
    const contentOf = ({ slot, value }) =>
      this.slots.get(slotKey(slot))?.contents.get(value) ?? this.chain.find((base) => base.hash === value)?.content;
    return claims
      .sort((a, b) => a.slot.number - b.slot.number)
      .map(contentOf)
      .filter((content) => content !== undefined);
  },

  /** Settled slots above the base with their contents. */
  settledSlots(settled, state) {
    const slots = [];
    for (const claim of settled.values()) {
      if (!isLedgerSlot(claim.slot) || slotNumber(claim.slot) < nextNumber(state, claim.slot)) continue;
      const s = this.slotState(claim.slot);
      const content = s.contents.get(claim.value);
      if (content === undefined) {
        for (const seal of claim.seals) this.fetchValues(seal.signer, [claim.value], s);
        return null;
      }
      slots.push({ slot: claim.slot, content });
    }
    return slots;
  },

  /** An order that replays: each slot as soon as it can be applied. */
  replayable(slots, from) {
    const state = from.fork();
    let rest = slots;
    const ordered = [];
    while (rest.length > 0) {
      const left = rest.filter((s) => {
        const done = applySlot(state, s.slot, s.content.value, s.content.operations).receipts !== undefined;
        if (done) ordered.push(s);
        return !done;
      });
      if (left.length === rest.length) return null;
      rest = left;
    }
    return ordered;
  },

  nextParameters(cause) {
    return cause.kind === "proposal" ? cause.signed.proposal.next : this.state.parameters;
  },

  /** What a closing does to the state after its list (specification 11.3). */
  openNext(state, cause, number) {
    sharePools(state);
    Object.assign(state, { epoch: this.epoch + 1, opened: number, parameters: this.nextParameters(cause) });
  },

  closingOf(warrant, base, ordered) {
    const listed = ordered.map(listingOf);
    const operations = ordered.flatMap((s) => s.content.operations);
    const state = base.state.fork();
    const { receipts } = replay(state, listed, operations);
    const number = base.number + 1;
    this.openNext(state, warrant.cause, number);
    const timestamp = Math.max(Math.floor(this.clock / 1000), base.timestamp);
    const size = sizeOf(listed, operations);
    const header = headerOf({ number, parentHash: base.hash, state, receipts, timestamp, size });
    const next = this.nextParameters(warrant.cause);
    const hash = warrantHash(warrant, (close) => this.closeDigest(warrant, close));
    const value = { type: "closing", epoch: this.epoch, header, listed, next, warrant: hash };
    return { value, operations, certificates: [], closing: warrant };
  },

  closeStatement(warrant, { signer, signature, claims }) {
    const slot = epochSlot(this.epoch);
    const named = claims.map((place) => warrant.certificates[place]);
    return { type: "close", epoch: this.epoch, slot, round: 0, claims: named, signer, signature };
  },

  closeDigest(warrant, close) {
    return this.verifier.digest(this.closeStatement(warrant, close));
  },

  /** The warrant of a closing: cause, q closes, and their certificates. */
  closingProvesItself(slot, content) {
    const { value, closing } = content;
    if (closing === undefined || slot.epoch !== this.epoch || value.epoch !== this.epoch) return false;
    if (!this.checkpointProvesItself(content) || !this.causeHolds(closing.cause)) return false;
    const { closes, certificates } = closing;
    if (closes.length !== this.committee.quorum) return false;
    let last = "";
    for (const close of closes) {
      if (close.signer <= last || !this.committee.index.has(close.signer)) return false;
      if (close.claims.some((place) => certificates[place] === undefined)) return false;
      if (!this.closeHolds(this.closeStatement(closing, close))) return false;
      last = close.signer;
    }
    if (warrantHash(closing, (close) => this.closeDigest(closing, close)) !== value.warrant) return false;
    for (const close of closes) this.keepClose(this.closeStatement(closing, close));
    for (const claim of certificates) this.takeClaimedCheckpoint(claim);
    this.noteCause(closing.cause);
    return true;
  },

  judgeClosing(s, content) {
    const waiting = { verdict: "wait", code: "validation_proposal" };
    const { value, closing } = content;
    const settled = settlementOf(closing.certificates);
    const chain = this.chainTo(settled, closing.locked);
    if (!this.showsBase(settled)) return OTHER_HISTORY;
    if (chain === null) return waiting;
    const base = this.settledBase(chain);
    if (base === null) return OTHER_HISTORY;
    const { header, listed, next } = value;
    const named = new Set(listed.map((e) => `${slotKey(e.slot)} ${valueHash(e.value)}`));
    const due = [...settled.values()].filter(
      (c) => isLedgerSlot(c.slot) && slotNumber(c.slot) >= nextNumber(base.state, c.slot),
    );
    const exact = named.size === due.length && due.every((c) => named.has(`${slotKey(c.slot)} ${c.value}`));
    if (header.parentHash !== base.hash) return OTHER_HISTORY;
    if (!exact || header.number !== base.number + 1) return FALSE_PROPOSAL;
    const early = header.timestamp < base.timestamp;
    const sameNext =
      closingHash({ ...value, next: this.nextParameters(closing.cause) }, listedRoot(listed)) === valueHash(value);
    if (early || !sameNext || next === undefined) return FALSE_PROPOSAL;
    return this.judgeListed(s, content) ?? this.judgeClosingReplay(content, base.state);
  },

  judgeClosingReplay({ value, operations, closing }, from) {
    const state = from.fork();
    const { header, listed } = value;
    const { receipts } = replay(state, listed, operations);
    if (receipts === undefined || header.size !== sizeOf(listed, operations)) return FALSE_PROPOSAL;
    const { number, parentHash, timestamp, size } = header;
    this.openNext(state, closing.cause, number);
    const expected = headerOf({ number, parentHash, state, receipts, timestamp, size });
    return sameHeader(expected, header) ? { verdict: "ok" } : FALSE_PROPOSAL;
  },

  /** Contents that the settlement of known closes needs. */
  takeSettledContent(content, hash) {
    for (const { claims } of this.closes.values()) {
      for (const claim of claims) {
        if (claim.value !== hash || this.isGone(claim.slot)) continue;
        this.keepCertified(this.slotState(claim.slot), content, hash);
      }
    }
  },

  /** Applies the base, locked checkpoints, and what the closing lists; then the next epoch begins. */
  applyClosing(s) {
    const { closing, value } = s.content;
    const settled = settlementOf(closing.certificates);
    const chain = this.chainTo(settled, closing.locked);
    if (!this.showsBase(settled)) {
      this.halt(s.slot, "a closing whose base is below a final checkpoint");
      return false;
    }
    if (chain === null) {
      if (!s.isMissed) this.cover("closing waited");
      s.isMissed = true;
      return false;
    }
    for (const { content } of chain) if (!this.takeListed(content, s.decided, s.content)) return false;
    if (!this.takeListed(s.content, s.decided, s.content)) return false;
    const listed = [...chain.flatMap(({ content }) => content.value.listed), ...value.listed];
    if (listed.some((e) => slotNumber(e.slot) >= nextNumber(this.state, e.slot))) return false;
    this.finishClosing(s, chain, listed);
    return true;
  },

  finishClosing(s, chain, listed) {
    const keys = new Set(listed.map((e) => slotKey(e.slot)));
    if ([...this.unlisted.keys()].some((key) => !keys.has(key))) {
      this.halt(s.slot, "a closing that omits what is applied");
      return;
    }
    const settled = settlementOf(s.content.closing.certificates);
    if ([...settled.values()].some((c) => c.type === "lock")) this.cover("closing brought a lock");
    if (chain.length > 0) this.cover("locked checkpoint closed");
    for (const { content } of chain) this.finishLocked(s.decided, content);
    const { value, operations, closing } = s.content;
    const state = this.base.state.fork();
    const { receipts } = replay(state, value.listed, operations);
    if (receipts !== undefined) this.openNext(state, closing.cause, value.header.number);
    if (receipts === undefined || state.root() !== value.header.stateRoot) {
      this.halt(s.slot, "it replays to another state root");
      return;
    }
    state.changes = [];
    this.setBase(s.decided, s.content, state);
    this.keepLink(s);
    this.persistSnapshot();
    this.event({ type: "closed", certificate: s.decided, content: s.content, state: state.toJson() });
    this.enterEpoch(state);
  },

  /** A locked checkpoint below the closing, which the closing's certificate makes final. */
  finishLocked(certificate, content) {
    const state = this.base.state.fork();
    replay(state, content.value.listed, content.operations);
    state.changes = [];
    this.setBase(certificate, content, state);
    this.event({ type: "checkpointed", certificate, content, state: state.toJson() });
  },

  keepLink(s) {
    const { epoch, header, next, warrant, listed } = s.content.value;
    const link = { certificate: s.decided, head: { epoch, header, next, warrant }, listedRoot: listedRoot(listed) };
    this.links.push(link);
    this.output({ output: "persist", key: `link/${epoch}`, record: { of: "link", link } });
  },

  /** Everything of the old epoch goes; what is authorised stays due (protocol 6.3). */
  enterEpoch(state) {
    this.cover("epoch entered");
    for (const s of this.slots.values()) if (s.isDurable) this.output({ output: "erase", key: s.key });
    if (this.close !== null && this.key !== null) this.output({ output: "erase", key: "closed" });
    this.target = null;
    const ended = this.epoch;
    for (const name of [...this.timers]) if (name !== "sync") this.cancelTimer(name);
    this.resetSlots();
    this.state = state.fork();
    this.setCommittee();
    this.settlePending();
    this.voidPending(ended);
    this.checkpointAt = this.now;
    this.syncPause = 1000;
    this.setTimer("sync", this.now + this.syncPause, true);
    this.wakeDue();
  },

  setCommittee() {
    this.epoch = this.state.epoch;
    this.committee = committeeOf(this.epoch, this.state.parameters.validators);
    this.key = this.keys.find((key) => this.committee.index.has(key)) ?? null;
  },

  voidPending(epoch) {
    for (const entry of [...this.entries.values()]) {
      if (entry.isAuthorised) continue;
      this.cover("operation void");
      this.finish(entry, { status: "void", epoch });
    }
  },

  wakeDue() {
    for (const [key, due] of this.dueEntries()) {
      this.dueSince(key);
      this.noteAuthorised(due.signed);
      const [kind, owner] = key.split("/");
      (kind === "account" ? this.dirtyAccounts : this.dirtyTokens).add(owner);
    }
    this.dirty = true;
  },
};

function sameHeader(a, b) {
  return a.stateRoot === b.stateRoot && a.transactionsRoot === b.transactionsRoot && a.receiptsRoot === b.receiptsRoot;
}
