/** Totals of moved amounts, by `balance/token/address`, `pool/token`, `burned/token`. */
import type { Genesis } from "../../core/base/epoch.ts";
import type { Address } from "../../core/base/ids.ts";
import type { Change } from "../observation.ts";
import { shortId, tokenName } from "../text.ts";

export type BalanceTotals = Map<string, bigint>;

/** Returns the net effect of changes on every amount. */
export function totalsMoved(changes: readonly Change[]): BalanceTotals {
  const money: BalanceTotals = new Map();
  for (const change of changes) {
    if (change.of === "balance")
      addTo(money, `balance/${change.token}/${change.address}`, change.after - change.before);
    else if (change.of === "pool" || change.of === "burned")
      addTo(money, `${change.of}/${change.token}`, change.after - change.before);
  }
  return money;
}

/** Adds to one total. */
export function addTo(money: BalanceTotals, key: string, by: bigint): void {
  money.set(key, (money.get(key) ?? 0n) + by);
}

/** Returns the text of a key: `the USD balance of 0x1234…`, `the fee pool of USD`. */
export function totalName(genesis: Genesis, key: string): string {
  const [kind, token, address] = key.split("/");
  const name = tokenName(genesis, token as Address);
  if (kind === "balance") return `the ${name} balance of ${shortId(address ?? "")}`;
  return kind === "pool" ? `the fee pool of ${name}` : `the count of burned ${name}`;
}
