// Which contents prove themselves, and which values are valid now (protocol 3, 4.2, 5).
import { nextNumber, oldestBurns } from "./effects.mjs";
import { formCode, isEquivocation } from "./forms.mjs";
import { FAILED_BURN_MS, WAIT_MS } from "./limits.mjs";
import { digestOf, idOf, recoveryId } from "./operations.mjs";
import { displacedBy } from "./rounds.mjs";
import { skipFeeToken, spending, View, voteCode } from "./rules.mjs";
import { slotNumber, slotOwner, valueHash } from "./values.mjs";

const OK = { verdict: "ok" };
const wait = (code) => ({ verdict: "wait", code });
const refuse = (code) => ({ verdict: "refuse", code });

const VALUE_KINDS = {
  account: ["operation", "burn", "skip"],
  token: ["list"],
  checkpoint: ["checkpoint"],
  epoch: ["closing"],
};

export const judging = {
  view() {
    return new View(this.state, (token) => this.restrictions(token));
  },

  /** Whether this is the next slot of its sequence here. */
  isNext(slot) {
    if (slot.kind === "checkpoint") return slot.number === this.base.number + 1;
    if (slot.kind === "epoch") return slot.epoch === this.epoch;
    return slotNumber(slot) === nextNumber(this.state, slot);
  },

  wellSigned(signed) {
    return formCode(signed.operation, this.chainId) === null && this.verifier.operation(signed);
  },

  /** A content is kept only if it proves itself (protocol 3). */
  provesItself(slot, content, from, certified = false) {
    if (!this.isWellFormed(slot, content)) {
      this.report(from, "malformed content", slot);
      return false;
    }
    const { type } = content.value;
    return certified || (type !== "list" && type !== "burn") || this.duesProveThemselves(slot, content);
  },

  /** Whether a content has the operations that its value names, signed, and the warrant of a closing. */
  isWellFormed(slot, content) {
    const { value, operations } = content;
    if (!VALUE_KINDS[slot.kind].includes(value.type)) return false;
    if (value.type === "checkpoint") return this.checkpointProvesItself(content);
    if (value.type === "closing") return this.closingProvesItself(slot, content);
    if (!operations.every((signed) => this.wellSigned(signed))) return false;
    if (value.type === "skip") return this.skipProvesItself(content);
    const ids = value.type === "list" ? value.ids : [value.id];
    return operations.length === ids.length && operations.every((signed, i) => idOf(signed) === ids[i]);
  },

  skipProvesItself({ value, operations }) {
    if (operations.length !== 2) return false;
    const [first, second] = operations;
    if (first.sender !== second.sender || first.operation.nonce !== second.operation.nonce) return false;
    if (value.by === "cancellation") {
      const named = idOf(first) === value.id && value.displaced.length === 1 && idOf(second) === value.displaced[0];
      return named && first.operation.kind === "cancellation" && second.operation.kind !== "cancellation";
    }
    const named = value.displaced.length === 2 && operations.every((s, i) => idOf(s) === value.displaced[i]);
    const id = recoveryId(this.chainId, first.sender, first.operation.nonce);
    return named && value.displaced[0] < value.displaced[1] && id === value.id && isEquivocation(first, second);
  },

  /** Each operation of a list or burn is due here, or its authorising certificate is shown. */
  duesProveThemselves(slot, { operations, certificates }) {
    const due = new Set(this.state.due(slot.kind, slot.address ?? slot.token).map(([, entry]) => entry.id));
    return operations.every((s) => due.has(idOf(s)) || this.authorisation(s, certificates) !== undefined);
  },

  authorisation(signed, certificates) {
    const value = valueHash({ type: "operation", id: idOf(signed) });
    return certificates.find(
      (c) =>
        c.slot.kind === "account" &&
        c.slot.address === signed.sender &&
        c.value === value &&
        this.verifier.certificate(c, this.committee, "finality"),
    );
  },

  /** A certificate that a content shows is taken as the decision of its slot (protocol 4.3). */
  takeShownCertificates(content) {
    for (const certificate of content.certificates) {
      const signed = content.operations.find((s) => this.authorisation(s, [certificate]) !== undefined);
      if (signed === undefined || this.isGone(certificate.slot)) continue;
      const s = this.slotState(certificate.slot);
      if (s.decided !== null && s.content !== undefined) continue;
      const value = { type: "operation", id: idOf(signed) };
      s.contents.set(certificate.value, { value, operations: [signed], certificates: [] });
      if (s.decided === null) this.decide(s, certificate);
      else this.contentKept(s, s.content, certificate.value);
      this.dirty = true;
    }
  },

  /** Votes for a value of the current round, or waits until it can be judged. */
  consider(s, value, from, forced) {
    if (s.decided !== null || !this.maySign(s)) return;
    if (s.voteIn(s.round) !== undefined) {
      this.repeatVote(s, value, from);
      return;
    }
    const content = s.contents.get(value);
    if (content === undefined) return;
    const judgement = this.judge(s, content, forced);
    if (judgement.verdict === "ok") {
      s.waiting.delete(value);
      this.vote(s, value, from);
    } else if (judgement.verdict === "wait") this.waitWith(s, value, from, forced, judgement.code);
    else {
      s.waiting.delete(value);
      this.tellRefused(s, content, judgement, from);
    }
  },

  /** A checkpoint or closing that does not follow is reported, but not one of another history (protocol 3.4). */
  tellRefused(s, { value }, { isFalse }, from) {
    if (value.type !== "checkpoint" && value.type !== "closing") return;
    this.cover(`${value.type} refused`);
    if (isFalse) this.report(from, `false ${value.type}`, s.slot);
  },

  waitWith(s, value, from, forced, code) {
    const known = s.waiting.get(value);
    if (known === undefined) this.coverWait(s, code);
    const until = known?.until ?? this.now + WAIT_MS;
    s.waiting.set(value, { from, forced, until, round: s.round });
    const owner = slotOwner(s.slot) ?? s.slot.kind;
    if (!this.waiters.has(owner)) this.waiters.set(owner, new Set());
    this.waiters.get(owner).add(s.key);
  },

  coverWait(s, code) {
    if (s.slot.kind === "checkpoint") this.cover("checkpoint waited");
    else if (s.slot.kind === "epoch") this.cover("closing waited");
    else if (code === "business_insufficient_funds") this.cover("waited for funds");
    else if (code === "business_nonce_gap") this.cover("waited for a nonce");
  },

  /** Judges again what waits. */
  judgeWaiting() {
    if (this.waiters.size === 0) return;
    const changed = this.isPolicyChanged
      ? [...this.waiters.keys()]
      : [...this.dirtyAccounts, ...this.dirtyTokens, "checkpoint", "epoch"];
    this.isPolicyChanged = false;
    for (const owner of changed) if (this.waiters.has(owner)) this.judgeWaitingOf(owner);
  },

  judgeWaitingOf(owner) {
    const keys = this.waiters.get(owner);
    for (const key of [...keys]) {
      const s = this.slots.get(key);
      for (const [value, { from, forced, until, round }] of s?.waiting ?? []) {
        if (this.now > until || round !== s.round) s.waiting.delete(value);
        else this.consider(s, value, from, forced);
      }
      if (s === undefined || s.waiting.size === 0) keys.delete(key);
    }
    if (keys.size === 0) this.waiters.delete(owner);
  },

  judge(s, content, forced) {
    if (!this.isNext(s.slot)) return wait("business_nonce_gap");
    if (forced) return OK;
    const { value } = content;
    if (value.type === "operation")
      return s.round > 0 ? refuse("validation_proposal") : this.judgeOperation(s, content);
    if (value.type === "burn") return this.judgeBurn(s, content);
    if (value.type === "skip") return s.round === 0 ? refuse("validation_proposal") : this.judgeSkip(s, content);
    if (value.type === "list") return this.judgeList(s, content);
    return value.type === "checkpoint" ? this.judgeCheckpoint(s, content) : this.judgeClosing(s, content);
  },

  judgeOperation(s, content) {
    const [signed] = content.operations;
    if (signed.sender !== s.slot.address) return refuse("validation_proposal");
    const account = this.state.account(signed.sender);
    const { nonce } = signed.operation;
    if (nonce < account.nonce) return refuse("business_nonce_too_low");
    if (nonce > account.nonce) return wait("business_nonce_gap");
    if (signed.operation.account && account.multisig === undefined) return wait("resource_multisig_not_found");
    const code = voteCode(this.view(), signed);
    if (code !== null) return refuse(code);
    if (this.burnGoesFirst(s.slot.address)) return wait("business_decided_otherwise");
    return this.isFunded(signed) ? OK : wait("business_insufficient_funds");
  },

  isFunded(signed) {
    const spent = spending(this.state, signed);
    return spent === null || this.state.balance(signed.sender, spent.token) >= spent.value + spent.fee;
  },

  /** A due burn bars operations of the owner in a new slot, but in the owner's turn (protocol 5). */
  burnGoesFirst(address) {
    return !this.isOwnersTurn(address) && oldestBurns(this.state, address).length > 0;
  },

  isOldestBurn(slot, id) {
    return oldestBurns(this.state, slot.address).some((burn) => burn.id === id);
  },

  /** The outcome that the state here shows (protocol 5). */
  outcomeOf(address, o) {
    if (this.state.token(o.token).isPaused) return "paused";
    return this.state.balance(address, o.token) >= BigInt(o.value) ? "burned" : "failed";
  },

  judgeBurn(s, { value }) {
    const { address } = s.slot;
    const burn = oldestBurns(this.state, address).find((b) => b.id === value.id);
    if (burn === undefined) return wait("resource_authorisation_not_found");
    if (s.round === 0 && this.isOwnersTurn(address)) return wait("resource_authorisation_not_found");
    const o = burn.signed.operation;
    if (value.outcome !== this.outcomeOf(address, o)) return wait("business_burn_outcome");
    if (value.outcome === "burned") return this.view().isPaused(o.token) ? wait("business_burn_outcome") : OK;
    const ripe = this.now >= this.dueSince(burn.key) + FAILED_BURN_MS;
    return s.round > 0 || ripe ? OK : wait("resource_authorisation_not_found");
  },

  judgeSkip(s, { value, operations }) {
    const { address } = s.slot;
    if (operations[0].sender !== address) return refuse("validation_proposal");
    const account = this.state.account(address);
    const { nonce, account: multisig } = operations[0].operation;
    if (nonce < account.nonce) return refuse("business_nonce_too_low");
    if (nonce > account.nonce) return wait("business_nonce_gap");
    if (multisig && account.multisig === undefined) return wait("resource_multisig_not_found");
    const displaced = value.by === "cancellation" ? [operations[1]] : operations;
    if (value.feeToken !== skipFeeToken(this.state, displaced)) return wait("validation_proposal");
    if (value.feeToken === null && this.payingOperation(address, nonce) !== null) return wait("validation_proposal");
    const late = value.by === "recovery" && this.burnGoesFirst(address) && !s.votedForOperation;
    return late ? wait("business_decided_otherwise") : OK;
  },

  /** The proposer's choice in an account slot where no value is forced (protocol 3). */
  freeChoice(s) {
    if (s.slot.kind === "token") return this.listContent(s);
    if (s.slot.kind === "checkpoint") return this.checkpointContent();
    if (s.slot.kind === "epoch") return this.closingContent();
    const skip = this.skipContent(s);
    if (this.isOwnersTurn(s.slot.address) && skip !== null) return skip;
    return this.burnContent(s.slot.address) ?? skip;
  },

  skipContent(s) {
    const account = this.state.account(s.slot.address);
    for (const kind of ["cancellation", "equivocation"]) {
      const reason = s.reasons.get(kind);
      if (reason === undefined || !this.reasonCounts(s, reason)) continue;
      const displaced = displacedBy(reason);
      if (displaced[0].operation.account && account.multisig === undefined) continue;
      const feeToken = skipFeeToken(this.state, displaced);
      if (feeToken === null && this.payingOperation(s.slot.address, account.nonce) !== null) continue;
      const by = kind === "cancellation" ? "cancellation" : "recovery";
      const id =
        by === "recovery" ? recoveryId(this.chainId, s.slot.address, account.nonce) : idOf(reason.cancellation);
      const value = { type: "skip", by, id, displaced: displaced.map(idOf), feeToken };
      const operations = by === "recovery" ? displaced : [reason.cancellation, ...displaced];
      return { value, operations, certificates: [] };
    }
    return null;
  },

  /** A list is valid if it takes from each signer the oldest waiting operations in order (protocol 3). */
  judgeList(s, { value }) {
    const { token } = s.slot;
    const { ids } = value;
    if (ids.length === 0 || ids.length > this.state.listLimit || new Set(ids).size !== ids.length) {
      return refuse("validation_proposal");
    }
    const due = this.state.due("token", token).map(([, entry]) => entry);
    const byId = new Map(due.map((entry) => [entry.id, entry]));
    if (ids.some((id) => !byId.has(id))) return wait("resource_authorisation_not_found");
    const first = byId.get(ids[0]).signed.operation;
    if (this.state.token(token) === undefined && first.kind !== "issue") return refuse("validation_proposal");
    const listed = new Set(ids);
    const next = new Map();
    for (const id of ids) {
      const { signed, sequence } = byId.get(id);
      if (sequence <= (next.get(signed.sender) ?? -1)) return refuse("validation_proposal");
      const older = due.some((e) => e.signed.sender === signed.sender && e.sequence < sequence && !listed.has(e.id));
      if (older) return refuse("validation_proposal");
      next.set(signed.sender, sequence);
    }
    return OK;
  },

  digestKey(signed) {
    return `${signed.sender}/${digestOf(signed.operation)}`;
  },
};
