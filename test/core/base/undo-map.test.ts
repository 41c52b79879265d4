import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UndoMap } from "../../../src/core/base/undo-map.ts";

const key = fc.constantFrom("a", "b", "c", "d");
const edit = fc.record({
  key,
  value: fc.option(fc.nat(3), { nil: undefined }),
  /** Index of the version that it is made from. */
  from: fc.nat(),
});

describe("an undo map", () => {
  test("equals a map after the same edits in every version, read in any order", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), fc.array(fc.nat(), { maxLength: 20 }), (edits, looks) => {
        const versions = [UndoMap.empty<number>()];
        const models = [new Map<string, number>()];
        for (const { key: name, value, from } of edits) {
          const at = from % versions.length;
          const version = versions[at] as UndoMap<number>;
          const model = new Map(models[at]);
          versions.push(value === undefined ? version.delete(name) : version.set(name, value));
          if (value === undefined) model.delete(name);
          else model.set(name, value);
          models.push(model);
        }
        for (const look of [...looks, ...versions.keys()]) {
          const at = look % versions.length;
          const version = versions[at] as UndoMap<number>;
          const model = models[at] as Map<string, number>;
          const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
          expect(version.entries()).toEqual(sorted);
          expect(version.values()).toEqual(sorted.map(([, value]) => value));
          expect(version.size).toBe(model.size);
          for (const name of "abcde") {
            expect(version.get(name)).toBe(model.get(name));
            expect(version.has(name)).toBe(model.has(name));
          }
        }
      }),
    );
  });

  test("is the same map where nothing changes", () => {
    const map = UndoMap.empty<number>().set("a", 1);
    expect(map.set("a", 1)).toBe(map);
    expect(map.delete("b")).toBe(map);
  });
});
