/** Arbitrary scenarios: network, schedule, Byzantine validators, traffic, faults and committee changes. */
import fc from "fast-check";
import { accountsInSteps, partsOf } from "../../scenario/declared.ts";
import { tokenIn } from "../../scenario/members.ts";
import type { GenesisSpec, Scenario, TokenSpec } from "../../scenario/scenario.ts";
import { byzantineIn, laterByzantine } from "./byzantine.ts";
import { laterFaults } from "./faults.ts";
import { combine, committeeIn, type ScenarioFragment } from "./fragment.ts";
import { laterCommittees, type NetworkConstraints, networks } from "./networks.ts";
import { laterSchedules } from "./schedules.ts";
import { laterWorkloads, type WorkloadConstraints } from "./workloads.ts";

/** Constraints on scenarios; everything is allowed by default. */
export interface ScenarioConstraints extends NetworkConstraints, WorkloadConstraints {
  /** Allows loss, holding and varying delays of messages. */
  readonly schedules?: boolean;
  /** Allows up to f Byzantine validators. */
  readonly byzantine?: boolean;
  /** Allows faults of nodes and links. */
  readonly faults?: boolean;
  /** Allows committee changes by the operator. */
  readonly committees?: boolean;
}

const NOTHING: fc.Arbitrary<() => ScenarioFragment> = fc.constant(() => ({}));

/**
 * Valid scenarios, each with at most f Byzantine validators and the expectation of no violation. Shrinking removes steps,
 * faults and Byzantine validators and reduces numbers, in any order.
 */
export function scenarios(constraints: ScenarioConstraints = {}): fc.Arbitrary<Scenario> {
  const { schedules = true, byzantine = true, faults = true, committees = true } = constraints;
  return fc
    .record({
      network: networks(constraints),
      traffic: laterWorkloads(constraints),
      schedule: schedules ? laterSchedules : NOTHING,
      faults: faults ? laterFaults : NOTHING,
      byzantineNodes: byzantine ? laterByzantine : NOTHING,
      committees: committees ? laterCommittees : NOTHING,
    })
    .map(({ network, traffic, schedule, faults: plan, byzantineNodes: byzantineOf, committees: changes }) => {
      const names = committeeIn(network);
      const byzantinePart = byzantineOf(names);
      const parts = [
        network,
        schedule(names),
        byzantinePart,
        plan(names),
        traffic(names),
        changes(names, byzantineIn(byzantinePart)),
      ];
      return withoutUnused(combine("drawn by fast-check", ...parts));
    });
}

/** The scenario with only those accounts and tokens in genesis and clients that some step names. */
function withoutUnused(scenario: Scenario): Scenario {
  const { steps = [] } = scenario;
  const accounts = new Set(accountsInSteps(steps));
  const tokens = new Set(steps.flatMap(partsOf).flatMap((part) => tokenIn(part)?.name ?? []));
  const { genesis, clients } = scenario;
  const kept = pickEntries(clients ?? {}, (name) => accounts.has(name));
  const { clients: _all, ...rest } = scenario;
  return {
    ...rest,
    ...(genesis === undefined ? {} : { genesis: usedGenesis(genesis, accounts, tokens) }),
    ...(Object.keys(kept).length === 0 ? {} : { clients: kept }),
  };
}

function usedGenesis(genesis: GenesisSpec, accounts: ReadonlySet<string>, tokens: ReadonlySet<string>): GenesisSpec {
  const { tokens: allTokens = {}, balances: allBalances = {}, multisig: allMultisigs = {}, ...rest } = genesis;
  const multisig = pickEntries(allMultisigs, (name) => accounts.has(name));
  const used = pickEntries(allTokens, (name) => tokens.has(name));
  const balances = Object.entries(pickEntries(allBalances, (name) => accounts.has(name)))
    .map(([name, amounts]) => [name, pickEntries(amounts, (token) => tokens.has(token))] as const)
    .filter(([, amounts]) => Object.keys(amounts).length > 0);
  return {
    ...(Object.keys(used).length === 0
      ? {}
      : { tokens: Object.fromEntries(Object.entries(used).map(([name, one]) => [name, tokenFor(one, accounts)])) }),
    ...(balances.length === 0 ? {} : { balances: Object.fromEntries(balances) }),
    ...(Object.keys(multisig).length === 0 ? {} : { multisig }),
    ...rest,
  };
}

function tokenFor(token: TokenSpec, accounts: ReadonlySet<string>): TokenSpec {
  const { roles = {}, allowances = {}, blacklist = [], whitelist = [], ...rest } = token;
  const here = (names: readonly string[]): readonly string[] => names.filter((name) => accounts.has(name));
  const held = Object.entries(roles)
    .map(([role, names]) => [role, here(names)] as const)
    .filter(([, names]) => names.length > 0);
  const allowed = pickEntries(allowances, (name) => accounts.has(name));
  return {
    ...rest,
    ...(held.length === 0 ? {} : { roles: Object.fromEntries(held) }),
    ...(Object.keys(allowed).length === 0 ? {} : { allowances: allowed }),
    ...(here(blacklist).length === 0 ? {} : { blacklist: here(blacklist) }),
    ...(here(whitelist).length === 0 ? {} : { whitelist: here(whitelist) }),
  };
}

function pickEntries<T>(table: Readonly<Record<string, T>>, isPicked: (name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => isPicked(name)));
}
