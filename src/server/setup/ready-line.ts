/** Ready line of a served network for programs: a contract (add freely, change nothing). */

import type { Setup } from "../../live/setup.ts";
import { validatorNames } from "../../scenario/declared.ts";
import { CHAIN_ID_DEFAULT } from "../../scenario/genesis-of.ts";
import type { ReadyAccount } from "../accounts/ready-accounts.ts";
import { readyTokens } from "./ready-tokens.ts";

/** URLs of a served network. */
export interface Urls {
  /** HTTP interface of the first validator, without a trailing slash. */
  readonly url: string;
  readonly adminUrl: string | undefined;
  /** Further URLs with their names: the websocket, the documentation, other validators. */
  readonly others?: readonly (readonly [label: string, url: string])[];
}

/** Returns one JSON object on one line, without a line break. */
export function readyLine(setup: Setup, accounts: readonly ReadyAccount[], urls: Urls): string {
  return JSON.stringify({
    type: "ready",
    url: urls.url,
    admin_url: urls.adminUrl ?? null,
    chain_id: setup.scenario.genesis?.chain_id ?? CHAIN_ID_DEFAULT,
    accounts: accounts.map(({ name, address, key }) => ({ name, address, key })),
    tokens: readyTokens(setup).map(({ symbol, name, address, decimals, master, isPrivate, isPaused }) => ({
      symbol,
      name,
      address,
      decimals,
      master_authority: master,
      is_private: isPrivate,
      is_paused: isPaused,
    })),
    validators: validatorNames(setup.scenario),
    seed: setup.seed,
  });
}
