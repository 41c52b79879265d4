/** Narrative entries of a run as it proceeds: statements with causes, decisions, responses and actions. */
import type { Event, Output, Reply } from "../../core/validator/output.ts";
import type { WorldListener } from "../../simulator/listener.ts";
import type { Action } from "../../simulator/plan.ts";
import { listed } from "../listed.ts";
import { joined } from "../listeners.ts";
import { actionWords } from "./action-words.ts";
import { type Moment, momentListener } from "./moments.ts";
import type { Names } from "./names.ts";

/** One entry. Equal entries of several parties become one sentence (plot.ts). */
export interface Telling {
  /** Number of the world event, from 1. */
  readonly event: number;
  /** Virtual milliseconds. */
  readonly at: number;
  /** Position of the party: first (`does`), last (`reaches`), or no party (`is`). */
  readonly form: "does" | "reaches" | "is";
  readonly who: string;
  /** `votes for x in slot 0 of alice`. */
  readonly says: string;
  /** The cause in a few words: `v2's vote`. */
  readonly cause: string | undefined;
}

/** The entries so far, and the listener that collects them. */
export interface Tellings {
  readonly list: readonly Telling[];
  readonly listener: WorldListener;
}

/** An empty list and a listener that fills it up to `most` entries. `startedAt`: clock offset at time 0, in ms. */
export function tellingsOf(
  names: Names,
  { most, startedAt = 0 }: { readonly most: number; readonly startedAt?: number },
): Tellings {
  const list: Telling[] = [];
  const told = new Set<string>();
  let place = { event: 0, at: 0 };
  let expired: string | undefined;
  let heard: Moment["heard"];
  const tell = (form: Telling["form"], who: string, says: string, cause?: string): void => {
    if (list.length < most) list.push({ ...place, form, who, says, cause });
  };
  /** Adds an entry unless the party has an equal one: statements and responses repeat. */
  const tellOnce = (who: string, says: string, cause?: string): void => {
    const key = `${who} ${says}`;
    if (told.has(key)) return;
    told.add(key);
    tell("does", who, says, cause);
  };
  const tellMoment = (moment: Moment): void => {
    const { party, clause, isSigned } = moment;
    const says = clause.slice(party.length + 1);
    if (moment.heard !== undefined) heard = moment.heard;
    else if (clause.endsWith(` ${party}`)) tell("reaches", party, clause.slice(0, -party.length - 1));
    else if (isSigned) tellOnce(party, says, expired ?? causeOf(heard, says));
    else tell("does", party, says);
  };
  // Equal responses of several validators to one client become one entry, below.
  const { answered: _each, ...moments } = momentListener(names, tellMoment);
  const own: WorldListener = {
    eventBegins: (event, at, begun) => {
      place = { event, at };
      expired = begun.type === "timer" ? timerText(begun.name) : undefined;
      heard = undefined;
    },
    answered: (client, id, from, reply) => {
      const says = `receives response: ${names.operation(id)} ${reply.status}${codeOf(reply)}`;
      if (reply.status !== "pending" || reply.barred !== undefined) tellOnce(client, says, `from ${from}`);
    },
    carriedOut: ({ name }, output) => {
      const words = outputWords(output, names);
      if (words !== undefined) tell("does", name, ...words);
    },
    acted: (action) => {
      const shown = action.do === "clock" ? { ...action, aheadMs: action.aheadMs - startedAt } : action;
      const words = isClockStart(shown, place.at) ? undefined : actionWords(shown, names);
      if (words !== undefined) tell("is", "", words);
    },
    healed: (core) => tell("is", "", `healing (GST): ${listed(core)}; liveness is demanded`),
  };
  return { list, listener: joined(moments, own) };
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
function causeOf(heard: Moment["heard"], says: string): string | undefined {
  if (heard === undefined) return undefined;
  const { words } = heard;
  const [, what, about] = /^(.*?) (?:for|to|of) (.*)$/.exec(words) ?? [];
  if (what !== undefined && about !== undefined && says.includes(about)) return what;
  const [inPlace, place] = PLACE.exec(words) ?? [];
  return inPlace !== undefined && place !== undefined && says.includes(place) ? words.replace(inPlace, "") : words;
}

type Words = readonly [says: string, cause?: string];

function outputWords(output: Output, names: Names): Words | undefined {
  if (output.type === "report") {
    const why = output.detail === undefined ? "" : `, ${output.detail}`;
    return [`reports ${names.directory.nameOf(output.peer)} for ${output.misbehaviour}${why}`];
  }
  return output.type === "event" ? eventWords(output.event, names) : undefined;
}

function eventWords(event: Event, names: Names): Words | undefined {
  switch (event.type) {
    case "decided": {
      const { value, slot, round, seals } = event.certificate;
      const signers = seals.map(({ signer }) => names.directory.nameOf(signer)).sort();
      const place = `${names.slot(slot)}${round === 0 ? "" : `, round ${round}`}`;
      return [`finalizes ${names.value(value)} in ${place}`, `commits of ${listed(signers)}`];
    }
    case "applied": {
      const failed = event.receipts.filter(({ success }) => !success);
      if (failed.length === 0) return undefined;
      const each = failed.map(({ id, error }) => `${names.operation(id)} fails: ${error?.code ?? ""}`);
      return [`applies ${names.slot(event.slot)}, and ${listed(each)}`];
    }
    case "checkpointed":
      return [`applies checkpoint ${event.content.value.header.number}`];
    case "closed":
      return [`applies the closing of epoch ${event.content.value.epoch}`];
    case "joined":
      return [`transfers the state of ${names.slot(event.certificate.slot)}`];
    case "halted":
      return [`halts at ${names.slot(event.slot)}`, event.reason];
    default:
      return event satisfies never;
  }
}
