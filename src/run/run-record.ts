/** Record of a run for its expectations: operations, coverage, reports and checkpoints. */
import { entryOf } from "../core/base/entry.ts";
import type { Address } from "../core/base/ids.ts";
import { isRecovery, isSkip, type OperationId, type SignedOperation, type Submission } from "../core/base/operation.ts";
import type { Receipt, RefusalCode } from "../core/base/refusal.ts";
import { type ChainValue, isChainSlot, type SlotKey, slotKey, type Value } from "../core/base/slot.ts";
import type { FinalityCertificate } from "../core/consensus/message.ts";
import { effectSlotOf } from "../core/ledger/operations/kinds.ts";
import { listedSlots } from "../core/validator/content.ts";
import type { Output, ValidatorEvent } from "../core/validator/output.ts";
import type { EventOf, ObservedEvent } from "../invariants/observation.ts";
import type { AnyCoveragePoint } from "../scenario/coverage-points.ts";
import type { NodeView, WorldListener } from "../simulator/listener.ts";

/** Status of an operation. Times are virtual milliseconds. */
export interface OperationStatus {
  /** The first one. */
  submission: Submission | undefined;
  submittedAt: number | undefined;
  /** Account whose nonce it uses. */
  account: Address | undefined;
  nonce: number;
  isSkip: boolean;
  /** When an honest validator first decided the slot of its effect. */
  finalAt: number | undefined;
  receipt: Receipt | undefined;
  /** Codes of refusals that clients received. */
  readonly refusals: RefusalCode[];
  supersededAt: number | undefined;
  /** When a client first received `void`. */
  voidedAt: number | undefined;
  /** True from `void` until the operation is submitted again. */
  isVoid: boolean;
  /** True once a validator answered otherwise than with a refusal. */
  isAdmitted: boolean;
  /** Faults that had taken effect when it was submitted, and when it was final. */
  faultsBefore: number;
  faultsUntil: number | undefined;
  /** When an honest validator first applied a checkpoint that lists its effect. */
  listedAt: number | undefined;
}

/** The record of a run so far. */
export interface RunRecord {
  readonly statuses: ReadonlyMap<OperationId, OperationStatus>;
  readonly certificates: ReadonlyMap<OperationId, FinalityCertificate>;
  readonly coverage: ReadonlyMap<AnyCoveragePoint, number>;
  /** Slots with votes of honest validators and without a decision at any of them. */
  readonly openSlots: ReadonlySet<SlotKey>;
  /** Misbehaviours that honest validators reported, by validator. */
  readonly reports: ReadonlyMap<Address, ReadonlySet<string>>;
  /** The numbers of the checkpoints that honest validators applied, closings among them. */
  readonly checkpoints: ReadonlySet<number>;
  /** Number of messages lost and held, crashes, postponed inputs and deviations of Byzantine validators so far. */
  readonly faults: number;
  /** Time of the last new submission or first decision of an account or token slot, in virtual milliseconds. */
  readonly lastProgress: number;
  /** Adds a record of the translator. */
  observe(record: ObservedEvent): void;
  /** Counts a coverage point of the simulated world. */
  reached(point: AnyCoveragePoint): void;
  /** Reads coverage points and certificates, which records do not hold. */
  readonly listener: WorldListener;
}

/** An empty record. */
export function createRunRecord(isHonest: (node: string) => boolean): RunRecord {
  const statuses = new Map<OperationId, OperationStatus>();
  const certificates = new Map<OperationId, FinalityCertificate>();
  const points = new Map<AnyCoveragePoint, number>();
  const reached = (point: AnyCoveragePoint): void => void points.set(point, (points.get(point) ?? 0) + 1);
  const reports = new Map<Address, Set<string>>();
  const openSlots = new Set<SlotKey>();
  const checkpoints = new Set<number>();
  const closed = new Set<number>();
  const byNonce = new Map<string, Set<OperationId>>();
  const decidedSlots = new Set<SlotKey>();
  const pending = new Map<SlotKey, FinalityCertificate>();
  let lastProgress = 0;
  let faults = 0;
  const countFault = (): void => {
    faults += 1;
  };
  const statusOf = (id: OperationId): OperationStatus => entryOf(statuses, id, newStatus);
  const records: RunRecords = { byNonce, statusOf, reports, openSlots, decidedSlots, checkpoints, closed };
  const observe = (record: ObservedEvent): void => {
    const isProgress =
      record.type === "submitted"
        ? isFresh(statusOf(record.id))
        : record.type === "decided" && !isChainSlot(record.slot) && !decidedSlots.has(slotKey(record.slot));
    if (isProgress) lastProgress = record.at;
    observeRecord(record, records, faults);
  };
  const stepped = (node: NodeView, _input: unknown, outputs: readonly Output[]): void => {
    if (!isHonest(node.name)) return;
    for (const output of outputs) {
      if (output.type !== "event") continue;
      const { event } = output;
      if (event.type === "decided") pending.set(slotKey(event.certificate.slot), event.certificate);
      else if (event.type === "applied")
        noteEffects(event.value, event.receipts, pending.get(slotKey(event.slot)), certificates);
      else if (event.type === "closed") noteListed(event, certificates);
    }
  };
  return {
    statuses,
    certificates,
    coverage: points,
    openSlots,
    reports,
    checkpoints,
    get faults() {
      return faults;
    },
    get lastProgress() {
      return lastProgress;
    },
    observe,
    reached,
    listener: {
      lost: countFault,
      held: countFault,
      crashed: countFault,
      postponed: countFault,
      intercepted: countFault,
      stepped,
      carriedOut: (_node, output) => {
        if (output.type === "coverage") reached(output.point);
      },
    },
  };
}

function newStatus(): OperationStatus {
  return {
    submission: undefined,
    submittedAt: undefined,
    account: undefined,
    nonce: 0,
    isSkip: false,
    finalAt: undefined,
    receipt: undefined,
    refusals: [],
    supersededAt: undefined,
    voidedAt: undefined,
    isVoid: false,
    isAdmitted: false,
    faultsBefore: 0,
    faultsUntil: undefined,
    listedAt: undefined,
  };
}

function isFresh({ submittedAt, isVoid }: OperationStatus): boolean {
  return submittedAt === undefined || isVoid;
}

/** The operations that take effect in the slots of a checkpoint: an account slot may only authorise one. */
function effectsIn({ listed }: ChainValue, operations: readonly SignedOperation[]): readonly OperationId[] {
  return (listedSlots(listed, operations) ?? []).flatMap(({ value, operations: [first] }) => {
    if (value.type === "list") return value.ids;
    const isElsewhere = value.type === "operation" && first !== undefined && effectSlotOf(first).kind !== "own";
    return isElsewhere ? [] : [value.id];
  });
}

/** Stores the certificate of the operations that took effect in a slot: those with a receipt there. */
function noteEffects(
  value: Value,
  receipts: readonly Receipt[],
  certificate: FinalityCertificate | undefined,
  certificates: Map<OperationId, FinalityCertificate>,
): void {
  if (certificate === undefined) return;
  const ids = value.type === "skip" ? [value.id, ...receipts.map(({ id }) => id)] : receipts.map(({ id }) => id);
  for (const id of ids) if (!certificates.has(id)) certificates.set(id, certificate);
}

/** Stores the certificate of a closing for the slots that it decides by a lock, which have none (protocol 6.3). */
function noteListed(
  { certificate, content }: Extract<ValidatorEvent, { type: "closed" }>,
  certificates: Map<OperationId, FinalityCertificate>,
): void {
  for (const id of effectsIn(content.value, content.operations))
    if (!certificates.has(id)) certificates.set(id, certificate);
}

interface RunRecords {
  /** Operations by account and nonce. */
  readonly byNonce: Map<string, Set<OperationId>>;
  readonly statusOf: (id: OperationId) => OperationStatus;
  readonly reports: Map<Address, Set<string>>;
  readonly openSlots: Set<SlotKey>;
  readonly decidedSlots: Set<SlotKey>;
  readonly checkpoints: Set<number>;
  /** Epochs whose closing an honest validator applied. */
  readonly closed: Set<number>;
}

function observeRecord(record: ObservedEvent, records: RunRecords, faults: number): void {
  const { byNonce, statusOf, reports, openSlots, decidedSlots, checkpoints, closed } = records;
  switch (record.type) {
    case "submitted": {
      const status = statusOf(record.id);
      const { submission } = record;
      if (status.submittedAt === undefined) status.faultsBefore = faults;
      status.submittedAt ??= record.at;
      status.submission ??= submission;
      status.isVoid = false;
      status.account = isRecovery(submission) ? submission.account : submission.sender;
      status.nonce = isRecovery(submission) ? submission.nonce : submission.operation.nonce;
      const wanted = `${status.account} ${status.nonce}`;
      entryOf(byNonce, wanted, () => new Set()).add(record.id);
      status.isSkip = isSkip(submission);
      return;
    }
    case "applied":
      if (!record.honest) return;
      noteSuperseded(record, byNonce, statusOf);
      for (const receipt of record.receipts) {
        const status = statusOf(receipt.id);
        status.finalAt ??= record.at;
        status.faultsUntil ??= faults;
        status.receipt ??= receipt;
      }
      return;
    case "signed":
      noteSigned(record, records);
      return;
    case "decided":
      decidedSlots.add(slotKey(record.slot));
      openSlots.delete(slotKey(record.slot));
      return;
    case "replyReceived":
      if (record.answer.status === "refused") statusOf(record.id).refusals.push(record.answer.refusal.code);
      else statusOf(record.id).isAdmitted = true;
      if (record.answer.status === "void") {
        statusOf(record.id).voidedAt ??= record.at;
        statusOf(record.id).isVoid = true;
      }
      return;
    case "checkpointed":
    case "closed": {
      if (!record.honest) return;
      const { value, operations } = record;
      checkpoints.add(value.header.number);
      if (value.type === "closing" && !closed.has(value.epoch)) {
        // No validator has voted in the next epoch yet: slots that the closing does not list are void.
        closed.add(value.epoch);
        openSlots.clear();
        for (const { slot } of value.listed) decidedSlots.add(slotKey(slot));
      }
      for (const id of effectsIn(value, operations)) statusOf(id).listedAt ??= record.at;
      return;
    }
    case "reported": {
      if (!record.honest) return;
      entryOf(reports, record.signer, () => new Set()).add(record.misbehaviour);
      return;
    }
    default:
      return;
  }
}

function noteSigned(
  { honest, statement: { kind, epoch, slot } }: EventOf<"signed">,
  { openSlots, decidedSlots, closed }: RunRecords,
): void {
  if (honest && kind === "vote" && !closed.has(epoch) && !decidedSlots.has(slot)) openSlots.add(slot);
}

/** Marks operations as superseded whose nonce an application used. */
function noteSuperseded(
  { value, slot, operations, at }: EventOf<"applied">,
  byNonce: RunRecords["byNonce"],
  statusOf: RunRecords["statusOf"],
): void {
  if (slot.kind !== "account" || (value.type !== "skip" && value.type !== "operation")) return;
  const nonce = operations[0]?.operation.nonce;
  for (const id of byNonce.get(`${slot.address} ${nonce}`) ?? []) {
    const status = statusOf(id);
    const lost = id !== value.id && !status.isSkip && status.finalAt === undefined;
    if (lost) status.supersededAt ??= at;
  }
}
