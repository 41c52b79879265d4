/**
 * Spellings of roles and actions, past and present, as one closed set of meanings (specification 6.3; wire 2.2). For
 * meaning only: the received text is what is hashed. Spellings are case-sensitive.
 */
import type { List, Role } from "../base/operation.ts";

export type GrantAction = "grant" | "revoke";
export type PauseAction = "pause" | "unpause";
export type ListAction = "add" | "remove";
export type RoleSpelling = keyof typeof ROLES_BY_SPELLING;

const ROLES_BY_SPELLING = {
  MasterMintBurn: "MasterMintBurn",
  MasterMint: "MasterMintBurn",
  MintBurnTokens: "MintBurnTokens",
  MintTokens: "MintBurnTokens",
  Burn: "MintBurnTokens",
  Pause: "Pause",
  ManageList: "ManageList",
  Blacklist: "ManageList",
  Whitelist: "ManageList",
  UpdateMetadata: "UpdateMetadata",
  Clawback: "Clawback",
  Bridge: "Bridge",
} satisfies Readonly<Record<string, Role>>;
const ROLE_SPELLINGS: ReadonlyMap<string, Role> = new Map<string, Role>(Object.entries(ROLES_BY_SPELLING));
const GRANT_SPELLINGS: ReadonlyMap<string, GrantAction> = new Map([
  ["Grant", "grant"],
  ["Revoke", "revoke"],
]);
const PAUSE_SPELLINGS: ReadonlyMap<string, PauseAction> = new Map([
  ["Pause", "pause"],
  ["Unpause", "unpause"],
]);
/** By list. The older path has no word for a removal: of a public token, `Whitelist` removes from the blacklist. */
const LIST_SPELLINGS: Readonly<Record<List["list"], ReadonlyMap<string, ListAction>>> = {
  blacklist: new Map([
    ["Add", "add"],
    ["Remove", "remove"],
    ["Blacklist", "add"],
    ["Whitelist", "remove"],
  ]),
  whitelist: new Map([
    ["Add", "add"],
    ["Remove", "remove"],
    ["Whitelist", "add"],
  ]),
};

/** Accepted spellings, in the order above: the values that a refusal names as expected. */
export const SPELLINGS: {
  readonly role: readonly string[];
  readonly grant: readonly string[];
  readonly pause: readonly string[];
  readonly list: readonly string[];
} = {
  role: [...ROLE_SPELLINGS.keys()],
  grant: [...GRANT_SPELLINGS.keys()],
  pause: [...PAUSE_SPELLINGS.keys()],
  list: [...LIST_SPELLINGS.blacklist.keys()],
};

/** Returns the role of an authority type, `undefined` for an unknown spelling. */
export function roleOf(text: string): Role | undefined {
  return ROLE_SPELLINGS.get(text);
}

/** Returns true for a spelling whose grant sets an allowance: `Burn` of the older set gives no right to mint. */
export function setsAllowance(text: string): boolean {
  return roleOf(text) === "MintBurnTokens" && text !== "Burn";
}

/** Returns grant or revoke, `undefined` for an unknown spelling. */
export function grantActionOf(text: string): GrantAction | undefined {
  return GRANT_SPELLINGS.get(text);
}

/** Returns pause or unpause, `undefined` for an unknown spelling. */
export function pauseActionOf(text: string): PauseAction | undefined {
  return PAUSE_SPELLINGS.get(text);
}

/** Returns add or remove, `undefined` for a spelling that the list does not have. */
export function listActionOf({ list, action }: Pick<List, "list" | "action">): ListAction | undefined {
  return LIST_SPELLINGS[list].get(action);
}

/** Returns the lists that an action of the older path may mean: the policy of the token decides (wire 3.9). */
export function listsOf(action: string): readonly List["list"][] {
  return action === "Whitelist" ? ["whitelist", "blacklist"] : ["blacklist"];
}
