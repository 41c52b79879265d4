/** First difference between two runs, described in terms that hold in both. */
import { eventText } from "../../run/events/event-text.ts";
import { messageText, type OperationLabels, operationLabels } from "../../run/events/reference-text.ts";
import { isRelevant, partyOf, type RunEvent, type RunEventKind, type RunEventOf } from "../../run/events/run-event.ts";

/** Kinds of events by which runs are compared: inputs of parties, and what they sign. */
export const COMPARED_KINDS: ReadonlySet<RunEventKind> = new Set<RunEventKind>([
  ...(["delivered", "proposalDelivered", "signed", "crashed", "restarted", "responded"] as const),
]);

/** Divergence of two runs. */
export interface Difference {
  /** Step of the first run at which they diverge, or the party's next one. */
  readonly step: number;
  /** Condition of the second run, such as `v2's commit … reaches v3 before v1's change … does`. */
  readonly text: string;
  /**
   * First signature that differs, as a sentence; `undefined` if there is none, only its moment's order differs, or `text`
   * has it.
   */
  readonly firstSignature: string | undefined;
}

/**
 * Compares the events of each party in its own order, since the order across parties is arbitrary. Repetitions count
 * once. Returns `undefined` for equal runs. `here` is the run to explain, `there` the other one.
 */
export function firstDifference(here: readonly RunEvent[], there: readonly RunEvent[]): Difference | undefined {
  const [explainedEvents, otherEvents] = [firstTimes(here), firstTimes(there)];
  const divergence = divergenceOf(explainedEvents, otherEvents);
  if (divergence === undefined) return undefined;
  const signed = divergenceOf(explainedEvents.filter(isSigned), otherEvents.filter(isSigned));
  const runs: ComparedRuns = { explainedEvents, otherEvents, labels: operationLabels([...here, ...there]) };
  const text = differenceText(divergence, runs);
  const signature = signed && signatureText(signed, runs);
  const isSaid = signature?.startsWith(text) === true;
  return { step: divergence.step, text, firstSignature: isSaid ? undefined : signature };
}

/** Returns true for an event of the compared kinds, without messages of synchronization. */
export function isCompared(event: RunEvent): boolean {
  if (event.kind === "delivered" && event.message.type !== "submit") return isRelevant(event);
  return COMPARED_KINDS.has(event.kind);
}

/** Message from another validator that may have an effect on decisions. */
export function isReceived(event: RunEvent): event is RunEventOf<"delivered"> {
  return event.kind === "delivered" && isRelevant(event);
}

/** An event with its party and a key that is equal in two runs if the events are equal. */
type ComparedEvent = Readonly<{ event: RunEvent; party: string; key: string }>;

/** The run to explain, the other one, and the names of the operations of both. */
type ComparedRuns = Readonly<{
  explainedEvents: readonly ComparedEvent[];
  otherEvents: readonly ComparedEvent[];
  labels: OperationLabels;
}>;

type Divergence = Readonly<{ step: number; here: ComparedEvent | undefined; there: ComparedEvent | undefined }>;

/** Members that depend on the course of a run before the event. */
const POSITION = { step: 0, at: 0, number: 0, records: 0, wiped: 0 };

function firstTimes(events: readonly RunEvent[]): readonly ComparedEvent[] {
  const seen = new Set<string>();
  return events.flatMap((event) => {
    const party = partyOf(event);
    if (party === undefined || !isCompared(event)) return [];
    const key = JSON.stringify({ ...event, ...POSITION });
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ event, party, key }];
  });
}

function isSigned({ event }: ComparedEvent): boolean {
  return event.kind === "signed";
}

/** Returns the earliest divergence of all parties. */
function divergenceOf(here: readonly ComparedEvent[], there: readonly ComparedEvent[]): Divergence | undefined {
  const parties = new Set([...here, ...there].map(({ party }) => party));
  const divergences = [...parties].flatMap((party): readonly Divergence[] => {
    const [partyEvents = [], otherEvents = []] = [here, there].map((events) =>
      events.filter((event) => event.party === party),
    );
    let place = 0;
    while (partyEvents[place] !== undefined && partyEvents[place]?.key === otherEvents[place]?.key) place += 1;
    const [event, otherEvent] = [partyEvents[place], otherEvents[place]];
    if (event === undefined && otherEvent === undefined) return [];
    return [{ step: event?.event.step ?? Number.MAX_SAFE_INTEGER, here: event, there: otherEvent }];
  });
  return divergences.sort((a, b) => timeOf(a) - timeOf(b) || a.step - b.step)[0];
}

function timeOf({ here, there }: Divergence): number {
  return Math.min(here?.event.at ?? Number.MAX_SAFE_INTEGER, there?.event.at ?? Number.MAX_SAFE_INTEGER);
}

function findEvent(wanted: ComparedEvent, events: readonly ComparedEvent[]): ComparedEvent | undefined {
  return events.find(({ key }) => key === wanted.key);
}

/** Describes the condition of the second run: another order, an earlier time, or an event of one run only. */
function differenceText({ here, there }: Divergence, { explainedEvents, otherEvents, labels }: ComparedRuns): string {
  const text = ({ event }: ComparedEvent): string => eventText(event, labels);
  if (there === undefined) return `it never happens that ${here === undefined ? "anything else does" : text(here)}`;
  const otherwise = findEvent(there, explainedEvents);
  if (otherwise === undefined) return `${text(there)}, which never happens otherwise`;
  const isMissing = here !== undefined && findEvent(here, otherEvents) === undefined;
  if (isMissing && there.event.at >= otherwise.event.at) return `it never happens that ${text(here)}`;
  if (isMissing) return `${text(there)} at ${there.event.at} ms, and not at ${otherwise.event.at} ms only`;
  return here === undefined ? text(there) : `${text(there)} before ${shortText(here, there, labels)}`;
}

/** If one party receives both messages, the second needs no verb of its own. */
function shortText({ event: here }: ComparedEvent, { event: there }: ComparedEvent, labels: OperationLabels): string {
  if (!isReceived(here) || !isReceived(there)) return eventText(here, labels);
  return `${messageText(here.from, here.message, labels)} does`;
}

function signatureText(
  { here, there }: Divergence,
  { explainedEvents, otherEvents, labels }: ComparedRuns,
): string | undefined {
  const text = ({ event }: ComparedEvent): string => eventText(event, labels);
  const instead = here !== undefined && findEvent(here, otherEvents) === undefined ? here : undefined;
  if (there === undefined)
    return `it never happens that ${here === undefined ? "a validator signs" : text(here)}, as otherwise at ${here?.event.at ?? 0} ms`;
  const { at } = there.event;
  const later = findEvent(there, explainedEvents);
  // Signatures of one moment in another order tell nothing.
  if (later !== undefined)
    return later.event.at === at ? undefined : `${text(there)} at ${at} ms, otherwise at ${later.event.at} ms`;
  const otherwise =
    instead === undefined
      ? "which it never does otherwise"
      : `where otherwise ${text(instead)} at ${instead.event.at} ms`;
  return `${text(there)} at ${at} ms, ${otherwise}`;
}
