import { describe, expect, test } from "vitest";
import type { Millis } from "../../src/core/base/ids.ts";
import type { Operation, SignedOperation } from "../../src/core/base/operation.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { submissionId, transactionHash } from "../../src/core/ledger/identity.ts";
import { digestOf } from "../../src/core/ledger/layout.ts";
import { REFUSED_KEPT } from "../../src/live/archive-writer.ts";
import { ServedNetwork } from "../../src/live/network.ts";
import type { Notification } from "../../src/live/notifications.ts";
import { keyOf } from "../../src/scenario/directory.ts";
import { addressOf, payment, recorded, SETUP, submit } from "./support.ts";

const EVENTS = 10_000_000;

function cancellation(from: string, nonce = 0): SignedOperation {
  const operation = { kind: "cancellation", layout: "client", chainId: 1_212_101, nonce } as Operation;
  return { operation, sender: addressOf(from), signature: keyedHash.sign(keyOf("account", from), digestOf(operation)) };
}

describe("the archive", () => {
  test("knows nothing of what no validator admitted", () => {
    const { network } = recorded();
    const far = payment("alice", 7);
    submit(network, "v1", far);
    expect(network.archive.find(transactionHash(far))).toBeUndefined();
    expect(network.archive.progressOf(submissionId(far))).toBeUndefined();
  });

  test("tells an operation's way in its order", () => {
    const news: Notification[] = [];
    const { network } = recorded({ notified: (notification) => void news.push(notification) });
    submit(network, "v2", payment("alice", 0));
    expect(network.archive.progressOf(submissionId(payment("alice", 0)))).toEqual({ status: "pending" });
    network.runTo(2_000 as Millis, EVENTS);
    const types = news.map(({ type }) => type);
    expect(types.filter((type, at) => type !== types[at - 1])).toEqual([
      "submitted",
      "signed",
      "locked",
      "final",
      "checkpoint",
    ]);
    const signers = news.flatMap((notification) => (notification.type === "signed" ? [notification.signers] : []));
    expect(signers).toEqual([1, 2, 3, 4].slice(0, signers.length));
    const progress = network.archive.progressOf(submissionId(payment("alice", 0)));
    expect(progress).toMatchObject({
      status: "final",
      place: { index: 0, link: { content: { value: { header: { number: 1 } } } } },
    });
  });

  test("says what superseded an operation that a cancellation displaced", () => {
    const { network } = recorded();
    network.step({ hold: { rule: "h", kinds: ["vote"] } });
    submit(network, "v1", payment("alice", 0));
    submit(network, "v1", cancellation("alice"));
    network.runTo(1_000 as Millis, EVENTS);
    network.step({ release: "h" });
    network.runTo(20_000 as Millis, EVENTS);
    const [paid, cancelled] = [payment("alice", 0), cancellation("alice")].map((one) => submissionId(one));
    const ends = [paid, cancelled].map((id) => network.archive.progressOf(id as never));
    expect(ends).toMatchObject([{ status: "superseded", by: cancelled }, { status: "final" }]);
  });

  test("keeps the clocks of a scenario's own steps on the time of the others", () => {
    const record = (): void => undefined;
    const steps = ["v1", "v2", "v3", "v4"].map((node) => ({ at: 0, clock: { node, ahead_ms: 2_000 } }));
    const setup = { ...SETUP, scenario: { ...SETUP.scenario, steps } };
    const network = new ServedNetwork(setup, keyedHash, { record, listeners: {} });
    submit(network, "v1", payment("alice", 0));
    network.runTo(5_000 as Millis, EVENTS);
    const first = network.archive.link(1);
    expect(first?.content.value.header.timestamp).toBeGreaterThanOrEqual(SETUP.startedAt / 1_000);
  });

  test("forgets the oldest of what was refused after all, and nothing else", () => {
    const { network } = recorded();
    submit(network, "v1", payment("alice", 0));
    const first = cancellation("stranger 0");
    // A validator waits for something to cancel, and refuses when nothing comes; HTTP refuses such ones before.
    for (let at = 0; at <= REFUSED_KEPT; at++) {
      network.runDueEvents();
      network.submit({ node: "v1", submission: cancellation(`stranger ${at}`), steps: network.steps });
    }
    network.runTo(10_000 as Millis, EVENTS);
    expect(network.archive.find(transactionHash(first))).toBeUndefined();
    const last = cancellation(`stranger ${REFUSED_KEPT}`);
    expect(network.archive.progressOf(submissionId(last))).toEqual({
      status: "refused",
      code: "business_nothing_to_cancel",
      node: "v1",
    });
    expect(network.archive.progressOf(submissionId(payment("alice", 0)))?.status).toBe("final");
  });
});
