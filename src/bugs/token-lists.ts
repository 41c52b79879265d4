/** Variants with wrong lists of token operations (protocol 3). */
import type { LedgerValue } from "../core/base/slot.ts";
import { LIST_WAIT_MS } from "../core/ledger/limits.ts";
import type { Content } from "../core/validator/content.ts";
import { proposeInstead, withByzantinePeer } from "./byzantine-peer.ts";
import { type KnownBadVariant, replaceRules, type ValidatorProgram } from "./known-bad-variant.ts";

/** Empty version of a token (protocol 8). */
export const emptyList: KnownBadVariant = {
  name: "empty-list",
  mistake: "a token's list may be empty: a proposer uses up version after version and decides nothing",
  source: "protocol 8; 3",
  caughtBy: ["validity"],
  rules: replaceRules("ledger", (real) => ({
    checkList: (state, token, ids, limit) =>
      ids.length === 0 ? { answer: "accept" } : real.checkList(state, token, ids, limit),
  })),
  attack: proposesLists(0),
};

/** Lists longer than voters allow (protocol 8). */
export const longLists: KnownBadVariant = {
  name: "long-lists",
  mistake: "proposers exceed the list length that voters allow: once two operations wait, no list is decided",
  source: "protocol 8; 3",
  caughtBy: ["liveness", "validity"],
  rules: replaceRules("ledger", (real) => ({
    chooseList: (state, token, age, limit) => real.chooseList(state, token, age, limit + 1),
  })),
};

/** Lists by signer, not by age (protocol 3). */
export const lowestSignerFirst: KnownBadVariant = {
  name: "lowest-signer-first",
  mistake: "a proposer takes due operations in the order of their signers' addresses, not by age",
  source: "protocol 3; 7.16",
  caughtBy: ["fairness", "liveness"],
  rules: replaceRules("ledger", (real) => ({
    chooseList: (state, token, _age, limit) => real.chooseList(state, token, () => 0, limit),
  })),
};

/** Lists from the end of the queue (protocol 3). */
export const newestFirst: KnownBadVariant = {
  name: "newest-first",
  mistake: "a proposer takes the operations that became due last first, as from a stack",
  source: "protocol 3; 7.16",
  caughtBy: ["fairness", "liveness"],
  rules: replaceRules("ledger", (real) => ({
    chooseList: (state, token, age, limit) => real.chooseList(state, token, (id) => -age(id), limit),
  })),
};

/** Operation repeated in one list (protocol 8). */
export const repeatedListing: KnownBadVariant = {
  name: "repeated-listing",
  mistake: "a token's list may repeat an operation: voters check each id by itself",
  source: "protocol 8; 3",
  caughtBy: ["validity"],
  rules: replaceRules("ledger", (real) => ({
    checkList: (state, token, ids, limit) => real.checkList(state, token, [...new Set(ids)], limit),
    apply: (state, slot, value, operation, parts) => real.apply(state, slot, withDistinctIds(value), operation, parts),
  })),
  attack: proposesLists(2),
};

function withDistinctIds(value: LedgerValue): LedgerValue {
  return value.type === "list" ? { ...value, ids: [...new Set(value.ids)] } : value;
}

/** Ranks without regard to waiting time (protocol 3). */
export const restrictionsAlwaysFirst: KnownBadVariant = {
  name: "restrictions-always-first",
  mistake: "a proposer always puts restrictions first, however long other operations have waited",
  source: "protocol 3; 7.16",
  caughtBy: ["fairness", "liveness"],
  rules: replaceRules("ledger", (real) => ({
    chooseList: (state, token, age, limit) =>
      real.chooseList(state, token, (id) => Math.min(age(id), LIST_WAIT_MS - 1), limit),
  })),
};

/** Proposes each list with every operation repeated `times` times. */
function proposesLists(times: number): (real: ValidatorProgram) => ValidatorProgram {
  return withByzantinePeer(proposeInstead((_state, _slot, content) => repeatListItems(content, times)));
}

function repeatListItems({ value, operations, certificates }: Content, times: number): Content | undefined {
  if (value.type !== "list") return undefined;
  const again = <T>(all: readonly T[]): readonly T[] => all.flatMap((one) => Array.from({ length: times }, () => one));
  return {
    value: { ...value, ids: again(value.ids) },
    operations: again(operations),
    certificates: again(certificates),
  };
}
