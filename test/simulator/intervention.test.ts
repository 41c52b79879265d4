/** Changes of a run: lost and reordered arrivals, and another chance from an event on. Nothing before the change differs. */
import { expect, test } from "vitest";
import type { Intervention } from "../../src/simulator/engine.ts";
import type { Arrival, WorldListener } from "../../src/simulator/listener.ts";
import { createWorld } from "../../src/simulator/world.ts";
import { echo, nodesOf, numberOf, planOf } from "./support.ts";

const NAMES = ["v1", "v2", "v3"];
const LINK = { delayMs: { from: 1, to: 9 }, loss: { of: 1, in: 10 } };

/** Runs a world in which all answer all; returns the hash after each event, and who received what. */
function runOf(intervention: Intervention) {
  const received: string[] = [];
  const hashes: string[] = [];
  const listener: WorldListener = {
    stepped: ({ name }, input) => {
      if (input.type === "message") received.push(`${input.from} ${numberOf(input)} ${name}`);
    },
  };
  const plan = planOf(nodesOf(NAMES, echo(NAMES, 12)), { link: LINK });
  const world = createWorld(plan, listener, intervention);
  while (world.step()) hashes.push(world.hash);
  return { received, hashes };
}

/** The same text for an arrival of a message. */
function textOf({ to, parcel }: Arrival): string {
  const number = parcel.type === "peer" && parcel.message.type === "status" ? parcel.message.checkpoint : undefined;
  return `${parcel.type === "peer" ? parcel.sender : ""} ${number} ${to}`;
}

/** Number of events that two runs have in common from the start. */
function commonStart(one: readonly string[], other: readonly string[]): number {
  const place = one.findIndex((hash, at) => hash !== other[at]);
  return place < 0 ? one.length : place;
}

const plain = runOf({});

test("an arrival that is left out is received by nobody, and what comes before it stays", () => {
  const omitted = plain.received[7] ?? "";
  const changed = runOf({ arrivalsFor: (arrival) => (textOf(arrival) === omitted ? [] : [arrival]) });
  expect(changed.received.slice(0, 7)).toEqual(plain.received.slice(0, 7));
  expect(changed.received).not.toContain(omitted);
  expect(changed.received.length).toBeGreaterThan(7);
});

test("an arrival may wait for a later one of its receiver", () => {
  const ofReceiver = (text: string): boolean => text.endsWith(" v2");
  const [first = "", second = ""] = plain.received.filter(ofReceiver);
  let waiting: readonly Arrival[] = [];
  const arrivalsFor = (arrival: Arrival): readonly Arrival[] => {
    if (textOf(arrival) === second) return [arrival, ...waiting];
    if (textOf(arrival) !== first) return [arrival];
    waiting = [arrival];
    return [];
  };
  expect(first).not.toBe(second);
  expect(runOf({ arrivalsFor }).received.filter(ofReceiver).slice(0, 2)).toEqual([second, first]);
});

test("another chance after an event changes nothing up to it, and something after it", () => {
  for (const after of [0, 10, 20]) {
    const changed = runOf({ reseed: { after, seed: "another" } });
    expect(commonStart(plain.hashes, changed.hashes)).toBeGreaterThanOrEqual(after);
    expect(changed.hashes).not.toEqual(plain.hashes);
    expect(changed).toEqual(runOf({ reseed: { after, seed: "another" } }));
  }
});

test("the same chance after an event changes nothing", () =>
  expect(runOf({ reseed: { after: 10, seed: planOf([], {}).seed } })).toEqual(plain));
