/** A return to a snapshot exchanges the state: everything is as if the past had been run again. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import { STATES_KEPT } from "../../src/live/input-history.ts";
import type { Notification } from "../../src/live/notifications.ts";
import { effectiveOf } from "../../src/live/replay.ts";
import { plainOf, stateOf } from "./plain.ts";
import { type Action, action, carryOut, EVENTS } from "./sessions.ts";
import { payment, recorded, submit } from "./support.ts";

/** A message that is held after a snapshot: the return to it must not find it among those that were held before. */
const HELD_AFTER_SNAPSHOT: readonly Action[] = [
  { do: "step", step: { hold: { rule: "h", kinds: ["commit"] } } },
  { do: "snapshot" },
  { do: "pay", from: "alice", nonce: 0, node: "v1" },
  { do: "wait", ms: 0 },
  { do: "step", step: { crash: { node: "v2" } } },
  { do: "wait", ms: 48 },
  { do: "revert" },
  { do: "pay", from: "alice", nonce: 0, node: "v1" },
];

describe("a return to a snapshot", () => {
  test("leaves the state of the history that is left, run again: nodes, oracles, archive, and what it reports later", () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 6, maxLength: 30 }), (actions) => {
        const reported: [Notification[], Notification[]] = [[], []];
        const { network, entries } = carryOut(actions, {
          notified: (notification) => void reported[0].push(notification),
        });
        const { network: again } = recorded(
          { notified: (notification) => void reported[1].push(notification) },
          effectiveOf(entries),
        );
        for (const list of reported) list.length = 0;
        expect(stateOf(network)).toEqual(stateOf(again));
        for (const one of [network, again]) {
          submit(one, "v1", payment("bob", 0));
          one.runTo((one.now + 2_000) as Millis, EVENTS);
          one.judge();
        }
        expect(stateOf(network)).toEqual(stateOf(again));
        expect(plainOf(reported[0])).toEqual(plainOf(reported[1]));
        expect(network.findings).toEqual(again.findings);
      }),
      { numRuns: 60, examples: [[HELD_AFTER_SNAPSHOT]] },
    );
  });

  test("carries out no event, however long the past is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 2_000 }), (payments, ms) => {
        const events: number[] = [];
        const { network } = recorded({ watcher: () => ({ eventBegins: (step) => void events.push(step) }) });
        for (let nonce = 0; nonce < payments; nonce++) {
          submit(network, "v1", payment("alice", nonce));
          network.runTo((network.now + 300) as Millis, EVENTS);
        }
        const point = network.takeSnapshot();
        network.runTo((network.now + ms) as Millis, EVENTS);
        events.length = 0;
        network.revert(point);
        expect(events).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test("repeats the events since the last state before it, if its own is no longer kept", () => {
    const events: number[] = [];
    const { network } = recorded({ watcher: () => ({ eventBegins: (step) => void events.push(step) }) });
    const points = Array.from({ length: STATES_KEPT + 2 }, (_, nonce) => {
      submit(network, "v1", payment("alice", nonce));
      network.runTo((network.now + 300) as Millis, EVENTS);
      return { point: network.takeSnapshot(), steps: network.steps, hash: network.hash };
    });
    const seen = (index: number): object => {
      const at = points[index];
      if (at === undefined) throw new Error(`no point ${index}`);
      events.length = 0;
      network.revert(at.point);
      return { events: events.length, steps: network.steps, hash: network.hash };
    };
    const [first, , third, fourth] = points;
    expect(seen(3)).toEqual({ events: 0, steps: fourth?.steps, hash: fourth?.hash });
    expect(seen(2)).toEqual({ events: 0, steps: third?.steps, hash: third?.hash });
    expect(seen(0)).toEqual({ events: first?.steps, steps: first?.steps, hash: first?.hash });
  });
});
