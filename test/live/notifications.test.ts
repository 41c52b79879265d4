import { expect, test } from "vitest";
import { toHash } from "../../src/core/base/ids.ts";
import type { OperationId } from "../../src/core/base/operation.ts";
import { inOrder, type Notification } from "../../src/live/notifications.ts";

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
  const { report: notify } = inOrder(
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
