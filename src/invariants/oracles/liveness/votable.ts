/**
 * Operations that honest nodes no longer vote for, by the newest policies and balances of any of them (protocol 3.2,
 * 4.2).
 */
import type { EpochParameters } from "../../../core/base/epoch.ts";
import { fillerAmount } from "../../../core/base/fillers.ts";
import type { Address } from "../../../core/base/ids.ts";
import type { Operation, SignedOperation } from "../../../core/base/operation.ts";
import type { RunSetting } from "../../observation.ts";
import type { ObservedToken } from "../../observed-token.ts";
import { feeEntry } from "../../reference/epoch.ts";
import { isForcedDebit, ROLE_OF, roleOf, totalOf } from "../../reference/operation-meaning.ts";
import type { OpenSubmissions } from "./open-submissions.ts";

/** Known state of accounts and tokens. */
export interface StateView {
  readonly setting: RunSetting;
  readonly cases: OpenSubmissions;
  /** Of the open epoch. */
  readonly epoch: { readonly parameters: EpochParameters };
}

type VotingPolicy = Pick<
  ObservedToken,
  "masterAuthority" | "isPrivate" | "isPaused" | "clawbackEnabled" | "roles" | "blacklist" | "whitelist"
>;

/**
 * Returns true if the newest balance at any honest node does not cover an operation, which then waits for funds (4.2).
 */
export function isUnfundedNow(view: StateView, signed: SignedOperation): boolean {
  const { operation, sender } = signed;
  if (operation.kind === "payment") return !coversPayment(view, sender, operation.token, operation.value);
  if (operation.kind === "batch") return !coversPayment(view, sender, operation.token, totalOf(operation));
  // protocol 5: the debited account's order decides about the funds of a forced burn.
  if (operation.kind === "bridgeBurn")
    return !holdsAmount(view, sender, operation.token, operation.value + operation.escrowFee);
  const debits = operation.kind === "burn" || operation.kind === "clawback";
  return debits && !isForcedDebit(signed) && !holdsAmount(view, sender, operation.token, operation.value);
}

/** Returns true if the newest policy at any honest node refuses an operation, whatever earlier ones allowed. */
export function isBarredNow(view: StateView, { operation, sender }: SignedOperation): boolean {
  switch (operation.kind) {
    case "cancellation":
    case "multisig":
      return false;
    case "issue":
      return sender !== view.setting.genesis.operator;
    case "payment": {
      const token = policyOf(view, operation.token);
      return (
        token !== undefined && (token.isPaused || isExcluded(token, sender) || isExcluded(token, operation.recipient))
      );
    }
    case "batch": {
      const token = policyOf(view, operation.token);
      if (token === undefined) return false;
      return (
        token.isPaused || isExcluded(token, sender) || operation.legs.some((leg) => isExcluded(token, leg.recipient))
      );
    }
    case "bridgeBurn": {
      const token = policyOf(view, operation.token);
      return token !== undefined && (token.isPaused || isExcluded(token, sender));
    }
    case "burn":
      return policyOf(view, operation.token)?.isPaused === true || !mayAct(view, operation, sender);
    case "clawback": {
      const token = policyOf(view, operation.token);
      if (token === undefined || !mayAct(view, operation, sender)) return true;
      return token.isPaused || !token.clawbackEnabled || isExcluded(token, operation.recipient);
    }
    default:
      return !mayAct(view, operation, sender);
  }
}

type RoleOperation = Extract<Operation, { readonly kind: keyof typeof ROLE_OF }>;

function mayAct(view: StateView, operation: RoleOperation, sender: Address): boolean {
  const policy = policyOf(view, operation.token);
  if (policy === undefined) return false;
  // specification 6.2: a holder of MasterMintBurn grants and revokes the minting role alone.
  const isOfMaster = operation.kind === "authority" && roleOf(operation.authorityType) !== ROLE_OF.mint;
  const needed = isOfMaster ? undefined : ROLE_OF[operation.kind];
  return (
    policy.masterAuthority === sender || policy.roles.some(({ role, address }) => role === needed && address === sender)
  );
}

/** Returns the newest policy of a token at any honest node; `undefined` if it is not issued. */
function policyOf({ cases, setting }: StateView, token: Address): VotingPolicy | undefined {
  return cases.tokens.get(token) ?? setting.genesis.tokens.find((one) => one.token === token);
}

/** Returns true if a balance covers a value and a payment fee. */
function coversPayment(view: StateView, payer: Address, token: Address, value: bigint): boolean {
  return holdsAmount(view, payer, token, value + feeEntry(view.epoch.parameters.fees, token).payment);
}

/** Returns true if an account holds a value, by the newest balance at any honest node. */
function holdsAmount({ cases, setting }: StateView, account: Address, token: Address, value: bigint): boolean {
  const { genesis } = setting;
  const start = genesis.balances.find((one) => one.address === account && one.token === token);
  const amount = cases.balances.get(account)?.get(token) ?? start?.amount ?? fillerAmount(genesis, token, account);
  return amount >= value;
}

function isExcluded(token: VotingPolicy, address: Address): boolean {
  return token.isPrivate ? !token.whitelist.includes(address) : token.blacklist.includes(address);
}
