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
import type { ResponseRef, RunEvent, RunEventOf } from "./run-event.ts";

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
  switch (event.kind) {
    case "operation":
      return is(
        `operation ${event.operation} is ${event.account}'s ${event.type} ${event.nonce} (${event.id.slice(0, 10)}…)`,
      );
    case "sent":
    case "lost":
    case "held":
      return linkClause(event, labels);
    case "delivered":
      return deliveredClause(event, labels);
    case "submitted":
      return does(event.party, `sends ${wholeOperationText(event.operation, labels)} to ${event.to}`);
    case "responded":
      return does(event.party, `receives response: ${responseText(event, labels)}`, `from ${event.from}`);
    case "clientTimeout":
      return does(event.party, `waits no longer for a response about ${operationText(event.operation, labels)}`);
    case "ordered":
      return is(`workload ${event.workload} gives its order ${event.number}`);
    case "started":
      return does(event.party, "starts");
    case "crashed":
      return does(event.party, "crashes");
    case "restarted":
      return does(event.party, "restarts");
    case "timerSet":
    case "timerCancelled":
    case "timerExpired":
      return does(event.party, timerClauseText(event, labels));
    case "written":
      return does(event.party, "finishes a disk write");
    case "persisted": {
      const place = event.slot === undefined ? "" : ` of ${slotText(event.slot)}, round ${event.round ?? 0}`;
      return does(event.party, `persists its ${event.record} record${place}`);
    }
    case "erased":
      return does(event.party, `erases its record of ${event.slot === undefined ? "its close" : slotText(event.slot)}`);
    case "signed":
      return does(event.party, signedText(event, labels));
    case "replied":
      return does(event.party, `responds to ${event.client}: ${responseText(event, labels)}`);
    case "decided":
      return does(event.party, `decides ${decisionText(event, labels)}`, commitsText(event));
    case "applied": {
      const failed = event.effects.filter(({ failure }) => failure !== undefined);
      const each = failed.map(({ operation, failure }) => `${operationText(operation, labels)} fails: ${failure}`);
      return does(event.party, `applies ${slotText(event.slot)}${each.length === 0 ? "" : `, and ${joinNames(each)}`}`);
    }
    case "checkpointApplied":
      return does(event.party, `applies checkpoint ${event.number}`);
    case "epochClosed":
      return does(event.party, `applies the closing of epoch ${event.epoch}`);
    case "stateTransferred":
      return does(event.party, `transfers the state of ${slotText(event.slot)}`);
    case "halted":
      return does(event.party, `halts at ${slotText(event.slot)}`, event.reason);
    case "reported": {
      const why = event.detail === undefined ? "" : `, ${event.detail}`;
      return does(event.party, `reports ${event.peer} for ${event.misbehaviour}${why}`);
    }
    case "coverage":
      return does(event.party, `reaches the coverage point "${event.point}"`);
    case "proposalDelivered": {
      const signer = event.authentic ? "" : ", not of the operator";
      return does(event.party, `receives a proposal to close epoch ${event.epoch}${signer}`);
    }
    case "action":
      return is(actionText(event.action, labels));
    case "healed":
      return is(`healing (GST): ${joinNames(event.core)}; liveness is demanded`);
    default:
      return unreachable(event);
  }
}

function is(text: string, cause?: string): Clause {
  return { form: "is", party: "", text, ...(cause === undefined ? {} : { cause }) };
}

function does(party: string, text: string, cause?: string): Clause {
  return { form: "does", party, text, ...(cause === undefined ? {} : { cause }) };
}

/** Nothing for a validator with a protocol of its own, which shows nobody's commits. */
function commitsText({ signers }: RunEventOf<"decided">): string | undefined {
  return signers.length === 0 ? undefined : `commits of ${joinNames(signers)}`;
}

function deliveredClause({ from, to, message }: RunEventOf<"delivered">, labels: OperationLabels): Clause {
  const text =
    message.type === "submit"
      ? `${from} submits ${wholeOperationText(message.operation ?? "", labels)} to`
      : `${messageText(from, message, labels)} reaches`;
  return { form: "reaches", party: to, text };
}

function linkClause(event: RunEventOf<"sent" | "lost" | "held">, labels: OperationLabels): Clause {
  const message = `${messageText(event.from, event.message, labels)} to ${event.to}`;
  if (event.kind === "lost") return is(`${message} is lost`, event.cause);
  if (event.kind === "held") return is(`${message} is held`, `rule ${event.rule}`);
  return is(`${event.duplicate === true ? "a copy of " : ""}${message} is sent, to arrive at ${event.arrivesAt} ms`);
}

function timerClauseText(
  event: RunEventOf<"timerSet" | "timerCancelled" | "timerExpired">,
  labels: OperationLabels,
): string {
  const timer = `timer "${timerText(event.timer, labels)}"`;
  if (event.kind === "timerSet") return `sets the ${timer} to ${event.due} ms`;
  return event.kind === "timerCancelled" ? `cancels the ${timer}` : `sees its ${timer} expire`;
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
