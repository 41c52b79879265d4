/** Scenarios for validators that others wrote: what of a scenario they cannot take part in, and the scenario without it. */
import { declarationsOf } from "../scenario/declared.ts";
import { kindOf, kindOfOrder, OPERATOR, verbOf } from "../scenario/members.ts";
import type { GenesisSpec, Scenario } from "../scenario/scenario.ts";
import type { Expectation } from "../scenario/schema/expect.ts";
import { EXPECTATION_KINDS } from "../scenario/schema/expect.ts";
import type { Step } from "../scenario/schema/step.ts";
import type { SubmitSpec } from "../scenario/schema/submit.ts";

/** Strategies that need not understand what they send. */
const STRATEGIES: ReadonlySet<string> = new Set(["silence", "selective-silence", "replay-stale"]);

/** Expectations about operations, accounts and oracles. */
const EXPECTATIONS: ReadonlySet<string> = new Set<Expectation extends infer E ? keyof E : never>([
  "final",
  "pending",
  "undecided",
  "refused",
  "failed",
  "superseded",
  "fee",
  "balance",
  "nonce",
  "pool",
  "violation",
  "stalled",
  "nothing_final",
  "all_final",
]);

const VERBS_LEFT_OUT: ReadonlySet<string> = new Set(["govern", "wipe"]);

/** Scenario that fits, and what had to go for that, each as a noun phrase. */
interface FittingScenario {
  readonly scenario: Scenario;
  readonly left: readonly string[];
}

/**
 * Returns the scenario without what the node interface does not have. An operation of another kind becomes a payment of
 * its signer, so that no nonce is missing.
 */
export function fitScenario(scenario: Scenario): FittingScenario {
  const left: string[] = [];
  const without = <T>(value: T | undefined, words: string): undefined => {
    if (value !== undefined) left.push(words);
    return undefined;
  };
  const { network: { spares, ...network } = {}, genesis = {}, transcript, bug, ...rest } = scenario;
  without(spares, "spare validators");
  without(transcript, "a transcript");
  without(bug, "a known-bad variant");
  const steps = (scenario.steps ?? [])
    .flatMap((step) => fitStep(step, scenario, (words) => left.push(words)))
    .flatMap((step) => (withoutNames(step, new Set(spares)) as Step | undefined) ?? []);
  const expectations = (scenario.expect ?? []).filter((expectation) => {
    const kind = EXPECTATION_KINDS.find((word) => expectation[word] !== undefined) ?? "";
    if (EXPECTATIONS.has(kind)) return true;
    left.push(`the expectation \`${kind}\``);
    return false;
  });
  const { healing } = scenario;
  return {
    scenario: {
      ...rest,
      network,
      genesis: fitGenesis(genesis, (words) => left.push(words)),
      steps,
      ...(scenario.clients === undefined ? {} : { clients: fitClients(scenario.clients) }),
      ...(scenario.expect === undefined ? {} : { expect: expectations }),
      ...(healing === undefined ? {} : { healing }),
    },
    left,
  };
}

function fitGenesis(genesis: GenesisSpec, note: (words: string) => void): GenesisSpec {
  const { epochs, checkpoints: _none, rewards: _nobody, ...rest } = genesis;
  if (epochs !== undefined) note("epochs that end");
  const tokens = Object.fromEntries(
    Object.entries(rest.tokens ?? {}).map(([symbol, token]) => {
      const { private: isPrivate, blacklist, whitelist, ...plain } = token;
      if (isPrivate === true || blacklist !== undefined || whitelist !== undefined) note("lists of tokens");
      return [symbol, plain];
    }),
  );
  return rest.tokens === undefined ? rest : { ...rest, tokens };
}

/** No client cancels. */
function fitClients(clients: NonNullable<Scenario["clients"]>): NonNullable<Scenario["clients"]> {
  return Object.fromEntries(
    Object.entries(clients).map(([name, { cancel_after: _never, ...client }]) => [name, client]),
  );
}

function fitStep(step: Step, scenario: Scenario, note: (words: string) => void): readonly Step[] {
  const verb = verbOf(step);
  const { submit, workload, byzantine } = step;
  if (VERBS_LEFT_OUT.has(verb)) {
    note(`\`${verb}\``);
    return [];
  }
  if (byzantine !== undefined && !STRATEGIES.has(byzantine.strategy)) {
    note(`the strategy ${byzantine.strategy}`);
    return [];
  }
  if (workload !== undefined) {
    const { mix, ...others } = workload;
    const payments = mix.filter((entry) => kindOfOrder(entry) === "payment");
    if (payments.length === mix.length) return [step];
    note("a workload of other operations than payments");
    return payments.length === 0 ? [] : [{ ...step, workload: { ...others, mix: payments } }];
  }
  if (submit === undefined || isPayment(submit, scenario)) return [step];
  note(`\`${kindOf(submit)}\``);
  const payment = paymentInstead(submit, scenario);
  return payment === undefined ? [] : [{ ...step, submit: payment }];
}

/** True for a payment, or the repetition of an operation, of an account with one key. */
function isPayment(submit: SubmitSpec, { genesis }: Scenario): boolean {
  if (submit.repeat !== undefined) return true;
  return submit.payment !== undefined && genesis?.multisig?.[submit.payment.from] === undefined;
}

/** Returns a part of a file without these names in its lists, and nothing for one that has a name in another place. */
function withoutNames(part: unknown, names: ReadonlySet<string>): unknown {
  if (names.size === 0) return part;
  if (typeof part === "string") return names.has(part) ? undefined : part;
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) {
    const kept = part.map((one: unknown) => withoutNames(one, names)).filter((one) => one !== undefined);
    return kept.length === 0 && part.length > 0 ? undefined : kept;
  }
  const entries = Object.entries(part).map(([key, one]) => [key, withoutNames(one, names)] as const);
  return entries.some(([, one]) => one === undefined) ? undefined : Object.fromEntries(entries);
}

/** Returns a payment with the signer and nonce of another operation. */
function paymentInstead(submit: SubmitSpec, scenario: Scenario): SubmitSpec | undefined {
  const [token] = Object.keys(scenario.genesis?.tokens ?? {});
  const body = submit[kindOf(submit)] as { readonly from?: string } | string | undefined;
  const from = typeof body === "object" ? body.from : undefined;
  if (token === undefined || from === undefined || scenario.genesis?.multisig?.[from] !== undefined) return undefined;
  const { accounts } = declarationsOf(scenario);
  const to = [...accounts].find((name) => name !== from && name !== OPERATOR) ?? from;
  const { id, nonce } = submit;
  return {
    ...(id === undefined ? {} : { id }),
    payment: { from, to, token, value: "0.01" },
    ...(nonce === undefined ? {} : { nonce }),
  };
}
