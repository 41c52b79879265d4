// Submissions, what is pending here, and answers to clients (protocol 4.2, 9, specification 3, 8).
import { nextNumber } from "./effects.mjs";
import { formCode, isEquivocation, proofOf } from "./forms.mjs";
import { CANCELLATION_MS, PEER_BUDGET, PENDING, PENDING_PER_ACCOUNT, SUBSCRIBERS } from "./limits.mjs";
import { idOf, recoveryId } from "./operations.mjs";
import { admissionCode, debitedAccount, effectToken, plainView, skipFeeToken, spending, voteCode } from "./rules.mjs";
import { accountSlot } from "./values.mjs";

const isCancellation = (entry) => entry.signed?.operation.kind === "cancellation";

export const clients = {
  onSubmit(client, submission) {
    if (submission.kind === "recovery") this.submitRecovery(client, submission);
    else this.submitOperation(client, submission);
  },

  /** A refusal: a code, or an object with its evidence. */
  refuse(client, id, refusal, disclosed = false) {
    const shown = typeof refusal === "string" ? { code: refusal } : refusal;
    this.reply(client, id, { status: "refused", refusal: shown, disclosed });
  },

  /** Answers what is known of an id already; gives whether it was. */
  answerKnown(client, id) {
    const outcome = this.outcomes.get(id);
    if (outcome !== undefined) {
      this.reply(client, id, outcome);
      return true;
    }
    const entry = this.entries.get(id);
    if (entry === undefined || !(entry.isAdmitted || entry.isAuthorised)) return false;
    this.listen(entry, client);
    return true;
  },

  listen(entry, client) {
    if (!entry.clients.has(client) && entry.clients.size >= SUBSCRIBERS) {
      this.refuse(client, entry.id, "system_queue_full", entry.isDisclosed);
      return;
    }
    entry.clients.add(client);
    const barred = this.barredBy(entry);
    this.reply(
      client,
      entry.id,
      barred === null ? { status: "pending" } : { status: "pending", barred: { code: barred } },
    );
    this.dirtyAccounts.add(entry.sender);
  },

  submitOperation(client, signed) {
    const form = formCode(signed.operation, this.chainId);
    const id = idOf(signed);
    if (form === null && this.answerKnown(client, id)) return;
    const code = form ?? this.admission(signed, id);
    if (code === "settled") this.reply(client, id, { status: "settled" });
    else if (code !== null) this.refuse(client, id, code);
    else this.admit(client, signed, id);
  },

  admit(client, signed, id) {
    const entry = this.entryOf(signed);
    if (!entry.isAdmitted) this.admittedCount += 1;
    entry.isAdmitted = true;
    entry.isEvidence = false;
    this.digests.set(this.digestKey(signed), id);
    this.listen(entry, client);
    this.dirty = true;
    if (isCancellation(entry)) this.setTimer(`cancel ${id}`, this.now + CANCELLATION_MS);
  },

  /** The entry of an operation, which is made if there is none. */
  entryOf(signed) {
    const id = idOf(signed);
    let entry = this.entries.get(id);
    if (entry === undefined) {
      const { sender, operation } = signed;
      entry = { id, signed, sender, nonce: operation.nonce, clients: new Set(), isAdmitted: false, isDisclosed: false };
      this.entries.set(id, entry);
      if (!this.queues.has(sender)) this.queues.set(sender, new Map());
      this.queues.get(sender).set(id, entry);
    }
    return entry;
  },

  forget(entry) {
    this.entries.delete(entry.id);
    this.shown.delete(entry);
    if (entry.isAdmitted) this.admittedCount -= 1;
    const queue = this.queues.get(entry.sender);
    queue?.delete(entry.id);
    if (queue?.size === 0) this.queues.delete(entry.sender);
  },

  /** A digest stays admitted under one kind until it is refused or void (protocol 9.3). */
  forgetDigest({ id, signed }) {
    if (signed && this.digests.get(this.digestKey(signed)) === id) this.digests.delete(this.digestKey(signed));
  },

  queueOf(sender) {
    return [...(this.queues.get(sender)?.values() ?? [])].filter((entry) => !entry.isAuthorised);
  },

  /** The code of a refusal at admission, in the order of specification 13.3. */
  admission(signed, id) {
    const { sender, operation: o } = signed;
    if (!this.verifier.operation(signed)) return "validation_signature";
    const account = this.state.account(sender);
    const shown = this.entries.get(id)?.isDisclosed === true && o.nonce === account.nonce;
    if (!shown && o.account && account.multisig === undefined) return "resource_multisig_not_found";
    const reused = this.digests.get(this.digestKey(signed));
    if (reused !== undefined && reused !== id) return { code: "business_signature_reused", pending: reused };
    const queue = this.queueOf(sender);
    const admitted = queue.filter((entry) => entry.isAdmitted);
    const rival = this.rivalOf(signed, queue);
    if (!shown && rival && o.kind !== "cancellation") return { code: "business_nonce_pending", pending: rival.id };
    if (o.kind === "cancellation") {
      if (admitted.some((e) => e.nonce === o.nonce && isCancellation(e) && e.id !== id))
        return "business_nonce_pending";
    }
    const room = admitted.length < PENDING_PER_ACCOUNT && this.admittedCount < PENDING;
    if (!room && !(o.kind === "cancellation" && rival)) return "system_queue_full";
    return this.nonceCode(o, sender, account, queue) ?? (shown ? null : this.ledgerCode(signed, admitted));
  },

  /** Another operation of the nonce that is pending here; a second reading of one digest is none (specification 3.2). */
  rivalOf(signed, queue) {
    const { nonce } = signed.operation;
    const digest = this.digestKey(signed);
    const others = queue.filter((e) => e.signed && e.nonce === nonce && !isCancellation(e) && !e.isEvidence);
    return others.find((e) => this.digestKey(e.signed) !== digest);
  },

  nonceCode(o, sender, account, queue) {
    if (o.nonce < account.nonce) return this.used.has(`${sender}/${o.nonce}`) ? "business_nonce_too_low" : "settled";
    if (o.kind === "cancellation" && queue.some((e) => e.nonce === o.nonce && !isCancellation(e))) return null;
    const nonces = new Set(queue.filter((e) => e.isAdmitted).map((e) => e.nonce));
    for (let nonce = account.nonce; nonce < o.nonce; nonce++) if (!nonces.has(nonce)) return "business_nonce_gap";
    return null;
  },

  ledgerCode(signed, admitted) {
    if (signed.operation.kind === "cancellation") return null;
    const code = admissionCode(plainView(this.state), signed) ?? admissionCode(this.view(), signed);
    if (code !== null) return code;
    const spent = spending(this.state, signed);
    if (spent === null) return null;
    let total = spent.value + spent.fee;
    for (const entry of admitted) {
      const other = entry.signed === undefined ? null : spending(this.state, entry.signed);
      if (other?.token === spent.token && entry.id !== idOf(signed)) total += other.value + other.fee;
    }
    return this.state.balance(signed.sender, spent.token) < total ? "business_insufficient_funds" : null;
  },

  submitRecovery(client, recovery) {
    const { account, nonce, evidence, chainId } = recovery;
    const id = recoveryId(chainId, account, nonce);
    if (chainId !== this.chainId) return this.refuse(client, id, "validation_chain_id");
    const operations = [evidence.first, evidence.second];
    const form = operations
      .map(({ operation }) => formCode(operation, operation.chainId))
      .find((code) => code !== null);
    if (form !== undefined) return this.refuse(client, id, form);
    const owned = operations.every(({ sender, operation: o }) => {
      return sender === account && o.nonce === nonce && o.chainId === this.chainId;
    });
    if (!operations.every((s) => this.verifier.operation(s))) return this.refuse(client, id, "validation_signature");
    if (!owned || !isEquivocation(...operations)) return this.refuse(client, id, "validation_evidence");
    if (this.answerKnown(client, id)) return undefined;
    const state = this.state.account(account);
    if (nonce < state.nonce) {
      if (this.used.has(`${account}/${nonce}`)) return this.refuse(client, id, "business_nonce_too_low");
      return this.reply(client, id, { status: "settled" });
    }
    if (nonce > state.nonce) return this.refuse(client, id, "business_nonce_gap");
    return this.admitRecovery(client, recovery, id);
  },

  admitRecovery(client, recovery, id) {
    const { account, nonce, evidence } = recovery;
    const entry = { id, sender: account, nonce, clients: new Set(), isAdmitted: true, isDisclosed: true, recovery };
    this.entries.set(id, entry);
    this.admittedCount += 1;
    if (!this.queues.has(account)) this.queues.set(account, new Map());
    this.queues.get(account).set(id, entry);
    this.listen(entry, client);
    const s = this.slotState(this.openSlotOf(account));
    const reason = { kind: "equivocation", proof: proofOf(evidence.first, evidence.second) };
    this.keepReason(s, reason);
    this.disclose([evidence.first, evidence.second]);
    this.send(this.others(), { type: "disclosure", slot: s.slot, reason });
    s.shown = reason;
    if (this.key === null) this.cover("reason disclosed unsigned");
    this.setTimer(`recover ${id}`, this.now + CANCELLATION_MS);
    this.dirty = true;
  },

  openSlotOf(address) {
    return accountSlot(address, nextNumber(this.state, { kind: "account", address }));
  },

  /** A recovery is refused where nobody voted; else it is asked again (protocol 4.2). */
  onRecoverTimer(id) {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    const s = this.slotState(this.openSlotOf(entry.sender));
    const voted = s.round > 0 || s.votedForOperation || (s.ballots.vote.get(0)?.size ?? 0) > 0;
    if (!voted) {
      this.finish(entry, { status: "refused", refusal: { code: "business_nothing_to_recover" }, disclosed: true });
      return;
    }
    this.setTimer(`recover ${id}`, this.now + CANCELLATION_MS);
  },

  /** A cancellation that met nothing to pair it with is refused (protocol 4.2). */
  onCancelTimer(id) {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    const queue = this.queueOf(entry.sender);
    const paired = queue.some((e) => e.nonce === entry.nonce && e.signed && !isCancellation(e));
    const turn = this.state.account(entry.sender).nonce === entry.nonce;
    if (paired) {
      if (!turn || this.close !== null) this.setTimer(`cancel ${id}`, this.now + CANCELLATION_MS);
      return;
    }
    const disclosed = entry.isDisclosed;
    this.finish(entry, { status: "refused", refusal: { code: "business_nothing_to_cancel" }, disclosed });
  },

  /** Ends an entry with an outcome that its clients are told. */
  finish(entry, reply) {
    this.forget(entry);
    if (reply.status === "refused" || reply.status === "void") this.forgetDigest(entry);
    this.cancelTimer(`cancel ${entry.id}`);
    this.cancelTimer(`recover ${entry.id}`);
    for (const client of entry.clients) this.reply(client, entry.id, reply);
    if (reply.status === "final" || reply.status === "superseded") this.outcomes.set(entry.id, reply);
    if (reply.refusal?.code === "business_decided_otherwise") this.outcomes.set(entry.id, reply);
  },

  disclose(operations) {
    for (const signed of operations) {
      const entry = this.entries.get(idOf(signed));
      if (entry !== undefined) entry.isDisclosed = true;
    }
  },

  /** An operation that others have seen becomes pending here, if its nonce is open. */
  noteShown(signed, isEvidence = false) {
    const id = idOf(signed);
    const known = this.entries.get(id);
    if (known !== undefined) {
      known.isDisclosed = true;
      if (!isEvidence) known.isEvidence = false;
      return;
    }
    const { sender, operation } = signed;
    if (operation.nonce < this.state.account(sender).nonce || this.outcomes.has(id)) return;
    const rivals = this.queueOf(sender).filter((e) => e.nonce === operation.nonce && !e.isAdmitted);
    if (rivals.length >= 4) return;
    const entry = this.entryOf(signed);
    this.shown.add(entry);
    if (this.shown.size > PEER_BUDGET) this.dropOldest();
    entry.isDisclosed = true;
    entry.isEvidence = isEvidence;
    this.dirtyAccounts.add(sender);
    this.dirty = true;
  },

  /** What others show is bounded: the oldest goes (protocol 9.2). */
  dropOldest() {
    const [oldest] = this.shown;
    this.shown.delete(oldest);
    if (oldest.isAdmitted || oldest.isAuthorised) return;
    this.cover("queue full");
    this.forget(oldest);
  },

  /** Reasons that what is pending gives for the open slot of an account (protocol 3.2). */
  deriveReasons(address) {
    const { nonce } = this.state.account(address);
    const open = this.queueOf(address).filter((e) => e.nonce === nonce && e.signed);
    if (open.length < 2) return;
    const operations = open.filter((e) => !isCancellation(e)).map((e) => e.signed);
    if (operations.length === 0) return;
    const s = this.slotState(this.openSlotOf(address));
    if (s.decided !== null) return;
    const paying = operations.find((o) => skipFeeToken(this.state, [o]) !== null) ?? operations[0];
    for (const { signed } of open.filter(isCancellation)) {
      if (s.reasons.has("cancellation")) break;
      this.keepReason(s, { kind: "cancellation", cancellation: signed, displaced: paying });
    }
    for (const other of operations) {
      if (!isEquivocation(paying, other)) continue;
      this.keepReason(s, { kind: "equivocation", proof: proofOf(paying, other) });
      break;
    }
  },

  /** An operation of the nonce whose skip pays, if one is known (protocol 4.4). */
  payingOperation(address, nonce) {
    const found = this.queueOf(address).find(
      (e) => e.nonce === nonce && e.signed && !isCancellation(e) && skipFeeToken(this.state, [e.signed]) !== null,
    );
    return found?.signed ?? null;
  },

  /** The code of the restriction that bars a disclosed operation whose turn has come, or null (protocol 4.2). */
  barredBy(entry) {
    if (!entry.signed || entry.isAuthorised || isCancellation(entry) || !entry.isDisclosed) return null;
    if (this.state.account(entry.sender).nonce !== entry.nonce) return null;
    const s = this.slots.get(this.openKeyOf(entry.sender));
    if (s !== undefined && (s.lock !== null || s.decided !== null)) return null;
    const code = voteCode(this.view(), entry.signed);
    return code?.startsWith("business_") ? code : null;
  },

  noteBarred(s) {
    if (s.slot.kind !== "account" || s.decided !== null) return;
    for (const entry of this.queueOf(s.slot.address)) {
      const code = entry.clients.size > 0 ? this.barredBy(entry) : null;
      if (code === null) continue;
      for (const client of entry.clients) this.reply(client, entry.id, { status: "pending", barred: { code } });
    }
  },

  /** Answers after a slot took effect: receipts, and what lost its nonce. */
  answerApplied(s, result, proof) {
    const { slot } = s;
    const { value, operations } = s.content;
    for (const receipt of result.receipts) {
      const reply = { status: "final", receipt, certificate: proof.certificate, content: proof.content };
      const entry = this.entries.get(receipt.id);
      this.outcomes.set(receipt.id, reply);
      if (entry !== undefined) this.finish(entry, reply);
    }
    if (slot.kind !== "account" || value.type === "burn") return;
    const { nonce } = operations[0].operation;
    this.used.set(`${slot.address}/${nonce}`, value.id);
    if (result.receipts.length === 0) this.noteAuthorised(operations[0]);
    for (const entry of this.queueOf(slot.address)) {
      if (entry.nonce === nonce && entry.id !== value.id) this.finish(entry, this.lostReply(entry, value.id));
    }
    if (value.type === "skip") {
      for (const id of value.displaced) this.outcomes.set(id, { status: "superseded", by: value.id });
    }
  },

  lostReply(entry, by) {
    if (entry.signed && !isCancellation(entry)) return { status: "superseded", by };
    return { status: "refused", refusal: { code: "business_decided_otherwise", by }, disclosed: entry.isDisclosed };
  },

  noteAuthorised(signed) {
    const entry = this.entryOf(signed);
    entry.isAuthorised = true;
    entry.isDisclosed = true;
    const debited = debitedAccount(signed);
    if (debited !== null) this.dirtyAccounts.add(debited);
    const token = effectToken(signed);
    if (token !== null) this.dirtyTokens.add(token);
  },

  /** Refuses an undisclosed operation that cannot be ordered any more, and what waits behind it. */
  refuseUndisclosed(entry, code) {
    const behind = this.queueOf(entry.sender).filter((e) => e.nonce > entry.nonce && !e.isDisclosed);
    this.finish(entry, { status: "refused", refusal: { code }, disclosed: false });
    for (const other of behind) {
      this.finish(other, { status: "refused", refusal: { code: "business_nonce_gap" }, disclosed: false });
    }
  },
};
