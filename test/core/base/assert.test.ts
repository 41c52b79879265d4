import fc from "fast-check";
import { expect, test } from "vitest";
import { AssertionError, unreachable } from "../../../src/core/base/assert.ts";

test("`unreachable` reports any value, amounts included", () => {
  const anything = fc.anything({ withBigInt: true, maxDepth: 2 });
  fc.assert(
    fc.property(anything, (value) => {
      expect(() => unreachable(value as never)).toThrow(AssertionError);
    }),
  );
  expect(() => unreachable({ kind: "payment", value: 5n } as never)).toThrow('{"kind":"payment","value":"5n"}');
});
