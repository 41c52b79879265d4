/** Record of a run for its expectations: operations with their counts by kind, coverage, reports and checkpoints. */
import { entryOf } from "../core/base/entry.ts";
import type { Address } from "../core/base/ids.ts";
import {
  isRecovery,
  isSkip,
  type OperationId,
  type OperationKind,
  type SignedOperation,
  type Submission,
} from "../core/base/operation.ts";
import type { Receipt, RefusalCode } from "../core/base/refusal.ts";
import { type ChainValue, isChainSlot, type SlotKey, slotKey } from "../core/base/slot.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import { effectSlotOf } from "../core/ledger/operations/kinds.ts";
import { listedSlots } from "../core/validator/content.ts";
import type { ValidatorEvent } from "../core/validator/output.ts";
import type { EventOf, ObservedEvent } from "../invariants/observation.ts";
import type { AnyCoveragePoint } from "../scenario/coverage-points.ts";
import type { WorldListener } from "../simulator/listener.ts";

/** Status of an operation. Times are virtual milliseconds. */
export class OperationStatus {
  /** The first one. */
  submission: Submission | undefined;
  submittedAt: number | undefined;
  /** Account whose nonce it uses. */
  account: Address | undefined;
  nonce = 0;
  isSkip = false;
  /** When an honest validator first decided the slot of its effect. */
  finalAt: number | undefined;
  receipt: Receipt | undefined;
  /** Codes of refusals that clients received. */
  readonly refusals: RefusalCode[] = [];
  supersededAt: number | undefined;
  /** When a client first received `void`. */
  voidedAt: number | undefined;
  /** True from `void` until the operation is submitted again. */
  isVoid = false;
  /** True once a validator answered otherwise than with a refusal. */
  isAdmitted = false;
  /** Faults that had taken effect when it was submitted, and when it was final. */
  faultsBefore = 0;
  faultsUntil: number | undefined;
  /** When an honest validator first applied a checkpoint that lists its effect. */
  listedAt: number | undefined;
}

/** The record of a run so far. */
export class RunRecord {
  readonly statuses = new Map<OperationId, OperationStatus>();
  readonly certificates = new Map<OperationId, FinalityCertificate>();
  readonly coverage = new Map<AnyCoveragePoint, number>();
  /** Slots with votes of honest validators and without a decision at any of them. */
  readonly openSlots = new Set<SlotKey>();
  /** Misbehaviours that honest validators reported, by validator. */
  readonly reports = new Map<Address, Set<string>>();
  /** The numbers of the checkpoints that honest validators applied, closings among them. */
  readonly checkpoints = new Set<number>();
  /** Number of messages lost and held, crashes, postponed inputs and deviations of Byzantine validators so far. */
  faults = 0;
  /** Time of the last new submission or first decision of an account or token slot, in virtual milliseconds. */
  lastProgress = 0;
  readonly #isHonest: (node: string) => boolean;
  /** Operations by account and nonce. */
  readonly #byNonce = new Map<string, Set<OperationId>>();
  readonly #decidedSlots = new Set<SlotKey>();
  /** Epochs whose closing an honest validator applied. */
  readonly #closed = new Set<number>();
  /** Certificates by slot. */
  readonly #decisions = new Map<SlotKey, FinalityCertificate>();

  constructor(isHonest: (node: string) => boolean) {
    this.#isHonest = isHonest;
  }

  readonly #countFault = (): void => {
    this.faults += 1;
  };

  /** Counts a coverage point. */
  readonly reached = (point: AnyCoveragePoint): void =>
    void this.coverage.set(point, (this.coverage.get(point) ?? 0) + 1);

  /** Reads coverage points, certificates and faults, which records do not hold. */
  readonly listener: WorldListener = {
    lost: this.#countFault,
    held: this.#countFault,
    crashed: this.#countFault,
    postponed: this.#countFault,
    intercepted: this.#countFault,
    stepped: ({ name }, _input, outputs) => {
      if (!this.#isHonest(name)) return;
      for (const output of outputs) if (output.type === "event") this.#keepCertificates(output.event);
    },
    carriedOut: (_node, output) => {
      if (output.type === "coverage") this.reached(output.point);
    },
  };

  /** Adds a record of the translator. */
  readonly observe = (record: ObservedEvent): void => {
    if (record.type === "submitted") this.#noteSubmitted(record);
    else if (record.type === "signed") this.#noteSigned(record);
    else if (record.type === "decided") this.#noteDecided(record);
    else if (record.type === "replyReceived") this.#noteReply(record);
    else if (!("honest" in record && record.honest)) return;
    else if (record.type === "applied") this.#noteApplied(record);
    else if (record.type === "checkpointed" || record.type === "closed") this.#noteLink(record);
    else if (record.type === "reported") entryOf(this.reports, record.signer, () => new Set()).add(record.misbehaviour);
  };

  #statusOf(id: OperationId): OperationStatus {
    return entryOf(this.statuses, id, () => new OperationStatus());
  }

  /** Keeps the certificate of the operations that took effect in a slot: those with a receipt there. */
  #keepCertificates(event: ValidatorEvent): void {
    if (event.type === "decided") this.#decisions.set(slotKey(event.certificate.slot), event.certificate);
    else if (event.type === "applied") {
      const certificate = this.#decisions.get(slotKey(event.slot));
      if (certificate === undefined) return;
      const ids = event.receipts.map(({ id }) => id);
      this.#certify(event.value.type === "skip" ? [event.value.id, ...ids] : ids, certificate);
    } else if (event.type === "closed") {
      // It decides slots by a lock, which have no certificate of their own (protocol 6.3).
      this.#certify(effectsIn(event.content.value, event.content.operations), event.certificate);
    }
  }

  #certify(ids: readonly OperationId[], certificate: FinalityCertificate): void {
    for (const id of ids) if (!this.certificates.has(id)) this.certificates.set(id, certificate);
  }

  #noteSubmitted({ id, submission, at }: EventOf<"submitted">): void {
    const status = this.#statusOf(id);
    if (status.submittedAt === undefined || status.isVoid) this.lastProgress = at;
    if (status.submittedAt === undefined) status.faultsBefore = this.faults;
    status.submittedAt ??= at;
    status.submission ??= submission;
    status.isVoid = false;
    status.account = isRecovery(submission) ? submission.account : submission.sender;
    status.nonce = isRecovery(submission) ? submission.nonce : submission.operation.nonce;
    status.isSkip = isSkip(submission);
    entryOf(this.#byNonce, `${status.account} ${status.nonce}`, () => new Set()).add(id);
  }

  #noteApplied(record: EventOf<"applied">): void {
    this.#noteSuperseded(record);
    for (const receipt of record.receipts) {
      const status = this.#statusOf(receipt.id);
      status.finalAt ??= record.at;
      status.faultsUntil ??= this.faults;
      status.receipt ??= receipt;
    }
  }

  /** Marks operations as superseded whose nonce an application used. */
  #noteSuperseded({ value, slot, operations, at }: EventOf<"applied">): void {
    if (slot.kind !== "account" || (value.type !== "skip" && value.type !== "operation")) return;
    const nonce = operations[0]?.operation.nonce;
    for (const id of this.#byNonce.get(`${slot.address} ${nonce}`) ?? []) {
      const status = this.#statusOf(id);
      const lost = id !== value.id && !status.isSkip && status.finalAt === undefined;
      if (lost) status.supersededAt ??= at;
    }
  }

  #noteSigned({ honest, statement: { kind, epoch, slot } }: EventOf<"signed">): void {
    const isOpen = honest && kind === "vote" && !this.#closed.has(epoch) && !this.#decidedSlots.has(slot);
    if (isOpen) this.openSlots.add(slot);
  }

  #noteDecided({ slot, at }: EventOf<"decided">): void {
    const key = slotKey(slot);
    if (!isChainSlot(slot) && !this.#decidedSlots.has(key)) this.lastProgress = at;
    this.#decidedSlots.add(key);
    this.openSlots.delete(key);
  }

  #noteReply({ id, answer, at }: EventOf<"replyReceived">): void {
    const status = this.#statusOf(id);
    if (answer.status === "refused") status.refusals.push(answer.refusal.code);
    else status.isAdmitted = true;
    if (answer.status !== "void") return;
    status.voidedAt ??= at;
    status.isVoid = true;
  }

  #noteLink({ value, operations, at }: EventOf<"checkpointed" | "closed">): void {
    this.checkpoints.add(value.header.number);
    if (value.type === "closing" && !this.#closed.has(value.epoch)) {
      // No validator has voted in the next epoch yet: slots that the closing does not list are void.
      this.#closed.add(value.epoch);
      this.openSlots.clear();
      for (const { slot } of value.listed) this.#decidedSlots.add(slotKey(slot));
    }
    for (const id of effectsIn(value, operations)) this.#statusOf(id).listedAt ??= at;
  }
}

/** The operations that take effect in the slots of a checkpoint: an account slot may only authorise one. */
function effectsIn({ listed }: ChainValue, operations: readonly SignedOperation[]): readonly OperationId[] {
  return (listedSlots(listed, operations) ?? []).flatMap(({ value, operations: [first] }) => {
    if (value.type === "list") return value.ids;
    const isElsewhere = value.type === "operation" && first !== undefined && effectSlotOf(first).kind !== "own";
    return isElsewhere ? [] : [value.id];
  });
}

/** Kind of what a client submits. */
export type SubmissionKind = OperationKind | "recovery";

/** Counts of the distinct operations that clients submitted, in the order of the output. */
export const COUNTED = [
  "submitted",
  /** Those that a validator answered otherwise than with a refusal. */
  "admitted",
  "final",
  /** Those of an account that signed others for the same nonce. */
  "contended",
  /** Those during which a fault took effect, between their submission and their finality or the end. */
  "disturbed",
] as const;

export type OperationCounts = Record<(typeof COUNTED)[number], number>;

/** Counts by kind; kinds that nobody submitted are absent. */
export type CountsByKind = ReadonlyMap<SubmissionKind, OperationCounts>;

export function noOperations(): OperationCounts {
  return { submitted: 0, admitted: 0, final: 0, contended: 0, disturbed: 0 };
}

/** Returns the counts of a run. O(operations). */
export function countOperations({ statuses, faults }: Pick<RunRecord, "statuses" | "faults">): CountsByKind {
  const submitted = [...statuses.values()].filter(({ submission }) => submission !== undefined);
  const rivals = new Map<string, number>();
  const nonceOf = ({ account, nonce }: OperationStatus): string => `${account} ${nonce}`;
  for (const status of submitted) rivals.set(nonceOf(status), (rivals.get(nonceOf(status)) ?? 0) + 1);
  const counts = new Map<SubmissionKind, OperationCounts>();
  for (const status of submitted) {
    const { submission, isAdmitted, finalAt, faultsBefore, faultsUntil = faults } = status;
    const kindCounts = entryOf(counts, kindOf(submission as Submission), noOperations);
    kindCounts.submitted += 1;
    if (isAdmitted || finalAt !== undefined) kindCounts.admitted += 1;
    if (finalAt !== undefined) kindCounts.final += 1;
    if ((rivals.get(nonceOf(status)) ?? 0) > 1) kindCounts.contended += 1;
    if (faultsUntil > faultsBefore) kindCounts.disturbed += 1;
  }
  return counts;
}

function kindOf(submission: Submission): SubmissionKind {
  return isRecovery(submission) ? "recovery" : submission.operation.kind;
}

/** Adds the counts of a run to those of others. */
export function addOperations(sum: Map<SubmissionKind, OperationCounts>, counts: CountsByKind): void {
  for (const [kind, count] of counts) addCounts(entryOf(sum, kind, noOperations), count);
}

function addCounts(sum: OperationCounts, count: OperationCounts): void {
  for (const name of COUNTED) sum[name] += count[name];
}

/** Returns the counts over all kinds. */
export function totalOf(counts: CountsByKind): OperationCounts {
  const total = noOperations();
  for (const count of counts.values()) addCounts(total, count);
  return total;
}
