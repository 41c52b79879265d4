/** Worlds of the real validator. */
import { type Amount, toAmount } from "../../src/core/base/amount.ts";
import type { Genesis } from "../../src/core/base/epoch.ts";
import type { Address, Hash } from "../../src/core/base/ids.ts";
import { slotKey } from "../../src/core/base/slot.ts";
import { createAuthenticator } from "../../src/core/consensus/authenticator.ts";
import { keyedHash } from "../../src/core/crypto/keyed-hash.ts";
import type { Scheme } from "../../src/core/crypto/scheme.ts";
import { digestOf as operationDigest } from "../../src/core/ledger/layout.ts";
import { environmentOf, sharedEnvironment } from "../../src/core/validator/environment.ts";
import { rules } from "../../src/core/validator/rules.ts";
import { createValidator, forkValidator, type ValidatorState } from "../../src/core/validator/state.ts";
import { step } from "../../src/core/validator/step.ts";
import type { WorldListener } from "../../src/simulator/listener.ts";
import type { Keyring, NodePlan, Program, WorkloadPlan, WorldPlan } from "../../src/simulator/plan.ts";
import { createWorld, type World } from "../../src/simulator/world.ts";
import { CHAIN, keyOf } from "./support.ts";

export const namesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `v${index + 1}`);
const accountsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `a${index + 1}`);

const FEES = { payment: 1n as Amount, cancellation: 2n as Amount, recovery: 2n as Amount };

function genesisOf(scheme: Scheme, nodes: readonly string[], accounts: readonly string[]): Genesis {
  const at = (name: string): Address => scheme.addressOf(keyOf(name));
  const token = {
    token: at("token"),
    symbol: "USD",
    name: "US dollar",
    decimals: 6,
    masterAuthority: at("issuer"),
    isPrivate: false,
    isPaused: false,
    clawbackEnabled: true,
    roles: [],
    blacklist: [],
    whitelist: [],
  };
  return {
    chainId: CHAIN,
    operator: at("operator"),
    validators: nodes.map((name) => ({ key: at(name), reward: at(name) })),
    fees: { default: FEES, tokens: new Map() },
    listLimit: 64,
    openTokens: false,
    checkpoints: undefined,
    epochLength: undefined,
    tokens: [token],
    balances: accounts.map((name) => ({ address: at(name), token: at("token"), amount: 1_000_000n as Amount })),
  };
}

export interface Setup {
  readonly validators: number;
  readonly accounts: number;
  readonly payments: number;
  readonly intervalMs?: number;
  readonly scheme?: Scheme;
  readonly twins?: readonly string[];
  readonly plan?: Partial<WorldPlan>;
  readonly listener?: WorldListener;
}

/** A plan with payments among accounts: one client, one wallet for each account. */
function networkPlan(setup: Setup): WorldPlan {
  const { validators, accounts, payments, intervalMs = 10, scheme = keyedHash, twins = [] } = setup;
  const nodes = namesOf(validators);
  const owners = accountsOf(accounts);
  const shared = sharedEnvironment(genesisOf(scheme, nodes, owners), createAuthenticator(CHAIN, scheme), rules);
  const byAddress = new Map(owners.map((name) => [scheme.addressOf(keyOf(name)), keyOf(name)]));
  const programOf = (name: string): Program<ValidatorState> => ({
    start: () => createValidator(environmentOf(shared, [scheme.addressOf(keyOf(name))], rules)),
    step,
    fork: forkValidator,
  });
  const keyring: Keyring = {
    sign: (account, operation) => {
      const key = byAddress.get(account);
      if (key === undefined) throw new RangeError(`no key of ${account}`);
      return { operation, sender: account, signature: scheme.sign(key, operationDigest(operation)) };
    },
  };
  const workload: WorkloadPlan = {
    name: "pay",
    clients: nodes.map((node, index) => ({
      client: `c-${node}`,
      accounts: [...byAddress.keys()].filter((_, at) => at % nodes.length === index),
    })),
    chainId: CHAIN,
    count: payments,
    intervalMs: { from: 0, to: intervalMs * 2 },
    mix: [
      {
        weight: 1,
        kind: "payment",
        token: scheme.addressOf(keyOf("token")),
        value: { from: toAmount(1n), to: toAmount(9_999n) },
      },
    ],
  };
  const plans: NodePlan[] = nodes.map((name) => ({ name, key: keyOf(name), program: programOf(name) }));
  for (const name of twins) plans.push({ name: `${name}'`, key: keyOf(name), program: programOf(name) });
  const { actions = [], ...rest } = setup.plan ?? {};
  return {
    seed: "1",
    scheme,
    statements: shared.authenticator,
    nodes: plans,
    clients: nodes.map((node) => ({ name: `c-${node}`, behaviour: "correct", home: node })),
    faulty: Math.ceil(validators / 3) - 1,
    keyring,
    actions: [{ at: 0 as never, action: { do: "workload", workload } }, ...actions],
    ...rest,
  };
}

/** Tracks decisions and replies. */
export class Watch implements WorldListener {
  finals = 0;
  readonly decided = new Map<string, Set<Hash>>();
  readonly reports = new Set<string>();
  readonly coverage = new Map<string, number>();
  /** Honest signatures by signer, kind, slot and round. */
  readonly #signed = new Map<string, string>();
  readonly amnesia: string[] = [];

  replyReceived: NonNullable<WorldListener["replyReceived"]> = (_client, _id, _from, reply) => {
    if (reply.status === "final") this.finals += 1;
  };

  signed: NonNullable<WorldListener["signed"]> = (node, body) => {
    if (!node.honest || (body.type !== "vote" && body.type !== "commit")) return;
    const place = `${node.name} ${body.type} ${slotKey(body.slot)} ${body.round}`;
    if ((this.#signed.get(place) ?? body.value) !== body.value) this.amnesia.push(place);
    this.#signed.set(place, body.value);
  };

  carriedOut: NonNullable<WorldListener["carriedOut"]> = (node, output) => {
    if (output.type === "coverage") this.coverage.set(output.point, (this.coverage.get(output.point) ?? 0) + 1);
    if (output.type === "report" && node.honest) this.reports.add(output.peer);
    if (output.type !== "event" || output.event.type !== "decided" || !node.honest) return;
    const { slot, value } = output.event.certificate;
    this.decided.set(slotKey(slot), (this.decided.get(slotKey(slot)) ?? new Set()).add(value));
  };

  /** Slots with two decisions. */
  get forks(): string[] {
    return [...this.decided].filter(([, values]) => values.size > 1).map(([key]) => key);
  }
}

export function network(setup: Setup): { world: World; watch: Watch; plan: WorldPlan } {
  const watch = new Watch();
  const plan = networkPlan(setup);
  return { world: createWorld(plan, watch), watch, plan };
}

/** Balances, nonces and sequences at a node, as text. */
export function ledgerOf(world: World, name: string): string {
  const { ledger } = world.node(name).state as ValidatorState;
  const text = (_: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}` : value);
  return JSON.stringify([[...ledger.balances.entries()], [...ledger.accounts.entries()]], text);
}
