/** Cheats: balances, roles and the faucet, by operations signed with keys that the server holds. */
import { Type } from "typebox";
import type { Amount } from "../../core/base/amount.ts";
import type { Address } from "../../core/base/ids.ts";
import { ROLES, type Role } from "../../core/base/operation.ts";
import { err, ok, type Result } from "../../core/base/result.ts";
import { parseDecimal } from "../../scenario/decimal.ts";
import type { Host } from "../host/host.ts";
import { firstRunning } from "../host/running.ts";
import type { NameResolver } from "./name-resolver.ts";
import { type AdminRoute, EXACT, shortText } from "./routes.ts";
import type { ServerSigner } from "./signed-submission.ts";

/** Token of the current state. */
export interface Resolved {
  readonly address: Address;
  readonly decimals: number;
}

/** Resolves a token in the current state. */
export function resolveToken(host: Host, names: NameResolver, text: string): Result<Resolved, string> {
  const running = firstRunning(host);
  return running === undefined ? err("no validator runs") : names.token(text, running.ledger);
}

/** Resolves an amount in a token's units. */
export function resolveAmount(text: string, decimals: number): Result<Amount, string> {
  if (!/^\d{1,78}(\.\d{1,18})?$/.test(text)) return err(`value: expected decimal text such as "12.5", got "${text}"`);
  const amount = parseDecimal(text, decimals);
  return typeof amount === "string" ? err(`value: ${amount}`) : ok(amount);
}

/** Routes that change balances and roles. */
export function cheatRoutes(host: Host, signer: ServerSigner, names: NameResolver): readonly AdminRoute[] {
  const whose = { account: shortText("name or address"), token: shortText("symbol or address") };
  return [
    {
      path: "/admin/balance",
      summary: "set a balance by minting or burning",
      body: Type.Object({ ...whose, value: shortText("in the token's units") }, EXACT),
      handle: async ({ account, token, value }) => {
        const owner = names.account(String(account));
        if (!owner.ok) return owner;
        const meant = resolveToken(host, names, String(token));
        if (!meant.ok) return meant;
        const amount = resolveAmount(String(value), meant.value.decimals);
        return amount.ok ? signer.setBalance(owner.value, meant.value.address, amount.value) : amount;
      },
    },
    {
      path: "/admin/role",
      summary: "grant or revoke a role of a token whose master's key the server holds",
      body: Type.Object(
        {
          ...whose,
          role: Type.Union(ROLES.map((role) => Type.Literal(role))),
          action: Type.Union([Type.Literal("Grant"), Type.Literal("Revoke")]),
          allowance: Type.Optional(shortText("in the token's units")),
        },
        EXACT,
      ),
      handle: async ({ account, token, role, action, allowance }) => {
        const owner = names.account(String(account));
        if (!owner.ok) return owner;
        const meant = resolveToken(host, names, String(token));
        if (!meant.ok) return meant;
        const amount = resolveAmount(String(allowance ?? "0"), meant.value.decimals);
        if (!amount.ok) return amount;
        const change = { action: action as "Grant" | "Revoke", allowance: amount.value };
        return signer.setRole(meant.value.address, owner.value, role as Role, change);
      },
    },
  ];
}
