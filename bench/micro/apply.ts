/** Application of decided slots to a ledger by kind of operation: what validators of some runs applied, once more. */
import type { SignedOperation } from "../../src/core/base/operation.ts";
import type { LedgerValue } from "../../src/core/base/slot.ts";
import { effectSlotOf } from "../../src/core/ledger/operations/kinds.ts";
import type { Rules } from "../../src/core/validator/rules.ts";
import { callsRow, type MicroGroup } from "./harness.ts";
import { EVERY_KIND, passing } from "./runs.ts";

const RUNS = [EVERY_KIND, "rules/recovery/recovery"] as const;
const REFERENCE = "payment";
/** Of each kind, at most. */
const KEPT = 100;

type Calls = Map<string, (() => unknown)[]>;

export const applyGroup: MicroGroup = {
  name: "apply",
  about:
    "one slot, or one operation in a token's list, which was authorised in its sender's slot before. Ids are known already.",
  rows: () => {
    const calls: Calls = new Map();
    for (const file of RUNS) passing(file, { variant: { name: "kept", rules: (real) => keeping(real, calls) } });
    const names = [REFERENCE, ...[...calls.keys()].filter((name) => name !== REFERENCE).sort()];
    return names.map((name) => callsRow(name, calls.get(name) ?? []));
  },
};

/** The same rules, which keep what was applied with success. */
function keeping(real: Rules, calls: Calls): Rules {
  const { apply, executeOne } = real.ledger;
  const keep = (name: string, call: () => unknown): void => {
    const kept = calls.get(name) ?? [];
    if (kept.length < KEPT) calls.set(name, [...kept, call]);
  };
  const keepingOne: typeof executeOne = (state, token, entry, slot, rules) => {
    const executed = executeOne(state, token, entry, slot, rules);
    if (executed.receipt.success)
      keep(`${entry.signed.operation.kind}, in a list`, () => executeOne(state, token, entry, slot, rules));
    return executed;
  };
  const keepingEach: typeof apply = (state, slot, value, operation, rules) => {
    const applied = apply(state, slot, value, operation, { ...rules, executeOne: keepingOne });
    if (applied.outcome === "applied")
      keep(nameOf(value, operation), () => apply(state, slot, value, operation, rules));
    return applied;
  };
  return { ...real, ledger: { ...real.ledger, apply: keepingEach } };
}

function nameOf(value: LedgerValue, signed: SignedOperation | undefined): string {
  switch (value.type) {
    case "skip":
      return value.by;
    case "burn":
      return "forced debit";
    case "list":
      return "list of a token";
    case "operation":
      if (signed === undefined) throw new RangeError(`operation ${value.id}: expected its content`);
      return `${signed.operation.kind}${effectSlotOf(signed).kind === "own" ? "" : ", authorised"}`;
  }
}
