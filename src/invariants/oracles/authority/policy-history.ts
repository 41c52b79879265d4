/**
 * Policy of each token at each version, from the decided lists in version order, with the record from which each list could be
 * final. Independent of any node's view.
 */
import { entryOf } from "../../../core/base/entry.ts";
import type { Genesis } from "../../../core/base/epoch.ts";
import { openingSums } from "../../../core/base/fillers.ts";
import type { Address } from "../../../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../../core/base/operation.ts";
import type { ListValue } from "../../../core/base/slot.ts";
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
}

/** Versions of each token's policy; the list of version n leads to version n + 1. `undefined` at 0 for a token issued later. */
export type PolicyHistory = Map<Address, (PolicyVersion | undefined)[]>;

/** Returns version 0 of every genesis token. */
export function historyAtGenesis(genesis: Genesis): PolicyHistory {
  const sums = openingSums(genesis);
  const versions = genesis.tokens.map((token): [Address, PolicyVersion[]] => {
    const policy = genesisPolicy(token, sums.get(token.token) ?? 0n);
    return [token.token, [{ version: 0, policy, finalAt: -1, restricts: false }]];
  });
  return new Map(versions);
}

/**
 * Returns the policy after a list that follows `before`, and the model's refusals of each of its operations: empty for a
 * success. `version` is the version of the list's slot.
 */
export function versionAfter(
  before: PolicyVersion | undefined,
  version: number,
  value: ListValue,
  operations: readonly SignedOperation[],
  finalAt: number,
  terms: Terms,
): { readonly after: PolicyVersion; readonly verdicts: ReadonlyMap<OperationId, Refusals> } {
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
  return { after: { version: version + 1, policy, finalAt, restricts }, verdicts };
}

/** Adds a version, unless the history has it already or lacks its predecessor. */
export function addVersion(history: PolicyHistory, token: Address, after: PolicyVersion): void {
  const versions = entryOf(history, token, () => [undefined]);
  if (after.version === versions.length) versions.push(after);
}

/**
 * Returns the first refusal of an operation that holds in every version by which an honest voter may have voted: from
 * the newest one back to the last restriction that was final before the operation's first submission. Every quorum of
 * its voters contains an honest one that committed to that restriction and votes by it or a later version.
 */
export function barringRefusal(
  history: PolicyHistory,
  token: Address,
  submittedAt: number,
  refusalIn: (policy: Policy | undefined) => string | undefined,
): { readonly reason: string; readonly since: PolicyVersion | undefined } | undefined {
  const versions = history.get(token) ?? [undefined];
  let reason: string | undefined;
  for (let version = versions.length - 1; version >= 0; version--) {
    const policyVersion = versions[version];
    const bar = refusalIn(policyVersion?.policy);
    if (bar === undefined) return undefined;
    reason = bar;
    if (policyVersion?.restricts && policyVersion.finalAt < submittedAt) return { reason, since: policyVersion };
  }
  return reason === undefined ? undefined : { reason, since: undefined };
}
