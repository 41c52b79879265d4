/** The first Byzantine step of a validator is prepared beside the network, which goes on meanwhile. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import type { Notification } from "../../src/live/notifications.ts";
import { effectiveOf } from "../../src/live/replay.ts";
import { plainOf, stateOf } from "./plain.ts";
import { type Action, action, EVENTS, goOn } from "./sessions.ts";
import { payment, recorded, submit } from "./support.ts";

const BYZANTINE = { byzantine: { node: "v4", strategy: "double-vote" } };

/** A network with a past of some thousand events. */
function aged(listeners: Parameters<typeof recorded>[0] = {}): ReturnType<typeof recorded> {
  const served = recorded(listeners);
  for (let nonce = 0; nonce < 30; nonce++) {
    submit(served.network, "v1", payment("alice", nonce));
    served.network.runTo((served.network.now + 100) as Millis, EVENTS);
  }
  return served;
}

describe("a step that is prepared", () => {
  test("leaves the state of the recording, replayed, whatever happened between the slices", () => {
    fc.assert(
      fc.property(fc.array(fc.array(action, { maxLength: 4 }), { minLength: 1, maxLength: 8 }), (between) => {
        const reported: [Notification[], Notification[]] = [[], []];
        const { network, entries } = aged({ notified: (notification) => void reported[0].push(notification) });
        const work = network.preparation(BYZANTINE);
        let pauses = 0;
        for (const actions of between) {
          if (work.next().done === true) break;
          pauses += 1;
          goOn(network, actions);
        }
        while (work.next().done !== true) pauses += 1;
        expect(pauses).toBeGreaterThan(0);
        expect(network.step(BYZANTINE).ok).toBe(true);
        network.writeVerificationPoint();
        const { network: again } = recorded(
          { notified: (notification) => void reported[1].push(notification) },
          effectiveOf(entries),
        );
        expect(stateOf(network)).toEqual(stateOf(again));
        for (const list of reported) list.length = 0;
        for (const one of [network, again]) {
          submit(one, "v1", payment("bob", 0));
          one.runTo((one.now + 2_000) as Millis, EVENTS);
          one.judge();
        }
        expect(stateOf(network)).toEqual(stateOf(again));
        expect(plainOf(reported[0])).toEqual(plainOf(reported[1]));
      }),
      { numRuns: 8 },
    );
  });

  test("reports nothing of the past again, and is the only event once it is prepared", () => {
    const reported: Notification[] = [];
    const events: number[] = [];
    const { network } = aged({
      notified: (notification) => void reported.push(notification),
      watcher: () => ({ eventBegins: (step) => void events.push(step) }),
    });
    const { steps, hash } = network;
    [reported.length, events.length] = [0, 0];
    const work = network.preparation(BYZANTINE);
    while (work.next().done !== true);
    expect([events.length, network.hash, network.lines]).toEqual([steps, hash, 0]);
    events.length = 0;
    network.step(BYZANTINE);
    expect([events, reported, network.lines]).toEqual([[steps + 1], [], 1]);
  });

  test("needs no preparation if it makes nobody Byzantine, or is none", () => {
    const { network } = aged();
    const steps: readonly unknown[] = [{ crash: { node: "v2" } }, { krash: {} }, undefined];
    for (const step of steps) expect(network.preparation(step).next().done).toBe(true);
    network.step(BYZANTINE);
    expect(network.preparation(BYZANTINE).next().done).toBe(true);
    const silent: Action = { do: "step", step: { behave: { node: "v4" } } };
    goOn(network, [silent]);
    expect(network.preparation(BYZANTINE).next().done).toBe(true);
  });
});
