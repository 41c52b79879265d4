/** Genesis of a scenario. */
import { type Amount, ZERO } from "../core/base/amount.ts";
import type { Genesis, GenesisToken } from "../core/base/epoch.ts";
import { ROLES, type Role } from "../core/base/operation.ts";
import { LIST_LIMIT } from "../core/ledger/limits.ts";
import { toDecimalAmount } from "./decimal.ts";
import type { Directory } from "./directory.ts";
import { firstParameters, parametersOf } from "./parameters.ts";
import type { Scenario, TokenSpec } from "./scenario.ts";
import { OPERATOR } from "./submit-access.ts";

export const CHAIN_ID_DEFAULT = 1_212_101;
/** The genesis with names and decimals resolved. It may be invalid: `genesisState` checks it. */
export function genesisOf(scenario: Scenario, directory: Directory): Genesis {
  const part = scenario.genesis;
  const balances = Object.entries(part?.balances ?? {}).flatMap(([account, tokens]) =>
    Object.entries(tokens).map(([name, text]) => {
      const { address: token, decimals } = directory.token(name);
      return { address: directory.account(account), token, amount: toDecimalAmount(text, decimals) };
    }),
  );
  return {
    chainId: part?.chain_id ?? CHAIN_ID_DEFAULT,
    operator: directory.account(OPERATOR),
    ...parametersOf(firstParameters(scenario), directory),
    listLimit: part?.list_limit ?? LIST_LIMIT,
    openTokens: part?.open_tokens ?? false,
    tokens: Object.entries(part?.tokens ?? {}).map(([symbol, token]) => tokenOf(symbol, token, directory)),
    balances,
  };
}

function tokenOf(symbol: string, part: TokenSpec, directory: Directory): GenesisToken {
  const { address, decimals } = directory.token(symbol);
  const allowanceOf = (role: Role, holder: string): Amount => {
    const text = role === "MintBurnTokens" ? part.allowances?.[holder] : undefined;
    return text === undefined ? ZERO : toDecimalAmount(text, decimals);
  };
  return {
    token: address,
    symbol,
    name: part.name ?? symbol,
    decimals,
    masterAuthority: directory.account(part.master),
    isPrivate: part.private ?? false,
    isPaused: part.state === "paused",
    roles: ROLES.flatMap((role) =>
      (part.roles?.[role] ?? []).map((holder) => ({
        role,
        address: directory.account(holder),
        allowance: allowanceOf(role, holder),
      })),
    ),
    blacklist: (part.blacklist ?? []).map((name) => directory.account(name)),
    whitelist: (part.whitelist ?? []).map((name) => directory.account(name)),
  };
}
