/**
 * Oracle of protocol 7.14: a client is told what was applied. A validator shows the receipt of an operation that it has
 * applied, with the outcome, code and fee that honest validators applied, and from then on says nothing else of it.
 */
import { entryOf } from "../../core/base/entry.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Receipt } from "../../core/base/refusal.ts";
import { copyOfMap } from "../copies.ts";
import { type Oracle, oracle } from "../fold.ts";
import type { Application } from "../history/content.ts";
import { OUTCOMES_KEPT } from "../limits.ts";
import type { ClientReply, EventOf, NodeName, RunSetting } from "../observation.ts";
import { shortId, slotKeyName } from "../text.ts";

/** Outcome of one operation at the honest nodes. */
interface Outcome {
  /** Receipt of the first honest node that applied it. */
  readonly receipt: Receipt;
  /** Incarnation in which each node applied it last. */
  readonly nodes: Map<NodeName, number>;
}

interface State {
  /** The last `OUTCOMES_KEPT` operations, in the order of their first application. */
  readonly outcomes: Map<OperationId, Outcome>;
  /** Number of crashes of each node. */
  readonly crashes: Map<NodeName, number>;
  /** True once an outcome was forgotten: an unknown one may be old. */
  hasForgotten: boolean;
}

const EVENT_TYPES = ["applied", "replied", "crashed"] as const;

/** Compares each reply of an honest node with the receipts of applied slots. */
export function answers(_setting: RunSetting): Oracle {
  const start: State = { outcomes: new Map(), crashes: new Map(), hasForgotten: false };
  return oracle(
    "answers",
    EVENT_TYPES,
    start,
    (state, _seen, record, report) => {
      if (record.type === "crashed") state.crashes.set(record.node, incarnationOf(state, record.node) + 1);
      else if (!record.honest) return state;
      else if (record.type === "applied") noteReceipts(state, record);
      else {
        const wrong = wrongAnswer(state, record);
        if (wrong !== undefined) report(`${record.node} told the client of ${shortId(record.id)} ${wrong}`);
      }
      return state;
    },
    ({ outcomes, crashes, hasForgotten }) => ({
      outcomes: copyOfMap(outcomes, ({ receipt, nodes }) => ({ receipt, nodes: new Map(nodes) })),
      crashes: new Map(crashes),
      hasForgotten,
    }),
  );
}

function incarnationOf({ crashes }: State, node: NodeName): number {
  return crashes.get(node) ?? 0;
}

function noteReceipts(state: State, { node, receipts }: Application): void {
  const { outcomes } = state;
  for (const receipt of receipts) {
    const outcome = entryOf(outcomes, receipt.id, () => ({ receipt, nodes: new Map() }));
    if (outcomes.size > OUTCOMES_KEPT) forgetOldest(state);
    outcome.nodes.set(node, incarnationOf(state, node));
  }
}

function forgetOldest(state: State): void {
  const { outcomes } = state;
  for (const oldest of outcomes.keys()) {
    outcomes.delete(oldest);
    state.hasForgotten = true;
    return;
  }
}

/** Returns what is wrong with a reply, as the end of a sentence; `undefined` if nothing is. */
function wrongAnswer(state: State, { node, id, answer }: EventOf<"replied">): string | undefined {
  const outcome = state.outcomes.get(id);
  const hasApplied = outcome?.nodes.get(node) === incarnationOf(state, node);
  if (answer.status === "final") {
    if (outcome === undefined) return state.hasForgotten ? undefined : "that it is final, but nobody applied it";
    return hasApplied ? receiptDifference(answer.receipt, outcome.receipt) : "that it is final, but has not applied it";
  }
  if (!hasApplied || answer.status === "settled") return undefined;
  return `${statusText(answer)}, but had applied it`;
}

function statusText(answer: Exclude<ClientReply, { readonly status: "final" }>): string {
  return answer.status === "refused" ? `that it is refused (${answer.refusal.code})` : `that it is ${answer.status}`;
}

function receiptDifference(told: Receipt, applied: Receipt): string | undefined {
  if (told === applied) return undefined;
  const [said, is] = [outcomeText(told), outcomeText(applied)];
  if (said !== is) return `${said}, but honest validators applied ${is}`;
  if (told.id !== applied.id) return `the receipt of ${shortId(told.id)}`;
  return told.slot === applied.slot
    ? undefined
    : `that it is final in ${slotKeyName(told.slot)}, but it was applied in ${slotKeyName(applied.slot)}`;
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
