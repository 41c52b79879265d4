/** Who acts in drawn scenarios, and what everybody begins with. */
import type { GenesisPart } from "../../scenario/scenario.ts";
import type { Part } from "./part.ts";

/** Accounts in whose name single operations are submitted. */
export const ACCOUNTS: readonly string[] = ["alice", "bob", "carol", "dave"];
/** Wallets of workloads: they count their own nonces, so nothing is submitted from them. */
export const WALLETS: readonly string[] = ["erin", "frank", "grace"];
/** Authorities that workloads order from. */
export const AUTHORITIES: readonly string[] = ["boss", "scribe", "owner"];
export const EVERYBODY: readonly string[] = [...ACCOUNTS, ...WALLETS];
/** Validators that a change of the committee may take in. */
export const SPARES: readonly string[] = ["s1", "s2"];

/** A public token with every role given away, a private one, and something for everybody. */
export const GENESIS: GenesisPart = {
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
    ...Object.fromEntries(EVERYBODY.map((name) => [name, { USD: "100" }])),
    erin: { USD: "100", RWA: "9" },
    boss: { USD: "5" },
  },
  fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" },
};

/** Four validators over the usual genesis: what pieces are drawn for where nobody says otherwise. */
export const NETWORK: Part = { network: { validators: 4 }, genesis: GENESIS };
