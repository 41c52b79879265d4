/** Phases of a run: timed expectations, healing, quiescence. */
import type { Millis } from "../core/base/ids.ts";
import { isPastEpochEnd } from "../core/ledger/epoch.ts";
import { stateRoot } from "../core/ledger/roots.ts";
import { bounds } from "../invariants/history/quorum.ts";
import type { CompiledScenario } from "../scenario/compile/compile.ts";
import { rangeOf } from "../scenario/compile/parts.ts";
import { FAULTS_GRACE_MS, HEALING_MS, RUN_SLICE, SETTLING_MS } from "../scenario/limits.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { ledgerOf, type RestingState } from "../simulator/nodes/program.ts";
import type { HealingPlan } from "../simulator/plan.ts";
import type { RunUntil, StopReason, World } from "../simulator/world.ts";
import type { Interruptible } from "./interruptible.ts";

/** End of a run: quiescent, at the bound of events, or interrupted from outside. */
export type RunEnd = "quiescent" | "events" | "interrupted";

export interface Watch {
  /** Called at each `at` of an expectation, in virtual milliseconds. */
  readonly onTime: (at: number) => void;
  /** Time of the last new submission or first decision of a slot, in virtual milliseconds. */
  readonly lastProgress: () => number;
  /** Bound of events. */
  readonly events: number;
}

interface Phase {
  readonly until: RunUntil;
  readonly done: () => void;
}

/** Runs a world through faults and healing until it is quiescent, or for `HEALING_MS` after the last progress. */
export function* runPhases(world: World, compiled: CompiledScenario, watch: Watch): Interruptible<RunEnd> {
  for (const phase of phasesOf(world, compiled, watch)) {
    const stopped = yield* runTo(world, phase.until, watch.events);
    if (stopped === "events" || stopped === "interrupted") return stopped;
    phase.done();
  }
  const quiet = (): boolean =>
    compiled.scenario.healing?.none === true || (compiled.setting.isOpaque ? agrees(world) : isQuiescent(world));
  for (let end = world.now + HEALING_MS; ; end = watch.lastProgress() + HEALING_MS) {
    const stopped = yield* runTo(world, { at: end as Millis, quiet }, watch.events);
    if (stopped === "events" || stopped === "interrupted") return stopped;
    if (stopped !== "at") return "quiescent";
    if (watch.lastProgress() + HEALING_MS > end) continue;
    // A late decision may still be in flight, and what a late retry brings goes on.
    const last = yield* runTo(world, { at: (end + SETTLING_MS) as Millis, quiet }, watch.events);
    if (last === "events" || last === "interrupted") return last;
    if (last !== "at" || watch.lastProgress() <= end) return "quiescent";
  }
}

/** The timed expectations and the healing, in order. Each phase begins after the previous one has ended. */
function* phasesOf(world: World, compiled: CompiledScenario, { onTime: look }: Watch): Iterable<Phase> {
  const { scenario } = compiled;
  const { healing } = scenario;
  const times = [...new Set((scenario.expect ?? []).flatMap(({ at }) => at ?? []))].sort((a, b) => a - b);
  const before = healing?.at === undefined ? times : times.filter((at) => at < (healing.at ?? 0));
  const lookAt = (at: number): Phase => ({ until: { at: at as Millis, quiet: false }, done: () => look(at) });
  for (const at of before) yield lookAt(at);
  yield {
    until:
      healing?.at === undefined
        ? { at: Math.max(world.now, usualHealing(scenario)) as Millis }
        : { at: healing.at as Millis, quiet: false },
    done: () => {
      if (healing?.none !== true) world.act({ do: "endFaults", healing: healingPlan(compiled) });
    },
  };
  for (const at of times.slice(before.length)) yield lookAt(at);
}

function* runTo(world: World, until: RunUntil, events: number): Interruptible<StopReason | "events" | "interrupted"> {
  for (;;) {
    const remaining = events - world.steps;
    if (remaining <= 0) return "events";
    const stopped = world.run({ ...until, steps: Math.min(remaining, RUN_SLICE) });
    if (stopped !== "steps") return stopped;
    if (yield) return "interrupted";
  }
}

/** Returns the latest time of the healing of a scenario that names none, in virtual milliseconds. */
export function usualHealing(scenario: Scenario): number {
  return lastStepTime(scenario) + FAULTS_GRACE_MS;
}

/** The latest time that a step names, in virtual milliseconds; triggered steps may follow it. */
function lastStepTime({ steps }: Scenario): number {
  const ends = (steps ?? []).map(
    ({ at = 0, workload, chaos }) =>
      at + (chaos?.for_ms ?? 0) + (workload === undefined ? 0 : workload.count * rangeOf(workload.every_ms).to),
  );
  return Math.max(0, ...ends);
}

function healingPlan({ scenario, setting }: CompiledScenario): HealingPlan {
  const { quorum } = bounds(setting.genesis.validators.length);
  // Members of later committees must be in the core: with all correct validators every committee has a quorum there.
  const moves =
    (scenario.network?.spares ?? []).length > 0 || (scenario.steps ?? []).some(({ govern }) => govern !== undefined);
  const wiped = new Set((scenario.steps ?? []).map(({ wipe: node }) => node));
  const correct = setting.nodes.filter(({ honest }) => honest).map(({ node }) => node);
  const voting = correct.filter((node) => !wiped.has(node));
  const healing = scenario.healing;
  // Too few correct validators cannot decide anything: all of them heal, and the verdict says why they stall.
  const all = moves ? voting : undefined;
  const core = healing?.core ?? (voting.length < quorum ? correct : all);
  return {
    atLeast: quorum,
    ...(core === undefined ? {} : { core }),
    ...(healing?.everywhere === true ? { everywhere: true } : {}),
  };
}

/** True if the core has equal ledgers: of validators with a protocol of their own nothing more is known. */
function agrees(world: World): boolean {
  const [first, ...others] = (world.core ?? []).map((name) => stateRoot(ledgerOf(world.node(name).state)));
  return others.every((root) => root === first);
}

/**
 * True if the core has equal states, all of it in a checkpoint where checkpoints are formed, and nothing pending: then
 * validators have nothing to tell one another. It is read from the states, and not from what validators keep for it.
 */
function isQuiescent(world: World): boolean {
  const core = (world.core ?? []).map((name) => world.node(name).state as RestingState | undefined);
  const [first] = core;
  if (first === undefined) return true;
  const { hash, header } = first.checkpoints.last;
  const areDone = core.every(
    (state) =>
      state !== undefined &&
      !isClosing(state) &&
      state.mempool.pending.size === 0 &&
      state.checkpoints.last.hash === hash,
  );
  if (!areDone) return false;
  const root = first.ledger.parameters.checkpoints === undefined ? stateRoot(first.ledger) : header.stateRoot;
  return core.every((state) => state !== undefined && stateRoot(state.ledger) === root);
}

/** True if the validator waits for the closing of its epoch, or the closing is due (protocol 6.3). */
function isClosing({ epochs: { closed }, ledger, checkpoints: { last: checkpoint } }: RestingState): boolean {
  return closed !== undefined || isPastEpochEnd(ledger, checkpoint.header.number + 1);
}
