/**
 * Trace in the Informal Trace Format, which Apalache and Quint write and read: a state after each step of the run, up to the
 * first violation.
 */
import type { TimelineModel } from "../timeline/model.ts";
import { type PartyState, type SlotView, StateReader } from "../timeline/party-state.ts";

/** States of a trace that is still readable. */
const STATES = 2_000;

type Expr = boolean | string | number | readonly Expr[] | { readonly [member: string]: Expr };

/** Returns one JSON object. Times are virtual milliseconds, amounts decimal text. O(events + states times parties). */
export function itfText(model: TimelineModel): string {
  const { events, data } = model;
  const [breach] = data.violations;
  const ends: number[] = [];
  for (const [at, { step }] of events.entries())
    if (events[at + 1]?.step !== step && (breach === undefined || step <= breach.step)) ends.push(at);
  const left = Math.max(0, ends.length - STATES);
  const reader = new StateReader(model);
  const states = [...(left === 0 ? [-1] : []), ...ends.slice(left)].map((end) => stateOf(model, reader, end));
  const meta = {
    format: "ITF",
    "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
    source: data.title,
    status: data.end.verdict,
    description: left === 0 ? data.parties : `${data.parties}; ${left} earlier states are left out`,
  };
  const numbered = states.map((state, index) => ({ "#meta": { index }, ...state }));
  return `${JSON.stringify({ "#meta": meta, params: [], vars: Object.keys(states[0] ?? {}), states: numbered })}\n`;
}

/** `end`: position of the last event of a step; -1 for the state before the first one. */
function stateOf(model: TimelineModel, reader: StateReader, end: number): Readonly<Record<string, Expr>> {
  const parties = [...reader.statesAfter(end)];
  const { step = 0, at: time = 0 } = model.events[end] ?? {};
  let first = end;
  while (first > 0 && model.events[first - 1]?.step === step) first -= 1;
  const texts = Array.from({ length: end < 0 ? 0 : end - first + 1 }, (_, at) => model.text(first + at));
  const byParty = (of: (party: PartyState) => Expr): Expr => itfMap(parties.map(([name, party]) => [name, of(party)]));
  return {
    ...{ step, time, events: texts },
    running: byParty(({ isRunning }) => isRunning),
    byzantine: itfSet(parties.flatMap(([name, { isByzantine }]) => (isByzantine ? [name] : []))),
    epoch: byParty(({ epoch }) => epoch),
    checkpoint: byParty(({ checkpoint }) => checkpoint),
    slots: byParty(({ slots }) => itfMap([...slots].map(([name, slot]) => [name, slotExpr(slot)]))),
    pending: byParty(({ pending }) => itfSet([...pending])),
    timers: byParty(({ timers }) => itfMap([...timers])),
    balances: byParty(({ balances }) => itfMap([...balances])),
  };
}

/** All records of one type have the same fields: what is not there is an empty text. */
function slotExpr(slot: SlotView): Expr {
  const { epoch, round, vote = "", commit = "", proposal = "", certificate = "", isApplied, isDurable } = slot;
  return { epoch, round, vote, commit, proposal, certificate, applied: isApplied, durable: isDurable };
}

function itfMap(entries: readonly (readonly [string, Expr])[]): Expr {
  return { "#map": entries };
}

function itfSet(members: readonly Expr[]): Expr {
  return { "#set": members };
}
