/** Replacement of a rule that the ledger reaches in several places: in each of them. */
import type { OperationId, SignedOperation } from "../core/base/operation.ts";
import { applyRules } from "../core/ledger/apply.ts";
import { checkRules } from "../core/ledger/check.ts";
import type { LedgerState } from "../core/ledger/state.ts";
import type { Rules } from "../core/validator/rules.ts";
import type { KnownBadVariant } from "./known-bad-variant.ts";

type RulesWrapper = NonNullable<KnownBadVariant["rules"]>;

/** Names operations otherwise, also where they are applied. */
export function replaceIds(idBy: (real: Rules) => (signed: SignedOperation) => OperationId): RulesWrapper {
  return (real) => {
    const operationId = idBy(real);
    return {
      ...real,
      ledger: {
        ...real.ledger,
        operationId,
        apply: (state, slot, value, operation, parts = applyRules) =>
          real.ledger.apply(state, slot, value, operation, { ...parts, operationId }),
      },
    };
  };
}

/** Judges operations before admission and vote by another state than the validator's. */
export function replaceJudged(pretend: (state: LedgerState, signed: SignedOperation) => LedgerState): RulesWrapper {
  return (real) => {
    const { check, checkVote } = real.ledger;
    return {
      ...real,
      ledger: {
        ...real.ledger,
        check: (state, barrier, signed, parts) => check(pretend(state, signed), barrier, signed, parts),
        checkVote: (state, barrier, signed, parts) => checkVote(pretend(state, signed), barrier, signed, parts),
      },
    };
  };
}

/** Judges the form of operations otherwise, also within the checks before admission and vote. */
export function replaceForm(wellFormedBy: (real: Rules) => typeof checkRules.wellFormed): RulesWrapper {
  return (real) => {
    const wellFormed = wellFormedBy(real);
    const parts = { ...checkRules, wellFormed };
    return {
      ...real,
      ledger: {
        ...real.ledger,
        wellFormed,
        check: (state, barrier, signed) => real.ledger.check(state, barrier, signed, parts),
        checkVote: (state, barrier, signed) => real.ledger.checkVote(state, barrier, signed, parts),
      },
    };
  };
}
