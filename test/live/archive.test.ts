import { describe, expect, test } from "vitest";
import type { Epoch, Millis } from "../../src/core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../src/core/base/operation.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import { submissionId, transactionHash } from "../../src/core/ledger/identity.ts";
import { type ArchiveWriter, UNDECIDED_KEPT } from "../../src/live/archive-writer.ts";
import { ServedNetwork } from "../../src/live/network.ts";
import type { Notification } from "../../src/live/notifications.ts";
import { payment, recorded, SETUP, signed, submit } from "./support.ts";

const EVENTS = 10_000_000;

const cancellation = (from: string): SignedOperation => signed(from, 0, { kind: "cancellation" });

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

  test("says once what superseded an operation that a cancellation displaced", () => {
    const news: Notification[] = [];
    const { network } = recorded({ notified: (notification) => void news.push(notification) });
    network.step({ hold: { rule: "h", kinds: ["vote"] } });
    for (const entry of ["v1", "v2"]) submit(network, entry, payment("alice", 0));
    submit(network, "v1", cancellation("alice"));
    network.runTo(1_000 as Millis, EVENTS);
    network.step({ release: "h" });
    network.runTo(20_000 as Millis, EVENTS);
    const [paid, cancelled] = [payment("alice", 0), cancellation("alice")].map((one) => submissionId(one));
    const ends = [paid, cancelled].map((id) => network.archive.progressOf(id as never));
    expect(ends).toMatchObject([{ status: "superseded", by: cancelled }, { status: "final" }]);
    const told = news.filter(({ type }) => type === "superseded");
    expect(told.map((notification) => "id" in notification && notification.id)).toEqual([paid]);
  });

  test.each([
    ["superseded", (network: ServedNetwork): void => void submit(network, "v2", payment("alice", 0, "dave"))],
    ["void", (network: ServedNetwork): void => void network.step({ govern: { to: ["v2"] } })],
  ] as const)("tells that an operation is %s whose validator crashed", (status, end) => {
    const news: Notification[] = [];
    const { network } = recorded({ notified: (notification) => void news.push(notification) });
    network.step({ cut: { from: ["v1"], to: ["v2", "v3", "v4"] } });
    const lost = submissionId(payment("alice", 0));
    submit(network, "v1", payment("alice", 0));
    network.step({ crash: { node: "v1" } });
    network.step({ heal: true });
    end(network);
    network.runTo(20_000 as Millis, EVENTS);
    expect(network.archive.progressOf(lost)).toMatchObject({ status });
    expect(news.flatMap((one) => ("id" in one && one.id === lost ? [one.type] : []))).toEqual(["signed", status]);
    expect(network.findings).toEqual([]);
  });

  test("tells a refusal once no validator is left that admitted the operation", () => {
    const news: Notification[] = [];
    const { network } = recorded({ notified: (notification) => void news.push(notification) });
    const archive = network.archive as ArchiveWriter;
    const twice = payment("alice", 0);
    const id = submissionId(twice);
    const refusal = { code: "business_sender_is_recipient" } as never;
    for (const node of ["v1", "v2"]) {
      archive.noteSubmission(id, twice, node);
      archive.noteReply(id, node, { status: "pending" });
    }
    const told = ["v1", "v2"].map((node) => {
      archive.noteReply(id, node, { status: "refused", refusal, disclosed: false });
      return archive.progressOf(id)?.status;
    });
    expect([told, news.map(({ type }) => type)]).toEqual([
      ["pending", "refused"],
      ["submitted", "refused"],
    ]);
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

  test("keeps a clock apart that a step has set, when all are set to the time of a later start", () => {
    const network = new ServedNetwork(SETUP, keyedHash, { record: (): void => undefined, listeners: {} });
    network.setClocks(60_000);
    expect(network.step({ clock: { node: "v3", ahead_ms: 40_000 } }).ok).toBe(true);
    expect(network.liveness.inForce).toEqual(["the clocks of v1 and v3 are 40000 ms apart"]);
    network.setClocks(90_000);
    expect(network.liveness.inForce).toEqual(["the clocks of v1 and v3 are 40000 ms apart"]);
    expect(network.step({ clock: { node: "v3", ahead_ms: 0 } }).ok).toBe(true);
    expect(network.liveness.inForce).toEqual([]);
    network.setClocks(30_000);
    expect(network.liveness.inForce).toEqual([]);
  });

  test("forgets the oldest of what was refused after all, and nothing else", () => {
    const { network } = recorded();
    submit(network, "v1", payment("alice", 0));
    const first = cancellation("stranger 0");
    // A validator waits for something to cancel, and refuses when nothing comes; HTTP refuses such ones before.
    for (let at = 0; at <= UNDECIDED_KEPT; at++) {
      network.runDueEvents();
      network.submit({ node: "v1", submission: cancellation(`stranger ${at}`), steps: network.steps });
    }
    network.runTo(10_000 as Millis, EVENTS);
    expect(network.archive.find(transactionHash(first))).toBeUndefined();
    const last = cancellation(`stranger ${UNDECIDED_KEPT}`);
    expect(network.archive.progressOf(submissionId(last))).toEqual({
      status: "refused",
      code: "business_nothing_to_cancel",
      node: "v1",
    });
    expect(network.archive.progressOf(submissionId(payment("alice", 0)))?.status).toBe("final");
  });

  test("keeps so many operations without a response, and so many void ones, and shelves those whose nonce is used", () => {
    const { network } = recorded();
    const archive = network.archive as ArchiveWriter;
    const strangers = Array.from({ length: UNDECIDED_KEPT + 1 }, (_, at) => cancellation(`stranger ${at}`));
    const ids = strangers.map((one) => submissionId(one));
    const sizes = (): readonly number[] => {
      const { offered, operations, copies, ended } = archive.capture().tables;
      const fates = [...operations.values()].filter(({ fate }) => fate !== undefined);
      return [offered.size, operations.size, copies.size, fates.length, ended.size];
    };
    for (const [at, id] of ids.entries()) archive.noteSubmission(id, strangers[at] as SignedOperation, "v1");
    expect(sizes()).toEqual([UNDECIDED_KEPT, 0, 0, 0, 0]);
    const voided = { status: "void", epoch: 0 as Epoch } as const;
    // The first one is forgotten: nothing says what it was.
    for (const id of ids) archive.noteReply(id, "v1", voided);
    // A hash of version 1 has two spellings.
    expect(sizes()).toEqual([0, UNDECIDED_KEPT, 2 * UNDECIDED_KEPT, UNDECIDED_KEPT, UNDECIDED_KEPT]);
    for (const from of ["alice", "bob"]) {
      const rival = payment(from, 0, "dave");
      archive.noteSubmission(submissionId(rival), rival, "v1");
      archive.noteReply(submissionId(rival), "v1", from === "alice" ? voided : { status: "pending" });
    }
    expect([archive.progressOf(ids[1] as OperationId), archive.progressOf(ids[2] as OperationId)]).toEqual([
      undefined,
      voided,
    ]);
    const rivals = ["alice", "bob"].map((from) => submissionId(payment(from, 0, "dave")));
    for (let nonce = 0; nonce < 12; nonce++) {
      for (const from of ["alice", "bob"]) submit(network, "v1", payment(from, nonce));
      network.runTo((network.now + 1_000) as Millis, EVENTS);
    }
    const { operations } = archive.capture().tables;
    expect(rivals.map((id) => [operations.has(id), archive.progressOf(id)])).toEqual(
      ["alice", "bob"].map((from) => [false, { status: "superseded", by: submissionId(payment(from, 0)) }]),
    );
    expect(network.findings).toEqual([]);
  });
});
