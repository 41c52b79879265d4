/** Text of an event: one clause, with its party and its cause apart so that equal events of several parties can share it. */
import { unreachable } from "../../core/base/assert.ts";
import {
  actionText,
  decisionText,
  joinNames,
  messageText,
  type OperationLabels,
  operationText,
  slotText,
  timerText,
  valueText,
  wholeOperationText,
} from "./reference-text.ts";
import type { ResponseRef, RunEvent, RunEventKind, RunEventOf } from "./run-event.ts";

/** An event in words. */
export interface Clause {
  /** Position of the party: first (`does`), last (`reaches`), or no party (`is`). */
  readonly form: "does" | "reaches" | "is";
  /** Empty without a party. */
  readonly party: string;
  /** `votes for x in slot 0 of alice`. */
  readonly text: string;
  /** `commits of v1, v2 and v3`. */
  readonly cause?: string;
}

/** The event as a sentence: `v1 votes for x in slot 0 of alice`. */
export function eventText(event: RunEvent, labels: OperationLabels): string {
  const { form, party, text, cause } = clauseOf(event, labels);
  const says = form === "is" ? text : form === "reaches" ? `${text} ${party}` : `${party} ${text}`;
  return cause === undefined ? says : `${says} (${cause})`;
}

export function clauseOf(event: RunEvent, labels: OperationLabels): Clause {
  return (CLAUSES[event.kind] as (event: RunEvent, labels: OperationLabels) => Clause)(event, labels);
}

const CLAUSES: { readonly [Kind in RunEventKind]: (event: RunEventOf<Kind>, labels: OperationLabels) => Clause } = {
  operation: ({ operation, account, type, nonce, id }) =>
    is(`operation ${operation} is ${account}'s ${type} ${nonce} (${id.slice(0, 10)}…)`),
  sent: (event, labels) => {
    const copy = event.duplicate === true ? "a copy of " : "";
    return is(`${copy}${transferText(event, labels)} is sent, to arrive at ${event.arrivesAt} ms`);
  },
  lost: (event, labels) => is(`${transferText(event, labels)} is lost`, event.cause),
  held: (event, labels) => is(`${transferText(event, labels)} is held`, `rule ${event.rule}`),
  delivered: ({ from, to, message }, labels) => {
    const text =
      message.type === "submit"
        ? `${from} submits ${wholeOperationText(message.operation ?? "", labels)} to`
        : `${messageText(from, message, labels)} reaches`;
    return { form: "reaches", party: to, text };
  },
  submitted: ({ party, operation, to }, labels) =>
    does(party, `sends ${wholeOperationText(operation, labels)} to ${to}`),
  responded: (event, labels) =>
    does(event.party, `receives response: ${responseText(event, labels)}`, `from ${event.from}`),
  clientTimeout: ({ party, operation }, labels) =>
    does(party, `waits no longer for a response about ${operationText(operation, labels)}`),
  ordered: ({ workload, number }) => is(`workload ${workload} gives its order ${number}`),
  started: ({ party }) => does(party, "starts"),
  crashed: ({ party }) => does(party, "crashes"),
  restarted: ({ party }) => does(party, "restarts"),
  timerSet: ({ party, timer, due }, labels) => does(party, `sets the timer "${timerText(timer, labels)}" to ${due} ms`),
  timerCancelled: ({ party, timer }, labels) => does(party, `cancels the timer "${timerText(timer, labels)}"`),
  timerExpired: ({ party, timer }, labels) => does(party, `sees its timer "${timerText(timer, labels)}" expire`),
  written: ({ party }) => does(party, "finishes a disk write"),
  persisted: ({ party, record, slot, round = 0 }) =>
    does(party, `persists its ${record} record${slot === undefined ? "" : ` of ${slotText(slot)}, round ${round}`}`),
  erased: ({ party, slot }) => does(party, `erases its record of ${slot === undefined ? "its close" : slotText(slot)}`),
  signed: (event, labels) => does(event.party, signedText(event, labels)),
  replied: (event, labels) => does(event.party, `responds to ${event.client}: ${responseText(event, labels)}`),
  // A validator with a protocol of its own shows nobody's commits.
  decided: (event, labels) => {
    const { party, signers } = event;
    const commits = signers.length === 0 ? undefined : `commits of ${joinNames(signers)}`;
    return does(party, `decides ${decisionText(event, labels)}`, commits);
  },
  applied: ({ party, slot, effects }, labels) => {
    const failed = effects.filter(({ failure }) => failure !== undefined);
    const each = failed.map(({ operation, failure }) => `${operationText(operation, labels)} fails: ${failure}`);
    return does(party, `applies ${slotText(slot)}${each.length === 0 ? "" : `, and ${joinNames(each)}`}`);
  },
  checkpointApplied: ({ party, number }) => does(party, `applies checkpoint ${number}`),
  epochClosed: ({ party, epoch }) => does(party, `applies the closing of epoch ${epoch}`),
  stateTransferred: ({ party, slot }) => does(party, `transfers the state of ${slotText(slot)}`),
  halted: ({ party, slot, reason }) => does(party, `halts at ${slotText(slot)}`, reason),
  reported: ({ party, peer, misbehaviour, detail }) =>
    does(party, `reports ${peer} for ${misbehaviour}${detail === undefined ? "" : `, ${detail}`}`),
  coverage: ({ party, point }) => does(party, `reaches the coverage point "${point}"`),
  proposalDelivered: ({ party, epoch, authentic }) =>
    does(party, `receives a proposal to close epoch ${epoch}${authentic ? "" : ", not of the operator"}`),
  action: ({ action }, labels) => is(actionText(action, labels)),
  healed: ({ core }) => is(`healing (GST): ${joinNames(core)}; liveness is demanded`),
};

function is(text: string, cause?: string): Clause {
  return { form: "is", party: "", text, ...(cause === undefined ? {} : { cause }) };
}

function does(party: string, text: string, cause?: string): Clause {
  return { form: "does", party, text, ...(cause === undefined ? {} : { cause }) };
}

function transferText({ from, to, message }: RunEventOf<"sent" | "lost" | "held">, labels: OperationLabels): string {
  return `${messageText(from, message, labels)} to ${to}`;
}

/** `votes for x in slot 0 of alice`; of a later epoch than the first with its number. */
function signedText(event: RunEventOf<"signed">, labels: OperationLabels): string {
  const epoch = event.epoch === 0 ? "" : `, epoch ${event.epoch}`;
  switch (event.statement) {
    case "vote":
      return `votes for ${decisionText(event, labels)}${epoch}`;
    case "commit":
      return `commits to ${decisionText(event, labels)}${epoch}`;
    case "proposal":
      return `proposes ${decisionText(event, labels)}${epoch}`;
    case "roundChange": {
      const lock = event.lock === undefined ? "without a lock" : `with lock ${valueText(event.lock.value, labels)}`;
      return `changes to round ${event.round} of ${slotText(event.slot)}${epoch} ${lock}`;
    }
    case "close":
      return `closes epoch ${event.epoch} with ${event.decided} decided and ${event.locked} locked slots`;
    default:
      return unreachable(event);
  }
}

/** `x refused with business_nonce_gap`. */
function responseText(
  { operation, status, refusal }: ResponseRef & { readonly operation: string },
  labels: OperationLabels,
): string {
  const code = refusal === undefined ? "" : status === "pending" ? `, barred by ${refusal}` : ` with ${refusal}`;
  return `${operationText(operation, labels)} ${status}${code}`;
}
