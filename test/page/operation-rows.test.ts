import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterEvent,
  type OperationEvent,
  type OperationRow,
  ROWS_KEPT,
  withHistory,
} from "../../src/page/live/operation-rows.ts";

const EVENT = { transaction_type: "TokenTransfer", from: "a", to: "b", token: "t", value: "7" };

type Case = readonly [event: Partial<OperationEvent>, status: string, detail: string, isOver: boolean];

const STATUSES: readonly Case[] = [
  [{ status: "submitted" }, "submitted", "", false],
  [{ status: "signed", signers: 2, validators: 4 }, "signed", "2 of 4 voted", false],
  [{ status: "locked" }, "locked", "", false],
  [{ status: "final", success: true, error_code: null }, "final", "", true],
  [{ status: "final", success: false, error_code: "business_paused" }, "failed", "business_paused", true],
  [{ status: "refused", error_code: "business_nonce" }, "refused", "business_nonce", true],
  [{ status: "void", error_code: "business_epoch_closed" }, "void", "business_epoch_closed", true],
];

describe("rows of operations", () => {
  it.each(STATUSES)("say %o as %s", (event, status, detail, isOver) => {
    const before = afterEvent([], { ...EVENT, hash: "h", status: "submitted" }, 10);
    const [row] = afterEvent(before, { ...EVENT, hash: "h", ...event } as OperationEvent, 35);
    expect(row).toMatchObject({ status, detail, since: 10, ms: isOver ? 25 : undefined });
  });

  it("are followed by those of the last checkpoint, each once", () => {
    const row = afterEvent([], { ...EVENT, hash: "h", status: "submitted" }, 10);
    const listed = (hash: string) => ({ hash, from: "a", transaction_type: "TokenTransfer", data: { to: "b" } });
    const rows = withHistory(row, { number: 3, transactions: ["g", "h", "i"].map(listed) });
    expect(rows.map(({ hash }) => hash)).toEqual(["h", "i", "g"]);
    expect(rows[1]).toMatchObject({ status: "final", detail: "checkpoint 3", to: "b", token: null, ms: undefined });
    const many = Array.from({ length: 100 }, (_, at) => listed(`${at}`));
    expect(withHistory(row, { number: 3, transactions: many })).toHaveLength(ROWS_KEPT);
  });

  it("keep one row for each of the last operations, the newest first", () => {
    const events = fc.array(fc.tuple(fc.nat(60), fc.constantFrom("submitted" as const, "final" as const)), {
      minLength: 1,
    });
    fc.assert(
      fc.property(events, (all) => {
        let rows: readonly OperationRow[] = [];
        for (const [at, [hash, status]] of all.entries())
          rows = afterEvent(rows, { ...EVENT, hash: `${hash}`, status, success: true }, at);
        expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length);
        expect(rows.length).toBeLessThanOrEqual(ROWS_KEPT);
        const times = rows.map(({ since }) => since);
        expect(times).toEqual([...times].sort((a, b) => b - a));
        expect(rows.find(({ hash }) => hash === `${all.at(-1)?.[0]}`)).toBeDefined();
      }),
    );
  });
});
