/**
 * Goal: events are plain data that say everything that happened, and are documented. Method: runs with faults, epochs
 * and attacks; every event equals its own JSON, has a text, and the guide lists its kind.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventText } from "../../../src/run/events/event-text.ts";
import { eventLog } from "../../../src/run/events/recorder.ts";
import { operationLabels } from "../../../src/run/events/reference-text.ts";
import type { RunEvent, RunEventKind } from "../../../src/run/events/run-event.ts";
import { TRANSCRIPT_KINDS } from "../../../src/run/events/transcript.ts";
import { runScenario } from "../../../src/run/run.ts";
import { GENESIS, parsed } from "../support.ts";

/** Every kind; true for those that the scenario below reaches. */
const KINDS = {
  ...{ operation: true, sent: true, delivered: true, lost: true, held: true, submitted: true, responded: true },
  ...{ clientTimeout: true, ordered: true, started: true, crashed: true, restarted: true, timerSet: true },
  ...{ timerCancelled: true, timerExpired: true, written: true, persisted: true, erased: true, signed: true },
  ...{ replied: true, decided: true, applied: true, checkpointApplied: true, epochClosed: true },
  ...{ stateTransferred: false, halted: false, reported: true, coverage: true, proposalDelivered: true },
  ...{ action: true, healed: true },
} satisfies Record<RunEventKind, boolean>;

const TEXT = `name: all kinds
network: { validators: 4, delay_ms: 10, write_ms: 1, duplicate: 1/10 }
${GENESIS}  checkpoints: { interval_ms: 200 }
steps:
  - { at: 0, byzantine: { node: v4, strategy: double-vote } }
  - { at: 0, byzantine: { node: v4, strategy: invalid-signatures, chance: 1/2 } }
  - { at: 0, submit: { id: x, payment: { from: alice, to: bob, token: USD, value: "10" }, nonce: 0 } }
  - { at: 0, drop: { rule: mute, kinds: [reply], to: [alice], count: 9 } }
  - { at: 5, hold: { rule: late, kinds: [vote], to: [v1] } }
  - { at: 100, release: late }
  - { at: 150, crash: { node: v3 } }
  - { at: 200, workload: { accounts: [issuer], count: 3, every_ms: 50, mix: [{ mint: { from: issuer, token: USD, value: "1", to: [bob] } }] } }
  - { at: 400, restart: v3 }
  - { at: 900, govern: { id: p, validators: [v1, v2, v3, v4] } }
expect:
  - { final: x }
`;

function recorded(text: string): { readonly events: readonly RunEvent[]; readonly hash: string } {
  const { events, watch } = eventLog(1_000_000);
  const { hash } = runScenario(parsed(text), { seed: "1", watch });
  return { events, hash };
}

const { events, hash } = recorded(TEXT);

describe("the events of a run", () => {
  it("do not change it", () => {
    expect(runScenario(parsed(TEXT), { seed: "1" }).hash).toBe(hash);
    expect(recorded(TEXT).events).toEqual(events);
  });

  it("are their own JSON, in order", () => {
    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
    const steps = events.map(({ step }) => step);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  });

  it("are of every kind that the scenario reaches", () => {
    const missing = Object.entries(KINDS).filter(
      ([kind, isReached]) => isReached !== events.some((event) => event.kind === kind),
    );
    expect(missing).toEqual([]);
  });

  it("have texts without gaps", () => {
    const labels = operationLabels(events);
    for (const event of events) expect(eventText(event, labels)).not.toMatch(/undefined|NaN|\[object|^ | {2}/);
  });

  it("tell each delivery of a message that was sent, and of no lost one", () => {
    const key = (one: Extract<RunEvent, { number: number; to: string }>): string =>
      `${one.from}>${one.to} ${one.number}`;
    const sent = new Set(events.flatMap((event) => (event.kind === "sent" ? [key(event)] : [])));
    const delivered = events.flatMap((event) => (event.kind === "delivered" && event.number > 0 ? [key(event)] : []));
    expect(delivered.length).toBeGreaterThan(100);
    for (const one of delivered) expect(sent).toContain(one);
  });

  it("are documented: the guide has a row for each kind, and marks those of transcripts", () => {
    const rows = readFileSync("docs/guides/run-events.md", "utf8").matchAll(/^\| `(\w+)` \|.*\| (T?) ?\|$/gm);
    const marked = new Map([...rows].map(([, kind = "", mark]) => [kind, mark === "T"]));
    for (const kind of Object.keys(KINDS) as RunEventKind[])
      expect([kind, marked.get(kind)]).toEqual([kind, TRANSCRIPT_KINDS.has(kind)]);
  });
});
