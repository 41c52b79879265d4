import fc from "fast-check";
import { expect, test } from "vitest";
import { createRequestLimit } from "../../../src/server/http/entry-validator.ts";
import { address } from "../../core/ledger/support/operations.ts";

type Step = { readonly enter: number | undefined } | { readonly leave: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ enter: fc.option(fc.nat(3), { nil: undefined }) }),
  fc.record({ leave: fc.nat() }),
);

test("a waiting room never has more than its places, in all and of one account, and gives each back", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 4 }),
      fc.array(anyStep),
      (waiting, own, steps) => {
        const room = createRequestLimit(waiting, own);
        const inside: { readonly account: number | undefined; readonly leave: () => void }[] = [];
        for (const step of steps) {
          if ("leave" in step) {
            const [gone] = inside.splice(step.leave % Math.max(1, inside.length), 1);
            gone?.leave();
          } else {
            const account = step.enter;
            const ofAccount = inside.filter((one) => one.account === account).length;
            const isFree = inside.length < waiting && (account === undefined || ofAccount < own);
            const place = room.enter(account === undefined ? undefined : address(account));
            expect(place.ok).toBe(isFree);
            if (place.ok) inside.push({ account, leave: place.value });
            else expect(place.error).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
          }
          expect(room.waiting).toBe(inside.length);
        }
      },
    ),
  );
});
