/** Variants with wrong lists of token operations (protocol 3). */
import type { LedgerValue } from "../core/base/slot.ts";
import { LIST_WAIT_MS } from "../core/ledger/limits.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";
import { proposesLists } from "./list-attack.ts";

const emptyListAttack = proposesLists(0);

/** Empty version of a token (protocol 8). */
export const emptyList: KnownBadVariant = {
  name: "empty-list",
  mistake: "a token's list may be empty: a proposer uses up version after version and decides nothing",
  source: "protocol 8; 3",
  caughtBy: ["validity"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      checkList: (state, token, ids, limit) =>
        ids.length === 0 ? { answer: "accept" } : real.ledger.checkList(state, token, ids, limit),
    },
  }),
  program: emptyListAttack,
  attack: emptyListAttack,
};

/** Lists longer than voters allow (protocol 8). */
export const longLists: KnownBadVariant = {
  name: "long-lists",
  mistake: "proposers exceed the list length that voters allow: once two operations wait, no list is decided",
  source: "protocol 8; 3",
  caughtBy: ["liveness", "validity"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      chooseList: (state, token, age, limit) => real.ledger.chooseList(state, token, age, limit + 1),
    },
  }),
};

const repeatedListingAttack = proposesLists(2);

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
  program: repeatedListingAttack,
  attack: repeatedListingAttack,
};

function eachOnce(value: LedgerValue): LedgerValue {
  return value.type === "list" ? { ...value, ids: [...new Set(value.ids)] } : value;
}

/** Ranks without regard to waiting time (protocol 3). */
export const restrictionsAlwaysFirst: KnownBadVariant = {
  name: "restrictions-always-first",
  mistake: "a proposer always puts restrictions first, however long other operations have waited",
  source: "protocol 3",
  caughtBy: ["liveness"],
  rules: (real) => ({
    ...real,
    ledger: {
      ...real.ledger,
      chooseList: (state, token, age, limit) =>
        real.ledger.chooseList(state, token, (id) => Math.min(age(id), LIST_WAIT_MS - 1), limit),
    },
  }),
};
