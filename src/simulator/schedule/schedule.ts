/**
 * Who goes next. `random` is the order of (time, sequence number), with a delay drawn for each message. The other
 * methods pick among **threads** (threads.ts) whose next event lies within a **window** of virtual time:
 *
 * - Let t be the time of the earliest event that waits, and W the window. Every thread whose next event is due by t + W
 *   may go. The clock goes on to the time of the event that is picked, and never back; what was passed over comes late.
 * - So no event comes before its time, and none later than W after it: while one due at t waits, nothing due after t + W
 *   is picked, and the clock stands at t + W at the latest. Links keep their order as before.
 * - A node's own words reach it at once, and what happens at time 0 but for messages (the script's faults, the first
 *   starts) comes first, in its order: these are no choices of a scheduler.
 *
 * **Liveness.** From the healing on every method is `random`, and links deliver within `HEALED_DELAY_MS` again; what was
 * late is delivered at once. Before it, a window is only a longer delay of at most W, which an unknown GST allows
 * (protocol 1.2). Safety never depends on time. Bounds of liveness are therefore demanded as ever (protocol 7.8).
 *
 * **Choices are labelled by thread and number**, never by a count of all events: `priority v1>v2`, `change 1 v1>v2`. An
 * operation more, or an event more on another link, moves none of them; a saved run forces them by label (choices.ts).
 */
import { present, unreachable } from "../../core/base/assert.ts";
import type { Choices } from "../choices.ts";
import type { Engine, Job } from "../engine.ts";
import { isStaleEvent } from "../events.ts";
import type { SchedulePlan, WorldPlan } from "../plan.ts";
import { type Entry, type Heap, pop, upTo, without } from "../queue.ts";
import { delayBounded } from "./delay-bounded.ts";
import { DEPTH_MAX, DEVIATIONS_MAX, STEPS_MAX, THREADS_MAX, WINDOW_MAX_MS } from "./limits.ts";
import type { Method, Schedule } from "./method.ts";
import { pct } from "./pct.ts";
import { type Thread, threadOf, threadsOf } from "./threads.ts";

/** The schedule of a plan; nothing for the order of time. @throws RangeError for a bound that makes no sense. */
export function scheduleOf(plan: WorldPlan, choices: Choices): Schedule | undefined {
  const method = methodOf(plan.schedule ?? { method: "random" }, plan, choices);
  if (method === undefined || plan.schedule === undefined || plan.schedule.method === "random") return undefined;
  const { windowMs } = plan.schedule;
  demand("windowMs", windowMs, 0, WINDOW_MAX_MS);
  return { method, memory: method.memory, windowMs };
}

/** Takes the event that goes next out of a queue that is not empty and begins with one that still counts. */
export function takeNext(engine: Engine, queue: Heap<Job>): Entry<Job> {
  const { turns } = engine;
  const { entry } = queue;
  const chosen = turns === undefined || engine.core !== undefined ? entry : chosenOf(engine, turns, queue);
  engine.queue = chosen === entry ? pop(queue) : without(queue, chosen);
  return chosen;
}

function chosenOf(engine: Engine, turns: Schedule, queue: Heap<Job>): Entry<Job> {
  const { entry: earliest } = queue;
  if (earliest.at === 0 && earliest.item.event.type !== "arrival") return earliest;
  const ready = upTo(queue, earliest.at + turns.windowMs).filter(
    ({ item, sequence }) => !isStaleEvent(engine, item.event, sequence),
  );
  const own = ready.find(({ item }) => item.event.type === "arrival" && item.event.from === item.event.to);
  if (own !== undefined) return own;
  const heads = headsOf(engine, ready);
  const { thread, memory } = turns.method.pick([...heads.keys()], turns.memory);
  engine.turns = { ...turns, memory };
  return present(heads.get(thread), `the next event of ${thread}`);
}

/** The first event of each thread, in the order of time. */
function headsOf(engine: Engine, ready: readonly Entry<Job>[]): ReadonlyMap<Thread, Entry<Job>> {
  const heads = new Map<Thread, Entry<Job>>();
  const isNode = (party: string): boolean => engine.isNode(engine.index(party));
  for (const entry of ready) {
    const thread = threadOf(entry.item.event, isNode);
    if (!heads.has(thread)) heads.set(thread, entry);
  }
  return heads;
}

function methodOf(schedule: SchedulePlan, plan: WorldPlan, choices: Choices): Method | undefined {
  if (schedule.method === "random") return undefined;
  const threads = threadsOf(plan);
  demand("number of threads", threads.length, 1, THREADS_MAX);
  const { steps } = schedule;
  demand("steps", steps, 1, STEPS_MAX);
  switch (schedule.method) {
    case "pct":
      demand("depth", schedule.depth, 1, DEPTH_MAX);
      return pct(choices, threads, schedule.depth, steps) as Method;
    case "delay-bounded":
      demand("deviations", schedule.deviations, 0, DEVIATIONS_MAX);
      return delayBounded(choices, threads, schedule.deviations, steps) as Method;
    default:
      return unreachable(schedule);
  }
}

function demand(what: string, value: number, from: number, to: number): void {
  if (Number.isSafeInteger(value) && value >= from && value <= to) return;
  throw new RangeError(`schedule: expected ${what} from ${from} to ${to}, got ${value}`);
}
