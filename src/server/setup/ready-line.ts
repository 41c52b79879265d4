/** The line that tells a program that a served network is ready: a contract (add freely, change nothing). */

import type { Setup } from "../../live/setup.ts";
import { validatorNames } from "../../scenario/declared.ts";
import { CHAIN_ID_DEFAULT } from "../../scenario/genesis-of.ts";
import type { ReadyAccount } from "../accounts/ready-accounts.ts";
import { readyTokens } from "./ready-tokens.ts";

/** Where a served network answers. */
export interface Urls {
  /** The HTTP interface of the first validator, without a slash at its end. */
  readonly url: string;
  readonly adminUrl: string | undefined;
  /** Further ones with what they are called: the websocket, the documentation, other validators. */
  readonly others?: readonly (readonly [label: string, url: string])[];
}

/** One JSON object on one line, without its end. */
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
