/**
 * Oracle of protocol 7.13: every signature of an honest validator, and its first answer to a submission, satisfies the
 * rules of the independent reference ledger.
 */
import { entryOf } from "../../../core/base/entry.ts";
import type { Address, Epoch } from "../../../core/base/ids.ts";
import type { OperationId } from "../../../core/base/operation.ts";
import { slotKey } from "../../../core/base/slot.ts";
import { mayBeForced } from "../../evidence/rule-violations.ts";
import {
  dropNode,
  type Handler,
  type Handlers,
  mapHandlers,
  type Oracle,
  oracle,
  type ReportViolation,
} from "../../fold.ts";
import type { Chronicle, SignatureRecord } from "../../history/chronicle.ts";
import type { Application } from "../../history/content.ts";
import { epochSlot } from "../../history/finality.ts";
import type { DurableStatement, EventOf, NodeName, ObservedEvent, RunSetting } from "../../observation.ts";
import { applyClosing } from "../../reference/epoch.ts";
import { applySlot, effectRefusals, voteRefusals } from "../../reference/ledger.ts";
import { countersOf, genesisLedger, type LedgerState } from "../../reference/state.ts";
import { closingName, shortId, slotKeyName, slotName, slotOf, valueName } from "../../text.ts";
import { type AdmissionContext, mayRefuseVote, wrongAdmission } from "./admission.ts";
import { barredVote, type CommitBarrier, type CommitBarriers, noteCommit } from "./barriers.ts";
import {
  forgetReading,
  hasRival,
  isSecondReading,
  noRequests,
  noteArrival,
  noteRequest,
  type Readings,
  type Requests,
} from "./client-requests.ts";
import { diffChanges, diffReceipts } from "./reference-diff.ts";
import { cancellableOperation, emptyQueue, type NodeQueues, noQueues, noteReply, takeOwed } from "./refused-queues.ts";
import { evadedFeeRefusals, feeTokenRefusals, unnamedRefusals } from "./skip-fees.ts";

/** Current incarnation of an honest node. */
interface IncarnationLedger {
  /** Reference ledger; `undefined` once the node has diverged. */
  ledger: LedgerState | undefined;
  /** Durable statements of the last incarnation, whose ledger is gone. */
  readonly durableStatements: ReadonlySet<string>;
}

/** The last submission that reached a node, until it is answered: in the same step. */
interface SubmissionArrival {
  readonly node: NodeName;
  readonly id: OperationId;
  readonly isFirst: boolean;
}

interface ValidityState {
  readonly incarnations: Map<NodeName, IncarnationLedger>;
  readonly requests: Requests;
  readonly queues: NodeQueues;
  /** Without those of a node whose epoch is over, or whose disk is lost. */
  readonly barriers: CommitBarriers;
  readonly readings: Readings;
  arrival: SubmissionArrival | undefined;
}

/**
 * Runs one reference ledger per node over the slots that it applied and the epochs that it closed, and checks the
 * node's votes and proposals by it.
 */
export function validity({ genesis, nodes }: RunSetting): Oracle {
  const honest = nodes.filter((node) => node.honest).map(({ node }) => node);
  const start: ValidityState = {
    incarnations: new Map(),
    requests: noRequests(),
    queues: noQueues(),
    barriers: new Map(),
    readings: new Map(),
    arrival: undefined,
  };
  const startIncarnation = (): IncarnationLedger => ({
    ledger: genesisLedger(genesis),
    durableStatements: NOTHING_DURABLE,
  });
  const handlers: Handlers<ValidityState> = {
    signed: ({ incarnations, barriers }, record, chronicle, report) => {
      if (!record.honest) return;
      noteCommit(barriers, chronicle, record);
      const barrier = barriers.get(record.node);
      judgeSignature(entryOf(incarnations, record.node, startIncarnation), barrier, record, chronicle, report);
    },
    applied: ({ incarnations, barriers }, record, chronicle, report) => {
      if (!record.honest) return;
      if (record.slot.kind === "token") barriers.get(record.node)?.delete(slotKey(record.slot));
      applyToReference(entryOf(incarnations, record.node, startIncarnation), record, chronicle, report);
    },
    closed: ({ incarnations, barriers }, record, _seen, report) => {
      if (!record.honest) return;
      barriers.delete(record.node);
      endEpoch(entryOf(incarnations, record.node, startIncarnation), record, report);
    },
    unproven: (_state, { node, honest, slot, fault }, _seen, report) => {
      if (honest) report(`${node} shows a decision of ${slotKeyName(slot)} that does not prove itself: ${fault}`);
    },
    submitted: (state, record) => noteRequest(state.requests, record, ledgersOf(state, honest)),
    submissionReceived: (state, { node, honest, id }) => {
      if (!honest) state.queues.disclosed.add(id);
      state.arrival = { node, id, isFirst: noteArrival(state.requests, id) };
    },
    replied: (state, record, chronicle, report) => {
      if (!record.honest) return;
      const incarnation = entryOf(state.incarnations, record.node, startIncarnation);
      judgeQueueReply(state, incarnation, record, report);
      judgeBarred(state, incarnation, record, report);
      judgeFirstReply(state, incarnation, record, { chronicle, ledgers: () => ledgersOf(state, honest) }, report);
    },
    crashed: ({ incarnations }, record) => dropNode(incarnations, record),
    restarted: ({ incarnations, barriers }, { node, wiped, durableStatements }) => {
      if (wiped) barriers.delete(node);
      const earlier = incarnations.get(node)?.durableStatements ?? NOTHING_DURABLE;
      const durable = new Set([...earlier, ...durableStatements.map(durableStatementKey)]);
      incarnations.set(node, { ledger: genesisLedger(genesis), durableStatements: durable });
    },
    ended: () => undefined,
  };
  return oracle("validity", start, mapHandlers(handlers, reportOwed));
}

/** Reports what was owed in earlier steps, before it takes in an event. */
function reportOwed(
  handle: Handler<ValidityState>,
  state: ValidityState,
  record: ObservedEvent,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  if (record.type === "crashed") {
    emptyQueue(state.queues, record.node);
    state.readings.delete(record.node);
  }
  for (const { node, id, refused, ...where } of takeOwed(state.queues, record.step))
    report(`${node} refused ${shortId(refused)} and left ${shortId(id)} behind it without an answer`, { where });
  handle(state, record, chronicle, report);
}

/** The ledgers of these nodes; `undefined` unless each is known. */
function ledgersOf({ incarnations }: ValidityState, nodes: readonly NodeName[]): readonly LedgerState[] | undefined {
  const ledgers: LedgerState[] = [];
  for (const node of nodes) {
    const ledger = incarnations.get(node)?.ledger;
    if (ledger === undefined) return undefined;
    ledgers.push(ledger);
  }
  return ledgers;
}

/** Takes what it says of the operations that wait behind this one. */
function judgeQueueReply(
  { requests, queues, incarnations, readings }: ValidityState,
  { ledger }: IncarnationLedger,
  record: EventOf<"replied">,
  report: ReportViolation,
): void {
  const signed = requests.byId.get(record.id)?.signed;
  if (signed === undefined) return;
  const { sender, operation } = signed;
  const { status } = record.answer;
  if (status === "void" || status === "refused") forgetReading(readings, record.node, sender, record.id);
  // Behind earlier nonces, the pair can be shown only when its turn comes.
  const isBehind = ledger !== undefined && countersOf(ledger, sender).nonce < operation.nonce;
  const held = isBehind ? cancellableOperation(queues, record, signed) : undefined;
  if (held !== undefined)
    report(
      `${record.node} refused ${shortId(record.id)}, which has nothing to cancel, while ${shortId(held)} waits there`,
    );
  const isDecided = (): boolean =>
    [...incarnations.values()].some(
      ({ ledger }) => ledger !== undefined && countersOf(ledger, sender).nonce > operation.nonce,
    );
  noteReply(queues, record, signed, () => hasRival(requests, record.id, signed) || isDecided());
}

/** Judges by its state why a node says that it would refuse what is pending (specification 8.4). */
function judgeBarred(
  { requests }: ValidityState,
  { ledger }: IncarnationLedger,
  { node, id, answer }: EventOf<"replied">,
  report: ReportViolation,
): void {
  const signed = requests.byId.get(id)?.signed;
  if (answer.status !== "pending" || answer.barred === undefined || signed === undefined || ledger === undefined)
    return;
  const { code } = answer.barred;
  if (!mayRefuseVote(ledger, signed, code))
    report(`${node} called ${shortId(id)} barred by ${code}, of which its state knows nothing`);
}

/** Judges the first answer to a submission; later ones depend on what others disclosed. */
function judgeFirstReply(
  state: ValidityState,
  { ledger }: IncarnationLedger,
  { node, id, answer }: EventOf<"replied">,
  judged: Pick<AdmissionContext, "chronicle" | "ledgers">,
  report: ReportViolation,
): void {
  const { arrival, requests, barriers, readings } = state;
  if (arrival?.node !== node || arrival.id !== id) return;
  state.arrival = undefined;
  if (ledger === undefined) return;
  const place = { ...judged, ledger, requests, admitted: readings.get(node), barrier: barriers.get(node) };
  const wrong = wrongAdmission(place, { id, answer, isFirst: arrival.isFirst });
  if (wrong !== undefined) report(`${node} received ${shortId(id)} and ${wrong}`);
  const signed = requests.byId.get(id)?.signed;
  if (signed === undefined || answer.status !== "pending") return;
  // One that others may have disclosed has no other place to wait.
  if (isSecondReading(readings, ledger, { node, id, signed }) && arrival.isFirst)
    report(`${node} admitted ${shortId(id)}, though it has admitted the same signature as another operation`);
}

const NOTHING_DURABLE: ReadonlySet<string> = new Set();

function judgeSignature(
  { ledger, durableStatements }: IncarnationLedger,
  barrier: CommitBarrier | undefined,
  record: EventOf<"signed">,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  if (ledger === undefined) return;
  checkSigningEpoch(ledger, record, chronicle, report);
  const [signing] = chronicle.signatures;
  if (signing === undefined || signing.statement.epoch !== ledger.epoch.number) return;
  const { statement } = signing;
  if (statement.kind !== "vote" && statement.kind !== "proposal") return;
  if (durableStatements.size > 0 && durableStatements.has(durableStatementKey(statement))) return;
  report.judged();
  judgeChoice({ ledger, barrier }, record.node, chronicle, signing, report);
}

function durableStatementKey({
  kind,
  epoch,
  slot,
  round,
  value,
}: Omit<DurableStatement, "kind"> & { readonly kind: string }): string {
  return `${kind} ${epoch} ${slot} ${round} ${value}`;
}

/**
 * A validator signs as a member of its epoch's committee, from the application of the previous epoch's closing on.
 * After its closing an epoch is over, except for its own slot (protocol 6.3).
 */
function checkSigningEpoch(
  { epoch }: LedgerState,
  { node, key, statement }: EventOf<"signed">,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  const isNew = chronicle.signatures.length > 0;
  const say = (detail: string): void => {
    const kind = statement.kind === "roundChange" ? "round change" : statement.kind;
    report(`${node} signed a ${kind} in ${slotKeyName(statement.slot)} of epoch ${statement.epoch}, ${detail}`);
  };
  if (statement.epoch > epoch.number) {
    say(`though it has applied ${closingsWords(epoch.number)} only`);
    return;
  }
  // A first statement of a member is among the recorded signatures by now.
  if (!isNew && !isMember(chronicle, key, statement.epoch)) say("but is not in its committee");
  if (statement.epoch < epoch.number && isNew && statement.slot !== epochSlot(statement.epoch))
    say("though it had applied the closing of that epoch");
}

function isMember(chronicle: Chronicle, key: Address, epoch: Epoch): boolean {
  const index = chronicle.directory.indexOf(key);
  return index !== undefined && chronicle.epochs[epoch]?.committee.isMember(index) === true;
}

function closingsWords(count: number): string {
  return count === 0 ? "the genesis" : closingName((count - 1) as Epoch);
}

/** Ends the epoch of the reference ledger, which is given up if the node diverged. */
function endEpoch(incarnation: IncarnationLedger, closed: EventOf<"closed">, report: ReportViolation): void {
  const { ledger } = incarnation;
  if (ledger === undefined) return;
  const problems = applyClosing(ledger, closed.value);
  const unlike = [...problems, ...diffChanges(closed.changes, ledger)];
  if (unlike.length === 0) return;
  report(`${closed.node} applied ${closingName(closed.value.epoch)} unlike the reference ledger: ${unlike.join("; ")}`);
  incarnation.ledger = undefined;
}

/**
 * Applies one slot to the reference ledger. It is given up if the node diverged: its later steps would repeat the first
 * difference, so checks resume in its next incarnation. More than f Byzantine validators can decide what no honest one
 * votes for; then the node that applies it is not faulty, and the reference has no rule for it.
 */
function applyToReference(
  incarnation: IncarnationLedger,
  application: Application,
  chronicle: Chronicle,
  report: ReportViolation,
): void {
  const { ledger } = incarnation;
  if (ledger === undefined) return;
  const { slot, value, operations } = application;
  const { problems, receipts } = applySlot(ledger, slot, value, operations);
  if (problems.length > 0 && chronicle.isBeyond) {
    incarnation.ledger = undefined;
    return;
  }
  const ofReceipts = diffReceipts(application, receipts);
  const ofChanges = diffChanges(application.changes, ledger);
  if (problems.length + ofReceipts.length + ofChanges.length === 0) return;
  const unlike = [...problems, ...ofReceipts, ...ofChanges];
  report(
    `${application.node} applied ${valueName(application.value)} in ${slotName(application.slot)} unlike the reference ledger: ` +
      `${unlike.join("; ")}`,
  );
  incarnation.ledger = undefined;
}

/** A node votes for and proposes only what it may vote for itself (protocol 3.1, 1b; 3.2: a free choice). */
function judgeChoice(
  { ledger, barrier }: Pick<AdmissionContext, "ledger" | "barrier">,
  node: NodeName,
  chronicle: Chronicle,
  signing: SignatureRecord,
  report: ReportViolation,
): void {
  const { statement, book: signatures } = signing;
  if (statement.kind !== "vote" && statement.kind !== "proposal") return;
  const { kind, round, value: hash } = statement;
  const slot = slotOf(statement.slot);
  const content = chronicle.contents.get(hash);
  if (slot === undefined) return;
  const reasons: string[] = [];
  if (round > 0 && mayBeForced(signatures, round, hash)) {
    // A forced value needs only its justification and its position: f + 1 honest validators have checked it (protocol
    // 3.1 a, c).
    if (kind === "vote") reasons.push(...effectRefusals(ledger, slot));
  } else if (content !== undefined) {
    const { value, operations } = content;
    if (value.type === "checkpoint" || value.type === "closing")
      reasons.push("an account's or a token's slot decides no checkpoint");
    else reasons.push(...voteRefusals(ledger, slot, value, operations));
    if (value.type === "skip") {
      reasons.push(...unnamedRefusals(chronicle, value, operations));
      reasons.push(
        ...feeTokenRefusals(ledger, chronicle, value, operations),
        ...evadedFeeRefusals(ledger, chronicle, signing, value),
      );
    }
    if (kind === "vote") reasons.push(...barredVote(ledger, barrier, content));
    if (round === 0 && value.type === "skip") reasons.push("a skip is not allowed in round 0");
    if (round > 0 && value.type === "operation")
      reasons.push(`an owner's operation is not a free choice in round ${round}`);
  }
  if (reasons.length === 0) return;
  report(
    `${node} ${kind === "vote" ? "voted for" : "proposed"} ${chronicle.valueName(hash)} in round ${round} of ` +
      `${slotKeyName(statement.slot)}: ${reasons.join("; ")}`,
  );
}
