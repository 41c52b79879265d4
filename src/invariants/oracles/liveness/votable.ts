/**
 * Operations that honest nodes no longer vote for, by the newest policies and balances of any of them (protocol 3.2,
 * 4.2).
 */
import type { EpochParameters } from "../../../core/base/epoch.ts";
import { fillerAmount } from "../../../core/base/fillers.ts";
import type { Address } from "../../../core/base/ids.ts";
import { MemoTable } from "../../../core/base/memo-table.ts";
import type { SignedOperation } from "../../../core/base/operation.ts";
import type { RunSetting } from "../../observation.ts";
import { spentAmount } from "../../reference/epoch.ts";
import { isForcedDebit, isSpending, tokenOf } from "../../reference/operation-meaning.ts";
import { genesisPolicy, type Policy, type TokenTerms } from "../../reference/policy.ts";
import { forbidsVote, isOfPermission, policyRefusals } from "../../reference/token-rules.ts";
import type { OpenSubmissions } from "./open-submissions.ts";

/** Known state of accounts and tokens. */
export interface StateView {
  readonly setting: RunSetting;
  readonly cases: OpenSubmissions;
  /** Of the open epoch. */
  readonly epoch: { readonly parameters: EpochParameters };
}

/**
 * Returns true if the newest balance at any honest node does not cover an operation, which then waits for funds (4.2).
 */
export function isUnfundedNow(view: StateView, signed: SignedOperation): boolean {
  const { operation, sender } = signed;
  if (isSpending(operation))
    return !holdsAmount(view, sender, operation.token, spentAmount(view.epoch.parameters.fees, operation));
  const debits = operation.kind === "burn" || operation.kind === "clawback";
  // protocol 5: the debited account's order decides about the funds of a forced burn.
  return debits && !isForcedDebit(signed) && !holdsAmount(view, sender, operation.token, operation.value);
}

/** Returns true if the newest policy at any honest node refuses an operation, whatever earlier ones allowed. */
export function isBarredNow(view: StateView, signed: SignedOperation): boolean {
  const { operation } = signed;
  const policy = policyOf(view, tokenOf(operation));
  // The token of a payment may still be issued.
  if (policy === undefined && isSpending(operation)) return false;
  const refusals = policyRefusals(policy, signed, view.setting.genesis);
  return refusals.some((code) => isOfPermission(code) && forbidsVote(signed, code));
}

/** Policies by what nodes show, and the genesis says, of a token. */
const policies = new MemoTable<TokenTerms, Policy>();

/** Returns the newest policy of a token at any honest node; `undefined` if it is not issued. */
function policyOf({ cases, setting }: StateView, token: Address | undefined): Policy | undefined {
  if (token === undefined) return undefined;
  const observedToken = cases.tokens.get(token) ?? setting.genesis.tokens.find((other) => other.token === token);
  return observedToken && policies.getOrCompute(observedToken, (terms) => genesisPolicy(terms, 0n));
}

/** Returns true if an account holds a value, by the newest balance at any honest node. */
function holdsAmount({ cases, setting }: StateView, account: Address, token: Address, value: bigint): boolean {
  const { genesis } = setting;
  const start = genesis.balances.find((balance) => balance.address === account && balance.token === token);
  const amount = cases.balances.get(account)?.get(token) ?? start?.amount ?? fillerAmount(genesis, token, account);
  return amount >= value;
}
