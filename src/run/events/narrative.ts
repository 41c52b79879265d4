/** Narrative of a run: statements with their causes, decisions, responses and faults, grouped into sentences. */
import { entryOf } from "../../core/base/entry.ts";
import type { NamedViolation } from "../verdict.ts";
import { type Clause, clauseOf } from "./event-text.ts";
import { joinNames, messageText, type OperationLabels, operationLabels } from "./reference-text.ts";
import { isRelevant, type MessageRef, type RunEvent, type RunEventKind, type RunEventOf } from "./run-event.ts";

/** Kinds of events that a narrative reads; timers and messages only as causes. */
export const NARRATIVE_KINDS: ReadonlySet<RunEventKind> = new Set<RunEventKind>([
  ...(["delivered", "timerExpired", "signed", "responded", "crashed", "restarted", "proposalDelivered"] as const),
  ...(["decided", "applied", "checkpointApplied", "epochClosed", "stateTransferred", "halted", "reported"] as const),
  ...(["action", "healed"] as const),
]);

/** A sentence of a narrative. */
export interface NarrativeLine {
  /** Number of the world event of which it tells. */
  readonly step: number;
  /** Virtual milliseconds. */
  readonly at: number;
  readonly text: string;
  /** True for a violation. */
  readonly isBreach: boolean;
}

/** A narrative up to its first violation, or to its end. */
export interface NarrativeLines {
  readonly lines: readonly NarrativeLine[];
  /** Number of sentences after the first violation, which are not in `lines`. */
  readonly after: number;
}

/** `startedAt`: offset of the clocks at time 0 in ms, of a served network. `found`: violations, the earliest first. */
export interface NarrativeInputs {
  readonly events: readonly RunEvent[];
  readonly found: readonly NamedViolation[];
  readonly startedAt?: number;
}

/** The sentences of a run. O(events log events). */
export function narrativeLines({ events, found, startedAt = 0 }: NarrativeInputs): NarrativeLines {
  const labels = operationLabels(events);
  const groups = groupsOf(entriesOf(events, startedAt), new Set(found.map(({ step }) => step)));
  const sentences = groups.map((group) => sentenceOf(group, labels));
  // The effects of an event precede the violations that it causes.
  const all = [...sentences, ...found.map(violationLine)].sort(
    (a, b) => a.at - b.at || a.step - b.step || Number(a.isBreach) - Number(b.isBreach),
  );
  const end = found[0]?.step ?? Number.POSITIVE_INFINITY;
  const lines = all.filter(({ step }) => step <= end);
  return { lines, after: all.length - lines.length };
}

/** Why a validator signed: the message or the timer of the same step. */
type SigningCause = RunEventOf<"delivered" | "timerExpired">;

interface NarrativeEntry {
  readonly event: RunEvent;
  readonly cause: SigningCause | undefined;
}

/** Members in which events may differ that one sentence tells of several parties. */
const OWN: Readonly<Partial<Record<RunEventKind, object>>> = {
  delivered: { to: 0, number: 0 },
  responded: { from: 0, by: 0, epoch: 0 },
  decided: { epoch: 0, signers: 0 },
  restarted: { records: 0, wiped: 0 },
  halted: { reason: 0 },
  reported: { slot: 0 },
};

/** A key that is equal for events that one sentence can tell. */
function groupKey(event: RunEvent): string {
  return JSON.stringify({ ...event, step: 0, party: 0, ...OWN[event.kind] });
}

/** Selects the events that make sentences, each with its cause. Statements and responses repeat: the first one counts. */
function entriesOf(events: readonly RunEvent[], startedAt: number): readonly NarrativeEntry[] {
  const narrated = new Set<string>();
  let cause: SigningCause | undefined;
  return events.flatMap((runEvent): readonly NarrativeEntry[] => {
    const event = runEvent.kind === "action" ? withoutOffset(runEvent, startedAt) : runEvent;
    if (cause !== undefined && cause.step !== event.step) cause = undefined;
    if (event.kind === "timerExpired" || (event.kind === "delivered" && isRelevant(event))) cause = event;
    if (!isNarrated(event)) return [];
    if (event.kind === "signed" || event.kind === "responded") {
      const key = `${event.party} ${groupKey({ ...event, at: 0 })}`;
      if (narrated.has(key)) return [];
      narrated.add(key);
    }
    return [{ event, cause: event.kind === "signed" ? cause : undefined }];
  });
}

/** A clock set to the offset of all clocks shows virtual time. */
function withoutOffset(event: RunEventOf<"action">, startedAt: number): RunEvent {
  const { action } = event;
  return action.do === "clock" ? { ...event, action: { ...action, aheadMs: action.aheadMs - startedAt } } : event;
}

/** Actions that other events show by their effects. */
const IMPLIED_ACTIONS: ReadonlySet<RunEventOf<"action">["action"]["do"]> = new Set([
  ...(["restart", "submit", "endFaults"] as const),
]);

function isNarrated(event: RunEvent): boolean {
  switch (event.kind) {
    case "delivered":
      return event.message.type === "submit";
    case "responded":
      return event.status !== "pending" || event.refusal !== undefined;
    case "applied":
      return event.effects.some(({ failure }) => failure !== undefined);
    case "action":
      return isActionNarrated(event);
    case "operation":
    case "timerExpired":
      return false;
    default:
      return NARRATIVE_KINDS.has(event.kind);
  }
}

function isActionNarrated({ at, action }: RunEventOf<"action">): boolean {
  if (action.do === "crash") return action.outputs !== undefined || action.output !== undefined;
  if (action.do === "clock") return action.aheadMs !== 0 || at !== 0;
  return !IMPLIED_ACTIONS.has(action.do);
}

type EventGroup = readonly [NarrativeEntry, ...NarrativeEntry[]];

/** Groups equal events of several parties in one millisecond, unless a violation lies between them. */
function groupsOf(entries: readonly NarrativeEntry[], breaches: ReadonlySet<number>): readonly EventGroup[] {
  const groups = new Map<string, NarrativeEntry[]>();
  const ends = [...breaches].sort((a, b) => a - b);
  let stretch = 0;
  for (const entry of entries) {
    const { event } = entry;
    while (stretch < ends.length && event.step > (ends[stretch] as number)) stretch += 1;
    const key = `${stretch} ${groupKey(event)}`;
    entryOf(groups, key, () => []).push(entry);
  }
  return [...groups.values()] as unknown as readonly EventGroup[];
}

function sentenceOf(group: EventGroup, labels: OperationLabels): NarrativeLine {
  const [{ event }] = group;
  return { step: event.step, at: event.at, text: groupText(group, labels), isBreach: false };
}

function violationLine({ step, virtualMs, invariant, detail, faulty, beyondF }: NamedViolation): NarrativeLine {
  const keys = faulty.length === 0 ? "" : `; faulty: ${joinNames(faulty)}`;
  const text = `violates ${invariant}${beyondF ? " (beyond f)" : ""}: ${detail}${keys}`;
  return { step, at: virtualMs, text, isBreach: true };
}

function groupText(group: EventGroup, labels: OperationLabels): string {
  const clauses = group.map(({ event, cause }): Clause => {
    const clause = clauseOf(event, labels);
    return cause === undefined || event.kind !== "signed"
      ? clause
      : { ...clause, cause: causeText(cause, event, labels) };
  });
  const [first, ...later] = clauses as [Clause, ...Clause[]];
  const { form, party, text, cause } = first;
  if (form === "is") return text;
  if (form === "reaches") return `${text} ${joinNames(uniqueTexts(clauses.map((clause) => clause.party)))}`;
  const isAlike = later.every((clause) => clause.cause === cause);
  const rest = uniqueTexts(later.map((clause) => `${clause.party}${isAlike ? "" : parenthesize(clause.cause)}`)).filter(
    (name) => name !== party,
  );
  const also = rest.length === 0 ? "" : `; so ${rest.length === 1 ? "does" : "do"} ${joinNames(rest)}`;
  return `${party} ${text}${parenthesize(cause)}${also}`;
}

function parenthesize(cause: string | undefined): string {
  return cause === undefined ? "" : ` (${cause})`;
}

function uniqueTexts(all: readonly string[]): readonly string[] {
  return [...new Set(all)];
}

/** The cause of a statement, without what the statement says itself: `v2's vote` before a commit to the same value. */
function causeText(cause: SigningCause, signed: RunEventOf<"signed">, labels: OperationLabels): string {
  if (cause.kind === "timerExpired") return cause.timer.type === "round" ? "round timer expired" : "timer expired";
  const { from, message } = cause;
  const isSameSlot = JSON.stringify(message.slot) === JSON.stringify(signed.slot);
  if (!isSameSlot) return messageText(from, message, labels);
  return messageText(from, message, labels, isRedundant(message, signed) ? "content" : "slot");
}

/** True if the sentence of the statement has all that the message says about the same slot. */
function isRedundant(message: MessageRef, signed: RunEventOf<"signed">): boolean {
  const { type, round, value } = message;
  if (type === "offer" || type === "close") return true;
  if (type === "roundChange") return signed.statement === "roundChange" && signed.round === round;
  if (value === undefined || !("value" in signed)) return false;
  return (round === 0 || round === signed.round) && JSON.stringify(value) === JSON.stringify(signed.value);
}
