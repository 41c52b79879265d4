/** Rules of token operations against one policy (specification 5, 6), and of votes in token slots (protocol 3). */
import { AMOUNT_MAX, leastOf } from "../../core/base/amount.ts";
import { unreachable } from "../../core/base/assert.ts";
import type { Address } from "../../core/base/ids.ts";
import type {
  Authority,
  BridgeMint,
  Clawback,
  List,
  Mint,
  Payment,
  SignedOperation,
} from "../../core/base/operation.ts";
import type { Policies } from "../../core/base/policies.ts";
import type { RefusalCode } from "../../core/base/refusal.ts";
import type { ListValue, TokenSlot } from "../../core/base/slot.ts";
import { effectSlotOf, grantsBurningOnly, listOf, ROLE_OF, roleOf, tokenOf } from "./operation-meaning.ts";
import {
  allowanceOf,
  CAPS,
  countHolders,
  grantRole,
  isAllowed,
  issuedPolicy,
  type JudgedGenesis,
  mayAct,
  NO_ALLOWANCE,
  type Policy,
  revokeRole,
} from "./policy.ts";
import { firstInQueue, type LedgerState, type Queues, queuesWithout, tokenStateOf } from "./state.ts";

/** All rules that forbid the operation. A node may check them in any order. */
export type Refusals = readonly RefusalCode[];

const PERMITTED: Refusals = [];

/** Members of a genesis by which token operations are judged. */
export type Terms = Pick<JudgedGenesis, "operator" | "policies" | "networkRule">;

/** Returns the rules of token policy, and of the network, that forbid this operation, fee and funds aside. */
export function policyRefusals(policy: Policy | undefined, signed: SignedOperation, terms: Terms): Refusals {
  const refusals = policyReasons(policy, signed, terms);
  const code = policy && terms.networkRule?.(signed, policy);
  return code === undefined ? refusals : [...refusals, code];
}

function policyReasons(policy: Policy | undefined, signed: SignedOperation, terms: Terms): Refusals {
  const { operation, sender } = signed;
  if (operation.kind === "cancellation" || operation.kind === "multisig") return PERMITTED;
  if (operation.kind === "issue") {
    return reasons([
      [sender !== terms.operator, "business_missing_role"],
      [policy !== undefined, "business_token_exists"],
    ]);
  }
  if (policy === undefined) return ["resource_token_not_found"];
  switch (operation.kind) {
    case "payment":
      return paymentReasons(policy, operation, sender);
    case "mint":
      return [
        ...mintReasons(policy, operation, sender),
        ...signerReasons(policy, sender, terms.policies.excludedMinters),
        ...listReasons(policy, operation.recipient),
      ];
    case "burn":
      return [
        ...reasons([
          [policy.isPaused, "business_token_paused"],
          [!mayAct(policy, ROLE_OF.burn, sender), "business_missing_role"],
        ]),
        ...signerReasons(policy, sender, terms.policies.excludedBurners),
      ];
    case "metadata":
      return reasons([[!mayAct(policy, ROLE_OF.metadata, sender), "business_missing_role"]]);
    case "list":
      return manageReasons(policy, operation, sender);
    case "authority":
      return authorityReasons(policy, operation, sender);
    case "pause":
      return reasons([
        [!mayAct(policy, ROLE_OF.pause, sender), "business_missing_role"],
        [policy.isPaused === (operation.action === "Pause"), "business_pause_state"],
      ]);
    case "clawback":
      return clawbackReasons(policy, operation, sender, terms.policies);
    case "bridgeMint":
      return [
        ...bridgeMintReasons(policy, operation, sender, terms.policies),
        ...signerReasons(policy, sender, terms.policies.excludedMinters),
        ...listReasons(policy, operation.recipient),
      ];
    case "bridgeBurn":
      return [
        ...reasons([
          [operation.sender !== sender, "validation_sender"],
          [policy.isPaused, "business_token_paused"],
        ]),
        ...listReasons(policy, sender),
      ];
    case "batch":
      // It is allowed if each of its payments is.
      return [
        ...pausedReasons(policy),
        ...operation.legs.flatMap(({ recipient }) => listReasons(policy, recipient)),
        ...listReasons(policy, sender),
      ];
    default:
      return unreachable(operation);
  }
}

const OF_VOTERS: ReadonlySet<string> = new Set(["business_missing_role", "resource_token_not_found"]);
const OF_PERMISSION: ReadonlySet<string> = new Set([
  ...OF_VOTERS,
  "business_token_paused",
  "business_blacklisted",
  "business_not_whitelisted",
  "business_clawback_disabled",
  "business_not_excluded",
]);

/** Returns true for a refusal for lack of permission: of all others form and funds are the reason. */
export function isOfPermission(code: RefusalCode): boolean {
  return OF_PERMISSION.has(code);
}

/** Returns true unless the token's order decides by this rule, with a receipt (protocol 4.1). */
export function forbidsVote(signed: SignedOperation, code: RefusalCode): boolean {
  return effectSlotOf(signed) !== "token" || OF_VOTERS.has(code);
}

/** Returns the rules by which the policy that its token has in a state forbids an operation. */
export function refusalsIn(state: LedgerState, signed: SignedOperation): Refusals {
  return policyRefusals(policyOf(state, signed), signed, state.genesis);
}

/** Returns the policy of the token that an operation is about; `undefined` for none, and for one that is not issued. */
export function policyOf(state: LedgerState, { operation }: SignedOperation): Policy | undefined {
  const token = tokenOf(operation);
  return token === undefined ? undefined : tokenStateOf(state, token).policy;
}

/** Returns the policy after an allowed operation; unchanged for payments and burns. */
export function policyAfter(
  policy: Policy | undefined,
  signed: SignedOperation,
  { policies }: Terms,
): Policy | undefined {
  const { operation, sender } = signed;
  if (operation.kind === "issue") return issuedPolicy(operation, policies.issuedTokens === "open");
  if (policy === undefined) return undefined;
  switch (operation.kind) {
    case "payment":
    case "batch":
    case "bridgeBurn":
    case "cancellation":
    case "multisig":
    case "burn":
    case "clawback":
      return policy;
    case "metadata":
      return { ...policy, name: operation.name, uri: operation.uri, additional: operation.additional };
    case "mint":
      return recordMint(policy, operation, sender);
    case "bridgeMint": {
      const everMinted = policy.everMinted + operation.value;
      return { ...policy, everMinted, minted: policy.minted.set(sourceOf(operation, policies), true) };
    }
    case "list":
      return changeList(policy, operation);
    case "authority":
      return changeRole(policy, operation, policies);
    case "pause":
      return { ...policy, isPaused: operation.action === "Pause" };
    default:
      return unreachable(operation);
  }
}

/** Returns true if the operation, if successful, restricts: votes respect it from its commit on (protocol 4.2). */
export function isRestriction(
  before: Policy | undefined,
  { operation }: SignedOperation,
  { policies }: Terms,
): boolean {
  if (before === undefined) return false;
  switch (operation.kind) {
    case "pause":
      return operation.action === "Pause";
    case "list": {
      const target = listOf(operation.list, operation.action);
      const isExclusion = operation.list === "blacklist" ? target === "add" : target === "remove";
      // A release forbids clawbacks where only excluded accounts are clawed back from.
      return isExclusion || policies.clawbacks === "excluded";
    }
    case "authority": {
      if (operation.action === "Revoke") return true;
      if (grantsBurningOnly(operation.authorityType) || policies.allowances === "added") return false;
      const role = roleOf(operation.authorityType);
      const allowance = role && allowanceOf(before, role, operation.authorityAddress);
      return (operation.value ?? NO_ALLOWANCE) < (allowance ?? NO_ALLOWANCE);
    }
    default:
      return false;
  }
}

function reasons(rules: readonly (readonly [boolean, RefusalCode])[]): Refusals {
  const broken = rules.filter(([isBroken]) => isBroken);
  return broken.length === 0 ? PERMITTED : broken.map(([, code]) => code);
}

function paymentReasons(policy: Policy, { recipient }: Payment, sender: Address): Refusals {
  if (!policy.isPaused && isAllowed(policy, sender) && isAllowed(policy, recipient)) return PERMITTED;
  return [...pausedReasons(policy), ...listReasons(policy, sender), ...listReasons(policy, recipient)];
}

function pausedReasons(policy: Policy): Refusals {
  return policy.isPaused ? ["business_token_paused"] : PERMITTED;
}

function listReasons(policy: Policy, address: Address): Refusals {
  if (isAllowed(policy, address)) return PERMITTED;
  return [policy.isPrivate ? "business_not_whitelisted" : "business_blacklisted"];
}

/** Lists bind who signs only where a policy of the network says so. */
function signerReasons(policy: Policy, signer: Address, choice: "allowed" | "refused"): Refusals {
  return choice === "refused" ? listReasons(policy, signer) : PERMITTED;
}

function mintReasons(policy: Policy, mint: Mint, sender: Address): Refusals {
  const allowance = allowanceOf(policy, "MintBurnTokens", sender);
  const limited = sender !== policy.master;
  return reasons([
    [policy.isPaused, "business_token_paused"],
    [limited && allowance === undefined, "business_missing_role"],
    [limited && allowance !== undefined && mint.value > (allowance ?? NO_ALLOWANCE), "business_allowance_exceeded"],
    [policy.everMinted + mint.value > AMOUNT_MAX, "business_amount_overflow"],
  ]);
}

/** Only who receives is bound by the lists, and where a policy says so only an excluded account loses its units. */
function clawbackReasons(
  policy: Policy,
  { from, recipient }: Clawback,
  sender: Address,
  { clawbacks }: Policies,
): Refusals {
  const found = reasons([
    [!policy.hasClawback, "business_clawback_disabled"],
    [policy.isPaused, "business_token_paused"],
    [!mayAct(policy, ROLE_OF.clawback, sender), "business_missing_role"],
    [clawbacks === "excluded" && isAllowed(policy, from), "business_not_excluded"],
  ]);
  return [...found, ...listReasons(policy, recipient)];
}

/** A transaction of another chain, whatever the case in which it is spelled; of its bytes, with or without 0x and blanks. */
function sourceOf({ sourceChainId, sourceTxHash }: BridgeMint, { deposits }: Policies): string {
  const lower = sourceTxHash.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const digits = lower.split(/\s+/).join("");
  const bytes = digits.startsWith("0x") ? digits.slice(2) : digits;
  return `${sourceChainId} ${encodeURIComponent(deposits === "bytes" ? bytes : lower)}`;
}

function bridgeMintReasons(policy: Policy, operation: BridgeMint, sender: Address, policies: Policies): Refusals {
  return reasons([
    [policy.isPaused, "business_token_paused"],
    [!mayAct(policy, ROLE_OF.bridgeMint, sender), "business_missing_role"],
    [policy.minted.has(sourceOf(operation, policies)), "business_bridge_replayed"],
    [policy.everMinted + operation.value > AMOUNT_MAX, "business_amount_overflow"],
  ]);
}

function manageReasons(policy: Policy, { list, action, address }: List, sender: Address): Refusals {
  const target = listOf(list, action);
  const isOn = (list === "blacklist" ? policy.blacklist : policy.whitelist).has(address);
  return reasons([
    [!mayAct(policy, ROLE_OF.list, sender), "business_missing_role"],
    [policy.isPrivate !== (list === "whitelist"), "business_list_kind"],
    [(target === "add" && isOn) || (target === "remove" && !isOn), "business_list_state"],
  ]);
}

function authorityReasons(policy: Policy, operation: Authority, sender: Address): Refusals {
  const role = roleOf(operation.authorityType);
  if (role === undefined) return ["validation_action"];
  // The master mint-burn authority grants minting and burning only (specification 6.2).
  const deputy = role === "MintBurnTokens" && allowanceOf(policy, "MasterMintBurn", sender) !== undefined;
  const holds = allowanceOf(policy, role, operation.authorityAddress) !== undefined;
  return reasons([
    [sender !== policy.master && !deputy, "business_missing_role"],
    [operation.action === "Grant" && !holds && countHolders(policy, role) >= CAPS[role], "business_role_full"],
    [operation.action === "Revoke" && !holds, "business_role_not_held"],
  ]);
}

function recordMint(policy: Policy, mint: Mint, sender: Address): Policy {
  const after = { ...policy, everMinted: policy.everMinted + mint.value };
  if (sender === policy.master) return after;
  const allowance = allowanceOf(policy, "MintBurnTokens", sender) ?? NO_ALLOWANCE;
  return grantRole(after, "MintBurnTokens", sender, allowance - mint.value);
}

function changeList(policy: Policy, { list, action, address }: List): Policy {
  const old = policy[list];
  return { ...policy, [list]: listOf(list, action) === "add" ? old.set(address, true) : old.delete(address) };
}

function changeRole(policy: Policy, operation: Authority, { allowances }: Policies): Policy {
  const role = roleOf(operation.authorityType);
  if (role === undefined) return policy;
  if (operation.action === "Revoke") return revokeRole(policy, role, operation.authorityAddress);
  const held = allowanceOf(policy, role, operation.authorityAddress) ?? null;
  const value = operation.value ?? NO_ALLOWANCE;
  const granted = allowances === "set" ? value : leastOf([(held ?? NO_ALLOWANCE) + value, AMOUNT_MAX]);
  const allowance = grantsBurningOnly(operation.authorityType) ? held : granted;
  return grantRole(policy, role, operation.authorityAddress, allowance);
}

/** Returns the rules that forbid a vote for `value` in `slot`; empty if it is allowed. */
export function listRefusals(state: LedgerState, slot: TokenSlot, value: ListValue): readonly string[] {
  const refusals: string[] = [...tokenEffectRefusals(state, slot)];
  const { listLimit } = state.genesis;
  if (value.ids.length === 0) refusals.push("the list is empty");
  if (value.ids.length > listLimit)
    refusals.push(`the list has ${value.ids.length} operations, at most ${listLimit} are allowed`);
  let rest: Queues = state;
  for (const id of value.ids) {
    const signed = rest.due.get(id);
    if (signed === undefined) {
      refusals.push(state.due.has(id) ? `${shortenId(id)} is repeated` : `${shortenId(id)} is not authorised`);
      continue;
    }
    if (effectSlotOf(signed) !== "token" || tokenOf(signed.operation) !== slot.token)
      refusals.push(`${shortenId(id)} is not an operation of this token`);
    // Removed one by one, so that the signer's earlier operations must be gone: executed or earlier in the list.
    if (firstInQueue(rest, signed) !== id)
      refusals.push(`${shortenId(id)} precedes an earlier operation of its signer`);
    rest = queuesWithout(rest, id, signed);
  }
  return refusals;
}

/** Returns a refusal if this is not the token's next slot (protocol 3.1, 1a). */
export function tokenEffectRefusals(state: LedgerState, slot: TokenSlot): readonly string[] {
  const { version } = tokenStateOf(state, slot.token);
  return version === slot.version ? [] : [`version ${version} is next, not ${slot.version}`];
}

function shortenId(id: string): string {
  return `${id.slice(0, 10)}…`;
}
