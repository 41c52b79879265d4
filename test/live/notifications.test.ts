import { expect, test } from "vitest";
import { toHash } from "../../src/core/base/ids.ts";
import type { OperationId } from "../../src/core/base/operation.ts";
import type { StatementContent } from "../../src/core/consensus/message.ts";
import type { Content } from "../../src/core/validator/content.ts";
import { type Notification, orderNotifications, SlotProgress } from "../../src/live/notifications.ts";
import type { NodeView } from "../../src/simulator/listener.ts";

const [ID, OTHER] = ["1", "2"].map((digit) => toHash(`0x${digit.repeat(64)}`)) as [OperationId, OperationId];
const signed = (id: OperationId, signers: number): Notification => ({
  type: "signed",
  id,
  signers,
  validators: 4,
  round: 0,
});
const locked = (id: OperationId): Notification => ({ type: "locked", id, round: 0 });
const submitted = (id: OperationId): Notification =>
  ({ type: "submitted", copy: { id }, node: "v1" }) as unknown as Notification;

function ordered(all: readonly Notification[]): readonly Notification[] {
  const received: Notification[] = [];
  const known = new Set<OperationId>();
  const { report: notify } = orderNotifications(
    (news) => received.push(news),
    (id) => known.has(id),
  );
  for (const news of all) {
    if (news.type === "submitted") known.add(news.copy.id);
    notify(news);
  }
  return received;
}

test("votes before the response are reported after it, and only of the same operation", () => {
  const all = [signed(ID, 1), signed(ID, 2), submitted(OTHER), submitted(ID), signed(ID, 3), locked(ID)];
  expect(ordered(all)).toEqual([
    ...[submitted(OTHER), submitted(ID)],
    ...[signed(ID, 1), signed(ID, 2), signed(ID, 3), locked(ID)],
  ]);
});

test("votes for an operation without a client are reported before it is locked, once", () => {
  expect(ordered([signed(ID, 1), locked(ID), locked(ID)])).toEqual([signed(ID, 1), locked(ID), locked(ID)]);
});

test("votes are counted by round, each validator once, and the first commit of a round is the lock; none counts after the end", () => {
  const news: Notification[] = [];
  const hashes = { value: () => OTHER };
  let isDecided = false;
  const progress = new SlotProgress(
    hashes,
    () => isDecided,
    (notification) => news.push(notification),
  );
  progress.noteContent({ value: { type: "operation", id: ID }, operations: [] } as unknown as Content);
  const slot = { kind: "account", address: `0x${"5a".repeat(20)}`, sequence: 0 };
  const statements = [
    "a vote 0",
    "a vote 0",
    "b vote 0",
    "a vote 1",
    "b commit 1",
    "a commit 1",
    "b vote 1",
    "c vote 2",
  ];
  for (const [key, type, round] of statements.map((statement) => statement.split(" "))) {
    isDecided = round === "2";
    const body = { type, round: Number(round), slot, value: OTHER } as unknown as StatementContent;
    progress.signed({ key } as unknown as NodeView, body, 4);
  }
  const told = news.map((notification) =>
    notification.type === "signed"
      ? [notification.round, notification.signers]
      : [notification.type, "round" in notification && notification.round],
  );
  expect(told).toEqual([
    [0, 1],
    [0, 2],
    [1, 1],
    ["locked", 1],
    [1, 2],
  ]);
});
