import fc from "fast-check";
import { expect, test } from "vitest";
import { AssertionError, unreachable } from "../../../src/core/base/assert.ts";

test("what should never be reached says so whatever it was reached with, amounts included", () => {
  const anything = fc.anything({ withBigInt: true, maxDepth: 2 });
  fc.assert(
    fc.property(anything, (value) => {
      expect(() => unreachable(value as never)).toThrow(AssertionError);
    }),
  );
  expect(() => unreachable({ kind: "payment", value: 5n } as never)).toThrow('{"kind":"payment","value":"5n"}');
});
