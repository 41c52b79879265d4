/** Narrative entries of a run as it proceeds: statements with causes, decisions, responses and actions. */
import type { Output, Reply, ValidatorEvent } from "../../core/validator/output.ts";
import type { WorldListener } from "../../simulator/listener.ts";
import type { Action } from "../../simulator/plan.ts";
import { joinNames } from "../join-names.ts";
import { joined } from "../observers.ts";
import { actionText } from "./action-text.ts";
import type { Labels } from "./labels.ts";
import { type PartyEvent, partyEventListener } from "./party-events.ts";

/** One entry. Equal entries of several parties become one sentence (plot.ts). */
export interface NarrativeEntry {
  /** Number of the world event, from 1. */
  readonly event: number;
  /** Virtual milliseconds. */
  readonly at: number;
  /** Position of the party: first (`does`), last (`reaches`), or no party (`is`). */
  readonly form: "does" | "reaches" | "is";
  readonly who: string;
  /** `votes for x in slot 0 of alice`. */
  readonly text: string;
  /** The cause in a few words: `v2's vote`. */
  readonly cause: string | undefined;
}

/** The entries so far, and the listener that collects them. */
export interface NarrativeEntries {
  readonly list: readonly NarrativeEntry[];
  readonly listener: WorldListener;
}

/** An empty list and a listener that fills it up to `most` entries. `startedAt`: clock offset at time 0, in ms. */
export function narrativeEntries(
  labels: Labels,
  { most, startedAt = 0 }: { readonly most: number; readonly startedAt?: number },
): NarrativeEntries {
  const list: NarrativeEntry[] = [];
  const told = new Set<string>();
  let place = { event: 0, at: 0 };
  let expired: string | undefined;
  let heard: PartyEvent["received"];
  const tell = (form: NarrativeEntry["form"], who: string, says: string, cause?: string): void => {
    if (list.length < most) list.push({ ...place, form, who, text: says, cause });
  };
  /** Adds an entry unless the party has an equal one: statements and responses repeat. */
  const tellOnce = (who: string, says: string, cause?: string): void => {
    const key = `${who} ${says}`;
    if (told.has(key)) return;
    told.add(key);
    tell("does", who, says, cause);
  };
  const tellMoment = (partyEvent: PartyEvent): void => {
    const { party, clause, isSigned } = partyEvent;
    const says = clause.slice(party.length + 1);
    if (partyEvent.received !== undefined) heard = partyEvent.received;
    else if (clause.endsWith(` ${party}`)) tell("reaches", party, clause.slice(0, -party.length - 1));
    else if (isSigned) tellOnce(party, says, expired ?? causeOf(heard, says));
    else tell("does", party, says);
  };
  // Equal responses of several validators to one client become one entry, below.
  const { answered: _each, ...events } = partyEventListener(labels, tellMoment);
  const own: WorldListener = {
    eventBegins: (event, at, begun) => {
      place = { event, at };
      expired = begun.type === "timer" ? timerText(begun.name) : undefined;
      heard = undefined;
    },
    answered: (client, id, from, reply) => {
      const says = `receives response: ${labels.operation(id)} ${reply.status}${codeOf(reply)}`;
      if (reply.status !== "pending" || reply.barred !== undefined) tellOnce(client, says, `from ${from}`);
    },
    carriedOut: ({ name }, output) => {
      const text = outputText(output, labels);
      if (text !== undefined) tell("does", name, ...text);
    },
    acted: (action) => {
      const shown = action.do === "clock" ? { ...action, aheadMs: action.aheadMs - startedAt } : action;
      const text = isClockStart(shown, place.at) ? undefined : actionText(shown, labels);
      if (text !== undefined) tell("is", "", text);
    },
    healed: (core) => tell("is", "", `healing (GST): ${joinNames(core)}; liveness is demanded`),
  };
  return { list, listener: joined(events, own) };
}

function timerText(name: string): string {
  return name.startsWith("round ") ? "round timer expired" : "timer expired";
}

/** True for a clock without offset at time 0, which is the default. */
function isClockStart(action: Action, at: number): boolean {
  return action.do === "clock" && action.aheadMs === 0 && at === 0;
}

function codeOf(reply: Reply): string {
  if (reply.status === "pending") return reply.barred === undefined ? "" : `, barred by ${reply.barred.code}`;
  return reply.status === "refused" ? ` with ${reply.refusal.code}` : "";
}

/** Matches the label of a slot (names.ts). */
const PLACE = / (?:in|of|for) ((?:slot \d+ of|version \d+ of|checkpoint|the closing of epoch) [^ ,]+)/;

/** The received message without what `says` repeats: `v2's vote` before a commit to the same value. */
function causeOf(heard: PartyEvent["received"], says: string): string | undefined {
  if (heard === undefined) return undefined;
  const { text } = heard;
  const [, what, about] = /^(.*?) (?:for|to|of) (.*)$/.exec(text) ?? [];
  if (what !== undefined && about !== undefined && says.includes(about)) return what;
  const [inPlace, place] = PLACE.exec(text) ?? [];
  return inPlace !== undefined && place !== undefined && says.includes(place) ? text.replace(inPlace, "") : text;
}

type EntryText = readonly [says: string, cause?: string];

function outputText(output: Output, labels: Labels): EntryText | undefined {
  if (output.type === "report") {
    const why = output.detail === undefined ? "" : `, ${output.detail}`;
    return [`reports ${labels.directory.nameOf(output.peer)} for ${output.misbehaviour}${why}`];
  }
  return output.type === "event" ? eventText(output.event, labels) : undefined;
}

function eventText(event: ValidatorEvent, labels: Labels): EntryText | undefined {
  switch (event.type) {
    case "decided": {
      const { value, slot, round, seals } = event.certificate;
      const signers = seals.map(({ signer }) => labels.directory.nameOf(signer)).sort();
      const place = `${labels.slot(slot)}${round === 0 ? "" : `, round ${round}`}`;
      return [`finalizes ${labels.value(value)} in ${place}`, `commits of ${joinNames(signers)}`];
    }
    case "applied": {
      const failed = event.receipts.filter(({ success }) => !success);
      if (failed.length === 0) return undefined;
      const each = failed.map(({ id, error }) => `${labels.operation(id)} fails: ${error?.code ?? ""}`);
      return [`applies ${labels.slot(event.slot)}, and ${joinNames(each)}`];
    }
    case "checkpointed":
      return [`applies checkpoint ${event.content.value.header.number}`];
    case "closed":
      return [`applies the closing of epoch ${event.content.value.epoch}`];
    case "joined":
      return [`transfers the state of ${labels.slot(event.certificate.slot)}`];
    case "halted":
      return [`halts at ${labels.slot(event.slot)}`, event.reason];
    default:
      return event satisfies never;
  }
}
