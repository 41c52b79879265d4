/**
 * Policy of each token at each version, by the decided lists in version order, with the time from which the list could
 * be final. Independent of any node's view.
 */
import type { Genesis } from "../../../core/base/epoch.ts";
import { openingSums } from "../../../core/base/fillers.ts";
import type { Address } from "../../../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../../core/base/operation.ts";
import { type ListValue, paddedNumber } from "../../../core/base/slot.ts";
import { Trie } from "../../../core/base/trie.ts";
import { operationsOf } from "../../history/content.ts";
import { genesisPolicy, type Policy } from "../../reference/policy.ts";
import { isRestriction, policyAfter, policyRefusals, type Refusals, type Terms } from "../../reference/token-rules.ts";

export interface PolicyVersion {
  readonly version: number;
  readonly policy: Policy | undefined;
  /** Count of records from which the list before this version could be final; -1 for genesis. */
  readonly finalAt: number;
  /** True if an operation of that list removed a permission (protocol 4.2, Barrier). */
  readonly restricts: boolean;
  /** The model's refusals of each operation of that list: empty means success. */
  readonly verdicts: ReadonlyMap<OperationId, Refusals>;
}

export interface PolicyHistory {
  /** Policy versions by `token/version`. */
  readonly versions: Trie<PolicyVersion>;
  /** Newest known version of each token. */
  readonly newest: Trie<number>;
}

const NO_VERDICTS: ReadonlyMap<OperationId, Refusals> = new Map();

/** Returns version 0 of every genesis token. */
export function historyAtGenesis(genesis: Genesis): PolicyHistory {
  const sums = openingSums(genesis);
  const versions = genesis.tokens.map((token): [string, PolicyVersion] => {
    const policy = genesisPolicy(token, sums.get(token.token) ?? 0n);
    return [
      policyVersionKey(token.token, 0),
      { version: 0, policy, finalAt: -1, restricts: false, verdicts: NO_VERDICTS },
    ];
  });
  return { versions: Trie.of(versions), newest: Trie.of(genesis.tokens.map(({ token }) => [token, 0])) };
}

/** Returns the policy of a token at a version: after the list of the version before. */
export function policyVersionOf(history: PolicyHistory, token: Address, version: number): PolicyVersion | undefined {
  return history.versions.get(policyVersionKey(token, version));
}

/** Returns the policy after a list, which follows `before`; `version` is that of the list's slot. */
export function versionAfter(
  before: PolicyVersion | undefined,
  version: number,
  value: ListValue,
  operations: readonly SignedOperation[],
  finalAt: number,
  terms: Terms,
): PolicyVersion {
  let policy = before?.policy;
  let restricts = false;
  const verdicts = new Map<OperationId, Refusals>();
  for (const { id, signed } of operationsOf(value, operations)) {
    const reasons = policyRefusals(policy, signed, terms);
    verdicts.set(id, reasons);
    if (reasons.length > 0) continue;
    restricts ||= isRestriction(policy, signed, terms);
    policy = policyAfter(policy, signed, terms);
  }
  return { version: version + 1, policy, finalAt, restricts, verdicts };
}

/** Adds a version; unchanged if it is known already or the one before it is not. */
export function withVersion(history: PolicyHistory, token: Address, after: PolicyVersion): PolicyHistory {
  const { version } = after;
  const isGap = version > 1 && policyVersionOf(history, token, version - 1) === undefined;
  if (isGap || policyVersionOf(history, token, version) !== undefined) return history;
  return {
    versions: history.versions.set(policyVersionKey(token, version), after),
    newest: history.newest.set(token, version),
  };
}

/**
 * Returns the first refusal of an operation that holds in every version by which an honest voter may have voted: from
 * the newest one back to the last restriction that was final before the operation's first submission. Every quorum of
 * its voters contains an honest one that committed to that restriction and votes by it or a later version.
 */
export function barringVersion(
  history: PolicyHistory,
  token: Address,
  submittedAt: number,
  against: (policy: Policy | undefined) => string | undefined,
): { readonly reason: string; readonly since: PolicyVersion | undefined } | undefined {
  const newest = history.newest.get(token) ?? 0;
  let reason: string | undefined;
  for (let version = newest; version >= 0; version--) {
    const policyVersion = policyVersionOf(history, token, version);
    const bar = against(policyVersion?.policy);
    if (bar === undefined) return undefined;
    reason = bar;
    if (policyVersion?.restricts && policyVersion.finalAt < submittedAt) return { reason, since: policyVersion };
  }
  return reason === undefined ? undefined : { reason, since: undefined };
}

function policyVersionKey(token: Address, version: number): string {
  return `${token}/${paddedNumber(version)}`;
}
