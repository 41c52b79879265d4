/** Scenario fragments and their combination, the accounts of generated scenarios and their default genesis. */
import type fc from "fast-check";
import { validatorNames } from "../../scenario/declared.ts";
import type { GenesisSpec, Scenario } from "../../scenario/scenario.ts";
import type { Step } from "../../scenario/schema/step.ts";

/** A fragment: some members of a scenario. */
export type ScenarioFragment = Pick<Scenario, "network" | "genesis" | "clients" | "steps">;

/** A value of an arbitrary. */
export type ArbitraryValue<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** The part of a fragment that fixes the committee. */
export type HasCommittee = Pick<Scenario, "network">;

/**
 * Combines fragments into a scenario. A later fragment overrides members of earlier ones; steps are sorted by time. The
 * scenario expects no violation.
 */
export function combine(name: string, ...parts: readonly ScenarioFragment[]): Scenario {
  const network = Object.assign({}, ...parts.map((part) => part.network)) as NonNullable<Scenario["network"]>;
  const genesis = Object.assign({}, ...parts.map((part) => part.genesis)) as NonNullable<Scenario["genesis"]>;
  const clients = Object.assign({}, ...parts.map((part) => part.clients)) as NonNullable<Scenario["clients"]>;
  const steps = sortByTime(parts.flatMap((part) => part.steps ?? []));
  return {
    name,
    ...(Object.keys(network).length === 0 ? {} : { network }),
    ...(Object.keys(genesis).length === 0 ? {} : { genesis }),
    ...(Object.keys(clients).length === 0 ? {} : { clients }),
    ...(steps.length === 0 ? {} : { steps }),
    expect: [{ violation: "none" }],
    allow_idle: true,
  };
}

/** The first committee, v1 to vN. */
export function committeeIn({ network }: HasCommittee): readonly string[] {
  return validatorNames({ name: "", ...(network === undefined ? {} : { network }) });
}

/** The item at an index modulo the length, for an index drawn before the length is known. */
export function itemAt<T>(items: readonly T[], index: number): T {
  return items[index % items.length] as T;
}

function sortByTime(steps: readonly Step[]): readonly Step[] {
  return steps
    .map((step, place) => ({ step, place }))
    .sort((a, b) => (a.step.at ?? 0) - (b.step.at ?? 0) || a.place - b.place)
    .map(({ step }) => step);
}

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
        Clawback: ["boss"],
        Bridge: ["boss"],
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
  multisig: { vault: { signers: { alice: 1, boss: 1 }, threshold: 2, created: false } },
  fees: { payment: "0.01", cancellation: "0.02", recovery: "0.02" },
};

/** Four validators with the default genesis: the default network of fragments. */
export const NETWORK: ScenarioFragment = { network: { validators: 4 }, genesis: DEFAULT_GENESIS };
