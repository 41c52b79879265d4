/** Comparison of a node's changes and receipts with those of the reference ledger. */
import { unreachable } from "../../../core/base/assert.ts";
import type { Receipt } from "../../../core/base/refusal.ts";
import { slotKey } from "../../../core/base/slot.ts";
import type { Application } from "../../history/content.ts";
import type { Change, ObservedToken } from "../../observation.ts";
import type { ModelReceipt } from "../../reference/ledger.ts";
import { setText } from "../../reference/operation-meaning.ts";
import { allowanceOf, type Policy } from "../../reference/policy.ts";
import { hasEffect, type LedgerState, type Move } from "../../reference/state.ts";
import { shortId, subjectName } from "../../text.ts";

/** Returns the differences of the node's receipts of one slot from the model's. */
export function diffReceipts(application: Application, expected: readonly ModelReceipt[]): readonly string[] {
  const differences: string[] = [];
  const observed = new Map(application.receipts.map((receipt) => [receipt.id, receipt]));
  for (const model of expected) {
    const receipt = observed.get(model.id);
    observed.delete(model.id);
    const difference = receipt === undefined ? "is missing" : diffReceipt(application, receipt, model);
    if (difference !== undefined) differences.push(`the receipt of ${shortId(model.id)} ${difference}`);
  }
  for (const id of observed.keys()) differences.push(`the receipt of ${shortId(id)} is not expected`);
  return differences;
}

function diffReceipt(application: Application, receipt: Receipt, model: ModelReceipt): string | undefined {
  if (receipt.success && !model.success) return `shows success, expected ${model.reasons.join(" or ")}`;
  if (!receipt.success && model.success) return `shows ${receipt.error?.code ?? "a failure"}, expected success`;
  if (receipt.fee !== model.fee) return `shows fee ${receipt.fee}, expected ${model.fee}`;
  if (receipt.feeToken !== model.feeToken) return "shows a fee in another token";
  if (receipt.slot !== slotKey(application.slot)) return "names another slot";
  if (receipt.bridgeNonce !== model.bridgeNonce)
    return `shows bridge nonce ${receipt.bridgeNonce ?? "none"}, expected ${model.bridgeNonce ?? "none"}`;
  const code = receipt.error?.code;
  if (receipt.success) return code === undefined ? undefined : `shows success and ${code}`;
  // If several rules refuse, a node may report any of them: the order of its checks is free.
  if (code === undefined || model.reasons.includes(code)) return undefined;
  return `shows ${code}, expected ${model.reasons.join(" or ")}`;
}

/**
 * Returns the differences of a node's state changes from those of the model's last decision. Observed changes without
 * effect are ignored.
 */
export function diffChanges(changes: readonly Change[], { moves, genesis }: LedgerState): readonly string[] {
  const differences: string[] = [];
  const observed = changes.filter((change) => !isIdle(change));
  const expected = moves.filter(hasEffect);
  for (const model of expected) {
    const change = observed.find((candidate) => isSameSubject(candidate, model));
    // A token that is not issued has no policy to compare, though refused operations use its versions.
    if (change === undefined && model.of === "token" && model.state.policy === undefined) continue;
    const difference = change === undefined ? "did not change" : diffChange(change, model);
    if (difference !== undefined) differences.push(`${subjectName(genesis, model)} ${difference}`);
  }
  for (const change of observed)
    if (!expected.some((model) => isSameSubject(change, model)))
      differences.push(`${subjectName(genesis, change)} changed without cause`);
  return differences;
}

function isIdle(change: Change): boolean {
  const moves = change.of === "balance" || change.of === "pool" || change.of === "burned";
  return moves && change.before === change.after;
}

function isSameSubject(change: Change, model: Move): boolean {
  switch (change.of) {
    case "balance":
      return model.of === "balance" && model.address === change.address && model.token === change.token;
    case "account":
      return model.of === "account" && model.address === change.address;
    case "token":
    case "pool":
    case "burned":
      return model.of === change.of && model.token === change.token;
    case "authorised":
      return model.of === "authorised" && model.id === change.id;
    default:
      return unreachable(change);
  }
}

function diffChange(change: Change, model: Move): string | undefined {
  if (change.of === "token" && model.of === "token") {
    if (change.after.version !== model.state.version)
      return `is at version ${change.after.version}, expected ${model.state.version}`;
    return model.state.policy === undefined
      ? "has a policy before its issue"
      : diffPolicy(change.after, model.state.policy);
  }
  if (change.of === "account" && model.of === "account") {
    if ((change.bridgeNonce ?? 0) !== model.bridgeNonce)
      return `counts ${change.bridgeNonce ?? 0} burns to other chains, expected ${model.bridgeNonce}`;
    const [multisig, expected] = [change.multisig, model.multisig].map((set) =>
      set === undefined ? "" : setText(set),
    );
    if (multisig !== expected) return `has the signer set "${multisig}", expected "${expected}"`;
    if (change.nonce === model.nonce && change.sequence === model.sequence) return undefined;
    return `is at nonce ${change.nonce}, sequence ${change.sequence}, expected ${model.nonce}, ${model.sequence}`;
  }
  if (change.of === "authorised" && model.of === "authorised") {
    return change.present === model.present
      ? undefined
      : change.present
        ? "is authorised again"
        : "left the authorised set";
  }
  if ("after" in change && "after" in model && change.of !== "token") {
    if (change.after !== model.after) return `is ${change.after}, expected ${model.after}`;
    return change.before === model.before ? undefined : `was ${change.before}, expected ${model.before}`;
  }
  return "changed differently";
}

/** Compares roles and lists as sets, allowances only for `MintBurnTokens`. */
function diffPolicy(token: ObservedToken, policy: Policy): string | undefined {
  const [observed, expectedTexts] = [textsOf(token), textsOf(policy)];
  if (observed.length !== expectedTexts.length || observed.some((text, at) => text !== expectedTexts[at]))
    return `is described as "${observed.join('", "')}", expected "${expectedTexts.join('", "')}"`;
  if (token.isPaused !== policy.isPaused) return token.isPaused ? "is paused" : "is not paused";
  if (token.isPrivate !== policy.isPrivate || token.decimals !== policy.decimals) return "has other fixed properties";
  if (token.clawbackEnabled !== policy.hasClawback) return "has other fixed properties";
  if (token.masterAuthority !== policy.master) return `has the master ${shortId(token.masterAuthority)}`;
  if (token.roles.length !== policy.roles.size)
    return `has ${token.roles.length} grants, expected ${policy.roles.size}`;
  for (const { role, address, allowance } of token.roles) {
    const held = allowanceOf(policy, role, address);
    if (held === undefined) return `shows ${role} held by ${shortId(address)}`;
    if (role === "MintBurnTokens" && held !== allowance)
      return `allows ${shortId(address)} ${allowance}, expected ${held}`;
  }
  if (token.bridged.length !== policy.minted.size)
    return `has minted ${token.bridged.length} transactions of other chains, expected ${policy.minted.size}`;
  for (const name of ["blacklist", "whitelist"] as const) {
    const stranger = token[name].find((address) => !policy[name].has(address));
    if (stranger !== undefined) return `has ${shortId(stranger)} on its ${name}`;
    if (token[name].length !== policy[name].size)
      return `has ${token[name].length} on its ${name}, expected ${policy[name].size}`;
  }
  return undefined;
}

/** Returns symbol, name and uri, then keys and values. */
function textsOf({ symbol, name, uri, additional }: ObservedToken | Policy): readonly string[] {
  return [symbol, name, uri, ...additional.flat()];
}
