/** Deterministic world: nodes, clients, links and disks under one virtual clock. */
import type { Millis } from "../core/base/ids.ts";
import { buildEngine } from "./build.ts";
import type { Engine, Intervention, WorldState } from "./engine.ts";
import { isStaleEvent, processEntry } from "./events.ts";
import { type FaultState, faultState } from "./faults-in-force.ts";
import type { NodeView, WorldEvent, WorldListener } from "./listener.ts";
import type { Action, WorldPlan } from "./plan.ts";
import type { Entry } from "./queue.ts";
import { nextEvent } from "./schedule/schedule.ts";
import type { NodeName } from "./settings.ts";

/** Conditions that stop `run`; the first that holds. */
export interface RunUntil {
  /**
   * Virtual time: all events up to and including it are processed and the clock stops there, or up to a window of the
   * schedule later.
   */
  readonly at?: Millis;
  /** Largest number of further events. */
  readonly steps?: number;
  /** Called whenever no foreground event is left; absent: stops at once. `false` continues with background timers. */
  readonly quiet?: (() => boolean) | false;
  /** Called after each event. */
  readonly when?: () => boolean;
}

/** `quiet`: no foreground event is left (background timers do not count) and `quiet()` holds. `empty`: no event. */
export type StopReason = "at" | "steps" | "quiet" | "empty" | "when";

/** Returns a world at time 0, before its first event. @throws RangeError if names clash or settings are impossible. */
export function createWorld(plan: WorldPlan, listener: WorldListener = {}, intervention: Intervention = {}): World {
  return new World(buildEngine(plan, listener, intervention));
}

/** World; made by `createWorld`. */
export class World {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get now(): Millis {
    return this.#engine.now;
  }

  /** Number of processed events. */
  get steps(): number {
    return this.#engine.steps;
  }

  /** Rolling hash over every event: 0x and 32 hex digits. */
  get hash(): string {
    return this.#engine.trace.hash;
  }

  get nodes(): readonly NodeView[] {
    return this.#engine.nodes;
  }

  /** Names of the core once the healing phase has begun. */
  get core(): readonly NodeName[] | undefined {
    return this.#engine.core;
  }

  /** Returns the faults that act now. O(links). */
  faults(): FaultState {
    return faultState(this.#engine);
  }

  /** @throws RangeError for an unknown name. */
  node(name: NodeName): NodeView {
    return this.#engine.node(name);
  }

  /** Processes the next event; returns false if none is left. */
  step(): boolean {
    const first = this.#first();
    if (first === undefined) return false;
    processEntry(this.#engine, nextEvent(this.#engine, first));
    return true;
  }

  /**
   * Returns the earliest event, and drops the stale ones before it: they are not counted as steps, and the event after
   * one may lie beyond the end of the run.
   */
  #first(): Entry<WorldEvent> | undefined {
    const engine = this.#engine;
    const { queue } = engine;
    for (let { first } = queue; first !== undefined; first = queue.first) {
      if (!isStaleEvent(engine, first.item, first.sequence)) return first;
      queue.pop();
    }
    return undefined;
  }

  run(until: RunUntil): StopReason {
    const engine = this.#engine;
    const lastStep = engine.steps + (until.steps ?? Number.MAX_SAFE_INTEGER);
    for (;;) {
      if (engine.steps >= lastStep) return "steps";
      if (until.quiet !== false && this.isQuiet() && (until.quiet?.() ?? true)) return "quiet";
      const first = this.#first();
      if (until.at !== undefined && (first === undefined || first.at > until.at)) {
        engine.now = Math.max(engine.now, until.at) as Millis;
        return "at";
      }
      if (first === undefined) return "empty";
      processEntry(engine, nextEvent(engine, first));
      if (until.when?.() === true) return "when";
    }
  }

  /** Returns true if only background timers are left. */
  isQuiet(): boolean {
    return this.#engine.foreground === 0;
  }

  /** Returns the due time of the next event. */
  nextAt(): Millis | undefined {
    return this.#first()?.at as Millis | undefined;
  }

  /** Carries out an action at once, as an event of its own. */
  act(action: Action): void {
    const engine = this.#engine;
    engine.sequence += 1;
    engine.foreground += 1;
    processEntry(engine, { at: engine.now, sequence: engine.sequence, item: { type: "action", action } });
  }

  /** Returns a copy of its state, at a moment between two events: O(n) in all that waits, disks and clients. */
  capture(): WorldState {
    return this.#engine.capture();
  }

  /** Returns to a state that a world of the same plan captured; it stays as it is. O(n), as `capture`. */
  restore(captured: WorldState): void {
    this.#engine.restore(captured);
  }
}
