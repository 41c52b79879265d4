/**
 * Choice of the next event. `random` is the order of (time, sequence number), with a delay drawn for each message. The
 * other methods pick among **threads** (methods.ts) whose next event lies within a **window** of virtual time:
 *
 * - Let t be the time of the earliest waiting event, and W the window. Every thread whose next event is due by t + W
 * may run. The clock advances to the time of the picked event, and never back; skipped events come late.
 * - So no event comes before its time, and none later than W after it: while one due at t waits, nothing due after t +
 * W is picked, and the clock is at most t + W. Links keep their order as before.
 * - A node's messages to itself arrive at once, and the events at time 0 except messages (the script's faults, the
 * first starts) come first, in their order: a scheduler does not choose these.
 *
 * **Liveness.** From the healing on every method is `random`, and links deliver within `HEALED_DELAY_MS` again; late
 * events are delivered at once. Before it, a window is only a longer delay of at most W, which an unknown GST allows
 * (protocol 1.2). Safety never depends on time. Liveness bounds apply unchanged (protocol 7.8).
 *
 * **Choices are labelled by thread and number**, never by a count of all events: `priority v1>v2`, `change 1 v1>v2`.
 * One more operation, or event on another link, moves none of them.
 */
import { requireDefined } from "../../core/base/assert.ts";
import { MemoTable } from "../../core/base/memo-table.ts";
import type { Engine } from "../engine.ts";
import { isStaleEvent } from "../events.ts";
import type { WorldEvent } from "../listener.ts";
import type { SchedulePlan, WorldPlan } from "../plan.ts";
import type { Entry } from "../queue.ts";
import type { Choices } from "../random.ts";
import { delayBounded, type Method, pct, type Schedule, type Thread, threadOf, threadsOf } from "./methods.ts";

/** Returns the schedule of a plan; `undefined` for the order of time. */
export function scheduleOf(plan: WorldPlan, choices: Choices): Schedule | undefined {
  const { schedule } = plan;
  if (schedule === undefined || schedule.method === "random") return undefined;
  const { steps, windowMs } = schedule;
  const threads = threadsOf(plan);
  const method =
    schedule.method === "pct"
      ? pct(choices, threads, schedule.depth, steps)
      : delayBounded(choices, threads, schedule.deviations, steps);
  return { method: method as Method, memory: method.memory, windowMs, threads: new MemoTable() };
}

/** Takes the next event out of the queue, whose first entry is `first`, not stale. */
export function nextEvent(engine: Engine, first: Entry<WorldEvent>): Entry<WorldEvent> {
  const { scheduler: turns } = engine;
  const chosen = turns === undefined || engine.core !== undefined ? first : chooseEntry(engine, turns, first);
  if (chosen === first) engine.queue.pop();
  else engine.queue.remove(chosen);
  return chosen;
}

function chooseEntry(engine: Engine, turns: Schedule, earliest: Entry<WorldEvent>): Entry<WorldEvent> {
  if (earliest.at === 0 && earliest.item.type !== "arrival") return earliest;
  const ready = engine.queue
    .dueEntries(earliest.at + turns.windowMs)
    .filter(({ item, sequence }) => !isStaleEvent(engine, item, sequence));
  const own = ready.find(({ item }) => item.type === "arrival" && item.from === item.to);
  if (own !== undefined) return own;
  const heads = threadHeads(engine, turns, ready);
  const { thread, memory } = turns.method.pick([...heads.keys()], turns.memory);
  engine.scheduler = { ...turns, memory };
  return requireDefined(heads.get(thread), `the next event of ${thread}`);
}

/** Returns the first event of each thread, in the order of time. */
function threadHeads(
  engine: Engine,
  { threads }: Schedule,
  ready: readonly Entry<WorldEvent>[],
): ReadonlyMap<Thread, Entry<WorldEvent>> {
  const heads = new Map<Thread, Entry<WorldEvent>>();
  const isNode = (party: string): boolean => engine.isNode(engine.index(party));
  const threadIn = (event: WorldEvent): Thread => threadOf(event, isNode);
  for (const entry of ready) {
    const thread = threads.getOrCompute(entry.item, threadIn);
    if (!heads.has(thread)) heads.set(thread, entry);
  }
  return heads;
}

/**
 * Returns a number of seeds of which at least one meets a given order. `pct`: n k^(d-1) for an order of depth d of n threads.
 * `delay-bounded`: k^D for a given set of D departures. Both hold for orders among the first `steps` events of each thread
 * that the window allows, with all other draws (delays, losses) fixed; k = n * `steps`.
 */
export function seedsPerOrder(plan: Exclude<SchedulePlan, { method: "random" }>, threads: number): bigint {
  const places = BigInt(threads * plan.steps);
  return plan.method === "pct" ? BigInt(threads) * places ** BigInt(plan.depth - 1) : places ** BigInt(plan.deviations);
}

/** Returns what a schedule guarantees, as text; for `random`, which guarantees nothing, its name only. */
export function guaranteeText(plan: SchedulePlan, threads: number): string {
  if (plan.method === "random") return plan.method;
  const which =
    plan.method === "pct"
      ? `an order of depth ${plan.depth}`
      : `an order with ${plan.deviations} ${plan.deviations === 1 ? "departure" : "departures"} from round robin`;
  const where = `${threads} threads, ${threads * plan.steps} positions`;
  return `${plan.method}: ${which} occurs in at least 1 of ${seedsPerOrder(plan, threads)} seeds (${where})`;
}
