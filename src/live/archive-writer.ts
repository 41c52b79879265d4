/** Writer of the archive, from the actions of honest validators and the responses to clients. */
import { required } from "../core/base/assert.ts";
import type { Address, Epoch, Hash, Millis } from "../core/base/ids.ts";
import { isRecovery, type OperationId, type SignedOperation, type Submission } from "../core/base/operation.ts";
import type { Receipt } from "../core/base/refusal.ts";
import { paddedNumber, type SlotKey, slotKey } from "../core/base/slot.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import type { ChainContent, Content } from "../core/validator/content.ts";
import type { HashCache } from "../core/validator/hash-cache.ts";
import { nonceOf } from "../core/validator/mempool/pending.ts";
import type { Reply, ValidatorEvent } from "../core/validator/output.ts";
import type { ChainLink, CheckpointChain } from "../run/checkpoint-chain.ts";
import type { NodeName } from "../simulator/settings.ts";
import type {
  Archive,
  ArchivedSubmission,
  ChainPosition,
  EpochRecord,
  FinalRecord,
  OperationStatus,
} from "./archive.ts";
import type { Notification } from "./notifications.ts";

/** Operations kept in the archive that were admitted, then refused undisclosed. */
export const REFUSED_KEPT = 10_000;

/** Sources of an archive. */
export interface Sources {
  readonly genesis: LedgerState;
  readonly hashes: Pick<HashCache, "copy" | "operationId" | "value" | "genesisCheckpoint">;
  /** Updated before the archive receives the same event. */
  readonly chain: CheckpointChain;
  readonly notify: (notification: Notification) => void;
}

/** Outcomes of operations that are not final. */
type Fate = Exclude<OperationStatus, { status: "final" }>;

/** State of an archive. Its records are immutable. */
export interface ArchiveState {
  readonly copies: ReadonlyMap<Hash, readonly ArchivedSubmission[]>;
  readonly operations: ReadonlyMap<OperationId, ArchivedSubmission>;
  readonly offered: ReadonlyMap<OperationId, { readonly submission: Submission; readonly node: string }>;
  readonly furtherCopies: ReadonlyMap<OperationId, readonly Hash[]>;
  readonly fates: ReadonlyMap<OperationId, Fate>;
  readonly refused: ReadonlySet<OperationId>;
  readonly finals: ReadonlyMap<OperationId, FinalRecord>;
  readonly places: ReadonlyMap<OperationId, ChainPosition>;
  readonly deciders: ReadonlyMap<string, OperationId>;
  readonly certificates: ReadonlyMap<string, FinalityCertificate>;
  readonly unproved: readonly { readonly receipt: Receipt; readonly content: Content; readonly at: Millis }[];
  readonly linksByHash: ReadonlyMap<Hash, ChainLink>;
  readonly epochs: readonly EpochRecord[];
  readonly placed: number;
}

export class ArchiveWriter implements Archive {
  readonly genesisLink: Archive["genesisLink"];
  readonly #sources: Sources;
  /** Several only if one digest was signed for operations of several kinds (wire 3.9). */
  #copies = new Map<Hash, readonly ArchivedSubmission[]>();
  /** The first copy of each operation. */
  #operations = new Map<OperationId, ArchivedSubmission>();
  /** Submitted, without a response yet. */
  #offered = new Map<OperationId, { readonly submission: Submission; readonly node: string }>();
  /** Hashes of further copies, of the few operations that have any. */
  #furtherCopies = new Map<OperationId, readonly Hash[]>();
  #fates = new Map<OperationId, Fate>();
  /** Refused after admission, the oldest first: at most `REFUSED_KEPT`. */
  #refused = new Set<OperationId>();
  #finals = new Map<OperationId, FinalRecord>();
  #places = new Map<OperationId, ChainPosition>();
  /** Operation that used a nonce, by account and nonce. */
  #deciders = new Map<string, OperationId>();
  #certificates = new Map<string, FinalityCertificate>();
  /** Applied by validators that saw no decision of the slot: the checkpoint that listed them is still to come. */
  #unproved: { readonly receipt: Receipt; readonly content: Content; readonly at: Millis }[] = [];
  #linksByHash = new Map<Hash, ChainLink>();
  #epochs: EpochRecord[];
  #placed = 0;

  constructor(sources: Sources) {
    this.#sources = sources;
    const { genesis, hashes } = sources;
    const value = hashes.genesisCheckpoint(genesis);
    this.genesisLink = { hash: hashes.value(value), value };
    this.#epochs = [{ epoch: 0 as Epoch, parameters: genesis.parameters, opening: undefined }];
  }

  get links(): readonly ChainLink[] {
    return this.#sources.chain.links;
  }

  get epochs(): readonly EpochRecord[] {
    return this.#epochs;
  }

  /** Number of final operations. */
  get finals(): number {
    return this.#finals.size;
  }

  /** Returns a copy of its tables. O(operations). */
  capture(): ArchiveState {
    return {
      copies: new Map(this.#copies),
      operations: new Map(this.#operations),
      offered: new Map(this.#offered),
      furtherCopies: new Map(this.#furtherCopies),
      fates: new Map(this.#fates),
      refused: new Set(this.#refused),
      finals: new Map(this.#finals),
      places: new Map(this.#places),
      deciders: new Map(this.#deciders),
      certificates: new Map(this.#certificates),
      unproved: [...this.#unproved],
      linksByHash: new Map(this.#linksByHash),
      epochs: [...this.#epochs],
      placed: this.#placed,
    };
  }

  /** Returns to a captured state, which stays as it is. O(operations). */
  restore(captured: ArchiveState): void {
    this.#copies = new Map(captured.copies);
    this.#operations = new Map(captured.operations);
    this.#offered = new Map(captured.offered);
    this.#furtherCopies = new Map(captured.furtherCopies);
    this.#fates = new Map(captured.fates);
    this.#refused = new Set(captured.refused);
    this.#finals = new Map(captured.finals);
    this.#places = new Map(captured.places);
    this.#deciders = new Map(captured.deciders);
    this.#certificates = new Map(captured.certificates);
    this.#unproved = [...captured.unproved];
    this.#linksByHash = new Map(captured.linksByHash);
    this.#epochs = [...captured.epochs];
    this.#placed = captured.placed;
  }

  /** Returns every final operation with its certificate, in the order of finality. */
  certified(): readonly (readonly [OperationId, FinalityCertificate])[] {
    return [...this.#finals].map(([id, { certificate }]) => [id, certificate] as const);
  }

  find(hash: Hash): ArchivedSubmission | undefined {
    const copies = this.#copies.get(hash);
    return copies?.find(({ id }) => this.#finals.has(id)) ?? copies?.[0];
  }

  copyOf(id: OperationId): ArchivedSubmission | undefined {
    return this.#operations.get(id);
  }

  progressOf(id: OperationId): OperationStatus | undefined {
    const final = this.#finals.get(id);
    if (final !== undefined) return { status: "final", final, place: this.#places.get(id) };
    const copy = this.#operations.get(id);
    if (copy === undefined) return undefined;
    const by = this.#deciders.get(nonceKeyOf(copy.submission));
    if (by !== undefined && by !== id) return { status: "superseded", by };
    return this.#fates.get(id) ?? { status: "pending" };
  }

  linkByHash(hash: Hash): ChainLink | undefined {
    return this.#linksByHash.get(hash);
  }

  /** Records a submission; it counts as admitted once a validator responds so. */
  offered(id: OperationId, submission: Submission, node: string): void {
    this.#offered.set(id, { submission, node });
  }

  /** Records a validator's response that reached the client. */
  answered(id: OperationId, node: NodeName, reply: Reply): void {
    const offer = this.#offered.get(id);
    this.#offered.delete(id);
    const isKnown = this.#operations.has(id);
    if (reply.status === "refused" && !reply.disclosed && !isKnown) return;
    if (offer !== undefined) this.#register(id, offer.submission, offer.node);
    this.#noteFate(id, node, reply);
  }

  /** Returns true if a validator has seen this slot decided. */
  isCertified(slot: SlotKey): boolean {
    return this.#certificates.has(slot);
  }

  /** Records what an honest validator applied. */
  carriedOut(event: ValidatorEvent, at: Millis): void {
    switch (event.type) {
      case "decided":
        this.#certified(event.certificate);
        return;
      case "applied":
        this.#applied(event, at);
        return;
      case "checkpointed":
      case "closed":
        this.#linked(event.certificate, event.content);
        if (event.type === "closed") this.#opened(event.certificate, event.content);
        return;
      case "joined":
      case "halted":
        return;
    }
  }

  #register(id: OperationId, submission: Submission, node: string): void {
    const isFirst = !this.#operations.has(id);
    const copy = this.#keep(id, submission);
    if (isFirst || this.#fates.get(id)?.status === "void") this.#sources.notify({ type: "submitted", copy, node });
    if (this.#fates.get(id)?.status !== "superseded") this.#fates.delete(id);
  }

  #keep(id: OperationId, submission: Submission): ArchivedSubmission {
    const first = this.#operations.get(id);
    // Validators of one process pass on the same object: its bytes need not be hashed again.
    if (first?.submission === submission) return first;
    const hash = isRecovery(submission) ? id : this.#sources.hashes.copy(submission).hash;
    const copies = this.#copies.get(hash) ?? [];
    const known = copies.find((one) => one.id === id);
    if (known !== undefined) return known;
    const copy: ArchivedSubmission = { id, hash, submission };
    this.#copies.set(hash, [...copies, copy]);
    if (first === undefined) this.#operations.set(id, copy);
    else this.#furtherCopies.set(id, [...(this.#furtherCopies.get(id) ?? []), hash]);
    return copy;
  }

  /** Drops the oldest refused operations: a client with many keys could otherwise fill the memory. */
  #forgetRefused(): void {
    const [oldest] = this.#refused;
    if (oldest === undefined || this.#refused.size <= REFUSED_KEPT) return;
    this.#refused.delete(oldest);
    if (this.#fates.get(oldest)?.status !== "refused") return;
    const first = this.#operations.get(oldest);
    const hashes = [...(first === undefined ? [] : [first.hash]), ...(this.#furtherCopies.get(oldest) ?? [])];
    for (const hash of hashes) {
      const others = (this.#copies.get(hash) ?? []).filter(({ id }) => id !== oldest);
      if (others.length === 0) this.#copies.delete(hash);
      else this.#copies.set(hash, others);
    }
    this.#operations.delete(oldest);
    this.#furtherCopies.delete(oldest);
    this.#fates.delete(oldest);
  }

  #noteFate(id: OperationId, node: NodeName, reply: Reply): void {
    const { notify } = this.#sources;
    if (this.#finals.has(id)) return;
    if (reply.status === "superseded") {
      this.#fates.set(id, { status: "superseded", by: reply.by });
      notify({ type: "superseded", id, by: reply.by });
    } else if (reply.status === "void") {
      this.#fates.set(id, { status: "void", epoch: reply.epoch });
      notify({ type: "void", id, epoch: reply.epoch });
    } else if (reply.status === "refused" && this.#fates.get(id)?.status !== "refused") {
      const { code } = reply.refusal;
      this.#fates.set(id, { status: "refused", code, node });
      this.#refused.add(id);
      this.#forgetRefused();
      notify({ type: "refused", id, code, node });
    }
  }

  /** Keeps the first certificate of a slot: responses do not change. */
  #certified(certificate: FinalityCertificate): void {
    const key = slotKey(certificate.slot);
    if (!this.#certificates.has(key)) this.#certificates.set(key, certificate);
  }

  #applied({ slot, value, content, receipts }: Extract<ValidatorEvent, { type: "applied" }>, at: Millis): void {
    for (const signed of content.operations) this.#keep(this.#sources.hashes.operationId(signed), signed);
    const [first, second] = content.operations;
    if (value.type === "skip" && value.by === "recovery" && first !== undefined && second !== undefined) {
      const { sender: account, operation } = first;
      const { chainId, nonce } = operation;
      this.#keep(value.id, { kind: "recovery", chainId, account, nonce, evidence: { first, second } });
    }
    if (slot.kind === "account" && (value.type === "operation" || value.type === "skip"))
      this.#decide(slot.address, value.id, content.operations);
    const certificate = this.#certificates.get(slotKey(slot));
    for (const receipt of receipts) {
      if (this.#finals.has(receipt.id)) continue;
      if (certificate === undefined) this.#unproved.push({ receipt, content, at });
      else this.#finish(receipt, { receipt, certificate, content, at });
    }
  }

  /** Records that the slot's decision used the nonce of its operation; of a recovery, the nonce that it names. */
  #decide(account: Address, id: OperationId, operations: readonly SignedOperation[]): void {
    const decisive = operations.find((signed) => signed.sender === account);
    if (decisive === undefined) return;
    const key = nonceKey(account, decisive.operation.nonce);
    if (!this.#deciders.has(key)) this.#deciders.set(key, id);
  }

  #finish(receipt: Receipt, final: FinalRecord): void {
    this.#finals.set(receipt.id, final);
    this.#fates.delete(receipt.id);
    this.#sources.notify({ type: "final", id: receipt.id, final });
  }

  #linked(certificate: FinalityCertificate, content: ChainContent): void {
    this.#certified(certificate);
    for (const { receipt, content: own, at } of this.#unproved) {
      if (this.#finals.has(receipt.id)) continue;
      this.#finish(receipt, { receipt, certificate, content: own, at });
    }
    this.#unproved = [];
    for (; this.#placed < content.value.header.number; this.#placed++)
      this.#place(required(this.links[this.#placed], `checkpoint ${this.#placed + 1}`));
  }

  #place(link: ChainLink): void {
    this.#linksByHash.set(link.hash, link);
    const receipts = link.applications.flatMap(({ event }) => event.receipts);
    for (const [index, { id }] of receipts.entries()) this.#places.set(id, { link, index });
    this.#sources.notify({ type: "checkpoint", link });
  }

  #opened(opening: FinalityCertificate, { value }: ChainContent): void {
    if (value.type !== "closing" || value.epoch + 1 !== this.#epochs.length) return;
    this.#epochs.push({ epoch: (value.epoch + 1) as Epoch, parameters: value.next, opening });
  }
}

function nonceKeyOf(submission: Submission): string {
  const { account, nonce } = nonceOf(submission);
  return nonceKey(account, nonce);
}

function nonceKey(account: Address, nonce: number): string {
  return `${account} ${paddedNumber(nonce)}`;
}
