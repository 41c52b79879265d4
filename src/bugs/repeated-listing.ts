import type { LedgerValue } from "../core/base/slot.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";
import { proposesLists } from "./list-attack.ts";

const attack = proposesLists(2);

/** Operation repeated in one list (protocol 8). */
export const repeatedListing: KnownBadVariant = {
  name: "repeated-listing",
  mistake: "a token's list may repeat an operation: voters check each id by itself",
  source: "protocol 8; 3",
  caughtBy: ["validity"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      checkList: (state, token, ids, limit) => real.ledger.checkList(state, token, [...new Set(ids)], limit),
      apply: (state, slot, value, operation, parts) =>
        real.ledger.apply(state, slot, eachOnce(value), operation, parts),
    },
  }),
  program: attack,
  attack,
};

function eachOnce(value: LedgerValue): LedgerValue {
  return value.type === "list" ? { ...value, ids: [...new Set(value.ids)] } : value;
}
