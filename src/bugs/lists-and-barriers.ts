/** Variants with wrong lists of token operations (protocol 3), or in which one passes a restriction (bugs E; protocol 4.2). */
import type { SignedOperation } from "../core/base/operation.ts";
import type { LedgerValue } from "../core/base/slot.ts";
import { LIST_WAIT_MS } from "../core/ledger/limits.ts";
import { type LedgerState, tokenOf } from "../core/ledger/state.ts";
import type { Restriction } from "../core/ledger/token.ts";
import type { Content } from "../core/validator/content.ts";
import { alterChecks, evadeLists, ignoreRefusal } from "./altered-rules.ts";
import { proposeInstead, withByzantinePeer } from "./byzantine-peer.ts";
import { type ProgramChange, replaceRules, replaceStep, type VariantTable } from "./known-bad-variant.ts";

export const LISTS_AND_BARRIERS: VariantTable = {
  "blind-commit": {
    mistake: "a validator commits without the value's content: the barrier misses it and a payment passes a pause",
    source: "protocol 8; 3.1, 3",
    caughtBy: ["authority", "validity"],
    rules: replaceRules("validator", () => ({ hasContent: () => true })),
  },
  "barrier-not-asked": {
    mistake: "an entry validator admits what a restriction forbids that it has committed to and not applied",
    source: "protocol 4.2, Barrier",
    caughtBy: ["validity"],
    rules: replaceRules("ledger", (real) => ({
      check: (state, _barrier, signed, parts) => real.check(state, [], signed, parts),
    })),
  },
  "boolean-barrier": {
    mistake: "the barrier is one flag: the next applied list clears it, even one before the restriction",
    source: "protocol 8; 4.2",
    caughtBy: ["authority", "validity"],
    program: replaceStep((real, state, input) => {
      const outputs = real.step(state, input);
      const isCleared = outputs.some(
        (output) => output.type === "event" && output.event.type === "applied" && output.event.slot.kind === "token",
      );
      if (isCleared) state.slots.barriers.clear();
      return outputs;
    }),
  },
  "careless-lists": {
    mistake:
      "a token's list may omit earlier operations of a signer, and its proposer takes the newest operation first",
    source: "protocol 8; 3",
    caughtBy: ["validity", "fairness"],
    rules: replaceRules("ledger", (real) => ({
      checkList: () => ({ answer: "accept" }),
      chooseList: (state, token, age, limit) => [...real.chooseList(state, token, age, limit)].reverse().slice(0, 1),
    })),
  },
  "forgets-decided-barriers": {
    mistake: "after a restart a token slot that is decided but not applied has no barrier",
    source: "protocol 4.2, Barrier",
    caughtBy: ["authority", "validity"],
    program: replaceStep((real, state, input) => {
      const outputs = real.step(state, input);
      if (input.type !== "restart") return outputs;
      for (const [key] of state.slots.barriers.entries())
        if (state.slots.records.get(key)?.decided !== undefined) state.slots.barriers.delete(key);
      return outputs;
    }),
  },
  "half-blacklist": {
    mistake: "lists keep an address from sending and not from receiving",
    source: "protocol 4.1, 4.2",
    caughtBy: ["validity", "authority"],
    rules: evadeLists(asPaymentToPayer),
  },
  "no-barrier": {
    mistake: "a validator that commits to a pause, a listing or a revocation goes on voting by what it has applied",
    source: "bugs E1, E2; protocol 4.2",
    caughtBy: ["authority", "validity"],
    rules: replaceRules("ledger", () => ({ restrictionsOf: () => [] })),
  },
  "paused-mint": {
    mistake: "a mint that was submitted before a pause takes effect after it in the token's order",
    source: "protocol 4.1, 7.5",
    caughtBy: ["authority", "validity"],
    rules: ignoreRefusal(
      "business_token_paused",
      (policy) => ({ ...policy, isPaused: false }),
      (after, before) => ({ ...after, isPaused: before.isPaused }),
    ),
  },
  "stuck-barrier": {
    mistake: "a barrier entry outlives its version: a lifted restriction still bars",
    source: "protocol 8; 4.2",
    caughtBy: ["liveness"],
    program: replaceStep((real, state, input) => {
      const before = state.slots.barriers.entries();
      const outputs = real.step(state, input);
      for (const [key, restrictions] of before) state.slots.barriers.set(key, restrictions);
      return outputs;
    }),
  },
  "unlisted-passes": {
    mistake: "the barrier of a private token misses an address that a list takes off its whitelist",
    source: "protocol 4.2, Barrier; bugs E2",
    caughtBy: ["authority", "validity"],
    rules: alterChecks(
      (check) => (state, barrier, signed, rules) =>
        check(state, withoutPrivateExclusions(state, barrier), signed, rules),
    ),
  },
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

/** Returns a payment to its payer; `undefined` for another operation. */
function asPaymentToPayer(signed: SignedOperation): SignedOperation | undefined {
  const { operation, sender } = signed;
  return operation.kind === "payment" ? { ...signed, operation: { ...operation, recipient: sender } } : undefined;
}

function withoutPrivateExclusions(state: LedgerState, barrier: readonly Restriction[]): readonly Restriction[] {
  return barrier.filter(({ type, token }) => type !== "exclude" || tokenOf(state, token)?.isPrivate !== true);
}

function withDistinctIds(value: LedgerValue): LedgerValue {
  return value.type === "list" ? { ...value, ids: [...new Set(value.ids)] } : value;
}

/** Proposes each list with every operation repeated `times` times. */
function proposesLists(times: number): ProgramChange {
  return withByzantinePeer(proposeInstead((_state, _slot, content) => repeatListItems(content, times)));
}

function repeatListItems({ value, operations, certificates }: Content, times: number): Content | undefined {
  if (value.type !== "list") return undefined;
  const repeat = <T>(items: readonly T[]): readonly T[] =>
    items.flatMap((item) => Array.from({ length: times }, () => item));
  return {
    value: { ...value, ids: repeat(value.ids) },
    operations: repeat(operations),
    certificates: repeat(certificates),
  };
}
