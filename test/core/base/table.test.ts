import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Table } from "../../../src/core/base/table.ts";

const edit = fc.record({
  key: fc.constantFrom("a", "ab", "b", "c"),
  change: fc.constantFrom("set", "delete", "deleteWhere", "clear", "fork"),
  value: fc.nat(3),
  /** Index of the table that is changed or forked. */
  of: fc.nat(),
});

describe("a table", () => {
  test("equals a map after the same changes, whatever its forks change", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), (edits) => {
        const tables = [new Table<string, number>()];
        const models = [new Map<string, number>()];
        for (const { key, change, value, of } of edits) {
          const at = of % tables.length;
          const [table, model] = [tables[at] as Table<string, number>, models[at] as Map<string, number>];
          if (change === "fork") {
            tables.push(table.fork());
            models.push(new Map(model));
          } else if (change === "set") {
            table.set(key, value);
            model.set(key, value);
          } else if (change === "delete") {
            table.delete(key);
            model.delete(key);
          } else if (change === "deleteWhere") {
            table.deleteWhere((other, known) => other >= key && known <= value);
            for (const [other, known] of [...model]) if (other >= key && known <= value) model.delete(other);
          } else {
            table.clear();
            model.clear();
          }
        }
        for (const [at, table] of tables.entries()) {
          const model = models[at] as Map<string, number>;
          const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
          expect(table.entries()).toEqual(sorted);
          expect(table.values()).toEqual(sorted.map(([, value]) => value));
          expect(table.entriesWithPrefix("a")).toEqual(sorted.filter(([key]) => key.startsWith("a")));
          expect(table.keysWhere((key, value) => key !== "b" && value > 0)).toEqual(
            sorted.flatMap(([key, value]) => (key !== "b" && value > 0 ? [key] : [])),
          );
          expect(table.size).toBe(model.size);
          for (const key of ["a", "ab", "b", "c", "d"]) {
            expect(table.get(key)).toBe(model.get(key));
            expect(table.has(key)).toBe(model.has(key));
          }
        }
      }),
    );
  });

  test("iterates in the order of numbers, and names the entry that was added first", () => {
    const table = new Table([
      [10, "ten"],
      [9, "nine"],
    ]);
    expect(table.values()).toEqual(["nine", "ten"]);
    expect(table.first).toEqual([10, "ten"]);
    table.delete(10);
    expect(table.first).toEqual([9, "nine"]);
  });

  test("tells if it has changed since a fork", () => {
    const table = new Table<string, number>([["a", 1]]);
    const before = table.fork();
    table.set("a", 1);
    table.delete("b");
    expect(table.isUnchangedSince(before)).toBe(true);
    table.set("a", 2);
    expect(table.isUnchangedSince(before)).toBe(false);
    expect(before.get("a")).toBe(1);
  });
});
