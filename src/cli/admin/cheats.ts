/** Cheats for balances and roles, and any verb of the scenario language. */
import { ROLES } from "../../core/base/operation.ts";
import { type Positionals, UsageError } from "../command.ts";
import { textOption } from "../options.ts";
import { type AdminAction, argument, membersOf, requiredText } from "./action.ts";
import { stepCall } from "./api.ts";

const ACCOUNT_AND_TOKEN: Positionals = {
  account: argument("its name or address"),
  token: argument("its symbol or address"),
};

const hashOf = (result: unknown): string => {
  const { hash } = (result ?? {}) as { readonly hash?: string };
  return hash === undefined ? "the balance was already this" : `hash ${hash}`;
};

export const CHEAT_ACTIONS: readonly AdminAction[] = [
  {
    usage: "balance <account> <token> <value>",
    description: "sets a balance by minting or burning",
    example: "alice USDX 12.5",
    positionals: { ...ACCOUNT_AND_TOKEN, value: argument("in the token's units") },
    request: (args) => {
      const [account, token, value] = ["account", "token", "value"].map((name) => requiredText(args, name));
      return { path: "/admin/balance", body: { account, token, value } };
    },
    resultText: hashOf,
  },
  {
    usage: "role <action> <account> <token> <role>",
    description: "grants or revokes a role of a token",
    example: "grant bob USDX MintBurnTokens --allowance 1000",
    positionals: {
      ...ACCOUNT_AND_TOKEN,
      action: { ...argument("grant or revoke"), choices: ["grant", "revoke"] },
      role: { ...argument("the role"), choices: ROLES },
    },
    options: { allowance: textOption("of MintBurnTokens, in the token's units") },
    request: (args) => {
      const action = requiredText(args, "action") === "grant" ? "Grant" : "Revoke";
      const [account, token, role] = ["account", "token", "role"].map((name) => requiredText(args, name));
      return { path: "/admin/role", body: membersOf({ action, account, token, role, allowance: args["allowance"] }) };
    },
    resultText: hashOf,
  },
  {
    usage: "step <verb>",
    description: "any verb of the scenario language but submit and workload; quorumlab schema lists them",
    example: `'{"disk":{"node":"v1","write_ms":50}}'`,
    positionals: { verb: argument("one step, as JSON") },
    request: (args) => stepCall(stepIn("verb", requiredText(args, "verb"))),
  },
];

/** Returns a step of the scenario language from JSON. @throws UsageError that names `source` unless it is one object. */
export function stepIn(source: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${source}: expected a step such as {"crash":{"node":"v2"}}: ${(error as Error).message}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new UsageError(`${source}: expected a step such as {"crash":{"node":"v2"}}, got ${text}`);
}
