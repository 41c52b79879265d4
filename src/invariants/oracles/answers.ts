/**
 * Oracle of protocol 7.14: a client receives the outcome that was applied. Once a validator has applied an operation, it
 * replies with the receipt, whose outcome, code and fee are those that honest validators applied, and with no other status. It
 * calls no operation settled whose outcome is still to come.
 */
import { entryOf } from "../../core/base/entry.ts";
import type { Millis } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Receipt } from "../../core/base/refusal.ts";
import { type Oracle, oracle, type ReportViolation } from "../fold.ts";
import type { Application } from "../history/content.ts";
import { OUTCOMES_KEPT } from "../limits.ts";
import type { ClientReply, EventOf, NodeName } from "../observation.ts";
import { shortId, slotKeyName } from "../text.ts";

/** Requests of one client for one operation at one node, since the node's last crash. */
interface Listener {
  /** Submissions that no last response has followed. */
  readonly open: number;
  /** True from a submission until the next last response is made. */
  readonly isWaiting: boolean;
}

const NO_LISTENER: Listener = { open: 0, isWaiting: false };

/** Operation at one node. */
interface OperationListeners {
  readonly clients: Map<string, Listener>;
  /** Time at which the node applied it; `undefined` before. */
  appliedAt: Millis | undefined;
}

type Listeners = Map<NodeName, Map<OperationId, OperationListeners>>;

interface AnswersState {
  /**
   * Receipts of the first honest node that applied each operation, in this order: the last `OUTCOMES_KEPT` at most, without
   * those of old decisions.
   */
  readonly receipts: Map<OperationId, Receipt>;
  /** Operations among `receipts` that each node has applied since its last crash. */
  readonly applied: Map<NodeName, Set<OperationId>>;
  /** Operations that a node called settled before any node had applied them, with the first such node. */
  readonly settled: Map<OperationId, NodeName>;
  /** True once an outcome was forgotten: an operation without a receipt may be an old one. */
  hasForgotten: boolean;
  readonly listeners: Listeners;
}

/** Compares each reply of an honest node with the receipts of applied slots. */
export function answers(): Oracle {
  const start: AnswersState = {
    receipts: new Map(),
    applied: new Map(),
    settled: new Map(),
    hasForgotten: false,
    listeners: new Map(),
  };
  return oracle("answers", start, {
    applied: (state, record, _chronicle, report) => {
      if (record.honest) noteReceipts(state, record, report);
    },
    submissionReceived: ({ listeners }, record, _chronicle, report) => {
      const wrong = record.honest ? noteSubmission(listeners, record) : undefined;
      if (wrong !== undefined) report(wrong);
    },
    // The reply may wait for the disk writes of other operations, and the client may submit again meanwhile.
    replyMade: ({ listeners }, { node, honest, id, client }) => {
      const clients = honest ? listeners.get(node)?.get(id)?.clients : undefined;
      const listener = clients?.get(client);
      if (listener !== undefined) clients?.set(client, { ...listener, isWaiting: false });
    },
    replied: (state, record, _chronicle, report) => {
      if (!record.honest) return;
      report.judged();
      const isAsked = isAskedFor(state.listeners, record);
      const wrong =
        wrongAnswer(state, record) ?? (isAsked || state.hasForgotten ? undefined : unaskedResponseText(record.answer));
      if (wrong !== undefined) report(`${record.node} told the client of ${shortId(record.id)} ${wrong}`);
    },
    crashed: ({ applied, listeners }, { node }) => {
      applied.delete(node);
      listeners.delete(node);
    },
    forgotten: (state, { operations }) => {
      for (const id of operations) forget(state, id);
    },
    ended: ({ listeners }, { at }, _chronicle, report) => {
      for (const text of missingResponses(listeners, at)) report(text);
    },
  });
}

function noteReceipts(
  state: AnswersState,
  { node, receipts: newReceipts, at }: Application,
  report: ReportViolation,
): void {
  const { receipts } = state;
  const applied = entryOf(state.applied, node, () => new Set());
  for (const receipt of newReceipts) {
    if (!receipts.has(receipt.id)) {
      receipts.set(receipt.id, receipt);
      const settledBy = state.settled.get(receipt.id);
      if (settledBy !== undefined)
        report(
          `${settledBy} told the client of ${shortId(receipt.id)} that it is settled, before anybody had applied it`,
        );
    }
    applied.add(receipt.id);
    // From now on the node owes its listeners the last response.
    const operationListeners = state.listeners.get(node)?.get(receipt.id);
    if (operationListeners !== undefined) operationListeners.appliedAt ??= at;
  }
  for (const oldest of receipts.keys()) {
    if (receipts.size <= OUTCOMES_KEPT) return;
    forget(state, oldest);
  }
}

function forget(state: AnswersState, id: OperationId): void {
  if (!state.receipts.delete(id)) return;
  for (const applied of state.applied.values()) applied.delete(id);
  for (const operations of state.listeners.values()) operations.delete(id);
  state.hasForgotten = true;
}

/** Returns what is wrong with a reply, as the end of a sentence; `undefined` if nothing is. */
function wrongAnswer(state: AnswersState, { node, id, answer }: EventOf<"replied">): string | undefined {
  const receipt = state.receipts.get(id);
  const hasApplied = state.applied.get(node)?.has(id) ?? false;
  if (answer.status === "final") {
    if (receipt === undefined) return state.hasForgotten ? undefined : "that it is final, but nobody applied it";
    return hasApplied ? receiptDifference(answer.receipt, receipt) : "that it is final, but has not applied it";
  }
  if (answer.status === "settled") {
    if (receipt === undefined && !state.hasForgotten && !state.settled.has(id)) state.settled.set(id, node);
    return undefined;
  }
  if (!hasApplied) return undefined;
  return `${statusText(answer)}, but had applied it`;
}

function statusText(answer: Exclude<ClientReply, { readonly status: "final" }>): string {
  return answer.status === "refused" ? `that it is refused (${answer.refusal.code})` : `that it is ${answer.status}`;
}

function receiptDifference(shownReceipt: Receipt, appliedReceipt: Receipt): string | undefined {
  if (shownReceipt === appliedReceipt) return undefined;
  const [shownOutcome, appliedOutcome] = [outcomeText(shownReceipt), outcomeText(appliedReceipt)];
  if (shownOutcome !== appliedOutcome) return `${shownOutcome}, but honest validators applied ${appliedOutcome}`;
  if (shownReceipt.feeToken !== appliedReceipt.feeToken)
    return `that its fee token is ${shownReceipt.feeToken}, but honest validators applied ${appliedReceipt.feeToken}`;
  if (shownReceipt.bridgeNonce !== appliedReceipt.bridgeNonce)
    return `that its bridge nonce is ${shownReceipt.bridgeNonce ?? "none"}, but honest validators applied ${appliedReceipt.bridgeNonce ?? "none"}`;
  if (shownReceipt.id !== appliedReceipt.id) return `the receipt of ${shortId(shownReceipt.id)}`;
  return shownReceipt.slot === appliedReceipt.slot
    ? undefined
    : `that it is final in ${slotKeyName(shownReceipt.slot)}, but it was applied in ${slotKeyName(appliedReceipt.slot)}`;
}

/** Outcome, code and fee as text. */
function outcomeText({ success, error, fee, feeToken }: Receipt): string {
  const result =
    error === undefined
      ? success
        ? "success"
        : "a failure without a code"
      : `${success ? "success and " : "failure "}${error.code}`;
  return `${result} with fee ${fee}${feeToken === undefined || fee === 0n ? "" : ` of ${shortId(feeToken)}`}`;
}

/**
 * Adds a submission that reached an honest node. Returns a violation if the client was waiting and should have been told
 * before it asked again.
 */
function noteSubmission(
  listeners: Listeners,
  { node, id, client, at }: EventOf<"submissionReceived">,
): string | undefined {
  const operations = entryOf(listeners, node, () => new Map<OperationId, OperationListeners>());
  const { clients, appliedAt } = entryOf(operations, id, () => ({ clients: new Map(), appliedAt: undefined }));
  const { open, isWaiting } = clients.get(client) ?? NO_LISTENER;
  clients.set(client, { open: open + 1, isWaiting: true });
  return isWaiting ? missingResponseText(node, id, client, appliedAt, at) : undefined;
}

/**
 * Returns the violation if the client still waits after the operation was applied. A node makes the last response in the step
 * that applies the operation, or in the step of a submission of an applied one, so a client that waits later got none.
 */
function missingResponseText(
  node: NodeName,
  id: OperationId,
  client: string,
  appliedAt: Millis | undefined,
  at: Millis,
): string | undefined {
  if (appliedAt === undefined || appliedAt >= at) return undefined;
  return `${node} applied ${shortId(id)} at ${appliedAt} ms and never told client ${client}`;
}

/** Notes a response. Returns false if its client waits for none, or has had one for each of its submissions. */
function isAskedFor(listeners: Listeners, { node, id, client, answer }: EventOf<"replied">): boolean {
  const operations = listeners.get(node);
  const clients = operations?.get(id)?.clients;
  const listener = clients?.get(client);
  if (listener === undefined || answer.status === "pending") return listener !== undefined;
  if (listener.open === 1) clients?.delete(client);
  else clients?.set(client, { open: listener.open - 1, isWaiting: false });
  if (clients?.size === 0) operations?.delete(id);
  return true;
}

/** Returns a sentence for each client that got no response about an operation that its node applied before `at`. */
function missingResponses(listeners: Listeners, at: Millis): readonly string[] {
  const violations: string[] = [];
  for (const [node, operations] of listeners)
    for (const [id, { clients, appliedAt }] of operations)
      for (const [client, { isWaiting }] of clients) {
        const wrong = isWaiting ? missingResponseText(node, id, client, appliedAt, at) : undefined;
        if (wrong !== undefined) violations.push(wrong);
      }
  return violations.sort();
}

/** Returns a text for a response that nobody asked for. */
function unaskedResponseText({ status }: ClientReply): string {
  return status === "pending" ? "that it is pending, unasked" : `a second time that it is ${status}`;
}
