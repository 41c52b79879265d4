/** Decision functions of the ledger, each with the real record that it hands on. */
import { replayLedger as replayBy } from "../../../../src/core/ledger/checkpoint.ts";
import { type LedgerRules, ledgerRules } from "../../../../src/core/ledger/rules.ts";

type WithoutRules<F> = F extends (...given: [...infer Given, infer _Rules]) => infer R ? (...given: Given) => R : never;

function withRealRules<K extends keyof LedgerRules>(name: K): WithoutRules<LedgerRules[K]> {
  const rule = ledgerRules[name] as (...given: readonly unknown[]) => unknown;
  return ((...given: readonly unknown[]) => rule(...given, ledgerRules)) as WithoutRules<LedgerRules[K]>;
}

export const apply = withRealRules("apply");
export const check = withRealRules("check");
export const checkBurn = withRealRules("checkBurn");
export const checkCancellation = withRealRules("checkCancellation");
export const checkRecovery = withRealRules("checkRecovery");
export const checkVote = withRealRules("checkVote");
export const executeOne = withRealRules("executeOne");
export const skipFeeToken = withRealRules("skipFeeToken");

export function replayLedger(
  base: Parameters<typeof replayBy>[0],
  slots: Parameters<typeof replayBy>[1],
): ReturnType<typeof replayBy> {
  return replayBy(base, slots, ledgerRules);
}
