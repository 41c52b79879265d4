/** Random sessions of a served network: submissions, faults, snapshots and returns. */
import fc from "fast-check";
import type { Millis } from "../../src/core/base/ids.ts";
import type { LiveListeners } from "../../src/live/live-run.ts";
import type { ServedNetwork } from "../../src/live/network.ts";
import { payment, recorded, submit } from "./support.ts";

export const EVENTS = 1_000_000;
const NODES = ["v1", "v2", "v3", "v4"] as const;
const STEPS: readonly object[] = [
  { crash: { node: "v2" } },
  { crash: { node: "v3", restart_after_ms: 80 } },
  { restart: "v2" },
  {
    partition: [
      ["v1", "v2"],
      ["v3", "v4"],
    ],
  },
  { heal: true },
  { delay: { ms: "50..200" } },
  { hold: { rule: "h", kinds: ["commit"] } },
  { release: "h" },
  { byzantine: { node: "v4", strategy: "double-vote" } },
  { byzantine: { node: "v3", strategy: "replay-stale" } },
  { behave: { node: "v4" } },
  { disk: { node: "v2", loses_last: 2 } },
  { clock: { node: "v1", ahead_ms: 3_000 } },
  { govern: { to: ["v1", "v2", "v3", "v4"], epoch: 0, validators: ["v1", "v2", "v3", "v5"] } },
];

/** Inputs of a served network. */
export type Action =
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "pay"; readonly from: string; readonly nonce: number; readonly node: string }
  | { readonly do: "step"; readonly step: object }
  | { readonly do: "verification" | "snapshot" | "revert" };

export const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 400 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("pay" as const),
      from: fc.constantFrom("alice", "bob"),
      nonce: fc.integer({ min: 0, max: 4 }),
      node: fc.constantFrom(...NODES),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("step" as const), step: fc.constantFrom(...STEPS) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("verification" as const, "snapshot" as const, "revert" as const) }),
  },
);

/** Carries a session out, and ends it with a verification point. */
export function carryOut(actions: readonly Action[], listeners: LiveListeners = {}) {
  const { network, entries } = recorded(listeners);
  goOn(network, actions);
  network.writeVerificationPoint();
  return { network, entries };
}

/** Carries actions out in a network. Their returns go to the last snapshot. */
export function goOn(network: ServedNetwork, actions: readonly Action[]): void {
  for (const one of actions) {
    if (one.do === "wait") network.runTo((network.now + one.ms) as Millis, EVENTS);
    else if (one.do === "pay") submit(network, one.node, payment(one.from, one.nonce));
    else if (one.do === "step") network.step(one.step);
    else if (one.do === "verification") network.writeVerificationPoint();
    else if (one.do === "snapshot") network.takeSnapshot();
    else {
      const snapshot = network.snapshots.at(-1);
      if (snapshot !== undefined) network.revert(snapshot);
    }
  }
}
