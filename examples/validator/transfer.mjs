// State transfer: offers of the last checkpoint, its pieces, and taking a state over (protocol 6.2, 6.4).
import { H, raw } from "./bytes.mjs";
import { dueKey, nextNumber } from "./effects.mjs";
import { PIECE_ENTRIES, PIECES_REQUESTED, RESPONSE_ENTRIES, TRANSFER_MS } from "./limits.mjs";
import { idOf } from "./operations.mjs";
import { committeeOf } from "./signatures.mjs";
import { itemOf, PARTS, rootOf, State } from "./state.mjs";
import { EMPTY_PART, entries, fromEntries, hashOf, subtree } from "./tries.mjs";
import { closingHash, epochSlot, slotKey, valueHash } from "./values.mjs";

const LEVELS_BELOW = 3;
const placeKey = (place) => `${place.part} ${place.path}`;

function pieceOf(node, part) {
  if (node.size <= PIECE_ENTRIES) return { type: "entries", entries: [...entries(node)] };
  const item = itemOf(part);
  return { type: "branch", bit: node.bit, left: hashOf(node.left, item), right: hashOf(node.right, item) };
}

/** The piece at a place, and the branches of the levels below. */
function piecesAt(node, place, level) {
  const piece = pieceOf(node, place.part);
  const pieces = [{ place, piece }];
  if (piece.type === "entries" || level === LEVELS_BELOW) return pieces;
  for (const [side, child] of [
    ["l", node.left],
    ["r", node.right],
  ]) {
    const below = { part: place.part, path: place.path + side };
    if (child.size > PIECE_ENTRIES) pieces.push(...piecesAt(child, below, level + 1));
  }
  return pieces;
}

export const transfer = {
  offerState(to, epoch, insteadOf) {
    const { certificate, content, state } = this.base;
    if (certificate === null || content === null || !this.mayRepeat(`offer ${to}`)) return;
    const links = this.links.filter((link) => link.head.epoch >= epoch);
    this.send([to], { type: "snapshot", insteadOf, links, certificate, content, parts: state.partRoots() });
  },

  /** Follows links from the own epoch on; gives the committee and what the last one fixes, or null. */
  followLinks(links) {
    let { committee } = this;
    let reached = { epoch: this.epoch, opened: this.base.state.opened, parameters: this.state.parameters };
    let before = null;
    for (const link of links) {
      const { certificate, head, listedRoot } = link;
      if (head.epoch < this.epoch) continue;
      const fits =
        head.epoch === reached.epoch &&
        slotKey(certificate.slot) === slotKey(epochSlot(head.epoch)) &&
        certificate.value === closingHash(head, listedRoot) &&
        this.verifier.certificate(certificate, committee, "finality");
      if (!fits) return null;
      before = committee;
      committee = committeeOf(head.epoch + 1, head.next.validators);
      reached = { epoch: head.epoch + 1, opened: head.header.number, parameters: head.next };
    }
    return { committee, before, ...reached };
  },

  /** An offer that proves itself, as a target of a transfer, or null. */
  targetOf({ links, certificate, content, parts }) {
    const reached = this.followLinks(links);
    const { value } = content;
    if (reached === null || valueHash(value) !== certificate.value || parts.length !== PARTS.length) return null;
    if (value.header === undefined || value.header.number <= this.base.number) return null;
    const isClosing = value.type === "closing";
    const decidedBy = isClosing ? reached.before : reached.committee;
    if (decidedBy === null || !this.verifier.certificate(certificate, decidedBy, "finality")) return null;
    const kind = isClosing ? "epoch" : "checkpoint";
    if (certificate.slot.kind !== kind || (isClosing && value.epoch !== reached.epoch - 1)) return null;
    const { chainId, operator, listLimit, policies } = this.state;
    const { epoch, opened, parameters } = reached;
    const state = new State({ chainId, operator, listLimit, policies, epoch, opened, parameters }, {});
    if (rootOf(state, parts) !== value.header.stateRoot) return null;
    const sources = [...new Set([...decidedBy.keys, ...reached.committee.keys])].filter(
      (key) => !this.keys.includes(key),
    );
    const faults = decidedBy.faults + (isClosing ? reached.committee.faults : 0);
    const { number, stateRoot } = value.header;
    return {
      number,
      root: stateRoot,
      links,
      certificate,
      content,
      parts,
      state,
      sources,
      asked: faults + 1,
      committees: [decidedBy, reached.committee],
    };
  },

  onSnapshot(message, from) {
    const { target } = this;
    const number = message.content.value.header?.number ?? 0;
    if (target !== null && message.insteadOf === target.number && number < target.number) {
      const { certificate, content } = target;
      this.send([from], { type: "decisions", decided: [{ certificate, content }], contents: [] });
      return;
    }
    const offered = this.targetOf(message);
    if (offered === null) return;
    if (target === null) this.beginTransfer(offered, from);
    else if (offered.number > target.number) this.noteNewer(offered, from);
  },

  /** The transfer goes on with the newest offer once f + 1 of one committee made a newer one. */
  noteNewer(offered, from) {
    this.newer.set(from, offered);
    const makers = [...this.newer.keys()];
    const enough = this.target.committees.some(
      (committee) => makers.filter((key) => committee.index.has(key)).length >= committee.faults + 1,
    );
    if (!enough) return;
    const newest = [...this.newer.values()].reduce((a, b) => (b.number > a.number ? b : a));
    this.beginTransfer(newest, from);
  },

  beginTransfer(target, from) {
    this.target = target;
    this.newer = new Map();
    this.pieces = this.pieces ?? new Map();
    this.missing = new Map();
    target.sources = [from, ...target.sources.filter((key) => key !== from)].filter((key) =>
      target.sources.includes(key),
    );
    target.active = new Map(target.sources.slice(0, target.asked).map((key) => [key, new Set()]));
    target.waiting = target.sources.slice(target.asked);
    PARTS.forEach((part, i) => {
      this.need({ part, path: "" }, target.parts[i]);
    });
    this.continueTransfer();
  },

  /** Notes a place whose subtree is not here. */
  need(place, hash) {
    if (this.nodeHere(place, hash) !== undefined) return;
    const piece = this.pieces.get(hash);
    if (piece?.type === "branch") this.needBelow(place, piece);
    else if (piece === undefined) this.missing.set(placeKey(place), { place, hash });
  },

  needBelow(place, branch) {
    this.need({ part: place.part, path: `${place.path}l` }, branch.left);
    this.need({ part: place.part, path: `${place.path}r` }, branch.right);
  },

  /** The subtree of the own last checkpoint with this hash at this place, or a piece with entries. */
  nodeHere(place, hash) {
    if (hash === EMPTY_PART && place.path === "") return null;
    const own = subtree(this.base.state.parts[place.part], place.path);
    if (own && hashOf(own, itemOf(place.part)) === hash) return own;
    const piece = this.pieces.get(hash);
    return piece?.type === "entries" ? piece.node : undefined;
  },

  continueTransfer() {
    if (this.missing.size === 0) {
      this.finishTransfer();
      return;
    }
    const asked = new Set([...this.target.active.values()].flatMap((places) => [...places]));
    for (const [source, places] of this.target.active) {
      for (const key of places) if (!this.missing.has(key)) places.delete(key);
      if (places.size > 0) continue;
      let free = [...this.missing.keys()].filter((key) => !asked.has(key));
      if (free.length === 0) free = [...this.missing.keys()];
      for (const key of free.slice(0, PIECES_REQUESTED)) {
        places.add(key);
        asked.add(key);
      }
      this.requestPieces(source, places);
    }
    this.setTimer("transfer", this.now + TRANSFER_MS);
  },

  requestPieces(source, keys) {
    const { number, root } = this.target;
    const places = [...keys].map((key) => this.missing.get(key).place);
    this.cover("state requested");
    this.send([source], { type: "stateRequest", epoch: this.epoch, number, root, places });
  },

  /** Sources that sent nothing that they were asked for give way to the next. */
  onTransfer() {
    const { target } = this;
    if (target === null) return;
    for (const [source, places] of [...target.active]) if (places.size > 0) this.replaceSource(source);
    if (this.target !== null) this.continueTransfer();
  },

  /** One that sends nothing that it was asked for gives way to the next. */
  replaceSource(source) {
    const { target } = this;
    target.active.delete(source);
    this.cover("state source changed");
    const next = target.waiting.shift();
    if (next !== undefined) target.active.set(next, new Set());
    if (target.active.size === 0) this.target = null;
  },

  onStateRequest({ epoch, number, root, places }, from) {
    const kept = this.chain.find((base) => base.number === number && base.state.root() === root);
    if (kept === undefined) {
      this.offerState(from, epoch, number);
      return;
    }
    const pieces = [];
    let weight = 0;
    for (const place of places) {
      const node = subtree(kept.state.parts[place.part], place.path);
      if (!node || weight > RESPONSE_ENTRIES) continue;
      const found = piecesAt(node, place, 0);
      weight += found.reduce((sum, { piece }) => sum + (piece.entries?.length ?? 1), 0);
      pieces.push(...found);
    }
    this.send([from], { type: "statePieces", number, root, pieces });
  },

  onStatePieces({ number, root, pieces }, from) {
    const { target } = this;
    if (target === null || number !== target.number || root !== target.root) return;
    const asked = [...(target.active.get(from) ?? [])];
    for (const { place, piece } of pieces) {
      const wanted = this.missing.get(placeKey(place));
      if (wanted === undefined) continue;
      if (!this.takePiece(wanted, piece)) this.report(from, "false state", target.certificate.slot);
    }
    if (asked.length > 0 && asked.every((key) => this.missing.has(key))) this.replaceSource(from);
    if (this.target === null) return;
    this.continueTransfer();
  },

  /** A piece is rebuilt and hashed. */
  takePiece({ place, hash }, piece) {
    if (piece.type === "branch") {
      if (H("node", piece.bit, raw(piece.left), raw(piece.right)) !== hash) return false;
      this.pieces.set(hash, piece);
      this.missing.delete(placeKey(place));
      this.needBelow(place, piece);
      return true;
    }
    const keys = new Set(piece.entries.map(([key]) => key));
    if (keys.size !== piece.entries.length || !piece.entries.every(([key, v]) => this.entryHolds(place.part, key, v)))
      return false;
    const node = fromEntries(piece.entries);
    if (node === null || hashOf(node, itemOf(place.part)) !== hash) return false;
    this.pieces.set(hash, { type: "entries", node });
    this.missing.delete(placeKey(place));
    return true;
  },

  /** Authorised operations, whose copies no hash covers, prove themselves by id and signature. */
  entryHolds(part, _key, value) {
    if (part !== "authorised") return true;
    return value?.signed !== undefined && idOf(value.signed) === value.id && this.wellSigned(value.signed);
  },

  buildPart(place, hash) {
    const here = this.nodeHere(place, hash);
    if (here !== undefined) return here;
    const { bit, left, right } = this.pieces.get(hash);
    const below = (side, child) => this.buildPart({ part: place.part, path: place.path + side }, child);
    const [l, r] = [below("l", left), below("r", right)];
    return { bit, left: l, right: r, size: l.size + r.size, hash };
  },

  finishTransfer() {
    const { target } = this;
    const parts = PARTS.map((part, i) => [part, this.buildPart({ part, path: "" }, target.parts[i])]);
    target.state.parts = Object.fromEntries(parts);
    this.endTransfer();
    if (this.isSound(target.state)) this.join(target);
    else this.halt(target.certificate.slot, "a certified state whose sums do not hold");
  },

  endTransfer() {
    this.target = null;
    this.pieces = null;
    this.missing = new Map();
    this.cancelTimer("transfer");
  },

  /** Balances and pool of each token equal what was minted less what was burned; dues stand at their place. */
  isSound(state) {
    const sums = new Map();
    const add = (token, value) => sums.set(token, (sums.get(token) ?? 0n) + value);
    for (const [key, text] of entries(state.parts.balances)) {
      if (!text.startsWith("-")) add(key.split("/")[1], BigInt(text));
    }
    for (const [token, text] of entries(state.parts.pools)) add(token, BigInt(text));
    for (const [token, text] of entries(state.parts.burned)) add(token, BigInt(text));
    for (const [token, { minted }] of entries(state.parts.tokens)) {
      if ((sums.get(token) ?? 0n) !== BigInt(minted)) return false;
      sums.delete(token);
    }
    const placed = [...entries(state.parts.authorised)].every(([key, e]) => dueKey(e.signed, e.sequence) === key);
    return placed && sums.size === 0;
  },

  /** The state replaces the old one, durable first (protocol 6.2). */
  join(target) {
    const { certificate, content, state, links } = target;
    const known = new Set(this.links.map((link) => link.head.epoch));
    for (const link of links) {
      if (known.has(link.head.epoch) || link.head.epoch < this.epoch) continue;
      this.links.push(link);
      this.output({ output: "persist", key: `link/${link.head.epoch}`, record: { of: "link", link } });
    }
    this.setBase(certificate, content, state);
    this.chain = [this.base];
    this.used.clear();
    this.outcomes.clear();
    this.persistSnapshot();
    this.cover("state installed");
    this.event({ type: "joined", certificate, content, state: state.toJson() });
    if (state.epoch !== this.epoch) this.enterEpoch(state);
    else this.applyAgain(state);
    this.settlePending();
    this.recall();
    if (this.base.number === this.lastNumber() && certificate.slot.kind === "checkpoint") {
      this.noteCause({ kind: "checkpoint", certificate });
    }
    this.dirty = true;
  },

  /** Keeps the own records above the state, and applies them again. */
  applyAgain(state) {
    this.state = state.fork();
    this.unlisted.clear();
    this.undone.clear();
    this.barriers.clear();
    this.checkpointAt = this.now;
    for (const s of [...this.slots.values()]) {
      const listed = s.slot.kind === "checkpoint" ? s.slot.number <= this.base.number : this.isBelow(s.slot);
      if (listed) this.prune([s.key]);
      else if (s.decided !== null) {
        s.isApplied = false;
        this.undone.set(s.key, s);
      }
    }
    this.wakeDue();
  },

  isBelow(slot) {
    if (slot.kind !== "account" && slot.kind !== "token") return false;
    return (slot.sequence ?? slot.version) < nextNumber(this.state, slot);
  },

  /** Nonces that the state has used up are settled; nobody here knows by what. */
  settlePending() {
    const due = new Set(this.dueEntriesList().map(([, entry]) => entry.id));
    for (const entry of [...this.entries.values()]) {
      if (due.has(entry.id)) entry.isAuthorised = true;
      else if (entry.nonce < this.state.account(entry.sender).nonce) this.finish(entry, { status: "settled" });
    }
  },

  dueEntriesList() {
    return [...this.dueEntries()];
  },
};
