/** Run of one scenario under one seed, from the first event to the verdict. Pure: no clock, no disk. */
import { findBug } from "../bugs/catalogue.ts";
import { type Variant, variantOf } from "../bugs/known-bad-variant.ts";
import type { Genesis } from "../core/base/epoch.ts";
import type { Address, Hash } from "../core/base/ids.ts";
import { keyedHash } from "../core/crypto/keyed-hash.ts";
import type { Scheme } from "../core/crypto/scheme.ts";
import { stateRoot } from "../core/ledger/roots.ts";
import type { Finding } from "../invariants/judge.ts";
import type { ObservedEvent, RunSetting } from "../invariants/observation.ts";
import { type CompiledScenario, type CompileOptions, compile } from "../scenario/compile/compile.ts";
import { RUN_EVENTS, TRANSCRIPT_EVENTS } from "../scenario/limits.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Intervention } from "../simulator/engine.ts";
import type { WorldListener } from "../simulator/listener.ts";
import { ledgerOf, validatorOf } from "../simulator/nodes/program.ts";
import { threadsOf } from "../simulator/schedule/methods.ts";
import { guaranteeText } from "../simulator/schedule/schedule.ts";
import { createWorld, type World } from "../simulator/world.ts";
import type { CheckpointChain } from "./checkpoint-chain.ts";
import { createEffectRecord } from "./effects.ts";
import { type EventLog, eventLog } from "./events/recorder.ts";
import { diffTranscript, TRANSCRIPT_KINDS } from "./events/transcript.ts";
import { type ExpectationInputs, unmetReasons } from "./expectations.ts";
import { type Interruptible, runToEnd } from "./interruptible.ts";
import { keptItems } from "./kept-items.ts";
import { changesBetween } from "./ledger-changes.ts";
import { joinListeners, type Observers, observersOf, USUAL_DEFERRAL } from "./observers.ts";
import { type RunEnd, runPhases } from "./phases.ts";
import { countOperations, RunRecord, totalOf } from "./run-record.ts";
import type { Translator } from "./translate.ts";
import {
  type FinalOperation,
  namedOperations,
  type RunResult,
  type RunVerdict,
  type VerdictInputs,
  verdictOf,
} from "./verdict.ts";
import { worldCoverage } from "./world-coverage.ts";

export interface RunOptions {
  readonly seed: string;
  /** Default: stand-in signatures. */
  readonly scheme?: Scheme;
  readonly variant?: Variant | undefined;
  /** Bound of events; default: that of the scenario, or `RUN_STEPS`. */
  readonly events?: number;
  /** Makes a listener beside the oracles, before the first event. */
  readonly watch?: (compiled: CompiledScenario) => WorldListener;
  /** Change of the run, for comparisons with the run without it. */
  readonly intervention?: Intervention | undefined;
  /** Receives what the oracles judge, before they do. */
  readonly observed?: (record: ObservedEvent) => void;
  /** Called with each violation, some records after it. */
  readonly violated?: (finding: Finding) => void;
  /** Records a transcript for the result; a scenario with one always does. */
  readonly transcript?: boolean;
  /** Programs of the validators, with a protocol of their own; default: the real one. */
  readonly programs?: CompileOptions["programs"];
  /** Rule that the oracles judge by, beside the policies of the genesis. */
  readonly networkRule?: RunSetting["genesis"]["networkRule"];
  /** Called before the verdict with the final ledgers of honest validators. */
  readonly ended?: (compiled: CompiledScenario, ledgers: ExpectationInputs["ledgers"]) => void;
}

/** Runs a scenario. Never throws: an exception in the run is the verdict `error`. */
export function runScenario(scenario: Scenario, options: RunOptions): RunResult {
  return runToEnd(runInSlices(scenario, options));
}

/** The same run in slices of `RUN_SLICE` events. The result is the same unless it is interrupted between two slices. */
export function* runInSlices(scenario: Scenario, options: RunOptions): Interruptible<RunResult> {
  let world: World | undefined;
  let seen: WatchedRun | undefined;
  try {
    const built = compile(scenario, {
      seed: options.seed,
      scheme: options.scheme ?? keyedHash,
      variant: options.variant ?? variantOf(findBug(scenario.bug ?? "")),
      programs: options.programs,
    });
    const genesis = { ...built.setting.genesis, networkRule: options.networkRule };
    const compiled = options.networkRule === undefined ? built : { ...built, setting: { ...built.setting, genesis } };
    seen = watchedRun(compiled, options);
    const { runRecord, translator, transcript, effects } = seen;
    const points = worldCoverage(runRecord.reached);
    const listeners = [transcript?.watch(compiled), options.watch?.(compiled)].filter(
      (listener) => listener !== undefined,
    );
    const watchers = [runRecord.listener, translator, points, effects.listener, ...listeners];
    world = createWorld(compiled.plan, joinListeners(...watchers), options.intervention);
    return yield* runAndJudge(world, seen, options);
  } catch (error) {
    return failedRun(options, world, seen, firstFailure(seen, error));
  }
}

/** An oracle that cannot judge a record kept back failed before the run did. */
function firstFailure(seen: WatchedRun | undefined, error: unknown): unknown {
  try {
    seen?.oracles.findings;
    return error;
  } catch (earlier) {
    return earlier;
  }
}

/** A scenario with all that watches its run; the result of a run that throws is read from them too. */
interface WatchedRun extends Observers {
  readonly compiled: CompiledScenario;
  readonly runRecord: RunRecord;
  readonly transcript: EventLog | undefined;
  readonly effects: ReturnType<typeof createEffectRecord>;
}

function watchedRun(compiled: CompiledScenario, { transcript: asked, observed, violated }: RunOptions): WatchedRun {
  const keepsTranscript = asked === true || compiled.scenario.transcript !== undefined;
  const honest = new Map(compiled.setting.nodes.map(({ node, honest: is }) => [node, is]));
  const runRecord = new RunRecord((node) => honest.get(node) === true);
  const observe = (record: ObservedEvent): void => {
    runRecord.observe(record);
    observed?.(record);
  };
  const observers = observersOf(compiled, {
    observed: observed === undefined ? runRecord.observe : observe,
    ...(violated === undefined ? {} : { judging: { ...USUAL_DEFERRAL, violated } }),
  });
  const transcript = keepsTranscript ? eventLog(TRANSCRIPT_EVENTS, { kinds: TRANSCRIPT_KINDS }) : undefined;
  return { ...observers, compiled, runRecord, transcript, effects: createEffectRecord(compiled) };
}

function* runAndJudge(world: World, seen: WatchedRun, options: RunOptions): Interruptible<RunResult> {
  const { compiled, runRecord, translator, chain } = seen;
  const { scenario, plan } = compiled;
  const { events = scenario.events ?? RUN_EVENTS } = options;
  const unmet: string[] = [];
  const unmetAt = new Set<number>();
  const expectations = scenario.expect ?? [];
  const evidence = (isEnd: boolean): ExpectationInputs => ({
    compiled,
    runRecord,
    findings: seen.oracles.findings,
    ledgers: honestLedgers(compiled, world, isEnd),
    isEnd,
  });
  const look = (at: number | undefined): void => {
    for (const [place, expected] of expectations.entries()) {
      if (expected.at !== at) continue;
      const reasons = unmetReasons(expected, evidence(at === undefined));
      unmet.push(...reasons);
      if (reasons.length > 0) unmetAt.add(place);
    }
  };
  const ending = yield* runPhases(world, compiled, {
    onTime: look,
    lastProgress: () => runRecord.lastProgress,
    events,
  });
  recordEnd(world, translator, compiled, ending);
  if (ending === "quiescent") {
    look(undefined);
    unmet.push(...diffTranscript(scenario.transcript, seen.transcript?.events ?? []));
  }
  options.ended?.(compiled, honestLedgers(compiled, world, true));
  const finals = finalsOf(compiled, runRecord);
  // In a run that was cut short a step may still have had its effect.
  const idle = ending === "quiescent" ? seen.effects.idleSteps() : [];
  const outcome = verdictOf({
    ...verdictInputs(seen),
    unmet,
    idle,
    finals: finals.length,
    cutShort: cutShortReason(world, ending),
  });
  return {
    ...resultSoFar(options, world, seen),
    ...outcome,
    finals,
    epochsClosed: chain.links.filter(({ content: { value } }) => value.type === "closing").length,
    checkpoints: chain.links,
    unmet,
    unmetAt: [...unmetAt],
    idle,
    ...(plan.schedule === undefined ? {} : { schedule: guaranteeText(plan.schedule, threadsOf(plan).length) }),
    transcript: seen.transcript?.events ?? [],
  };
}

/** The members of a result that a run has at any moment; the others are empty. */
function resultSoFar(
  options: RunOptions,
  world: World | undefined,
  seen: WatchedRun | undefined,
): Omit<RunResult, keyof RunVerdict> {
  const operationCounts = seen === undefined ? new Map() : countOperations(seen.runRecord);
  return {
    seed: options.seed,
    hash: world?.hash ?? "0x",
    crypto: (options.scheme ?? keyedHash).backend,
    steps: world?.steps ?? 0,
    virtualMs: world?.now ?? 0,
    healed: world?.core !== undefined,
    finals: [],
    operations: totalOf(operationCounts).submitted,
    operationCounts,
    epochsClosed: 0,
    checkpoints: [],
    judged: seen?.oracles.scope.judged ?? [],
    named: seen === undefined ? [] : namedOperations(seen.oracles.findings, seen.runRecord.statuses, seen.compiled),
    unmet: [],
    unmetAt: [],
    idle: [],
    coverage: seen?.runRecord.coverage ?? new Map(),
    transcript: [],
  };
}

/** The committees of epoch 0 and of the epochs that closings began. */
function committeesOf(genesis: Genesis, { links }: CheckpointChain): readonly (readonly Address[])[] {
  const opened = links.flatMap(({ content: { value } }) => (value.type === "closing" ? [value.next] : []));
  return [genesis, ...opened].map(({ validators }) => validators.map(({ key }) => key));
}

function cutShortReason({ now, steps }: World, ending: RunEnd): string | undefined {
  if (ending === "quiescent") return undefined;
  return ending === "events"
    ? `inconclusive: the run did not come to rest within ${steps} events, and its end was not judged`
    : `interrupted: at ${now} ms, after ${steps} events; its end was not judged`;
}

/** Pushes the state roots of the healed core and the end record, at which liveness is judged. */
function recordEnd(world: World, translator: Translator, { commons }: CompiledScenario, ending: RunEnd): void {
  const { genesis } = commons.shared;
  for (const name of world.core ?? []) {
    const node = world.node(name);
    if (!node.running) continue;
    const ledger = ledgerOf(node.state);
    const facts = changesBetween(genesis, ledger);
    const { honest } = node;
    const root = stateRoot(ledger) as Hash;
    translator.push({ type: "finalState", node: name, honest, epoch: ledger.epoch, root, facts });
    const state = validatorOf(node.state);
    if (state !== undefined) translator.push({ type: "kept", node: name, honest, items: keptItems(state) });
  }
  translator.push({ type: "ended", quiescent: ending === "quiescent" });
}

/** Ledgers of the healed core at the end; before, or without a core, of every running honest validator. */
function honestLedgers({ setting }: CompiledScenario, world: World, isEnd: boolean): ExpectationInputs["ledgers"] {
  const honest = setting.nodes.filter((node) => node.honest).map(({ node }) => node);
  const names = isEnd && world.core !== undefined && world.core.length > 0 ? world.core : honest;
  return names.flatMap((name) => {
    const node = world.node(name);
    return node.running && !node.isSuspended ? [{ node: name, ledger: ledgerOf(node.state) }] : [];
  });
}

function finalsOf({ operations }: CompiledScenario, { statuses, certificates }: RunRecord): readonly FinalOperation[] {
  const names = new Map([...operations].map(([name, id]) => [id, name]));
  return [...certificates].flatMap(([id, certificate]) => {
    const finalAt = statuses.get(id)?.finalAt;
    return finalAt === undefined ? [] : [{ id, name: names.get(id), virtualMs: finalAt, certificate }];
  });
}

/** The findings with the inputs of their verdict. */
function verdictInputs({
  compiled,
  chain,
  oracles,
}: WatchedRun): Omit<VerdictInputs, "unmet" | "idle" | "finals" | "cutShort"> {
  const { scenario, directory, setting, operations } = compiled;
  const committees = committeesOf(setting.genesis, chain);
  const { findings, scope } = oracles;
  return { scenario, directory, setting, operations, findings, isBeyond: scope.isBeyond, committees };
}

/**
 * The result of a run that threw an exception: `violation` if an invariant was broken before, since that is closer to
 * the cause, else `error`.
 */
function failedRun(
  options: RunOptions,
  world: World | undefined,
  seen: WatchedRun | undefined,
  error: unknown,
): RunResult {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const found = seen && verdictOf({ ...verdictInputs(seen), unmet: [], idle: [], finals: 0, cutShort: reason });
  const result = resultSoFar(options, world, seen);
  if (found?.verdict === "violation")
    return { ...result, ...found, cutShort: `The run then ended with an exception: ${reason}` };
  const judged = found ?? { violations: [], expected: [], beyondF: [], excused: [] };
  return { ...result, ...judged, verdict: "error", reason, cutShort: undefined };
}
