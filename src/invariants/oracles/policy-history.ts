/**
 * Policy of each token at each version, by the decided lists in version order, with the time from which the list could
 * be final. Independent of any node's view.
 */
import type { Genesis } from "../../core/base/genesis.ts";
import type { Address } from "../../core/base/ids.ts";
import type { OperationId, SignedOperation } from "../../core/base/operation.ts";
import { digits, type ListValue } from "../../core/base/slot.ts";
import { Trie } from "../../core/base/trie.ts";
import { carried } from "../history/application.ts";
import { genesisPolicy, type Policy } from "../reference/policy.ts";
import { isRestriction, policyAfter, policyReasons, type Reasons } from "../reference/token-rules.ts";
import { valueText } from "../words.ts";

export interface Stage {
  readonly version: number;
  readonly policy: Policy | undefined;
  /** Count of records from which the list before this version could be final; -1 for genesis. */
  readonly finalAt: number;
  /** True if an operation of that list removed a permission (protocol 4.2, Barrier). */
  readonly restricts: boolean;
  /** That list as text, and the model's refusals of each of its operations: empty means success. */
  readonly list: string;
  readonly verdicts: ReadonlyMap<OperationId, Reasons>;
}

export interface PolicyHistory {
  /** By `token/version`. */
  readonly stages: Trie<Stage>;
  /** Newest known version of each token. */
  readonly newest: Trie<number>;
}

const NO_VERDICTS: ReadonlyMap<OperationId, Reasons> = new Map();

/** Returns version 0 of every genesis token. */
export function historyAtGenesis(genesis: Genesis): PolicyHistory {
  const stages = genesis.tokens.map((token): [string, Stage] => {
    const given = genesis.balances
      .filter((one) => one.token === token.token)
      .reduce((sum, one) => sum + one.amount, 0n);
    const policy = genesisPolicy(token, given);
    return [
      stageKey(token.token, 0),
      { version: 0, policy, finalAt: -1, restricts: false, list: "", verdicts: NO_VERDICTS },
    ];
  });
  return { stages: Trie.of(stages), newest: Trie.of(genesis.tokens.map(({ token }) => [token, 0])) };
}

/** Returns the policy of a token at a version: after the list of the version before. */
export function stageOf(history: PolicyHistory, token: Address, version: number): Stage | undefined {
  return history.stages.get(stageKey(token, version));
}

/** Adds the list that `version` decided; unchanged if it is known already or earlier versions are not. */
export function withList(
  history: PolicyHistory,
  token: Address,
  version: number,
  value: ListValue,
  operations: readonly SignedOperation[],
  finalAt: number,
  { operator, openTokens }: Pick<Genesis, "operator" | "openTokens">,
): PolicyHistory {
  const before = stageOf(history, token, version);
  if (stageOf(history, token, version + 1) !== undefined || (before === undefined && version > 0)) return history;
  let policy = before?.policy;
  let restricts = false;
  const verdicts = new Map<OperationId, Reasons>();
  for (const { id, signed } of carried(value, operations)) {
    const reasons = policyReasons(policy, signed, operator);
    verdicts.set(id, reasons);
    if (reasons.length > 0) continue;
    restricts ||= isRestriction(policy, signed);
    policy = policyAfter(policy, signed, openTokens);
  }
  const stage = { version: version + 1, policy, finalAt, restricts, list: valueText(value), verdicts };
  return {
    stages: history.stages.set(stageKey(token, version + 1), stage),
    newest: history.newest.set(token, version + 1),
  };
}

/**
 * Returns the first refusal of an operation that holds in every version by which an honest voter may have voted: from
 * the newest one back to the last restriction that was final before the operation's first submission. Every quorum of
 * its voters contains an honest one that committed to that restriction and votes by it or a later version.
 */
export function barred(
  history: PolicyHistory,
  token: Address,
  submittedAt: number,
  against: (policy: Policy | undefined) => string | undefined,
): { readonly reason: string; readonly since: Stage | undefined } | undefined {
  const newest = history.newest.get(token) ?? 0;
  let reason: string | undefined;
  for (let version = newest; version >= 0; version--) {
    const stage = stageOf(history, token, version);
    const here = against(stage?.policy);
    if (here === undefined) return undefined;
    reason = here;
    if (stage?.restricts && stage.finalAt < submittedAt) return { reason, since: stage };
  }
  return reason === undefined ? undefined : { reason, since: undefined };
}

function stageKey(token: Address, version: number): string {
  return `${token}/${digits(version)}`;
}
