// A validator as a function of its inputs (validator wire 4 to 7): it joins agreement, ledger, timers and records.
import { agreement } from "./agreement.mjs";
import { applying } from "./applying.mjs";
import { catchingUp } from "./catching-up.mjs";
import { checkpoints, genesisBase } from "./checkpoints.mjs";
import { clients } from "./clients.mjs";
import { epochs } from "./epochs.mjs";
import { judging } from "./judging.mjs";
import { relays } from "./relays.mjs";
import { restart } from "./restart.mjs";
import { rounds } from "./rounds.mjs";
import { Verifier } from "./signatures.mjs";
import { genesisState } from "./state.mjs";
import { tokens } from "./tokens.mjs";
import { transfer } from "./transfer.mjs";
import { entries } from "./tries.mjs";
import { epochSlot, slotKey } from "./values.mjs";

const TIMERS = {
  retry: "onRetry",
  round: "onRound",
  token: "onToken",
  checkpoint: "onCheckpoint",
  closing: "onClosing",
  close: "onCloseTimer",
  evidence: "onEvidence",
  burn: "onBurn",
  turn: "onBurn",
  cancel: "onCancelTimer",
  recover: "onRecoverTimer",
  sync: "onSync",
  transfer: "onTransfer",
};

export class Validator {
  constructor(start) {
    this.now = start.at;
    this.clock = start.clock ?? start.at;
    this.keys = start.keys;
    this.chainId = start.genesis.chainId;
    this.verifier = new Verifier(start.crypto, this.chainId);
    this.outputs = [];
    this.timers = new Set();
    this.rest = { pending: 0, closing: false };
    this.entries = new Map();
    this.queues = new Map();
    this.shown = new Set();
    this.digests = new Map();
    this.outcomes = new Map();
    this.used = new Map();
    this.lastTimes = new Map();
    this.links = [];
    this.isHalted = false;
    this.nextPeer = 0;
    this.admittedCount = 0;
    this.statusFrom = 0;
    this.syncPause = 1000;
    this.checkpointAt = start.at;
    this.target = null;
    this.pieces = null;
    this.missing = new Map();
    this.newer = new Map();
    // What is due, and whose burn came last, outlasts an epoch.
    this.dueTimes = new Map();
    this.lastAuthorities = new Map();
    this.resetSlots();
    this.state = genesisState(start.genesis);
    this.base = genesisBase(this.state.fork());
    this.chain = [this.base];
    this.setCommittee();
  }

  /** Nothing of an epoch's slots is known. */
  resetSlots() {
    this.slots = new Map();
    this.undone = new Map();
    this.unlisted = new Map();
    this.waiters = new Map();
    this.isPolicyChanged = false;
    this.barriers = new Map();
    this.turns = new Map();
    this.closes = new Map();
    this.close = null;
    this.cause = null;
    this.dirty = false;
    this.dirtyAccounts = new Set();
    this.dirtyTokens = new Set();
  }

  start(records) {
    this.output({ output: "ready", version: 1 });
    if (records !== undefined) this.cover("restarted");
    if (records !== undefined && records.length > 0) this.restore(records);
    this.setTimer("sync", this.now + this.syncPause, true);
    this.settle();
    this.resume();
    return this.finishStep();
  }

  step(input) {
    this.now = input.at;
    this.clock = input.clock ?? input.at;
    if (this.isHalted) return [];
    if (input.input === "submit") this.onSubmit(input.client, input.submission);
    else if (input.input === "govern") this.onGovern(input.signed);
    else if (input.input === "message") this.onMessage(input.message, input.from);
    else if (input.input === "timer") this.onTimer(input.name);
    return this.finishStep();
  }

  finishStep() {
    this.settle();
    this.tellRest();
    const { outputs } = this;
    this.outputs = [];
    return outputs;
  }

  /** Does what became possible, until nothing more is. */
  settle() {
    for (let turn = 0; turn < 100 && !this.isHalted; turn++) {
      this.dirty = false;
      this.applyDecisions();
      if (this.isHalted) return;
      this.judgeWaiting();
      this.serveOwners();
      this.serveCheckpoints();
      this.serveClosing();
      if (!this.dirty && this.dirtyAccounts.size + this.dirtyTokens.size === 0) return;
    }
  }

  serveOwners() {
    const accounts = [...this.dirtyAccounts];
    this.dirtyAccounts.clear();
    for (const address of accounts) this.serveAccount(address);
    const changed = [...this.dirtyTokens];
    this.dirtyTokens.clear();
    for (const token of changed) this.serveToken(token);
  }

  onTimer(name) {
    this.timers.delete(name);
    const space = name.indexOf(" ");
    const kind = space < 0 ? name : name.slice(0, space);
    const rest = space < 0 ? "" : name.slice(space + 1);
    this[TIMERS[kind]]?.(rest);
    if (kind === "evidence") this.actOnSlot(rest);
  }

  actOnSlot(key) {
    const s = this.slots.get(key);
    if (s !== undefined && s.slot.kind === "account") this.dirtyAccounts.add(s.slot.address);
  }

  onMessage(message, from) {
    if (message === null) {
      this.cover("malformed message dropped");
      return;
    }
    const handlers = {
      consensus: () => this.onConsensus(message, from),
      offer: () => this.onOffer(message, from),
      disclosure: () => this.onDisclosure(message, from),
      fetch: () => this.onFetch(message, from),
      decisions: () => this.onDecisions(message, from),
      status: () => this.onStatus(message, from),
      snapshot: () => this.onSnapshot(message, from),
      stateRequest: () => this.onStateRequest(message, from),
      statePieces: () => this.onStatePieces(message, from),
    };
    handlers[message.type]?.();
  }

  /** The order in which a consensus message is taken (protocol 3.4). */
  onConsensus({ body, contents, reason }, from) {
    if (body.epoch > this.epoch) {
      this.cover("message from a later epoch");
      if (this.mayRepeat(`closing ${from}`)) this.fetch(from, [epochSlot(this.epoch)], []);
      return;
    }
    if (body.epoch < this.epoch) {
      if (from !== this.key) this.sendStatus(from, true);
      return;
    }
    if (body.slot.kind === "epoch" && body.slot.epoch !== this.epoch) {
      this.report(from, "wrong epoch", body.slot);
      return;
    }
    this.takeContents(body, contents, from);
    this.takeBody(body, reason, from);
    if (body.slot.kind === "account") this.dirtyAccounts.add(body.slot.address);
    if (body.slot.kind === "token") this.dirtyTokens.add(body.slot.token);
  }

  /** Keeps contents about the value of the message or of a certificate in it. */
  takeContents(body, contents, from) {
    if (contents.length === 0 || this.isGone(body.slot)) return;
    const isAnswer = body.type === "vote" || body.type === "commit";
    const known = this.slots.get(slotKey(body.slot));
    if (isAnswer && !known?.hasSigned) return;
    if (known?.decided && body.type !== "finality") return;
    const certified = body.type === "finality" && this.verifier.certificate(body, this.committee, "finality");
    const s = this.slotState(body.slot);
    for (const content of contents) {
      if (certified) this.keepCertified(s, content, body.value);
      else this.keepContent(s, content, from);
    }
  }

  takeBody(body, reason, from) {
    if (body.type === "vote") this.onVote(body, from);
    else if (body.type === "commit") this.onCommit(body, from);
    else if (body.type === "lock") this.onLock(body, from);
    else if (body.type === "finality") this.onFinality(body, from);
    else if (body.type === "roundChange") this.onRoundChange(body, reason, from);
    else if (body.type === "proposal") this.onProposal(body, from);
    else if (body.type === "close") this.onClose(body, reason, from);
    if (reason?.kind === "closing" && body.type !== "close") this.noteCause(reason.cause);
  }

  onDisclosure({ slot, reason }, from) {
    if (reason.kind === "closing") {
      if (slot.kind === "epoch" && slot.epoch === this.epoch) this.noteCause(reason.cause);
      return;
    }
    const s = this.openFor(slot, from);
    if (s !== null && this.keepReason(s, reason)) this.dirtyAccounts.add(slot.address);
  }

  members() {
    return this.committee.keys;
  }

  others() {
    return this.committee.keys.filter((key) => !this.keys.includes(key));
  }

  dueEntries() {
    return entries(this.state.parts.authorised);
  }

  closingKey() {
    return slotKey(epochSlot(this.epoch));
  }

  output(output) {
    this.outputs.push(output);
  }

  cover(point) {
    this.output({ output: "coverage", point });
  }

  send(to, message) {
    if (to.length > 0) this.output({ output: "send", to, message });
  }

  reply(client, id, reply) {
    this.output({ output: "reply", client, id, reply });
  }

  event(event) {
    this.output({ output: "event", event });
  }

  report(peer, misbehaviour, slot) {
    if (peer === null || peer === this.key || !this.mayRepeat(`report ${peer} ${misbehaviour} ${slotKey(slot)}`))
      return;
    this.output({ output: "report", peer, misbehaviour, slot: slotKey(slot) });
    this.cover(`reported: ${misbehaviour}`);
  }

  setTimer(name, at, background = false) {
    this.timers.add(name);
    this.output({ output: "timer", name, at, background });
  }

  setTimerOnce(name, at, background) {
    if (!this.timers.has(name)) this.setTimer(name, at, background);
  }

  cancelTimer(name) {
    if (this.timers.delete(name)) this.output({ output: "cancel", name });
  }

  halt(slot, reason) {
    if (this.isHalted) return;
    this.isHalted = true;
    this.event({ type: "halted", slot, reason });
    this.cover("halted");
  }

  tellRest() {
    const pending = this.entries.size;
    const closing = this.close !== null;
    if (pending === this.rest.pending && closing === this.rest.closing) return;
    this.rest = { pending, closing };
    this.output({ output: "rest", pending, closing });
  }
}

Object.assign(
  Validator.prototype,
  agreement,
  applying,
  catchingUp,
  checkpoints,
  clients,
  epochs,
  judging,
  relays,
  restart,
  rounds,
  tokens,
  transfer,
);
