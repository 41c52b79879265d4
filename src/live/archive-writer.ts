/** Writer of the archive, from the actions of honest validators and the responses to clients. */
import { requireDefined } from "../core/base/assert.ts";
import type { Address, Epoch, Hash, Millis } from "../core/base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation, type Submission } from "../core/base/operation.ts";
import { chainSlotOf, parseSlotKey, type Slot, type SlotKey, slotKey, slotNumber } from "../core/base/slot.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import { type LedgerState, nextOf } from "../core/ledger/state.ts";
import type { ChainContent } from "../core/validator/content.ts";
import type { HashCache } from "../core/validator/hash-cache.ts";
import type { Reply, ValidatorEvent } from "../core/validator/output.ts";
import type { ChainLink, CheckpointChain } from "../run/checkpoint-chain.ts";
import type { NodeName } from "../simulator/settings.ts";
import {
  type ArchivedOperation,
  type ArchivedSubmission,
  type ArchiveState,
  archivedCopy,
  type ChainPosition,
  certificatesIn,
  closeOperation,
  copyOfTables,
  type EpochRecord,
  emptyTables,
  type FinalRecord,
  hasEnded,
  hashesOf,
  loseOperations,
  nonceKey,
  nonceKeyOf,
  type OperationFate,
  type OperationStatus,
  openOperation,
  type RefusedOperation,
  refuseOperation,
  supersededBy,
  takeDeciders,
  takeOpen,
  takeOperation,
} from "./archive.ts";
import type { Notification } from "./notifications.ts";
import type { Shelf } from "./shelf.ts";

/** Operations kept without any response; and operations kept that were admitted, and then void or refused undisclosed. */
export const UNDECIDED_KEPT = 10_000;

/** Sources of an archive. */
export interface Sources {
  readonly genesis: LedgerState;
  readonly hashes: Pick<HashCache, "copy" | "operationId" | "value" | "genesisCheckpoint">;
  /** Updated before the archive receives the same event. */
  readonly chain: CheckpointChain;
  readonly notify: (notification: Notification) => void;
  /** Old records. */
  readonly shelf: Shelf;
}

/** Archive as its readers see it. */
export type Archive = Pick<
  ArchiveWriter,
  | "find"
  | "finals"
  | "hasEnded"
  | "copyOf"
  | "progressOf"
  | "link"
  | "genesisLink"
  | "linkByHash"
  | "epochs"
  | "finalCertificates"
>;

export class ArchiveWriter {
  /** Checkpoint 0: the state before the first operation, which nobody signed. */
  readonly genesisLink: { readonly hash: Hash; readonly value: ChainLink["content"]["value"] };
  readonly #sources: Sources;
  #tables = emptyTables();
  #finalCount = 0;
  /** Applied by validators that saw no decision of the slot: the checkpoint that listed them is still to come. */
  #unproved: Omit<FinalRecord, "certificate">[] = [];
  #epochs: EpochRecord[];
  /** States after the placed checkpoints that are not old. */
  #states: LedgerState[] = [];
  /** State after the last old checkpoint: it says which slots are old. */
  #shelved: LedgerState | undefined;

  constructor(sources: Sources) {
    this.#sources = sources;
    const { genesis, hashes } = sources;
    const value = hashes.genesisCheckpoint(genesis);
    this.genesisLink = { hash: hashes.value(value), value };
    this.#epochs = [{ epoch: 0 as Epoch, parameters: genesis.parameters, opening: undefined }];
  }

  /** Returns a checkpoint 1, 2, … as the first validator applied it. Number 0 is the genesis: `genesisLink`. */
  link(number: number): ChainLink | undefined {
    return this.#sources.chain.at(number);
  }

  /** All that were opened, in order. */
  get epochs(): readonly EpochRecord[] {
    return this.#epochs;
  }

  /** Number of final operations. */
  get finals(): number {
    return this.#finalCount;
  }

  /** Returns a copy of its tables. O(operations that are not old). */
  capture(): ArchiveState {
    return {
      tables: copyOfTables(this.#tables),
      finalCount: this.#finalCount,
      unproved: [...this.#unproved],
      epochs: [...this.#epochs],
      states: [...this.#states],
      shelved: this.#shelved,
      shelf: this.#sources.shelf.capture(),
    };
  }

  /** Returns to a captured state, which stays as it is. O(operations). */
  restore(captured: ArchiveState): void {
    this.#tables = copyOfTables(captured.tables);
    this.#finalCount = captured.finalCount;
    this.#unproved = [...captured.unproved];
    this.#epochs = [...captured.epochs];
    this.#states = [...captured.states];
    this.#shelved = captured.shelved;
    this.#sources.shelf.restore(captured.shelf);
  }

  /** Returns every final operation with its certificate, in the order of finality. O(history). */
  finalCertificates(): readonly (readonly [OperationId, FinalityCertificate])[] {
    return certificatesIn([...this.#sources.shelf.operations(), ...this.#tables.operations.values()]);
  }

  /**
   * Returns the operation by the hash of any copy, in either spelling, or by a recovery's id; `undefined` if no validator ever admitted it.
   * If one digest was signed for several kinds: the final operation, else the first.
   */
  find(hash: Hash): ArchivedSubmission | undefined {
    const copies = [...this.#sources.shelf.copies(hash), ...(this.#tables.copies.get(hash) ?? [])];
    return copies.length < 2 ? copies[0] : (copies.find(({ id }) => this.#isFinal(id)) ?? copies[0]);
  }

  /** The first copy that was admitted. */
  copyOf(id: OperationId): ArchivedSubmission | undefined {
    return this.#operation(id)?.copies[0];
  }

  progressOf(id: OperationId): OperationStatus | undefined {
    const known = this.#operation(id);
    if (known?.final !== undefined) return { status: "final", final: known.final.record, place: this.#placeOf(known) };
    const copy = known?.copies[0];
    if (copy === undefined) return undefined;
    const nonce = nonceKeyOf(copy.submission);
    const by = this.#tables.deciders.get(nonce) ?? this.#sources.shelf.decider(nonce);
    if (by !== undefined && by !== id) return { status: "superseded", by };
    return known?.fate ?? { status: "pending" };
  }

  /** True if an operation that is not old, by the hash of any copy, is final or will never be. It reads no old record. */
  hasEnded(hash: Hash): boolean {
    return hasEnded(this.#tables, hash);
  }

  linkByHash(hash: Hash): ChainLink | undefined {
    const known = this.#tables.linksByHash.get(hash);
    return known === undefined ? this.#sources.shelf.linkByHash(hash) : this.link(known);
  }

  /** Returns the operations whose nonces these others used, also void and refused ones. O(operations that are not old). */
  supersededBy(others: ReadonlySet<OperationId>): readonly ArchivedSubmission[] {
    return supersededBy(this.#tables, others);
  }

  /** Puts the next checkpoints on the shelf, each with operations. They must be placed. */
  shelve(links: readonly { readonly link: ChainLink; readonly operations: readonly OperationId[] }[]): void {
    const { chain, shelf } = this.#sources;
    for (const { link, operations: ids } of links) {
      const operations = ids.flatMap((id) => takeOperation(this.#tables, id) ?? []);
      const deciders = new Map(link.applications.flatMap(({ event }) => takeDeciders(this.#tables, event)));
      for (const { event } of link.applications) this.#tables.certificates.delete(slotKey(event.slot));
      this.#tables.certificates.delete(slotKey(chainSlotOf(link.content.value)));
      this.#tables.linksByHash.delete(link.hash);
      this.#shelved = requireDefined(this.#states.shift(), `state after checkpoint ${shelf.count + 1}`);
      shelf.put({
        link: { ...link, applications: link.applications.map(({ event }) => ({ event })) },
        operations,
        deciders,
      });
    }
    chain.drop(shelf.count);
  }

  /** Returns an operation, old or not. */
  #operation(id: OperationId): ArchivedOperation | undefined {
    return this.#tables.operations.get(id) ?? this.#sources.shelf.operation(id);
  }

  #update(id: OperationId, change: Partial<ArchivedOperation>): void {
    const known = this.#operation(id) ?? { id, copies: [], final: undefined, place: undefined, fate: undefined };
    this.#tables.operations.set(id, { ...known, ...change });
  }

  #isFinal(id: OperationId): boolean {
    return this.#operation(id)?.final !== undefined;
  }

  #placeOf({ place }: ArchivedOperation): ChainPosition | undefined {
    const link = place && this.link(place.link);
    return link && place && { link, index: place.index };
  }

  /** Returns true if an old checkpoint lists the slot, or is decided in it. */
  #isOld(slot: Slot): boolean {
    if (this.#shelved === undefined || slot.kind === "epoch") return false;
    if (slot.kind === "checkpoint") return slot.number <= this.#sources.shelf.count;
    return nextOf(this.#shelved, slot) > slotNumber(slot);
  }

  /** Records a submission; it counts as admitted once a validator responds so. */
  noteSubmission(id: OperationId, submission: Submission, node: string): void {
    const { offered } = this.#tables;
    offered.set(id, { submission, node });
    // A validator that crashes, or is Byzantine, never responds.
    const [oldest] = offered.keys();
    if (offered.size > UNDECIDED_KEPT && oldest !== undefined) offered.delete(oldest);
  }

  /** Records a validator's response that reached the client. */
  noteReply(id: OperationId, node: NodeName, reply: Reply): void {
    const offer = this.#tables.offered.get(id);
    this.#tables.offered.delete(id);
    const isKnown = this.copyOf(id) !== undefined;
    if (reply.status === "refused" && !reply.disclosed && !isKnown) return;
    if (offer !== undefined) this.#register(id, offer.submission, offer.node, !isKnown);
    if (offer !== undefined && reply.status === "pending") openOperation(this.#tables, id, offer.submission, node);
    if (offer !== undefined || isKnown) this.#noteFate(id, node, reply);
  }

  /** Notes that a validator has forgotten what only its memory held. */
  crashed(node: NodeName): void {
    for (const refused of loseOperations(this.#tables, node)) this.#noteRefused(refused);
  }

  /** Returns true if a validator has seen this slot decided, or applied an operation by a link of the chain that lists it. */
  isDecided(key: SlotKey, id: OperationId): boolean {
    return this.#tables.certificates.has(key) || this.#isFinal(id) || this.#isOld(parseSlotKey(key));
  }

  /** Records what an honest validator applied. */
  carriedOut(event: ValidatorEvent, at: Millis): void {
    if (event.type === "decided") this.#noteCertificate(event.certificate);
    else if (event.type === "applied") this.#noteApplication(event, at);
    else if (event.type === "checkpointed" || event.type === "closed") {
      this.#noteLink(event.certificate, event.content);
      if (event.type === "closed") this.#noteEpoch(event.certificate, event.content);
    }
  }

  #register(id: OperationId, submission: Submission, node: string, isFirst: boolean): void {
    const copy = this.#keep(id, submission);
    const fate = this.#tables.operations.get(id)?.fate;
    if (isFirst || fate?.status === "void") this.#sources.notify({ type: "submitted", copy, node });
    if (fate !== undefined && fate.status !== "superseded") this.#update(id, { fate: undefined });
  }

  #keep(id: OperationId, submission: Submission): ArchivedSubmission {
    const { copies = [] } = this.#operation(id) ?? {};
    // Validators of one process pass on the same object: its bytes need not be hashed again.
    if (copies[0]?.submission === submission) return copies[0];
    const hash = isRecovery(submission) ? id : this.#sources.hashes.copy(submission).hash;
    const archived = copies.find((candidate) => candidate.hash === hash);
    if (archived !== undefined) return archived;
    const copy = archivedCopy(id, hash, submission);
    for (const name of hashesOf(copy)) this.#tables.copies.set(name, [...(this.#tables.copies.get(name) ?? []), copy]);
    this.#update(id, { copies: [...copies, copy] });
    return copy;
  }

  /** Notes a void or refused operation, and drops the oldest one: a client could otherwise fill the memory. */
  #noteEnd(id: OperationId, fate: OperationFate): void {
    const { ended, operations } = this.#tables;
    closeOperation(this.#tables, id);
    this.#update(id, { fate });
    ended.delete(id);
    ended.add(id);
    const [oldest] = ended;
    if (oldest === undefined || ended.size <= UNDECIDED_KEPT) return;
    ended.delete(oldest);
    const status = operations.get(oldest)?.fate?.status;
    if (status === "void" || status === "refused") takeOperation(this.#tables, oldest);
  }

  /** Notes what a validator says of an operation, once: others that it was submitted to say the same. */
  #noteFate(id: OperationId, node: NodeName, reply: Reply): void {
    const known = this.#tables.operations.get(id);
    if (known?.final !== undefined || this.#sources.shelf.operation(id) !== undefined) return;
    if (known?.fate?.status === reply.status) return;
    if (reply.status === "superseded") this.#noteSuperseded(id, reply.by);
    else if (reply.status === "void") this.#noteVoid(id, reply.epoch);
    else if (reply.status === "refused") {
      const refused = { id, node, code: reply.refusal.code };
      if (refuseOperation(this.#tables, refused)) this.#noteRefused(refused);
    }
  }

  #noteRefused({ id, code, node }: RefusedOperation): void {
    this.#noteEnd(id, { status: "refused", code, node });
    this.#sources.notify({ type: "refused", id, code, node });
  }

  #noteSuperseded(id: OperationId, by: OperationId): void {
    closeOperation(this.#tables, id);
    this.#update(id, { fate: { status: "superseded", by } });
    this.#sources.notify({ type: "superseded", id, by });
  }

  #noteVoid(id: OperationId, epoch: Epoch): void {
    this.#noteEnd(id, { status: "void", epoch });
    this.#sources.notify({ type: "void", id, epoch });
  }

  /** Keeps the first certificate of a slot: responses do not change. */
  #noteCertificate(certificate: FinalityCertificate): void {
    const key = slotKey(certificate.slot);
    if (!this.#isOld(certificate.slot) && !this.#tables.certificates.has(key))
      this.#tables.certificates.set(key, certificate);
  }

  #noteApplication({ slot, value, content, receipts }: Extract<ValidatorEvent, { type: "applied" }>, at: Millis): void {
    if (this.#isOld(slot)) return;
    for (const signed of content.operations) this.#keep(this.#sources.hashes.operationId(signed), signed);
    const [first, second] = content.operations;
    if (value.type === "skip" && value.by === "recovery" && first !== undefined && second !== undefined) {
      const { sender: account, operation } = first;
      const { chainId, nonce } = operation;
      this.#keep(value.id, { kind: "recovery", chainId, account, nonce, evidence: { first, second } });
    }
    if (slot.kind === "account" && (value.type === "operation" || value.type === "skip"))
      this.#decide(slot.address, value.id, content.operations);
    const certificate = this.#tables.certificates.get(slotKey(slot));
    for (const receipt of receipts) {
      if (this.#isFinal(receipt.id)) continue;
      if (certificate === undefined) this.#unproved.push({ receipt, content, at });
      else this.#finish({ receipt, certificate, content, at });
    }
  }

  /**
   * Records that the slot's decision used the nonce of its operation; of a recovery, the nonce that it names. All others of
   * that nonce are superseded: a validator that crashed tells nobody.
   */
  #decide(account: Address, id: OperationId, operations: readonly SignedOperation[]): void {
    const decisive = operations.find((signed) => signed.sender === account);
    if (decisive === undefined) return;
    const key = nonceKey(account, decisive.operation.nonce);
    if (this.#tables.deciders.has(key)) return;
    this.#tables.deciders.set(key, id);
    for (const rival of takeOpen(this.#tables, key)) if (rival !== id) this.#noteSuperseded(rival, id);
  }

  #finish(final: FinalRecord): void {
    const { id } = final.receipt;
    this.#update(id, { final: { number: this.#finalCount, record: final }, fate: undefined });
    this.#finalCount += 1;
    this.#sources.notify({ type: "final", id, final });
  }

  #noteLink(certificate: FinalityCertificate, content: ChainContent): void {
    this.#noteCertificate(certificate);
    for (const { receipt, content: linkContent, at } of this.#unproved)
      if (!this.#isFinal(receipt.id)) this.#finish({ receipt, certificate, content: linkContent, at });
    this.#unproved = [];
    const placed = this.#sources.shelf.count + this.#states.length;
    for (let number = placed + 1; number <= content.value.header.number; number++)
      this.#place(requireDefined(this.link(number), `checkpoint ${number}`));
  }

  #place(link: ChainLink): void {
    const { number } = link.content.value.header;
    this.#tables.linksByHash.set(link.hash, number);
    this.#states.push(link.state);
    const receipts = link.applications.flatMap(({ event }) => event.receipts);
    for (const [index, { id }] of receipts.entries()) this.#update(id, { place: { link: number, index } });
    this.#sources.notify({ type: "checkpoint", link });
  }

  #noteEpoch(opening: FinalityCertificate, { value }: ChainContent): void {
    if (value.type !== "closing" || value.epoch + 1 !== this.#epochs.length) return;
    this.#epochs.push({ epoch: (value.epoch + 1) as Epoch, parameters: value.next, opening });
    // Of those that only a validator held which crashed, nobody says so.
    for (const nonce of [...this.#tables.open.keys()])
      for (const id of takeOpen(this.#tables, nonce)) this.#noteVoid(id, value.epoch);
  }
}
