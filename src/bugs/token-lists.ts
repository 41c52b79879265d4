/** Variants with wrong lists of token operations (protocol 3). */
import type { LedgerValue } from "../core/base/slot.ts";
import { LIST_WAIT_MS } from "../core/ledger/limits.ts";
import type { Content } from "../core/validator/content.ts";
import { proposeInstead, withByzantinePeer } from "./byzantine-peer.ts";
import { type ProgramChange, replaceRules, type VariantTable } from "./known-bad-variant.ts";

export const TOKEN_LISTS: VariantTable = {
  "empty-list": {
    mistake: "a token's list may be empty: a proposer uses up version after version and decides nothing",
    source: "protocol 8; 3",
    caughtBy: ["validity"],
    rules: replaceRules("ledger", (real) => ({
      checkList: (state, token, ids, limit) =>
        ids.length === 0 ? { answer: "accept" } : real.checkList(state, token, ids, limit),
    })),
    attack: proposesLists(0),
  },
  "long-lists": {
    mistake: "proposers exceed the list length that voters allow: once two operations wait, no list is decided",
    source: "protocol 8; 3",
    caughtBy: ["liveness", "validity"],
    rules: replaceRules("ledger", (real) => ({
      chooseList: (state, token, age, limit) => real.chooseList(state, token, age, limit + 1),
    })),
  },
  "lowest-signer-first": {
    mistake: "a proposer takes due operations in the order of their signers' addresses, not by age",
    source: "protocol 3; 7.16",
    caughtBy: ["fairness", "liveness"],
    rules: replaceRules("ledger", (real) => ({
      chooseList: (state, token, _age, limit) => real.chooseList(state, token, () => 0, limit),
    })),
  },
  "newest-first": {
    mistake: "a proposer takes the operations that became due last first, as from a stack",
    source: "protocol 3; 7.16",
    caughtBy: ["fairness", "liveness"],
    rules: replaceRules("ledger", (real) => ({
      chooseList: (state, token, age, limit) => real.chooseList(state, token, (id) => -age(id), limit),
    })),
  },
  "repeated-listing": {
    mistake: "a token's list may repeat an operation: voters check each id by itself",
    source: "protocol 8; 3",
    caughtBy: ["validity"],
    rules: replaceRules("ledger", (real) => ({
      checkList: (state, token, ids, limit) => real.checkList(state, token, [...new Set(ids)], limit),
      apply: (state, slot, value, operation, parts) =>
        real.apply(state, slot, withDistinctIds(value), operation, parts),
    })),
    attack: proposesLists(2),
  },
  "restrictions-always-first": {
    mistake: "a proposer always puts restrictions first, however long other operations have waited",
    source: "protocol 3; 7.16",
    caughtBy: ["fairness", "liveness"],
    rules: replaceRules("ledger", (real) => ({
      chooseList: (state, token, age, limit) =>
        real.chooseList(state, token, (id) => Math.min(age(id), LIST_WAIT_MS - 1), limit),
    })),
  },
};

function withDistinctIds(value: LedgerValue): LedgerValue {
  return value.type === "list" ? { ...value, ids: [...new Set(value.ids)] } : value;
}

/** Proposes each list with every operation repeated `times` times. */
function proposesLists(times: number): ProgramChange {
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
