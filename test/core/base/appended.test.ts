import { array, assert, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { append } from "../../../src/core/base/appended.ts";

test("adds one item at the end and leaves the list as it is", () => {
  assert(
    property(array(integer(), { maxLength: 6 }), integer(), (list, item) => {
      const before = [...list];
      expect(append(list, item)).toEqual([...before, item]);
      expect(list).toEqual(before);
    }),
  );
});

test("adds a list as one item", () => {
  const lists: readonly (readonly number[])[] = [[1], [2], [3], [4]];
  expect(append<readonly number[]>(lists, [5, 6])).toEqual([[1], [2], [3], [4], [5, 6]]);
});
