/** Scenarios for validators that others wrote: what of a scenario they cannot take part in, and the scenario without it. */
import { definedMembers } from "../core/base/defined-members.ts";
import { drawGroups } from "../scenario/chaos.ts";
import { declarationsOf, validatorNames } from "../scenario/declarations.ts";
import { kindOf, kindOfOrder, OPERATOR, verbOf } from "../scenario/members.ts";
import { Rng } from "../scenario/rng.ts";
import type { GenesisSpec, NetworkSpec, Scenario } from "../scenario/scenario.ts";
import type { Expectation } from "../scenario/schema/expect.ts";
import { EXPECTATION_KINDS } from "../scenario/schema/expect.ts";
import type { Name } from "../scenario/schema/scalars.ts";
import type { Step } from "../scenario/schema/step.ts";
import type { SubmitSpec } from "../scenario/schema/submit.ts";
import type { PatternSpec, TriggerSpec } from "../scenario/schema/trigger.ts";

/** Strategies that need not understand what they send. */
const STRATEGIES = ["silence", "selective-silence", "replay-stale"] as const;

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

/** Facts that the parts of a scenario share while they are made to fit. */
interface FitContext {
  readonly scenario: Scenario;
  readonly note: (words: string) => void;
  readonly rng: Rng;
  /** Validators that do something in place of a strategy that they lost. */
  readonly replaced: Set<Name>;
  /** Signers of payments that stand for another operation, with the token that they pay in. */
  readonly payers: Map<Name, Name>;
}

/**
 * Returns the scenario without what the node interface does not have. An operation of another kind becomes a payment of
 * its signer, so that no nonce is missing, and that account is funded. A Byzantine validator whose strategy sends
 * messages of our protocol gets a twin, or a strategy that understands no message; rules about messages of some kinds
 * become rules about all messages between the same validators.
 */
export function fitScenario(scenario: Scenario): FittingScenario {
  const left: string[] = [];
  const fitting: FitContext = {
    scenario,
    note: (words) => left.push(words),
    rng: new Rng(scenario.name ?? "", "fit"),
    replaced: new Set((scenario.steps ?? []).flatMap(({ twin = {} }) => Object.keys(twin))),
    payers: new Map(),
  };
  const without = <T>(value: T | undefined, words: string): undefined => {
    if (value !== undefined) left.push(words);
    return undefined;
  };
  const { network: { spares, ...network } = {}, genesis = {}, transcript, bug, ...rest } = scenario;
  without(spares, "spare validators");
  without(transcript, "a transcript");
  without(bug, "a known-bad variant");
  const steps = (scenario.steps ?? [])
    .flatMap((step) => fitStep(fitFaults(step, fitting), fitting))
    .flatMap((step) => (withoutNames(step, new Set(spares)) as Step | undefined) ?? []);
  const expectations = (scenario.expect ?? []).filter((expectation) => {
    const kind = EXPECTATION_KINDS.find((word) => expectation[word] !== undefined) ?? "";
    if (EXPECTATIONS.has(kind)) return true;
    left.push(`the expectation \`${kind}\``);
    return false;
  });
  const { clients, expect } = scenario;
  return {
    scenario: {
      ...rest,
      network: withTwins(network, steps),
      genesis: withBalances(fitGenesis(genesis, fitting.note), fitting.payers),
      steps,
      ...definedMembers({ clients: clients && fitClients(clients), expect: expect && expectations }),
    },
    left,
  };
}

function fitGenesis(genesis: GenesisSpec, note: (words: string) => void): GenesisSpec {
  const { epochs, checkpoints: _none, rewards: _nobody, filler_accounts: fillers, ...rest } = genesis;
  if (fillers !== undefined) note("filler accounts");
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

/** Returns the network with all twins that have routes. */
function withTwins(network: NetworkSpec, steps: readonly Step[]): NetworkSpec {
  const routed = steps.flatMap(({ twin = {} }) => Object.keys(twin).filter((name) => !name.endsWith("'")));
  const twins = [...new Set([...(network.twins ?? []), ...routed])];
  return twins.length === 0 ? network : { ...network, twins };
}

/** Returns the genesis with a balance for each payer that has none. */
function withBalances(genesis: GenesisSpec, payers: FitContext["payers"]): GenesisSpec {
  const { balances = {} } = genesis;
  const funded = [...payers].filter(([name, token]) => balances[name]?.[token] === undefined);
  if (funded.length === 0) return genesis;
  const additions = funded.map(([name, token]) => [name, { ...balances[name], [token]: "10" }]);
  return { ...genesis, balances: { ...balances, ...(Object.fromEntries(additions) as typeof balances) } };
}

function fitStep(step: Step, fitting: FitContext): readonly Step[] {
  const { scenario, note } = fitting;
  const verb = verbOf(step);
  const { submit, workload, byzantine } = step;
  if (VERBS_LEFT_OUT.has(verb)) {
    note(`\`${verb}\``);
    return [];
  }
  if (step.after !== undefined && EVENTS.every((event) => step.after?.[event] === undefined)) {
    note("a trigger of our protocol");
    return [];
  }
  if (byzantine !== undefined && !STRATEGIES.some((name) => name === byzantine.strategy)) {
    note(`the strategy ${byzantine.strategy}`);
    return byzantineInstead(step, byzantine.node, fitting);
  }
  if (workload !== undefined) {
    const { mix, to_fillers: _many, ...plain } = workload;
    const payments = mix.filter((entry) => kindOfOrder(entry) === "payment");
    if (payments.length === mix.length) return [{ ...step, workload: { ...plain, mix } }];
    note("a workload of other operations than payments");
    return payments.length === 0 ? [] : [{ ...step, workload: { ...plain, mix: payments } }];
  }
  if (submit === undefined || isPayment(submit, scenario)) return [step];
  note(`\`${kindOf(submit)}\``);
  const payment = paymentInstead(submit, fitting);
  return payment === undefined ? [] : [{ ...step, submit: payment }];
}

/** Returns the step that a Byzantine validator gets in place of its first strategy, and none in place of the others. */
function byzantineInstead(step: Step, node: Name, { scenario, rng, replaced }: FitContext): readonly Step[] {
  if (replaced.has(node)) return [];
  replaced.add(node);
  const { at, after } = step;
  const peers = validatorNames(scenario).filter((name) => name !== node);
  const [own, twins] = peers.length < 2 || after !== undefined || at !== 0 ? [] : drawGroups(rng, peers, 2);
  if (own !== undefined && twins !== undefined && rng.chance(3, 4))
    return [{ at: 0, twin: { [node]: own, [`${node}'`]: twins } }];
  const strategy = rng.pick(STRATEGIES);
  const towards = strategy === "selective-silence" ? { towards: rng.pickSome(peers, 1) } : {};
  return [{ ...step, byzantine: { node, strategy, ...towards } }];
}

/** Returns a step whose trigger, crash and rule of messages exist in any protocol. */
function fitFaults(step: Step, { note }: FitContext): Step {
  const { after, crash, hold, drop } = step;
  const fitted: Step = {
    ...step,
    ...(after === undefined ? {} : { after: fitTrigger(after) }),
    ...(crash?.after_output === "sign" ? { crash: { ...crash, after_output: "send" as const } } : {}),
    ...(hold === undefined ? {} : { hold: fitPattern(hold) }),
    ...(drop === undefined ? {} : { drop: fitPattern(drop) }),
  };
  if (JSON.stringify(fitted) === JSON.stringify(step)) return step;
  note(`a moment or a message of our protocol in \`${verbOf(step)}\``);
  return fitted;
}

/** Virtual milliseconds in which a message or two pass from a submission on. */
const SOON_MS = 15;

/** Events that a validator with a protocol of its own takes part in. */
const EVENTS = ["submitted", "decided", "applied", "responded", "held", "crashed", "restarted"] as const;

/** A vote, a commit or a proposal for an operation becomes a time soon after its submission. */
function fitTrigger(trigger: TriggerSpec): TriggerSpec {
  const { voted, committed, proposed, plus_ms = 0 } = trigger;
  const id = voted ?? committed ?? proposed;
  return id === undefined ? trigger : { submitted: id, plus_ms: plus_ms + SOON_MS };
}

const CLIENT_MESSAGES = ["submit", "reply"] as const;

/** Only messages of clients have a kind and say what they are about. */
function fitPattern(pattern: PatternSpec): PatternSpec {
  const {
    kinds,
    of: _operation,
    account: _account,
    token: _token,
    checkpoint: _checkpoint,
    epoch: _epoch,
    round: _round,
    ...ends
  } = pattern;
  const ofClients = CLIENT_MESSAGES.filter((kind) => kinds?.includes(kind));
  if (kinds !== undefined && ofClients.length === kinds.length) return pattern;
  if (pattern.tags !== undefined) return pattern;
  return { ...ends, kinds: ["opaque", ...ofClients] };
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
function paymentInstead(submit: SubmitSpec, { scenario, payers }: FitContext): SubmitSpec | undefined {
  const [token] = Object.keys(scenario.genesis?.tokens ?? {});
  const body = submit[kindOf(submit)] as { readonly from?: string } | string | undefined;
  const from = typeof body === "object" ? body.from : undefined;
  if (token === undefined || from === undefined || scenario.genesis?.multisig?.[from] !== undefined) return undefined;
  const { accounts } = declarationsOf(scenario);
  const to = [...accounts].find((name) => name !== from && name !== OPERATOR) ?? from;
  const { id, nonce } = submit;
  payers.set(from, token);
  return {
    ...(id === undefined ? {} : { id }),
    payment: { from, to, token, value: "0.01" },
    ...(nonce === undefined ? {} : { nonce }),
  };
}
