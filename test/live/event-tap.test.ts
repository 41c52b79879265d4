/** The tap on the events of a served network: it changes nothing, and what it passes on is of this line of time. */
import { describe, expect, it } from "vitest";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { ServedNetwork } from "../../src/live/network.ts";
import type { RunEvent, RunEventKind } from "../../src/run/events/run-event.ts";
import { payment, SETUP, submit } from "./support.ts";

const KINDS: ReadonlySet<RunEventKind> = new Set<RunEventKind>(["operation", "submitted", "decided", "crashed"]);

function tappedNetwork() {
  const events: RunEvent[] = [];
  const tap = { isWanted: false, events };
  const network = new ServedNetwork(SETUP, keyedHash, {
    record: () => undefined,
    listeners: { events: { kinds: KINDS, isWanted: () => tap.isWanted, observe: (event) => void events.push(event) } },
  });
  return { network, tap };
}

describe("a tap", () => {
  it("passes events on while they are wanted, of its kinds, and the run stays the same", () => {
    const plain = new ServedNetwork(SETUP, keyedHash, { record: () => undefined, listeners: {} });
    const { network, tap } = tappedNetwork();
    for (const one of [plain, network]) {
      submit(one, "v1", payment("alice", 0));
      one.runTo(1_000 as never, 100_000);
    }
    expect(tap.events).toEqual([]);
    tap.isWanted = true;
    for (const one of [plain, network]) {
      submit(one, "v1", payment("alice", 1));
      one.runTo(2_000 as never, 100_000);
    }
    // The one before is named again by the checkpoint that lists it.
    const named = tap.events.flatMap((event) => (event.kind === "operation" ? [event.nonce] : []));
    expect(named.filter((nonce) => nonce === 1)).toHaveLength(1);
    expect(tap.events.filter(({ kind }) => kind === "decided").length).toBeGreaterThanOrEqual(4);
    expect(tap.events.every(({ kind }) => KINDS.has(kind))).toBe(true);
    tap.isWanted = false;
    const count = tap.events.length;
    for (const one of [plain, network]) {
      submit(one, "v1", payment("alice", 2));
      one.runTo(3_000 as never, 100_000);
    }
    expect(tap.events).toHaveLength(count);
    expect(network.hash).toBe(plain.hash);
  });

  it("hears nothing of what is repeated", () => {
    const { network, tap } = tappedNetwork();
    tap.isWanted = true;
    submit(network, "v1", payment("alice", 0));
    network.runTo(1_000 as never, 100_000);
    const count = tap.events.length;
    const point = network.takeSnapshot();
    // The first Byzantine step repeats the past, and a return the events after the last kept state.
    expect(network.step({ byzantine: { node: "v2", strategy: "double-vote" } }).ok).toBe(true);
    network.revert(point);
    expect(tap.events.filter(({ kind }) => kind === "decided")).toHaveLength(
      tap.events.slice(0, count).filter(({ kind }) => kind === "decided").length,
    );
  });
});
