/** Compilation of a checked scenario and a seed to a plan of the simulator and a setting of the oracles. */
import type { Variant } from "../../bugs/known-bad-variant.ts";
import { requireDefined } from "../../core/base/assert.ts";
import { definedMembers } from "../../core/base/defined-members.ts";
import type { Genesis } from "../../core/base/epoch.ts";
import type { Address, Millis } from "../../core/base/ids.ts";
import type { OperationId } from "../../core/base/operation.ts";
import type { Receipt } from "../../core/base/refusal.ts";
import { slotKey, type Value } from "../../core/base/slot.ts";
import { digestOfScheme } from "../../core/consensus/authenticator.ts";
import { certificateFault } from "../../core/consensus/certificate.ts";
import { CachingScheme } from "../../core/crypto/caching-scheme.ts";
import type { PrivateKey, Scheme } from "../../core/crypto/scheme.ts";
import { submissionId } from "../../core/ledger/identity.ts";
import type { Content } from "../../core/validator/content.ts";
import type { HashCache } from "../../core/validator/hash-cache.ts";
import { rules as realRules } from "../../core/validator/rules.ts";
import { bounds } from "../../invariants/history/quorum.ts";
import type { RunSetting } from "../../invariants/observation.ts";
import { isFaultless } from "../../simulator/faults-in-force.ts";
import {
  type ApplicationLog,
  createApplicationLog,
  programOf,
  type SharedContext,
  sharedContextOf,
  withAssertionContext,
} from "../../simulator/nodes/program.ts";
import type { Action, ClientPlan, Keyring, NodePlan, PlannedAction, Program, WorldPlan } from "../../simulator/plan.ts";
import { DEFAULT_LINK, HEALED_DELAY_MS, type LinkSettings } from "../../simulator/settings.ts";
import { drawChaos } from "../chaos.ts";
import { equivocators, twinServices } from "../declarations.ts";
import { type Directory, directoryOf } from "../directory.ts";
import { faultOf } from "../faults/registry.ts";
import { LIVENESS_MS, LIVENESS_WRITES } from "../limits.ts";
import { OPERATOR, verbOf } from "../members.ts";
import type { NamedSubmission } from "../names.ts";
import { genesisOf } from "../parameters.ts";
import { proposalsOf } from "../proposals.ts";
import type { NetworkSpec, Scenario } from "../scenario.ts";
import { schedulePlan } from "../schema/schedule.ts";
import type { Step } from "../schema/step.ts";
import { ownForm, signatureOf } from "../signing.ts";
import { submissionsOf } from "../submissions.ts";
import { compileTrigger } from "../triggers.ts";
import { compileWorkload } from "../workload.ts";
import type { CompileContext } from "./context.ts";
import { rangeOf, ratioOf } from "./parts.ts";

export interface CompiledScenario {
  readonly scenario: Scenario;
  readonly plan: WorldPlan;
  /** Planned actions of each step of the file. */
  readonly planned: readonly (readonly PlannedAction[])[];
  readonly setting: RunSetting;
  readonly directory: Directory;
  /** Operation ids by name in the file. */
  readonly operations: ReadonlyMap<string, OperationId>;
  readonly submissions: readonly NamedSubmission[];
  readonly log: ApplicationLog;
  readonly commons: SharedContext;
}

export interface CompileOptions {
  readonly seed: string;
  readonly scheme: Scheme;
  /** Scheme by which validators sign, whose signatures `scheme` recovers; default: `scheme`. */
  readonly signing?: Scheme | undefined;
  readonly variant?: Variant | undefined;
  /** Keys of accounts that are not derived from their names. */
  readonly keys?: Readonly<Record<string, PrivateKey>>;
  /** Anybody may sign for an account from outside, so none counts as correct. */
  readonly isServed?: boolean;
  /** Validators that are Byzantine though the file does not say so. */
  readonly byzantine?: ReadonlySet<string>;
  /** Programs of the validators; default: the real one. */
  readonly programs?: ProgramSource | undefined;
}

/** Programs that take the place of the real one. */
export interface ProgramSource {
  /** True if they have a protocol of their own. */
  readonly isOpaque: boolean;
  makerOf(network: NetworkFacts): ProgramMaker;
}

/** Facts of a network for programs of others. */
export interface NetworkFacts {
  readonly seed: string;
  readonly genesis: Genesis;
  readonly commons: SharedContext;
  readonly log: ApplicationLog;
  /** Returns the name of the validator with a key. */
  readonly nameOf: (key: Address) => string;
}

/** Returns the program of a node with its keys, `undefined` for the real one; twins have one key and two names. */
type ProgramMaker = (name: string, keys: readonly Address[]) => Program | undefined;

/** Tries of a client before it gives up. */
const GIVE_UP_AFTER = 4;

/** Compiles a scenario. @throws RangeError for an invalid genesis */
export function compile(scenario: Scenario, options: CompileOptions): CompiledScenario {
  // Validators of one process share verified signatures, which are slow to verify.
  const scheme = options.scheme.isQuick ? options.scheme : new CachingScheme(options.scheme);
  const directory = directoryOf(scenario, scheme, options.keys);
  const genesis = genesisOf(scenario, directory);
  const log = createApplicationLog();
  const rules = options.variant?.rules?.(realRules) ?? realRules;
  const signing = definedMembers({ digestOf: options.variant?.statement?.(digestOfScheme(scheme)) });
  const commons = sharedContextOf(genesis, scheme, rules, log, signing);
  const steps = submissionsOf(scenario, directory, genesis.chainId, commons.hashes);
  const submissions = steps.filter((step) => step !== undefined);
  const operations = new Map(submissions.flatMap(({ name, id }) => (name === undefined ? [] : [[name, id] as const])));
  const { isServed = false } = options;
  const clients = clientsOf(scenario, directory);
  const byzantine = new Set([...byzantineValidators(scenario), ...(options.byzantine ?? [])]);
  const proposals = proposalsOf(scenario, directory, genesis.chainId);
  const context = {
    scenario,
    directory,
    chainId: genesis.chainId,
    submissions: steps,
    proposals,
    operations,
    seed: options.seed,
  };
  const planned = compileSteps(context);
  const { nameOf } = directory;
  const made = options.programs?.makerOf({ seed: options.seed, genesis, commons, log, nameOf });
  const isOpaque = options.programs?.isOpaque === true;
  const plan: WorldPlan = {
    seed: options.seed,
    scheme: options.signing ?? scheme,
    statements: commons.authenticator,
    nodes: nodesOf({ scenario, directory, commons, byzantine, variant: options.variant, made }),
    clients,
    faulty: bounds(genesis.validators.length).faults,
    ...linkSettings(scenario.network),
    // A served network follows its clock, and its recording contains the time of each input.
    ...(scenario.schedule === undefined || isServed ? {} : { schedule: schedulePlan(scenario.schedule) }),
    actions: planned.flat(),
    keyring: keyringOf(directory, commons.hashes),
    idOf: (submission) => submissionId(submission, commons.hashes.operationId),
    ...(isOpaque
      ? {}
      : { verifyFinality: (reply) => (provesReply(commons, reply) ? reply.certificate.seals.length : 0) }),
  };
  // Two correct services with one key may sign two operations for a nonce.
  const correct = clients.filter(
    ({ behaviour, sharesKey }) => !isServed && behaviour === "correct" && sharesKey !== true,
  );
  const slotMs = (LIVENESS_WRITES * slowestWrite(scenario)) as Millis;
  const setting: RunSetting = {
    genesis,
    nodes: actorsOf(directory, byzantine),
    correctClients: new Set(correct.map(({ name }) => directory.account(name))),
    livenessMs: (LIVENESS_MS + slotMs) as Millis,
    slotMs,
    linkMs: Math.min(HEALED_DELAY_MS, plan.link?.delayMs?.to ?? DEFAULT_LINK.delayMs.to) as Millis,
    isOpaque,
    // Faults of a served network come from outside, at any time; a disk that takes time delays the more the more is written.
    isFaultless: !isServed && slotMs === 0 && byzantine.size === 0 && isFaultless(plan),
  };
  return {
    scenario,
    plan: options.variant?.plan?.(plan) ?? plan,
    planned,
    setting,
    directory,
    operations,
    submissions,
    log,
    commons,
  };
}

/** The longest disk write of the scenario, in milliseconds. */
function slowestWrite({ network, steps = [] }: Scenario): number {
  const writes = [network?.write_ms, ...steps.map(({ disk }) => disk?.write_ms)];
  return Math.max(...writes.map((write) => (write === undefined ? 0 : rangeOf(write).to)));
}

/** Validators that are Byzantine at some time: by strategies, twins, losing disks or restored ones. */
export function byzantineValidators(scenario: Scenario): ReadonlySet<string> {
  const found = new Set<string>();
  for (const twin of scenario.network?.twins ?? []) found.add(twin).add(`${twin}'`);
  for (const { byzantine, disk, restore } of scenario.steps ?? []) {
    if (restore !== undefined) found.add(restore);
    if (byzantine !== undefined) found.add(byzantine.node);
    if (disk?.loses_last !== undefined && disk.loses_last > 0) found.add(disk.node);
  }
  return found;
}

interface CompileParties {
  readonly scenario: Scenario;
  readonly directory: Directory;
  readonly commons: SharedContext;
  readonly byzantine: ReadonlySet<string>;
  readonly variant: Variant | undefined;
  readonly made: ProgramMaker | undefined;
}

function nodesOf({ scenario, directory, commons, byzantine, variant, made }: CompileParties): readonly NodePlan[] {
  const write = scenario.network?.write_ms;
  return [...directory.declared.nodes].map((name) => {
    const names = directory.keysOf(name);
    const keys = names.map(directory.validator);
    const real = made?.(name, keys) ?? programOf(commons, keys);
    const otherKeys = names.slice(1).map(directory.validatorKey);
    return {
      name,
      key: directory.validatorKey(name),
      ...(otherKeys.length === 0 ? {} : { otherKeys }),
      program: withAssertionContext(name, variant?.program?.(real, name) ?? real),
      honest: !byzantine.has(name),
      ...(write === undefined ? {} : { disk: { writeMs: rangeOf(write) } }),
    };
  });
}

/** A client for each named account and for each second service. */
function clientsOf(scenario: Scenario, directory: Directory): readonly ClientPlan[] {
  const scripted = equivocators(scenario);
  const services = twinServices(scenario);
  return directory.accounts.map((name) => {
    const part = scenario.clients?.[name];
    return {
      name,
      behaviour: part?.behaviour ?? (scripted.has(name) ? "scripted" : "correct"),
      home: part?.home ?? "v1",
      window: part?.window ?? 1,
      cancelAfter: part?.cancel_after ?? 0,
      giveUpAfter: part?.give_up_after ?? GIVE_UP_AFTER,
      onRefusal: part?.on_refusal ?? "cancel",
      sharesKey: services.has(name) || services.has(`${name}'`),
      ...definedMembers({ timeoutMs: part?.timeout_ms }),
    };
  });
}

function linkSettings(network: NetworkSpec | undefined): Pick<WorldPlan, "link" | "clientLink"> {
  const link: Partial<LinkSettings> = {
    ...(network?.delay_ms === undefined ? {} : { delayMs: rangeOf(network.delay_ms) }),
    ...(network?.loss === undefined ? {} : { loss: ratioOf(network.loss) }),
    ...(network?.duplicate === undefined ? {} : { duplicate: ratioOf(network.duplicate) }),
    ...(network?.reorder === undefined ? {} : { reorder: ratioOf(network.reorder) }),
  };
  // Client links have no delay by default, so that a submission at 0 arrives at 0.
  return { link, clientLink: { delayMs: rangeOf(network?.client_delay_ms ?? 0) } };
}

function keyringOf(directory: Directory, { digest }: HashCache): Keyring {
  const keys = new Map<Address, string>(
    [...directory.accounts, OPERATOR].map((name) => [directory.account(name), name]),
  );
  return {
    sign: (account, operation) => {
      const name = keys.get(account);
      if (name === undefined) throw new RangeError(`keyring: there is no key of ${account}`);
      const own = ownForm(operation, name, directory);
      return { operation: own, sender: account, signature: signatureOf(directory, name, digest(own)) };
    },
  };
}

type FinalReply = Parameters<NonNullable<WorldPlan["verifyFinality"]>>[0];

/** True if the certificate of a final reply is valid in its epoch and proves the receipt. */
function provesReply(commons: SharedContext, { certificate, content, receipt }: FinalReply): boolean {
  return (
    provenValues(commons.hashes, content).some((proven) => namesReceipt(proven, receipt)) &&
    decisionFault(commons, certificate, content.value) === undefined
  );
}

/** Returns why a certificate does not decide a value in its epoch, as a clause; without a value: why it decides none. */
export function decisionFault(
  { committees, authenticator, hashes }: Pick<SharedContext, "committees" | "authenticator" | "hashes">,
  certificate: FinalReply["certificate"],
  value: Value | undefined,
): string | undefined {
  const committee = committees.of(certificate.epoch);
  if (committee === undefined) return "its certificate is of an epoch that has not begun";
  if (certificate.type !== "finality") return "its certificate is of a lock";
  const broken = certificateFault(committee, authenticator, certificate);
  if (broken !== undefined) return `its certificate does not hold (${broken})`;
  return value === undefined || hashes.value(value) === certificate.value
    ? undefined
    : "its content is of another value";
}

/** The values that a decision proves: its own, and the locked checkpoints that a closing makes final. */
function provenValues(hashes: HashCache, { value, closing }: Content): readonly Value[] {
  if (value.type !== "closing" || closing === undefined) return [value];
  const proven: Value[] = [value];
  let { parentHash } = value.header;
  for (const { value: locked } of closing.locked.toReversed()) {
    if (hashes.value(locked) !== parentHash) break;
    proven.push(locked);
    parentHash = locked.header.parentHash;
  }
  return proven;
}

function namesReceipt(value: Value, receipt: Receipt): boolean {
  if (value.type !== "checkpoint" && value.type !== "closing")
    return value.type === "list" ? value.ids.includes(receipt.id) : value.id === receipt.id;
  return value.listed.some(
    (decision) => slotKey(decision.slot) === receipt.slot && namesReceipt(decision.value, receipt),
  );
}

function actorsOf(directory: Directory, byzantine: ReadonlySet<string>): RunSetting["nodes"] {
  return [...directory.declared.nodes].map((node) => ({
    node,
    keys: directory.keysOf(node).map(directory.validator),
    honest: !byzantine.has(node),
  }));
}

/** Returns the planned actions of each step, in the order of the file. */
export function compileSteps(context: CompileContext): readonly (readonly PlannedAction[])[] {
  return (context.scenario.steps ?? []).map((step, index) => {
    return actionsOf(step, index, context).map(({ lateMs, action }): PlannedAction => {
      if (step.after === undefined) return { at: ((step.at ?? 0) + (lateMs ?? 0)) as Millis, action };
      const { plus_ms } = step.after;
      const afterMs = lateMs === undefined ? plus_ms : lateMs + (plus_ms ?? 0);
      return { when: compileTrigger(step.after, context), ...definedMembers({ afterMs }), action };
    });
  });
}

/** `lateMs`: time from the step to the action; absent: at once. */
type TimedAction = Readonly<{ lateMs?: number; action: Action }>;

function actionsOf(step: Step, index: number, context: CompileContext): readonly TimedAction[] {
  const verb = verbOf(step);
  switch (verb) {
    case "submit":
      return submitActions(step, index, context);
    case "workload":
      return [
        { action: { do: "workload", workload: compileWorkload(requireDefined(step.workload, verb), index, context) } },
      ];
    case "chaos": {
      const all = [...context.directory.declared.nodes];
      return drawChaos(requireDefined(step.chaos, verb), { seed: context.seed, all, step: index + 1 });
    }
    case "govern": {
      const signed = requireDefined(context.proposals[index], `proposal of step ${index + 1}`);
      return [{ action: { do: "govern", to: step.govern?.to ?? ["v1"], signed } }];
    }
    default:
      return [{ action: faultOf(verb).compile(step[verb], context, index + 1) }];
  }
}

function submitActions(step: Step, index: number, context: CompileContext): readonly TimedAction[] {
  const { submission, client } = requireDefined(context.submissions[index], `submission of step ${index + 1}`);
  const action: Action = { do: "submit", client, submission, ...definedMembers({ to: step.only }) };
  return Array.from({ length: step.submit?.times ?? 1 }, () => ({ action }));
}
