/** Accounts and default genesis of generated scenarios. */
import type { GenesisSpec } from "../../scenario/scenario.ts";
import type { ScenarioFragment } from "./fragment.ts";

/** Senders of single operations. */
export const ACCOUNTS: readonly string[] = ["alice", "bob", "carol", "dave"];
/** Wallets of workloads. They assign their own nonces, so they send no single operations. */
export const WALLETS: readonly string[] = ["erin", "frank", "grace"];
/** Authorities in workload orders. */
export const AUTHORITIES: readonly string[] = ["boss", "scribe", "owner"];
export const ALL_ACCOUNTS: readonly string[] = [...ACCOUNTS, ...WALLETS];
/** Validators that may join a committee. */
export const SPARES: readonly string[] = ["s1", "s2"];

/** A public token with holders of every role, a private one, and a balance for every account. */
export const DEFAULT_GENESIS: GenesisSpec = {
  tokens: {
    USD: {
      decimals: 2,
      master: "issuer",
      roles: {
        MasterMintBurn: ["boss"],
        MintBurnTokens: ["boss", "frank"],
        Pause: ["boss", "scribe"],
        ManageList: ["boss"],
        UpdateMetadata: ["scribe"],
      },
      allowances: { boss: "60" },
    },
    RWA: { decimals: 2, master: "owner", private: true, roles: { ManageList: ["boss"] }, whitelist: ["erin", "frank"] },
  },
  balances: {
    ...Object.fromEntries(ALL_ACCOUNTS.map((name) => [name, { USD: "100" }])),
    erin: { USD: "100", RWA: "9" },
    boss: { USD: "5" },
  },
  fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" },
};

/** Four validators with the default genesis: the default network of fragments. */
export const NETWORK: ScenarioFragment = { network: { validators: 4 }, genesis: DEFAULT_GENESIS };
